import { parseAddress } from '../../shared/fields/address.ts'
import type { accounts } from '../../shared/v3/accounts.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { bookOfSpellings } from '../book/address-book.ts'
import { interfacesOf } from '../book/interfaces.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { ACCOUNT_STATUSES } from '../store/codes.ts'
import { accountKey } from '../store/keys.ts'
import { type AccountRow, cellsOf, findAccounts, methodsOfCodes } from '../store/queries/accounts.ts'
import { readWalletData } from '../v2/wallets.ts'
import { answer, type V3Index } from './answer/answer.ts'
import { address, base64, extra, maybeBase64, present } from './shapes/wire.ts'

/** The last transaction of an account; null if it had none. */
const last = (row: AccountRow) => ({
  last_transaction_hash: maybeBase64(row.last_trans_hash),
  last_transaction_lt: row.last_trans_hash ? row.last_trans_lt : null,
})

const accountState = (row: AccountRow, codes: ReadonlyMap<string, Buffer> | undefined, methods: ReadonlyMap<string, readonly number[]>) => {
  const code = row.code_hash && base64(row.code_hash)
  const ids = code ? methods.get(code) : undefined
  const boc = (bytes: Buffer | null | undefined) => (bytes ? base64(bytes) : undefined)
  return {
    address: address(row.account),
    account_state_hash: base64(row.state_hash),
    balance: row.balance,
    extra_currencies: extra(row.balance_extra),
    status: ACCOUNT_STATUSES[row.status]!,
    ...present({ frozen_hash: boc(row.frozen_hash) }),
    ...last(row),
    ...present({
      data_hash: boc(row.data_hash),
      code_hash: code,
      data_boc: codes && boc(row.data_boc),
      code_boc: codes && code ? boc(codes.get(code)) : undefined,
    }),
    contract_methods: ids ? [...ids] : null,
    interfaces: code ? interfacesOf(code, ids) : [],
  }
}

const walletState = (row: AccountRow) => {
  const wallet = row.code_hash && row.data_boc ? readWalletData(row.code_hash.toString('hex'), parseBocRoot(row.data_boc)) : undefined
  return {
    address: address(row.account),
    is_wallet: wallet !== undefined,
    ...(wallet && { ...wallet, ...(wallet.wallet_id !== undefined && { wallet_id: wallet.wallet_id >>> 0 }) }),
    balance: row.balance,
    extra_currencies: extra(row.balance_extra),
    status: ACCOUNT_STATUSES[row.status]!,
    ...present({ code_hash: maybeBase64(row.code_hash) }),
    ...last(row),
  }
}

/** Accounts of the index. */
export const accountHandlers = (index: V3Index): AnswerHandlers<keyof typeof accounts> => ({
  'v3.accountStates': (params, { signal }) =>
    answer(index, params, signal, async (view, beside) => {
      const rows = await findAccounts(view, params)
      const hashes = rows.flatMap((row) => row.code_hash ?? [])
      const codes = params.include_boc ? await cellsOf(view, hashes) : undefined
      const keys = rows.map((row) => row.account)
      const methods = await methodsOfCodes(view, hashes)
      return { body: { accounts: rows.map((row) => accountState(row, codes, methods)), ...(await beside.both(keys)) } }
    }),

  'v3.walletStates': (params, { signal }) =>
    answer(index, params, signal, async (view, beside) => {
      const rows = await findAccounts(view, params)
      const keys = rows.map((row) => row.account)
      return { body: { wallets: rows.map(walletState), ...(await beside.both(keys)) } }
    }),

  'v3.addressBook': (params, { signal }) =>
    answer(index, params, signal, async (view) => ({ body: await bookOfSpellings(view, params.address) })),

  'v3.metadata': (params, { signal }) =>
    answer(index, params, signal, async (_, beside) => {
      const keys = params.address.map((spelling) => {
        const id = parseAddress(spelling)
        return id ? accountKey(id.workchain, id.hash) : null
      })
      return { body: await beside.tokens(keys) }
    }),
})
