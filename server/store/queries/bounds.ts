import { sql } from 'kysely'
import { MASTER_KEY } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { isTimed, type WindowParams } from './conditions.ts'
import type { View } from './view.ts'

/** Seconds by which a block of a shard can be older or newer than the masterchain block of the same lt. Blocks are committed seconds after they are made. */
const SLACK = 600

type Bound<T> = T | undefined
const least = <T extends bigint | number>(a: Bound<T>, b: Bound<T>): Bound<T> => (a === undefined || (b !== undefined && b < a) ? b : a)
const greatest = <T extends bigint | number>(a: Bound<T>, b: Bound<T>): Bound<T> => (a === undefined || (b !== undefined && b > a) ? b : a)

/**
 * Derives bounds on the columns that order the list. Without them PostgreSQL would walk the list from its end until it meets a row within `as_of`, or within
 * `start_lt` and `end_lt` in a list by time, and that can be the whole table. No row up to a masterchain block has a later lt than that block.
 */
export const withBounds = async <P extends WindowParams>(view: View, params: P, isByTime = isTimed(params)): Promise<P> => {
  const { as_of = view.head, start_lt, end_lt } = params
  const isUntil = as_of < view.head
  const isWithin = isByTime && (start_lt ?? end_lt) !== undefined
  if (!isUntil && !isWithin) return params
  const blockAt = async (place: ReturnType<typeof sql>) => {
    type Block = Pick<Tables['blocks'], 'end_lt' | 'gen_utime'>
    const found = await view.rows(sql<Block>`select end_lt, gen_utime from blocks where shard_key = ${MASTER_KEY} and ${place} limit 1`)
    return found[0] && { lt: BigInt(found[0].end_lt), utime: Number(found[0].gen_utime) }
  }
  const [last, since, until] = await Promise.all([
    isUntil ? blockAt(sql`seqno = ${Math.max(as_of, view.first)}`) : undefined,
    // The block before: when the masterchain has stood still, a block of a shard from before may be committed only by the second block after.
    isWithin && start_lt !== undefined ? blockAt(sql`start_lt <= ${String(start_lt)} order by start_lt desc offset 1`) : undefined,
    isWithin && end_lt !== undefined ? blockAt(sql`start_lt > ${String(end_lt)} order by start_lt`) : undefined,
  ])
  const ends = least(last && last.utime + SLACK, until && until.utime + SLACK)
  return {
    ...params,
    end_lt: least(end_lt, last?.lt),
    ...(isByTime && { start_utime: greatest(params.start_utime, since && since.utime - SLACK), end_utime: least(params.end_utime, ends) }),
  }
}
