import { TonError } from '../../shared/errors.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import type { StackEntry } from '../../shared/models/stack.ts'
import type { V3StackEntry } from '../../shared/models/v3/legacy.ts'
import type { Result } from '../../shared/registry.ts'
import type { legacy } from '../../shared/v3/legacy.ts'
import type { Handlers } from '../base/call.ts'
import { ACCOUNT_STATUSES } from '../store/codes.ts'
import type { Reader } from '../store/postgres/reader.ts'
import { findAccounts } from '../store/queries/accounts.ts'
import { readIndex } from '../store/queries/view.ts'
import type { AccountId } from '../tlb/ids.ts'
import { base64 } from './shapes/values.ts'

export type V2 = Pick<Handlers, 'getAddressInformation' | 'getWalletInformation' | 'sendBocReturnHash' | 'estimateFee' | 'runGetMethodStd'>

/** v3 writes `uninit` where v2 writes `uninitialized`. */
const word = (status: Result<'getAddressState'>, useV2: boolean) => (status === 'uninitialized' && !useV2 ? 'uninit' : status)
const orNull = (text: string): string | null => (text === '' ? null : text)

const hexNumber = (decimal: string): string => {
  const value = BigInt(decimal)
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

/** Converts an entry of v2's typed stack to v3's form. The recursion is safe, because v2 limits the depth. */
const toEntry = (entry: StackEntry): V3StackEntry => {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'num', value: hexNumber(entry.number.number) }
    case 'tvm.stackEntryCell':
      return { type: 'cell', value: entry.cell.bytes }
    case 'tvm.stackEntrySlice':
      return { type: 'slice', value: entry.slice.bytes }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', value: entry.tuple.elements.map(toEntry) }
    case 'tvm.stackEntryList':
      return { type: 'list', value: entry.list.elements.map(toEntry) }
    case 'tvm.stackEntryUnsupported':
      return { type: 'unsupported', value: '' }
  }
}

const NONEXIST = ACCOUNT_STATUSES.indexOf('nonexist')

/** Fields of a deleted account, from the index. Undefined if the account never existed, or if the index is unavailable. */
const goneOf = async (reader: Reader, address: AccountId, signal: AbortSignal) => {
  try {
    return await readIndex(reader, signal, async (view) => {
      const [row] = await findAccounts(view, { address: [address] })
      if (row?.status !== NONEXIST || row.last_trans_hash === null) return undefined
      return { last_transaction_lt: row.last_trans_lt, last_transaction_hash: base64(row.last_trans_hash), status: 'nonexist' as const }
    })
  } catch (error) {
    if (error instanceof TonError && error.kind === 'UNAVAILABLE') return undefined
    throw error
  }
}

/** Handlers that call v2 and remove the types and envelopes from its answers. Deleted accounts are found in the index, because v2 does not know them. */
export const legacyHandlers = ({ reader, v2 }: { readonly reader: Reader; readonly v2: V2 }): Pick<Handlers, keyof typeof legacy> => ({
  async 'v3.addressInformation'({ address, use_v2 }, call) {
    const state = await v2.getAddressInformation({ address }, call)
    const isNone = !use_v2 && state.state === 'uninitialized' && state.last_transaction_id.lt === '0'
    return {
      balance: state.balance,
      code: orNull(state.code),
      data: orNull(state.data),
      last_transaction_lt: state.last_transaction_id.lt,
      last_transaction_hash: state.last_transaction_id.hash,
      frozen_hash: use_v2 ? orNull(state.frozen_hash) : null,
      status: word(state.state, use_v2),
      suspended: state.suspended,
      ...(isNone && (await goneOf(reader, address, call.signal))),
    }
  },

  async 'v3.walletInformation'({ address, use_v2 }, call) {
    const wallet = await v2.getWalletInformation({ address }, call)
    const isNone = !use_v2 && wallet.account_state === 'uninitialized' && wallet.last_transaction_id.lt === '0'
    const isOther = !wallet.wallet && wallet.account_state !== 'uninitialized'
    if (isOther || (isNone && (await goneOf(reader, address, call.signal)))) throw new TonError('NOT_A_WALLET', 'not a wallet')
    return {
      balance: wallet.balance,
      ...(wallet.wallet_type !== undefined && { wallet_type: wallet.wallet_type }),
      ...(wallet.seqno !== undefined && { seqno: wallet.seqno }),
      ...(wallet.wallet_id !== undefined && { wallet_id: use_v2 ? wallet.wallet_id : wallet.wallet_id >>> 0 }),
      last_transaction_lt: wallet.last_transaction_id.lt,
      last_transaction_hash: wallet.last_transaction_id.hash,
      status: word(wallet.account_state, use_v2),
      suspended: (await v2.getAddressInformation({ address }, call)).suspended,
    }
  },

  async 'v3.message'({ boc }, call) {
    const { hash, hash_norm } = await v2.sendBocReturnHash({ boc }, call)
    return { message_hash: hash, message_hash_norm: hash_norm }
  },

  async 'v3.estimateFee'(params, call) {
    const { source_fees, destination_fees } = await v2.estimateFee(params, call)
    const fees = ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee }: typeof source_fees) => ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee })
    return { source_fees: fees(source_fees), destination_fees: destination_fees.map(fees) }
  },

  async 'v3.runGetMethod'({ address, method, stack }, call) {
    const { gas_used, exit_code, stack: left } = await v2.runGetMethodStd({ address, method: methodId(method), stack }, call)
    return { gas_used, exit_code, stack: left.map(toEntry) }
  },
})
