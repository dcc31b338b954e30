import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadAddressInt, type MsgAddressInt, storeAddressInt } from '../address.ts'

/*
 * Multisig v2 (https://github.com/ton-blockchain/multisig-contract-v2, contracts/{multisig,order,types}.func, written as TL-B):
 * _ next_order_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) signers_num:uint8
 *   proposers:(HashmapE 8 MsgAddressInt) allow_arbitrary_seqno:Bool = MultisigData;
 * _ multisig_address:MsgAddressInt order_seqno:uint256 = OrderData;                               (before it is initialized)
 * _ multisig_address:MsgAddressInt order_seqno:uint256 threshold:uint8 sent_for_execution:Bool signers:^(Hashmap 8 MsgAddressInt)
 *   approvals_mask:uint256 approvals_num:uint8 expiration_date:uint48 order:^OrderBody = OrderData;
 * _ actions:(Hashmap 8 ^OrderAction) = OrderBody;
 * send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any) = OrderAction;
 * update_multisig_params#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8 MsgAddressInt) = OrderAction;
 */

export interface MultisigData {
  readonly nextOrderSeqno: bigint
  readonly threshold: number
  readonly signers: readonly MsgAddressInt[]
  readonly proposers: readonly MsgAddressInt[]
  readonly allowArbitrarySeqno: boolean
}

/** Addresses of a dictionary of at most 256 places, in order. */
export const loadAddresses = (root: Cell | undefined): MsgAddressInt[] =>
  [...dictEntries(root, 8)].map(([, value]) => {
    const address = loadAddressInt(value)
    value.end()
    return address
  })

/** Root of Hashmap 8 MsgAddressInt; undefined for none. */
const storeAddresses = (addresses: readonly MsgAddressInt[]): Cell | undefined =>
  dictFromEntries(
    8,
    addresses.map((address, i) => [BigInt(i), storeAddressInt(beginCell(), address)] as const),
  )

export const loadMultisigData = (cell: Cell): MultisigData => {
  const s = cell.slice()
  const nextOrderSeqno = s.loadUintBig(256)
  const threshold = s.loadUint(8)
  const signers = loadAddresses(s.loadRef())
  if (s.loadUint(8) !== signers.length) throw new CellError('range', 'MultisigData: signers_num')
  const proposers = loadAddresses(s.loadMaybeRef())
  const data = { nextOrderSeqno, threshold, signers, proposers, allowArbitrarySeqno: s.loadBit() }
  s.end()
  return data
}

export const storeMultisigData = (data: MultisigData): Cell => {
  const signers = storeAddresses(data.signers)
  if (signers === undefined) throw new CellError('range', 'MultisigData: no signers')
  return beginCell()
    .storeUint(data.nextOrderSeqno, 256)
    .storeUint(data.threshold, 8)
    .storeRef(signers)
    .storeUint(data.signers.length, 8)
    .storeMaybeRef(storeAddresses(data.proposers))
    .storeBit(data.allowArbitrarySeqno)
    .end()
}

const SEND_MESSAGE = 0xf1381e5b
const UPDATE_PARAMS = 0x1d0cfbd3

/** Actions of an order, in order of execution. */
export const loadOrderActions = (order: Cell): Cell[] => [...dictEntries(order, 8)].map(([, value]) => value.loadRef())

/** Root of the dictionary of an order's actions. */
export const storeOrderActions = (actions: readonly Cell[]): Cell => {
  const root = dictFromEntries(
    8,
    actions.map((action, i) => [BigInt(i), beginCell().storeRef(action)] as const),
  )
  if (root === undefined) throw new CellError('range', 'OrderBody: no actions')
  return root
}

export interface UpdateParams {
  readonly threshold: number
  readonly signers: readonly MsgAddressInt[]
  readonly proposers: readonly MsgAddressInt[]
}

export type OrderAction =
  | { readonly type: 'send'; readonly mode: number; readonly message: Cell }
  | ({ readonly type: 'update' } & UpdateParams)

/** Throws CellError for an action of another kind. */
export const loadOrderAction = (cell: Cell): OrderAction => {
  const s: Slice = cell.slice()
  const op = s.loadUint(32)
  if (op === SEND_MESSAGE) {
    const action = { type: 'send', mode: s.loadUint(8), message: s.loadRef() } as const
    s.end()
    return action
  }
  if (op !== UPDATE_PARAMS) throw new CellError('range', `unknown order action 0x${op.toString(16).padStart(8, '0')}`)
  const action = {
    type: 'update',
    threshold: s.loadUint(8),
    signers: loadAddresses(s.loadRef()),
    proposers: loadAddresses(s.loadMaybeRef()),
  } as const
  s.end()
  return action
}

export const storeOrderAction = (action: OrderAction): Cell => {
  const b: Builder = beginCell()
  if (action.type === 'send') return b.storeUint(SEND_MESSAGE, 32).storeUint(action.mode, 8).storeRef(action.message).end()
  const signers = storeAddresses(action.signers)
  if (signers === undefined) throw new CellError('range', 'update_multisig_params: no signers')
  return b
    .storeUint(UPDATE_PARAMS, 32)
    .storeUint(action.threshold, 8)
    .storeRef(signers)
    .storeMaybeRef(storeAddresses(action.proposers))
    .end()
}
