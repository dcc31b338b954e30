import { TonError } from '../../shared/errors.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { loadMessage, type Message } from '../tlb/message/message.ts'

const MAX_ACTIONS = 20

/*
 * out_list_empty$_ = OutList 0; out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
 * action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction; action_set_code#ad4de08e new_code:^Cell = OutAction;
 * action_reserve_currency#36e6b809 ... = OutAction; action_change_library#26fa1dd4 ... = OutAction;
 */
const SEND = 0x0ec3c86d
const SET_CODE = 0xad4de08e

/** Throws CHAIN for a cell that is not a message. A contract can put any cell into an action; the action phase then fails. */
const messageOf = (cell: Cell): Message => {
  try {
    return loadMessage(cell)
  } catch (error) {
    if (error instanceof CellError)
      throw new TonError('CHAIN', `estimate_fee: action_send_msg of no message: ${error.message}`, { cause: error })
    throw error
  }
}

/** The messages of an action list (c5), in the order of sending. Throws CHAIN, as tonlib does, for actions that an estimate does not support. */
export const outMessages = (list: Cell): Message[] => {
  const messages: Message[] = []
  let count = 0
  for (let node = list; node.bits > 0 || node.refCount > 0; ) {
    if (++count > MAX_ACTIONS) throw new TonError('CHAIN', `action list too long: more than ${MAX_ACTIONS} actions`)
    const s = node.slice()
    node = s.loadRef()
    const tag = s.loadUint(32)
    if (tag === SET_CODE) throw new TonError('CHAIN', 'estimate_fee: action_set_code unsupported')
    if (tag === SEND) messages.push(messageOf(s.skip(8).loadRef()))
  }
  if (messages.some(({ info }) => info.type !== 'internal')) {
    throw new TonError('CHAIN', 'estimate_fee: messages with external addresses are unsupported')
  }
  return messages.reverse()
}
