import type { Budget } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadAddressInt, type MsgAddressInt } from '../address.ts'

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

export const loadAddresses = (root: Cell | undefined, budget: Budget): MsgAddressInt[] =>
  [...dictEntries(root, 8, budget)].map(([, value]) => {
    const address = loadAddressInt(value)
    value.end()
    return address
  })

const SEND_MESSAGE = 0xf1381e5b
const UPDATE_PARAMS = 0x1d0cfbd3

/** Actions of an order, in order of execution. */
export const loadOrderActions = (order: Cell, budget: Budget): Cell[] =>
  [...dictEntries(order, 8, budget)].map(([, value]) => value.loadRef())

export interface UpdateParams {
  readonly threshold: number
  readonly signers: readonly MsgAddressInt[]
  readonly proposers: readonly MsgAddressInt[]
}

export type OrderAction =
  | { readonly type: 'send'; readonly mode: number; readonly message: Cell }
  | ({ readonly type: 'update' } & UpdateParams)

export const loadOrderAction = (cell: Cell, budget: Budget): OrderAction => {
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
    signers: loadAddresses(s.loadRef(), budget),
    proposers: loadAddresses(s.loadMaybeRef(), budget),
  } as const
  s.end()
  return action
}
