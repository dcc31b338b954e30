import type { ParamsIn } from '../../shared/registry.ts'
import type { Connection } from '../store/postgres/connection.ts'
import { hooks } from '../store/schema/hooks.ts'
import { select } from '../store/schema/select.ts'
import { columnList, columnNames, type ReadRow } from '../store/schema/table.ts'

export type HookFilter = Omit<ParamsIn<'hooks.create'>, 'url' | 'since'>

/** A webhook. Times are unix milliseconds. The sender changes the members that are not `readonly`. */
export interface Hook {
  readonly id: string
  /** Owner of the API key; '' for callers without a key. */
  readonly owner: string
  readonly url: string
  readonly secret: string
  readonly filter: HookFilter
  /** All events up to this cursor were delivered. */
  cursor: string
  readonly createdAt: number
  paused: boolean
  /** Why the last delivery failed; undefined if it succeeded. */
  reason: string | undefined
  failures: number
  /** Time of the first failure since the last success; undefined if there is none. */
  failingSince: number | undefined
  nextTry: number
}

export const MAX_HOOKS = 100
/** Maximum number of hooks of all owners of a network. */
const MAX_ALL = 10_000
/** Maximum bytes of all filters, and of them once more those of the owner, so that a few owners leave room. The names of a megabyte take nine in memory. */
const MAX_FILTERS = 128 << 20

type Row = ReadRow<typeof hooks>

const hookOf = (row: Row): Hook => ({
  id: row.id,
  owner: row.owner,
  url: row.url,
  secret: row.secret,
  filter: JSON.parse(row.filter) as HookFilter,
  cursor: row.cursor,
  createdAt: Number(row.created_at),
  paused: row.paused,
  reason: row.reason ?? undefined,
  failures: row.failures,
  failingSince: row.failing_since === null ? undefined : Number(row.failing_since),
  nextTry: Number(row.next_try),
})

const COLUMNS = columnNames(hooks) as (keyof Row)[]
const CHANGED = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'
const CREATE = `insert into hooks (${columnList(hooks)}) select $1, $2, $3, $4, $5, $6, $7, false, null, 0, null, 0, ${CHANGED}
  where (select count(*) from hooks where owner = $2) < ${MAX_HOOKS} and (select count(*) < ${MAX_ALL}
    and coalesce(sum(octet_length(filter)), 0) + coalesce(sum(octet_length(filter)) filter (where owner = $2), 0) < ${MAX_FILTERS} from hooks) returning id`
const LIST = select(hooks, COLUMNS, 'where owner = $1 order by created_at desc, id')
const FIND = select(hooks, COLUMNS, 'where id = $1 and owner = $2')
const LOAD = select(hooks, COLUMNS, 'where id = any($1::text[])')
const RESUME = `update hooks set paused = false, reason = null, failures = 0, failing_since = null, next_try = 0, changed = ${CHANGED} where id = $1`
const CURSORS = `update hooks set cursor = moved.cursor from unnest($1::text[], $2::text[]) as moved(id, cursor) where hooks.id = moved.id`
const HEALTH = 'update hooks set paused = $2, reason = $3, failures = $4, failing_since = $5, next_try = $6 where id = $1'

export type HookStore = ReturnType<typeof createHookStore>

/** Hooks in PostgreSQL. `changed` of a row grows when its sender must read the row again. */
export const createHookStore = ({ query }: Pick<Connection, 'query'>) => ({
  /** Returns false if the owner, or the network, already has the maximum number of hooks. */
  async create({ id, owner, url, secret, filter, cursor, createdAt }: Hook): Promise<boolean> {
    return (await query(CREATE, [id, owner, url, secret, JSON.stringify(filter), cursor, createdAt])).length > 0
  },
  async list(owner: string): Promise<Hook[]> {
    return (await query(LIST, [owner])).map(hookOf)
  },
  async find(id: string, owner: string): Promise<Hook | undefined> {
    const [row] = await query(FIND, [id, owner])
    return row && hookOf(row)
  },
  async remove(id: string, owner: string): Promise<boolean> {
    return (await query('delete from hooks where id = $1 and owner = $2 returning id', [id, owner])).length > 0
  },
  /** Makes a failing or paused hook active. */
  async resume(id: string): Promise<void> {
    await query(RESUME, [id])
  },
  /** The versions of all hooks that are not paused, by id, and the number of paused hooks. A version differs after each change that senders must read. */
  async versions(): Promise<{ readonly active: ReadonlyMap<string, string>; readonly paused: number }> {
    const rows = await query<{ id: string; changed: string; paused: boolean }>('select id, changed, paused from hooks', [])
    const active = rows.filter(({ paused }) => !paused)
    return { active: new Map(active.map(({ id, changed }) => [id, changed])), paused: rows.length - active.length }
  },
  async load(ids: readonly string[]): Promise<Hook[]> {
    return (await query(LOAD, [ids])).map(hookOf)
  },
  async saveCursors(of: readonly Hook[]): Promise<void> {
    await query(CURSORS, [of.map(({ id }) => id), of.map(({ cursor }) => cursor)])
  },
  async saveHealth({ id, paused, reason, failures, failingSince, nextTry }: Hook): Promise<void> {
    await query(HEALTH, [id, paused, reason ?? null, failures, failingSince ?? null, nextTry])
  },
})
