import { beginCell } from '../../../../cell/builder.ts'
import { storeInMsg } from '../../../../tlb/block/in-msg.ts'
import type { ExternalInput } from '../../model.ts'
import type { Making } from '../open-work.ts'
import { refusalText } from '../run/refusal.ts'

export type ExternalOutcome =
  | { readonly type: 'accepted' }
  | { readonly type: 'refused'; readonly refusal: ReturnType<typeof refusalText> }
  | { readonly type: 'postponed' }

const POSTPONED: ExternalOutcome = { type: 'postponed' }
/** Queue length above which external messages are postponed (SKIP_EXTERNALS_QUEUE_SIZE). */
export const LONG_QUEUE = 8000

/**
 * Processes external messages in order of arrival. A duplicate is postponed to a later block, because InMsgDescr has one entry per message hash. All
 * messages are postponed while the out queue is too long.
 */
export const external = async (making: Making, messages: readonly ExternalInput[], now: number): Promise<ExternalOutcome[]> => {
  const { blockAccounts, journal, transactions, limits, queue } = making
  const afterLt = journal.lastProcessed?.lt ?? 0n
  const seen = new Set<string>()
  const outcomes: ExternalOutcome[] = []
  for (const waiting of messages) {
    if (queue.size > LONG_QUEUE || !limits.fitsExternal()) break
    // Reading `message` may parse 64 KB, so it is read once, after a pause, and not at all if the message is postponed.
    await making.pause()
    const { message, dest } = waiting
    const key = message.hashKey()
    if (seen.has(key)) {
      outcomes.push(POSTPONED)
      continue
    }
    seen.add(key)
    const blockAccount = blockAccounts.get(dest.hash)
    const result = await transactions.ofMessage(blockAccount, message, afterLt)
    if (!result.ok) {
      outcomes.push({ type: 'refused', refusal: refusalText(dest, result, { account: blockAccount.now.accountCell, message, now }) })
      continue
    }
    journal.commit(blockAccount, result)
    journal.addIn(message, storeInMsg(beginCell(), { type: 'import-ext', msg: message, transaction: result.transaction }).end())
    outcomes.push({ type: 'accepted' })
  }
  return [...outcomes, ...messages.slice(outcomes.length).map(() => POSTPONED)]
}
