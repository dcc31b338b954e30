import { AbsentCellError, type DictPath } from '../../../../cell/absent.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { compact } from '../../../../cell/copy-cells.ts'
import { storeInMsg } from '../../../../tlb/block/in-msg.ts'
import { storeOutMsg } from '../../../../tlb/block/out-msg.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { storeMsgEnvelope } from '../../../../tlb/message/msg-envelope.ts'
import { pathOf } from '../../fork/dictionary-paths.ts'
import type { BlockAccount } from '../accounts/block-accounts.ts'
import type { Fresh, Journal } from '../block-so-far.ts'
import type { Making } from '../open-work.ts'
import { std } from '../queue.ts'

/** @internal interm_addr_regular with all 96 bits of the destination. */
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

const enqueue = ({ journal, queue }: Making, { lt, msg, info, transaction }: Fresh): void => {
  // Each workchain has a single shard, so hypercube routing takes one hop, directly to the destination.
  const envelope = storeMsgEnvelope({
    curAddr: { type: 'regular', useDestBits: 0 },
    nextAddr: AT_DESTINATION,
    fwdFeeRemaining: info.fwdFee,
    msg,
  })
  journal.addOut(msg, storeOutMsg(beginCell(), { type: 'export-new', outMsg: envelope, transaction }).end())
  queue.add(lt, msg, info, compact(envelope))
}

/**
 * For an AbsentCellError: the error with the destinations of all undelivered messages, so that they are fetched together. Other errors are returned
 * unchanged. Removes the messages from the journal, because the block is aborted.
 */
const withPendingDestinations = (error: unknown, { workchain, journal }: Making): unknown => {
  if (!(error instanceof AbsentCellError)) return error
  const others = new Map<string, DictPath>()
  for (let item: Fresh | undefined = journal.fresh.pop(); item !== undefined; item = journal.fresh.pop()) {
    const dest = std(item.info.dest)
    const at = pathOf(dest)
    if (dest.workchain === workchain) others.set(at.key, at)
  }
  return error.withOthers([...others.values()])
}

const openAccount = (making: Making, hash: Uint8Array): BlockAccount => {
  try {
    return making.blockAccounts.get(hash)
  } catch (error) {
    throw withPendingDestinations(error, making)
  }
}

export const internal = async (making: Making): Promise<void> => {
  const { workchain, journal, transactions, limits } = making
  for (let item = journal.fresh.pop(); item !== undefined; item = journal.fresh.pop()) {
    if (!limits.fitsInternal()) making.enqueueOnly = true
    const dest = std(item.info.dest)
    if (making.enqueueOnly || dest.workchain !== workchain) {
      await making.pause()
      enqueue(making, item)
      continue
    }
    const { lt, hash, msg, info, transaction } = item
    const blockAccount = openAccount(making, dest.hash)
    const made = await transactions.deliver(blockAccount, msg, info, lt)
    journal.commit(blockAccount, made)
    journal.processed(lt, hash)
    const { envelope, record } = importNow(journal, msg, info, made.transaction)
    journal.addOut(msg, storeOutMsg(beginCell(), { type: 'export-imm', outMsg: envelope, transaction, reimport: record }).end())
  }
}
