import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { storeInMsg } from '../../../../tlb/block/in-msg.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { storeMsgEnvelope } from '../../../../tlb/message/msg-envelope.ts'
import type { Journal } from '../block-so-far.ts'

/** interm_addr_regular with all 96 bits of the destination. */
export const AT_DESTINATION = { type: 'regular', useDestBits: 96 } as const

/** Records that a message is delivered in the block that created it; returns the message's envelope and record. */
export const importNow = (
  journal: Journal,
  msg: Cell,
  info: InternalMessageInfo,
  transaction: Cell,
): { readonly envelope: Cell; readonly record: Cell } => {
  const envelope = storeMsgEnvelope({ curAddr: AT_DESTINATION, nextAddr: AT_DESTINATION, fwdFeeRemaining: info.fwdFee, msg })
  const record = storeInMsg(beginCell(), { type: 'import-imm', inMsg: envelope, transaction, fwdFee: info.fwdFee }).end()
  journal.addIn(msg, record)
  return { envelope, record }
}
