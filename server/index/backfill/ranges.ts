import { hostname } from 'node:os'
import type { Connection } from '../../store/postgres/connection.ts'
import { publishedHead } from '../../store/schema/head.ts'
import { backfillRanges } from '../../store/schema/ranges.ts'
import { type Row, select } from '../../store/schema/select.ts'
import { type Checkpoint, readCheckpoint, writeAlone } from '../follow/checkpoint.ts'
import { insertRows, update } from '../write/statements.ts'
import { dropRangeTables } from './range-schema.ts'

/* The plan of a backfill: its ranges, the process that works on each range, and the ranges that are derived. */

type Store = Pick<Connection, 'query' | 'script'>

const RANGES = select(backfillRanges, ['first_mc_seqno', 'last_mc_seqno', 'epoch', 'done'], 'order by first_mc_seqno')
const EPOCH = select(publishedHead, ['epoch'], 'where id = 1')

export interface Range {
  readonly first: number
  readonly last: number
  readonly done: boolean
}

const rangeOf = (row: Row<typeof RANGES>): Range => ({ first: row.first_mc_seqno, last: row.last_mc_seqno, done: row.done })

/** Returns ranges of at most `size` blocks for those blocks after `from` up to `to` that `there` does not cover. */
const missingRanges = (there: readonly Range[], from: number, to: number, size: number): readonly Range[] => {
  const missing: Range[] = []
  let next = from + 1
  const fill = (end: number): void => {
    for (; next <= end; next += size) missing.push({ first: next, last: Math.min(next + size - 1, end), done: false })
    next = end + 1
  }
  for (const { first, last } of there) {
    if (first > to) break
    fill(first - 1)
    next = last + 1
  }
  if (next <= to) fill(to)
  return missing
}

export interface Plan {
  readonly at: Checkpoint
  /** In the order of their blocks. The first range begins after the checkpoint. */
  readonly ranges: readonly Range[]
}

/**
 * Reads the plan. `there`: the ranges after the checkpoint. `missing`: the ranges that are not planned yet, up to `to`. `useless`: the ranges before the
 * checkpoint, or planned before a revert.
 */
const readRanges = async ({ query }: Pick<Connection, 'query'>, at: Checkpoint, to: number, size: number) => {
  const [head] = await query(EPOCH)
  const epoch = head?.epoch ?? '0'
  const rows = await query(RANGES)
  const isUseful = (row: Row<typeof RANGES>): boolean => row.first_mc_seqno > at.seqno && row.epoch === epoch
  const there = rows.filter(isUseful).map(rangeOf)
  const useless = rows.filter((row) => !isUseful(row)).map((row) => row.first_mc_seqno)
  return { epoch: BigInt(epoch), there, useless, missing: missingRanges(there, at.seqno, to, size) }
}

/** Plans all blocks after the checkpoint up to `to`. Ranges that are already planned do not change. Undefined if there is no index. */
export const planRanges = async (store: Store, to: number, size: number): Promise<Plan | undefined> => {
  const at = await readCheckpoint(store)
  if (at === undefined) return undefined
  const { there, useless, missing } = await readRanges(store, at, to, size)
  for (const first of useless) await removeRange(store, first)
  // Most often no range is missing. Then the checkpoint is not locked, because the lock would wait while another process copies a range into the index.
  if (missing.length === 0) return { at, ranges: there }
  return await writeAlone(store, async (now) => {
    if (now === undefined) return undefined
    const found = await readRanges(store, now, to, size)
    const fresh = found.missing.map(({ first, last, done }) => ({
      first_mc_seqno: first,
      last_mc_seqno: last,
      epoch: found.epoch,
      owner: null,
      done,
    }))
    if (fresh.length > 0) await store.script(insertRows(backfillRanges, fresh))
    return { at: now, ranges: [...found.there, ...found.missing].sort((a, b) => a.first - b.first) }
  })
}

export const removeRange = async (store: Pick<Connection, 'query'>, first: number): Promise<void> => {
  await using claim = await claimRange(store, first)
  if (!claim) return
  await dropRangeTables(store, first)
  await store.query(`delete from ${backfillRanges.name} where first_mc_seqno = $1`, [first])
}

/** Removes the ranges before the checkpoint, with their tables. */
export const removePassedRanges = async (store: Pick<Connection, 'query'>): Promise<void> => {
  const at = await readCheckpoint(store)
  const rows = at === undefined ? [] : await store.query(RANGES)
  for (const { first } of rows.map(rangeOf)) if (first <= at!.seqno) await removeRange(store, first)
}

/** `tonw` in ASCII: the first key of the advisory locks. The second key is the range's first block. */
const LOCKS = 0x746f6e77

/** Claims a range. Undefined if another process has claimed it. PostgreSQL releases the claim when the connection ends. */
export const claimRange = async ({ query }: Pick<Connection, 'query'>, first: number): Promise<AsyncDisposable | undefined> => {
  const [row] = await query<{ got: boolean }>('select pg_try_advisory_lock($1::integer, $2::integer) as got', [LOCKS, first])
  const free = () => query('select pg_advisory_unlock($1::integer, $2::integer)', [LOCKS, first])
  return row?.got ? { [Symbol.asyncDispose]: () => free().then(undefined, () => {}) } : undefined
}

/** Records this process as the owner of a range. Returns false if the range no longer exists or is already done. */
export const noteOwner = async ({ query }: Pick<Connection, 'query'>, first: number): Promise<boolean> => {
  const rows = await query(`update ${backfillRanges.name} set owner = $2 where first_mc_seqno = $1 and not done returning 1`, [
    first,
    `${hostname()} ${process.pid}`,
  ])
  return rows.length > 0
}

export const markDone = ({ script }: Pick<Connection, 'script'>, first: number): Promise<void> =>
  script(update(backfillRanges, { done: true }, { first_mc_seqno: first }))
