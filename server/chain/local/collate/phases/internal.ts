import { AbsentCellError, type DictPath } from '../../../../cell/absent.ts'
import { beginCell } from '../../../../cell/builder.ts'
import { compact } from '../../../../cell/rebuild.ts'
import { storeOutMsg } from '../../../../tlb/block/out-msg.ts'
import { storeMsgEnvelope } from '../../../../tlb/message/msg-envelope.ts'
import { pathOf } from '../../fork/trees.ts'
import type { BlockAccount } from '../accounts/block-accounts.ts'
import type { Fresh } from '../journal.ts'
import { std } from '../queue.ts'
import type { Making } from '../work.ts'
import { AT_DESTINATION, importNow } from './import-now.ts'

const enqueue = ({ journal, queue }: Making, { lt, msg, info, transaction }: Fresh): void => {
  // Each shard is its whole workchain, so hypercube routing takes one hop: to the destination.
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
 * An AbsentCellError with the destinations of the messages that are still to be delivered, so that all are fetched together; any other error as it is. Takes the
 * messages out of the journal, because the block is given up.
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

/** Delivers messages made in this block until a limit is reached, and queues the rest. */
export const internal = async (making: Making): Promise<void> => {
  const { workchain, journal, transactions, limits } = making
  for (let item = journal.fresh.pop(); item !== undefined; item = journal.fresh.pop()) {
    if (!limits.fitsInternal()) making.enqueueOnly = true
    const dest = std(item.info.dest)
    if (making.enqueueOnly || dest.workchain !== workchain) {
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
