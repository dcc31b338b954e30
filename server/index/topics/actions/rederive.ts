import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { CLASSIFIER_VERSION } from '../../../actions/classify.ts'
import type { Facts } from '../../../actions/facts.ts'
import type { Trace } from '../../../actions/trace.ts'
import { portionsOf, portionsWithin } from '../../../base/memory/portions.ts'
import { TRACE_COMPLETE } from '../../../store/codes.ts'
import { type Connection, connect } from '../../../store/postgres/connection.ts'
import { MAX_SIZE_OF_PAGE, type SizedTrace, sizeOfTrace } from '../../../store/queries/transactions/size.ts'
import { nameOf } from '../../../store/row-keys.ts'
import { accounts } from '../../../store/schema/accounts.ts'
import { actionsProgress, type traceClassifications } from '../../../store/schema/actions.ts'
import { indexCheckpoint } from '../../../store/schema/head.ts'
import { type Row, select } from '../../../store/schema/select.ts'
import type { ReadRow } from '../../../store/schema/table.ts'
import type { traces as traceTable } from '../../../store/schema/traces.ts'
import { FINISHED } from '../../write/cluster-commit.ts'
import { createSink } from '../../write/sink.ts'
import { insertRows, topicStatements, update } from '../../write/statements.ts'
import { factsOfText } from './fact-text.ts'
import { contentsOfRows, type FactSource, findFacts, sourceOfTables } from './facts.ts'
import { readTraces } from './stored-traces.ts'
import { actionsTopic, classifyTraces } from './topic.ts'
import { inPortions } from './trace-size.ts'

/*
 * Derives the actions of complete traces again, in an index without actions or with actions of another classifier version. The newest traces come first, a
 * few at a time, while new blocks are indexed. Readers get the old actions until these are replaced. Facts that are stored with a trace are used again. A
 * trace without stored facts gets the current facts, and `facts_seqno` records that.
 */

type Query = Pick<Connection, 'query'>['query']

type Classified = ReadRow<typeof traceClassifications>

type Failed = (trace: string, error: unknown) => void

/** A complete trace; `bytes` of its stored facts. */
type StoredTrace = SizedTrace &
  Pick<ReadRow<typeof traceTable>, 'trace_id' | 'end_lt'> & { readonly version: number | null; readonly bytes: number | null }

const listed = (classifications: string, where: string): string =>
  `select t.trace_id, t.end_lt, t.nodes, t.edges, t.pending_edges, c.version, octet_length(c.facts) as bytes
   from traces t left join ${classifications} c on c.trace_id = t.trace_id where ${where}`
const volumeOf = ({ nodes, edges, pending_edges, bytes }: StoredTrace) => ({ messages: nodes + edges + pending_edges, bytes: bytes ?? 0 })

/** Maximum number of traces of a step, and their size together. */
const STEP = { traces: 200, size: 4_000 } as const

const CONTENTS = select(accounts, ['account', 'code_hash', 'data_hash', 'data_boc'], 'where account = any($1::bytea[])')

const sourceOf = (query: Query): FactSource =>
  sourceOfTables(query, async (keys, wants) => contentsOfRows(keys, await query(CONTENTS, [keys]), wants))

/**
 * Replaces the rows of traces by those of the current classifier. `classifications`: the table with the stored facts. `now`: masterchain seqno at which facts
 * are looked up for traces without stored facts. The rows of traces that are too large stay as they are.
 */
const rederive = async (
  connection: Pick<Connection, 'query' | 'script'>,
  all: readonly StoredTrace[],
  now: number,
  { classifications = 'trace_classifications', failed = () => {} }: { readonly classifications?: string; readonly failed?: Failed } = {},
): Promise<void> => {
  const { query } = connection
  const sink = createSink(connection)
  // Larger traces can be there in part only: old ones are removed in pieces (retention/remove.ts).
  const whole = all.filter((trace) => sizeOfTrace(trace) <= MAX_SIZE_OF_PAGE)
  for (const portion of [...portionsOf(whole, STEP.traces)].flatMap((some) => [...inPortions(some, volumeOf)])) {
    const ids = portion.map(({ trace_id }) => trace_id)
    const classified = await query<Classified>(`select * from ${classifications} where trace_id = any($1::bytea[])`, [ids])
    const stored = new Map(classified.map((row) => [nameOf(row.trace_id), row]))
    for await (const found of readTraces(query, ids, 2 ** 31 - 1)) {
      const traces = [...found].flatMap(([id, transactions]) => (transactions === undefined ? [] : [{ id, transactions }]))
      const read = traces.map(({ id }) => Buffer.from(id, 'latin1'))
      for (const { name } of actionsTopic.tables) await query(`delete from ${name} where trace_id = any($1::bytea[])`, [read])
      const withoutFacts = traces.filter(({ id }) => !stored.has(id))
      const present = await findFacts(sourceOf(query), withoutFacts)
      const facts = new Map<Trace, Facts>(withoutFacts.map((trace, i) => [trace, present[i]!]))
      // One trace after the other, because the facts of a trace can have megabytes.
      const withFacts = function* () {
        for (const trace of traces) {
          const of = stored.get(trace.id)
          yield { trace, facts: facts.get(trace) ?? factsOfText(of!.facts), factsSeqno: of?.facts_seqno ?? now }
        }
      }
      const rows = await classifyTraces(withFacts(), failed)
      for (const statement of topicStatements(actionsTopic.tables, rows)) await sink.put(statement)
      await sink.send()
    }
  }
}

const PROGRESS = select(actionsProgress, ['version', 'end_lt', 'trace_id', 'done'], 'where id = 1')
type Progress = Row<typeof PROGRESS>

const NO_TRACE = Buffer.alloc(0)
const LAST_LT = 2n ** 63n - 1n

/** Returns where to begin or continue; undefined if there is nothing to do. */
const openProgress = async (query: Query): Promise<Progress | undefined> => {
  const [before] = await query(PROGRESS)
  if (before === undefined) {
    // This release created the index, so the actions are from this classifier.
    await query(insertRows(actionsProgress, [{ id: 1, version: CLASSIFIER_VERSION, end_lt: 0, trace_id: NO_TRACE, done: true }]))
    return undefined
  }
  if (before.version < CLASSIFIER_VERSION) {
    const start = { version: CLASSIFIER_VERSION, end_lt: LAST_LT, trace_id: NO_TRACE, done: false }
    await query(update(actionsProgress, start, { id: 1, version: before.version }))
  }
  const [now] = await query(PROGRESS)
  return now === undefined || now.done || now.version !== CLASSIFIER_VERSION ? undefined : now
}

/** Locks the checkpoint against a revert and against a removal of history. The writer does not wait for the lock, because its updates do not change the key. */
const INDEXED = select(indexCheckpoint, ['mc_seqno'], 'where id = 1 for key share')

/**
 * Derives the actions of those traces that are complete, with the current facts. Used for traces that became complete when a backfilled range was joined to
 * the index. `now`: seqno of the last indexed block.
 */
export const classifyLate = async (
  connection: Pick<Connection, 'query' | 'script'>,
  ids: readonly Buffer[],
  now: number,
): Promise<void> => {
  const isComplete = `t.trace_id = any($1::bytea[]) and t.state = ${TRACE_COMPLETE}`
  await rederive(connection, await connection.query(listed('trace_classifications', isComplete), [ids]), now)
}

const SET_VERSION = `update trace_classifications set version = ${CLASSIFIER_VERSION}
  where trace_id = any($1::bytea[]) and version <> ${CLASSIFIER_VERSION}`

/**
 * Runs one step; undefined if no trace was left. While the step has the checkpoint locked, no revert and no removal of history can run. Citus does not
 * allow locks on rows of traces. None are needed, because nothing else changes a complete trace.
 */
const step = async (
  connection: Connection,
  at: Progress,
  failed: Failed,
): Promise<{ readonly next: Progress; readonly traces: number } | undefined> => {
  const { query, script } = connection
  const [head] = await query(INDEXED)
  const found = await query<StoredTrace>(
    listed(
      'trace_classifications',
      `t.state = ${TRACE_COMPLETE} and (t.end_lt, t.trace_id) < ($1, $2) order by t.end_lt desc, t.trace_id desc limit ${STEP.traces}`,
    ),
    [at.end_lt, at.trace_id],
  )
  const [taken = []] = portionsWithin(found, STEP.size, sizeOfTrace)
  const last = taken.at(-1)
  const old = taken.filter(({ version }) => version !== CLASSIFIER_VERSION)
  await rederive(connection, old, head?.mc_seqno ?? 0, { failed })
  // No classifier finds actions of traces that are too large.
  await query(SET_VERSION, [old.map(({ trace_id }) => trace_id)])
  // Before `done` is stored, all nodes of a Citus cluster must show the rows of earlier steps.
  if (last === undefined) await script(FINISHED)
  const place = last === undefined ? { done: true } : { end_lt: BigInt(last.end_lt), trace_id: last.trace_id }
  await script(`${update(actionsProgress, place, { id: 1, version: CLASSIFIER_VERSION })};`)
  return last && { next: { ...at, end_lt: last.end_lt, trace_id: last.trace_id }, traces: taken.length }
}

/** Milliseconds between steps. The pause gives new blocks priority. */
const PAUSE_MS = 10

export interface RederiveDeps {
  readonly config: ClientConfig
  /** Called with the number of complete traces that are left; 0 at the end. */
  readonly left: (traces: number) => void
  readonly failed: Failed
}

/** Derives missing or outdated actions of complete traces. Rejects on abort and with errors of the database. */
export const rederiveActions = async ({ config, left, failed }: RederiveDeps, signal: AbortSignal): Promise<void> => {
  await using connection = await connect(config, 'tonway-actions', { signal })
  const query: Query = (text, values) => connection.query(text, values)
  let at = await openProgress(query)
  if (at === undefined) return
  const [count] = await query<{ traces: string }>(
    `select count(*) as traces from traces where state = ${TRACE_COMPLETE} and (end_lt, trace_id) < ($1, $2)`,
    [at.end_lt, at.trace_id],
  )
  let rest = Number(count?.traces ?? 0)
  while (at !== undefined) {
    signal.throwIfAborted()
    left(rest)
    await query('begin')
    const done = await step(connection, at, failed)
    await query('commit')
    at = done?.next
    rest = Math.max(0, rest - (done?.traces ?? 0))
    await sleep(PAUSE_MS, undefined, { signal })
  }
  left(0)
}

/**
 * Adjusts the derived tables of `tonway verify` (unqualified names) to the tables of the index in `schema`. Traces that were classified after their last
 * block are derived from their stored facts. Traces whose actions are not derived yet get a copy of the stored rows, so that they are not compared.
 */
export const alignLateTraces = async (connection: Pick<Connection, 'query' | 'script'>, schema: string): Promise<void> => {
  const { query } = connection
  const [progress] = await query<Pick<Progress, 'done'>>(
    `select done and version >= ${CLASSIFIER_VERSION} as done from ${schema}.actions_progress`,
  )
  if (progress?.done === false) {
    const open = `select t.trace_id from ${schema}.traces t left join ${schema}.trace_classifications c on c.trace_id = t.trace_id
      where c.version is distinct from ${CLASSIFIER_VERSION}`
    for (const { name } of actionsTopic.tables) {
      await query(`delete from ${name} where trace_id in (${open})`)
      await query(`insert into ${name} select * from ${schema}.${name} where trace_id in (${open})`)
    }
  }
  const classifications = `${schema}.trace_classifications`
  const isLate = `c.facts_seqno > c.mc_seqno and c.version = ${CLASSIFIER_VERSION}`
  await rederive(connection, await query(listed(classifications, isLate)), 0, { classifications })
}
