import { type CompiledQuery, sql } from 'kysely'
import { builder, type Reader } from '../../../server/store/postgres/reader.ts'
import { CITUS_URL } from './citus.ts'

/* A reader that explains each statement before it runs it, for tests of plans. */

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Plan[]
  /** What a Citus cluster does for it: subplans of the coordinator, and a plan of a worker for each shard that is asked. */
  readonly 'Distributed Query'?: {
    readonly Subplans?: readonly { readonly PlannedStmt: readonly { readonly Plan: Plan }[] }[]
    readonly Job?: { readonly Tasks?: readonly { readonly 'Remote Plan'?: readonly (readonly { readonly Plan: Plan }[])[] }[] }
  }
}

const isCluster = CITUS_URL !== undefined

/** The plans that a plan is made of. */
const partsOf = ({ Plans = [], 'Distributed Query': distributed }: Plan): readonly Plan[] => [
  ...Plans,
  ...(distributed?.Subplans ?? []).flatMap(({ PlannedStmt }) => PlannedStmt.map((part) => part.Plan)),
  ...(distributed?.Job?.Tasks ?? []).flatMap((task) => (task['Remote Plan'] ?? []).flatMap((parts) => parts.map((part) => part.Plan))),
]

/** The table that a plan reads; a shard of it is called `<table>_<number>`. */
const tableOf = ({ 'Relation Name': name }: Plan): string | undefined => (isCluster ? name?.replace(/_\d+$/, '') : name)

/** Tables with a sequential scan in a plan. */
const scans = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [tableOf(plan) ?? ''] : []),
  ...partsOf(plan).flatMap(scans),
]

const ownPagesOf = (plan: Plan): number => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

/** Pages that workers touched: those of the parts of a distributed plan are in no plan around them. */
const remotePagesOf = (plan: Plan): number =>
  partsOf(plan).reduce((sum, part) => sum + remotePagesOf(part) + ('Distributed Query' in plan ? ownPagesOf(part) : 0), 0)

/** Rows that a plan took from each table, if it was run. */
const taken = (plan: Plan, into: Map<string, number> = new Map()): ReadonlyMap<string, number> => {
  const table = tableOf(plan)
  const rows = (plan['Actual Rows'] ?? 0) * (plan['Actual Loops'] ?? 0)
  if (table !== undefined) into.set(table, (into.get(table) ?? 0) + rows)
  for (const part of partsOf(plan)) taken(part, into)
  return into
}

const command = (text: string) => sql.raw(text).compile(builder)
const scanning = (how: 'on' | 'off') => command(`set local enable_seqscan = ${how}`)
const PLAN_ANY = command('set local plan_cache_mode = force_generic_plan')
const PLAN_EACH = command('set local plan_cache_mode = auto')
/**
 * A cluster tells the plans of all shards, not of one. Its workers avoid sequential scans too: a shard of a test has so few pages that a free plan reads them all,
 * with an index or without.
 */
const ON_WORKERS = [
  command('set local citus.explain_all_tasks = on'),
  command("set local citus.propagate_set_commands = 'local'"),
  scanning('off'),
]

/** A statement that was run: its text, the tables with a sequential scan, the rows taken from each table, and the number of result rows. */
export interface Explained {
  readonly sql: string
  readonly scanned: readonly string[]
  /** Tables with a sequential scan in the generic plan; undefined if the statement is planned for each run. */
  readonly scannedForAny: readonly string[] | undefined
  /** Pages hit or read, if the plan was run. */
  readonly pages: number
  readonly taken: ReadonlyMap<string, number>
  readonly rows: number
}

/** The same reader. `tell` receives each statement. `run`: plans are executed, so that the taken rows are known. */
export const explaining = (reader: Reader, tell: (statement: Explained) => void, { run: analyze = false } = {}): Reader => {
  /** Plans for any values, by statement: they are the same each time. */
  const plansForAny = new Map<string, Plan>()
  return {
    ...reader,
    snapshot: (run, signal) =>
      reader.snapshot((ask) => {
        let before: Promise<unknown> = Promise.resolve()
        return run((query, planned) => {
          // Statements that are sent together are explained one after the other: each has settings of its own.
          const answer = before.then(async () => {
            const compiled = 'compile' in query ? query.compile(builder) : query
            const explain = async (how: string, { sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Plan> => {
              const statement = { ...compiled, sql: `explain (${how}, format json) ${text}`, parameters } as CompiledQuery<never>
              const [row] = await ask<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(statement, 'each')
              return row!['QUERY PLAN'][0]!.Plan
            }
            /** The plan that is kept for any values. */
            const explainForAny = async (): Promise<Plan> => {
              const before = plansForAny.get(compiled.sql)
              if (before !== undefined) return before
              const values = compiled.parameters.map(() => 'null').join(', ')
              await ask(PLAN_ANY, 'each')
              await ask(command(`prepare for_any as ${compiled.sql}`), 'each')
              const plan = await explain('analyze off', { sql: `execute for_any${values && `(${values})`}`, parameters: [] })
              await ask(command('deallocate for_any'), 'each')
              await ask(PLAN_EACH, 'each')
              plansForAny.set(compiled.sql, plan)
              return plan
            }
            // A reader's connections avoid sequential scans. A missing index would be hidden by a scan of another index.
            for (const setting of isCluster ? ON_WORKERS : [scanning('on')]) await ask(setting, 'each')
            const free = await explain('analyze off', compiled)
            // A cluster makes each plan for its values: they name the shards.
            const forAny = planned === 'each' || isCluster ? undefined : await explainForAny()
            await ask(scanning('off'), 'each')
            const plan = analyze ? await explain('analyze, buffers', compiled) : free
            const found = await ask(query, planned)
            tell({
              sql: compiled.sql,
              scanned: scans(free),
              scannedForAny: forAny && scans(forAny),
              pages: ownPagesOf(plan) + remotePagesOf(plan),
              taken: taken(plan),
              rows: found.length,
            })
            return found
          })
          before = answer.catch(() => {})
          return answer
        })
      }, signal),
  }
}
