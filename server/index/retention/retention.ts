import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Keep } from '../../config/index-keep.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { HEAD_CHANNEL, indexCheckpoint } from '../../store/schema/head.ts'
import { select } from '../../store/schema/select.ts'
import { PUBLISHED, settleChanges, writeAlone } from '../follow/checkpoint.ts'
import type { Topic } from '../topics/topic.ts'
import { update } from '../write/statements.ts'
import { createRemoval } from './remove.ts'

/*
 * Limits the stored history (TONWAY_INDEX_KEEP). As the chain grows, the process that indexes moves the first stored block (the cut) forward and removes
 * everything below: first traces whose last block is below the cut, with all rows of their transactions, then blocks. Latest states stay. The removal has
 * its own connection and runs in small steps, so that new blocks and readers hardly wait.
 */

export interface RetentionDeps {
  readonly config: ClientConfig
  readonly keep: Keep
  readonly reverts: boolean
  readonly isPartial: boolean
  readonly topics: readonly Topic[]
  /** Called with the first block whose history is stored. */
  readonly onCut: (first: number) => void
  readonly log: Log
}

const PASS_MS = 2_000
/** Pause after a step, as a multiple of the step's duration. It gives new blocks priority. */
const REST = 1
const LEAST_REST_MS = 2
const RETRY_MS = 5_000
/** VACUUM runs after the removal of this fraction of the stored transactions, and of at least this number. */
const VACUUM = { part: 0.03, transactions: 300 } as const

const FIRST_BLOCK = select(blocks, ['mc_seqno'], 'where mc_seqno >= 0 order by mc_seqno limit 1')
const SINCE = select(blocks, ['mc_seqno'], 'where gen_utime >= $1 and workchain = -1 order by gen_utime, mc_seqno limit 1')

/** Returns the first masterchain block that must stay according to the setting, at most the published head; undefined without an index. */
const requiredCut = async (query: Connection['query'], keep: Keep): Promise<number | undefined> => {
  const [head] = await query(PUBLISHED)
  if (head === undefined) return undefined
  if ('blocks' in keep) return head.mc_seqno - keep.blocks + 1
  const [first] = await query(SINCE, [Number(head.utime) - keep.seconds])
  return Math.min(first?.mc_seqno ?? 0, head.mc_seqno)
}

/**
 * Moves the first stored masterchain block (the cut) forward as the setting requires, and returns it; undefined while no history is removed. A revert locks
 * the same row of the database, so the cut never gets above the head. Readers see the new cut before anything below it is removed.
 */
const moveCut = ({ query, script }: Pick<Connection, 'query' | 'script'>, keep: Keep): Promise<number | undefined> =>
  writeAlone({ query }, async (at) => {
    const cut = at && (await requiredCut(query, keep))
    if (at === undefined || cut === undefined) return undefined
    if (cut <= at.oldestSeqno) return at.oldestSeqno > at.firstSeqno ? at.oldestSeqno : undefined
    await script(`${update(indexCheckpoint, { kept_mc_seqno: cut }, { id: 1 })}; notify ${HEAD_CHANNEL}`)
    return cut
  })

/** @internal Creates the removal of history. Each `pass` removes everything below the first block that must stay. Aborting rejects with the signal's reason. */
export const createRetention = (
  connection: Connection,
  deps: Pick<RetentionDeps, 'keep' | 'topics' | 'reverts' | 'isPartial' | 'onCut'>,
) => {
  const { query } = connection
  const removal = createRemoval({ connection, ...deps })
  /** The block in which the last removed trace ended. */
  let reached = 0
  let sinceVacuum = 0

  const resting = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    const began = performance.now()
    const done = await work()
    await sleep(LEAST_REST_MS + (performance.now() - began) * REST, undefined, { signal })
    return done
  }
  const vacuum = async (signal: AbortSignal): Promise<void> => {
    const [row] = await query<{ rows: number }>(`select reltuples as rows from pg_class where oid = 'transactions'::regclass`)
    if (sinceVacuum < Math.max(VACUUM.transactions, VACUUM.part * (row?.rows ?? 0))) return
    sinceVacuum = 0
    for (const { name } of removal.tables) {
      signal.throwIfAborted()
      // Truncation takes a lock. A standby replays the lock, and its readers would wait.
      await query(`vacuum (truncate false) ${name}`)
    }
  }

  return {
    async pass(signal: AbortSignal) {
      const cut = await moveCut(connection, deps.keep)
      if (cut === undefined) return undefined
      deps.onCut(cut)
      let [traces, transactions] = [0, 0]
      // A revert can shorten a trace so that it ends before `reached`. The cut only moves forward, so a lower one means that the index was rebuilt.
      for (let from = deps.reverts || cut < reached ? 0 : reached; ; reached = from) {
        const step = await resting(() => removal.traces(from, cut), signal)
        if (step === undefined) break
        from = step.reached
        traces += step.traces
        transactions += step.transactions
      }
      const [first] = await query(FIRST_BLOCK)
      // Rows of the state before the first block have the seqno before that block.
      if (first !== undefined && first.mc_seqno < cut)
        for (let from = first.mc_seqno - 1; from < cut; ) from = await resting(() => removal.blocks(from, cut), signal)
      sinceVacuum += transactions
      await vacuum(signal)
      return { cut, traces, transactions }
    },
  }
}

/** Removes old history until the signal is aborted. Failures are logged, and the work continues after a pause. */
export const pruneHistory = async ({ config, log, ...deps }: RetentionDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await using connection = await connect(config, 'tonway-retention', { signal, patience: 0 })
      // All look-ups are by key. A plan from the time when the tables were small would keep scanning them.
      await connection.script('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off')
      await settleChanges(connection)
      const { pass } = createRetention(connection, deps)
      for (;;) {
        await pass(signal)
        await sleep(PASS_MS, undefined, { signal })
      }
    } catch (err) {
      if (signal.aborted) return
      log.warn('index.retention_failed', { err })
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}
