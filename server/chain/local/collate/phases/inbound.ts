import { beginCell } from '../../../../cell/builder.ts'
import { storeInMsg } from '../../../../tlb/block/in-msg.ts'
import { storeOutMsg } from '../../../../tlb/block/out-msg.ts'
import type { Making } from '../open-work.ts'
import { type Enqueued, std } from '../queue.ts'

/** Delivers messages of the neighbours' queues and of this chain's own queue in (lt, hash) order. */
export const inbound = async (making: Making, messages: Iterable<Enqueued>): Promise<void> => {
  const { blockAccounts, journal, transactions, limits, queue } = making
  for (const m of messages) {
    if (!limits.fitsInternal()) {
      making.inboundEmpty = false
      making.enqueueOnly = true
      return
    }
    const blockAccount = blockAccounts.get(std(m.info.dest).hash)
    const made = await transactions.deliver(blockAccount, m.msg, m.info, 0n)
    journal.commit(blockAccount, made)
    journal.processed(m.lt, m.hash)
    const { transaction } = made
    const record = storeInMsg(beginCell(), { type: 'import-fin', inMsg: m.envelope, transaction, fwdFee: m.fwdFeeRemaining }).end()
    journal.addIn(m.msg, record)
    if (!m.own) continue
    journal.addOut(m.msg, storeOutMsg(beginCell(), { type: 'export-deq-imm', outMsg: m.envelope, reimport: record }).end())
    queue.remove(m)
  }
}
