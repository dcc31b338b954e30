import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { broken } from './broken.ts'
import { inlineTvm } from './inline-tvm.ts'
import type { World } from './world.ts'

/* The invariants that are checked when the faults have ended and nothing is left to do: they need the whole chain. */

const eventsAreComplete = ({ subscribers, chain }: World): void => {
  for (const { number, received, begunAfter } of subscribers) {
    const begun = begunAfter()
    if (begun === undefined) continue
    let roots: { seqno: number; root: string; blocks: number }[] = []
    const gaps: (readonly [number, number])[] = []
    let least = begun
    for (const event of received) {
      if (event.type === 'reset') {
        roots = roots.filter(({ seqno }) => seqno <= event.seqno!)
        least = Math.min(least, event.seqno!)
      } else if (event.type === 'gap') gaps.push([event.from_seqno!, event.to_seqno!])
      else if (event.type === 'block')
        roots.push({ seqno: event.masterchain_seqno!, root: event.workchain === -1 ? event.root_hash! : '', blocks: 1 })
    }
    for (const { seqno, root, blocks } of chain.blocks.values()) {
      if (seqno <= least || gaps.some(([from, to]) => seqno >= from && seqno <= to)) continue
      const own = roots.filter((each) => each.seqno === seqno)
      if (own.filter((each) => each.root === root).length !== 1 || own.length !== blocks)
        broken(`subscriber ${number} got ${own.length} of ${blocks} events of block ${seqno}`)
    }
  }
}

const acknowledgedIsInTheChain = ({ sent, chain }: World): void => {
  const received = new Set([...chain.blocks.values()].flatMap(({ transactions }) => transactions.map(({ inMessage }) => inMessage)))
  for (const { hash, undone } of sent)
    if (undone === chain.undone() && !received.has(hash)) broken(`message ${hash} was acknowledged, and is in no block`)
}

const verifyFindsNothing = async ({ chain, database }: World): Promise<void> => {
  const { source, reverts } = chain.from
  const report = await verifyIndex({ source, connection: database, tvm: inlineTvm, reverts }, new AbortController().signal)
  if (report.found > 0)
    broken(`verify finds ${report.found} differences: ${report.differences.slice(0, 5).map(formatDifference).join('; ')}`)
}

const noTransactionStaysOpen = async ({ gate }: World): Promise<void> => {
  const open = await gate.read<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and application_name = 'tonway-index'`,
  )
  if (open.length > 0) broken(`a transaction stays open after ${open[0]!.query.slice(0, 200)}`)
}

const revokedKeysAreRefused = ({ shown, keys }: World): void => {
  const admitted = shown.find(
    ({ isAtRest, revokedBefore, answer }) => isAtRest && revokedBefore === 'acknowledged' && answer !== 'UNAUTHORIZED',
  )
  if (admitted !== undefined)
    broken(`key ${keys.indexOf(admitted.key)} was revoked, and ${admitted.service.name} answers ${admitted.answer}`)
}

export const AT_REST = { eventsAreComplete, acknowledgedIsInTheChain, verifyFindsNothing, noTransactionStaysOpen, revokedKeysAreRefused }
