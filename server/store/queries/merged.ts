import { type CompiledQuery, isCompilable } from 'kysely'
import type { Compilable, KeptPlan } from '../postgres/pool.ts'
import type { View } from './head.ts'
import type { Order, PageParams } from './order.ts'

/* Pages of which each node of a Citus cluster reads its part. */

/** Rows that a page may skip. Of a deeper one each node would send that many, so the coordinator is asked. */
const MOST_SKIPPED = 1_000

type Part = Pick<PageParams, 'limit' | 'offset'>

/** How a statement of a page is planned. `kept`: one plan is right for all values, because an index has the order of the page behind what it is narrowed by. */
type Planned = 'kept' | 'once' | 'each'

/** `kept` for a filter that says none of the fields for whose values different plans are right. */
export const plannedBy = <F extends object>(filter: F, fields: readonly (keyof F)[]): Planned =>
  fields.some((name) => filter[name] !== undefined) ? 'once' : 'kept'

/** For a node, which would plan a union of shards for each run: that takes a millisecond. */
const keptPlan = <Row>(query: Compilable<Row> | CompiledQuery<Row>): CompiledQuery<Row> => {
  const kept: CompiledQuery<Row> & KeptPlan = { ...(isCompilable(query) ? query.compile() : query), isPlanKept: true }
  return kept
}

/** Rows that are found by keys, in no order: nodes make one plan for all values. `values`: those of the distribution column, if they are known. */
export const keyed = <Row>(
  view: Pick<View, 'isSpread' | 'rows' | 'shards'>,
  query: Compilable<Row> | CompiledQuery<Row>,
  values?: readonly Uint8Array[],
): Promise<Row[]> => (view.isSpread ? view.shards(keptPlan(query), 'once', values) : view.rows(query))

/**
 * The rows of a page, whose statement `build` makes. Every node gives as many rows as the page has with those that it skips. `compare`: the order of the statement.
 * `values`: of the distribution column, if they are known. Rows that belong together are on one node: those of one account, or of one trace.
 */
export const merged = async <Row, P extends Part>(
  view: Pick<View, 'isSpread' | 'rows' | 'shards'>,
  page: P,
  compare: (a: Row, b: Row) => number,
  build: (page: P) => Compilable<Row>,
  planned: Planned = 'once',
  values?: readonly Uint8Array[],
): Promise<Row[]> => {
  const { limit, offset } = page
  if (!view.isSpread || offset > MOST_SKIPPED) return await view.rows(build(page), planned === 'kept' ? 'once' : planned)
  const query = build({ ...page, limit: limit + offset, offset: 0 })
  const rows = planned === 'kept' ? await view.shards(keptPlan(query), 'once', values) : await view.shards(query, planned, values)
  return rows.sort(compare).slice(offset, offset + limit)
}

/** Compares rows by an order. */
export const byOrder =
  <Row>({ parts, tiesAscend }: Order<Row>, sort: PageParams['sort']) =>
  (a: Row, b: Row): number => {
    for (const [i, { compare }] of parts.entries()) {
      const sign = compare(a, b)
      if (sign !== 0) return sort === 'desc' && !(tiesAscend && i === parts.length - 1) ? -sign : sign
    }
    return 0
  }
