import { parseAddress } from '../../shared/fields/address.ts'
import type { Params } from '../../shared/registry.ts'
import type { accounts } from '../../shared/v3/accounts.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { mapWithPauses } from '../base/yield.ts'
import { bookOfSpellings } from '../book/address-book.ts'
import { interfacesOf } from '../book/interfaces.ts'
import { metadata } from '../book/token-metadata.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { ACCOUNT_STATUSES } from '../store/codes.ts'
import { methodsOfCodes } from '../store/queries/account-kinds.ts'
import { type AccountRow, cellsOf, findAccounts, readData } from '../store/queries/accounts.ts'
import type { View } from '../store/queries/view.ts'
import { accountKey, distinct } from '../store/row-keys.ts'
import { isWalletCode, readWalletData } from '../tlb/contracts/wallets.ts'
import type { V3Index } from './answer/answer.ts'
import { lookup } from './answer/lookup.ts'
import { suspendedAt } from './answer/suspended.ts'
import { statesSubject } from './proofs/subject.ts'
import { address, base64, extra, maybeBase64, optional } from './shapes/values.ts'

const last = (row: AccountRow) => ({
  last_transaction_hash: maybeBase64(row.last_trans_hash),
  last_transaction_lt: row.last_trans_hash ? row.last_trans_lt : null,
})

interface Found {
  readonly rows: readonly AccountRow[]
  /** Undefined if the configuration was not read. */
  readonly isSuspended: ((account: Buffer) => boolean) | undefined
}

type AccountQuery = Pick<Params<'v3.accountStates'>, 'address' | 'code_hash'>

const find = async (view: View, params: AccountQuery): Promise<Found> => {
  const [rows, isSuspended] = await Promise.all([findAccounts(view, params), suspendedAt(view)])
  return { rows, isSuspended }
}

interface Codes {
  /** BoCs by code hash (base64); undefined if the answer has no codes. */
  readonly bocs: ReadonlyMap<string, Buffer> | undefined
  /** Ids of get-methods by code hash (base64). */
  readonly methods: ReadonlyMap<string, readonly number[]>
}

const codesOf = async (view: View, rows: readonly AccountRow[], withBocs: boolean): Promise<Codes> => {
  const hashes = rows.flatMap((row) => row.code_hash ?? [])
  const [bocs, methods] = await Promise.all([withBocs ? cellsOf(view, hashes) : undefined, methodsOfCodes(view, hashes)])
  return { bocs, methods }
}

/** Total bytes of the codes in an answer. A code is read once, but written for each account with this code. */
const bytesOfCodes = (rows: readonly AccountRow[], { bocs }: Codes): number =>
  rows.reduce((sum, { code_hash: code }) => sum + ((code && bocs?.get(base64(code))?.length) ?? 0), 0)

const suspendedOf = (row: AccountRow, isSuspended: Found['isSuspended']) => isSuspended && { suspended: isSuspended(row.account) }

const accountState = (row: AccountRow, { bocs, methods }: Codes, isSuspended: Found['isSuspended']) => {
  const code = row.code_hash && base64(row.code_hash)
  const ids = code ? methods.get(code) : undefined
  const boc = (bytes: Buffer | null | undefined) => optional(maybeBase64(bytes))
  return {
    address: address(row.account),
    account_state_hash: base64(row.state_hash),
    balance: row.balance,
    extra_currencies: extra(row.balance_extra),
    status: ACCOUNT_STATUSES[row.status]!,
    frozen_hash: boc(row.frozen_hash),
    ...last(row),
    data_hash: boc(row.data_hash),
    code_hash: optional(code),
    data_boc: boc(bocs && row.data_boc),
    code_boc: boc(code ? bocs?.get(code) : null),
    contract_methods: ids ? [...ids] : null,
    interfaces: code ? interfacesOf(code, ids) : [],
    ...suspendedOf(row, isSuspended),
  }
}

const walletState = (row: AccountRow, isSuspended: Found['isSuspended']) => {
  const code = row.code_hash?.toString('hex')
  const wallet = code && row.data_boc && isWalletCode(code) ? readWalletData(code, parseBocRoot(row.data_boc)) : undefined
  return {
    address: address(row.account),
    is_wallet: wallet !== undefined,
    ...(wallet && { ...wallet, ...(wallet.wallet_id !== undefined && { wallet_id: wallet.wallet_id >>> 0 }) }),
    balance: row.balance,
    extra_currencies: extra(row.balance_extra),
    status: ACCOUNT_STATUSES[row.status]!,
    code_hash: optional(maybeBase64(row.code_hash)),
    ...last(row),
    ...suspendedOf(row, isSuspended),
  }
}

/** The account key of an address in any format; null if the text is not an address. */
const keyOfSpelling = (spelling: string): Buffer | null => {
  const id = parseAddress(spelling)
  return id ? accountKey(id.workchain, id.hash) : null
}

const accountStates = async (view: View, { rows, isSuspended }: Found, include_boc: boolean) => {
  const [codes, read] = await Promise.all([codesOf(view, rows, include_boc), include_boc ? readData(view, rows) : rows])
  view.expectBytes(bytesOfCodes(rows, codes))
  return { accounts: await mapWithPauses(read, (row) => accountState(row, codes, isSuspended), view.signal) }
}

/** Only the data of wallets is read, because the data of other accounts can have 65,536 cells. */
const walletStates = async (view: View, { rows, isSuspended }: Found) => {
  const read = await readData(view, rows, ({ code_hash: code }) => code !== null && isWalletCode(code.toString('hex')))
  return { wallets: await mapWithPauses(read, (row) => walletState(row, isSuspended), view.signal) }
}

const accountsOf = (rows: readonly AccountRow[]): Buffer[] => rows.map((row) => row.account)

export const accountHandlers = (index: V3Index): AnswerHandlers<keyof typeof accounts> => ({
  'v3.accountStates': lookup(index, 'v3.accountStates', async (view, params) => {
    const found = await find(view, params)
    return {
      accounts: accountsOf(found.rows),
      body: accountStates(view, found, params.include_boc),
      subject: (whole) => statesSubject(whole, params.address ?? []),
    }
  }),

  'v3.walletStates': lookup(index, 'v3.walletStates', async (view, params) => {
    const found = await find(view, params)
    return { accounts: accountsOf(found.rows), body: walletStates(view, found) }
  }),

  'v3.addressBook': lookup(index, 'v3.addressBook', async (view, params) => ({ body: bookOfSpellings(view, params.address) })),

  'v3.metadata': lookup(index, 'v3.metadata', async (view, { address }) => ({
    body: metadata(view, distinct(address.map(keyOfSpelling)), { want: index.want }),
  })),
})
