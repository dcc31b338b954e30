import { type RawBuilder, sql } from 'kysely'
import { TonError } from '../../../shared/errors.ts'
import type { Planned } from '../postgres/reader.ts'
import type { ReadRow, Table } from '../schema/table.ts'
import type { View } from './view.ts'

/*
 * Orders of lists, their cursors, and their pages. Every order is total. All its columns have the same direction, except that the last one may always be
 * ascending. A page begins after the last row of the previous page. Each order has an index, so a page far down the list costs as much as the first one.
 */

type Value = string | number | Buffer

/** A column of an order, or an expression over columns. */
interface Part<Row> {
  readonly column: RawBuilder<unknown>
  readonly type: string
  readonly of: (row: Row) => Value
}

/** `name` is one letter that identifies the order in cursors. */
export interface Order<Row> {
  readonly table: string
  readonly name: string
  readonly parts: readonly Part<Row>[]
  /** True if the last part is always ascending. It only orders rows that are equal in all other parts. */
  readonly tiesAscend: boolean
}

export const orderOf = <T extends Table>(
  of: T,
  name: string,
  parts: readonly ((keyof T['columns'] & string) | Part<ReadRow<T>>)[],
  tiesAscend = false,
): Order<ReadRow<T>> => ({
  table: of.name,
  name,
  parts: parts.map((part) =>
    typeof part === 'object'
      ? part
      : { column: sql.ref(`${of.name}.${part}`), type: of.columns[part]!.type, of: (row) => row[part] as Value },
  ),
  tiesAscend,
})

const INTEGER = /^-?\d{1,80}$/
/** Lengths of the keys in orders: hashes, accounts, and the empty key of a missing account. */
const KEY_BYTES: readonly number[] = [32, 36, 0]
/** Reads the value of a column from a cursor; undefined if the text is not a value of this type. In SQL, a number out of range would be an error. */
const READERS: Readonly<Record<string, (text: string) => string | Buffer | undefined>> = {
  integer: (text) => (INTEGER.test(text) && Number(text) === (Number(text) | 0) ? text : undefined),
  bigint: (text) => (INTEGER.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : undefined),
  numeric: (text) => (INTEGER.test(text) ? text : undefined),
  bytea(text) {
    const bytes = Buffer.from(text, 'base64url')
    return KEY_BYTES.includes(bytes.length) && bytes.toString('base64url') === text ? bytes : undefined
  },
}

const textOf = (value: Value): string => (Buffer.isBuffer(value) ? value.toString('base64url') : String(value))

export interface PageParams {
  readonly limit: number
  readonly offset: number
  readonly sort: 'asc' | 'desc'
  readonly cursor?: string | undefined
  readonly as_of?: number | undefined
}

export const orderBy = (order: Order<never>, sort: 'asc' | 'desc'): RawBuilder<unknown> =>
  sql.join(
    order.parts.map(({ column }, i) =>
      sort === 'desc' && !(order.tiesAscend && i === order.parts.length - 1) ? sql`${column} desc` : sql`${column}`,
    ),
  )

const cursorAfter = <Row>(order: Order<Row>, sort: 'asc' | 'desc', row: Row): string =>
  Buffer.from([order.name, sort, ...order.parts.map(({ of }) => textOf(of(row)))].join('|')).toString('base64url')

/** Condition for rows after a cursor; undefined if there is no cursor or an empty one. Throws INVALID_PARAMS for a cursor of another list. */
export const afterCursor = (order: Order<never>, { sort, cursor }: PageParams): Condition => {
  if (!cursor) return undefined
  const [name, direction, ...texts] = Buffer.from(cursor, 'base64url').toString().split('|')
  const values = order.parts.map(({ type }, i) => READERS[type]!(texts[i] ?? ''))
  if (name !== order.name || direction !== sort || texts.length !== order.parts.length || values.includes(undefined))
    throw new TonError('INVALID_PARAMS', 'invalid cursor', { issues: [{ param: 'cursor', message: 'invalid cursor' }] })
  const columns = order.parts.map(({ column }) => column)
  if (sort === 'desc' && order.tiesAscend) {
    const [left, right] = [sql.join(columns.slice(0, -1)), sql.join(values.slice(0, -1))]
    // The first condition is redundant, but only it can use the index.
    return sql<boolean>`(${left}) <= (${right}) and ((${left}) < (${right}) or ${columns.at(-1)} > ${values.at(-1)})`
  }
  const [left, right] = [sql.join(columns), sql.join(values)]
  return sort === 'desc' ? sql<boolean>`(${left}) < (${right})` : sql<boolean>`(${left}) > (${right})`
}

/** A condition of a list; undefined if the caller does not filter by it. `column`, `keys`: it says that the column has one of several keys. */
export type Condition = (RawBuilder<boolean> & { readonly column?: string; readonly keys?: readonly Uint8Array[] }) | undefined

export const all = (conditions: readonly Condition[]): RawBuilder<boolean> => {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`
}

export const limited = ({ limit, offset }: { readonly limit: number; readonly offset: number }): RawBuilder<unknown> =>
  offset > 0 ? sql`limit ${limit} offset ${offset}` : sql`limit ${limit}`

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** Cursor of the next page; undefined if this page is not full. */
  readonly next: string | undefined
}

export const EMPTY_PAGE: Page<never> = { rows: [], next: undefined }

export const toPage = <Row, Found extends Row>(order: Order<Row>, { limit, sort }: PageParams, rows: readonly Found[]): Page<Found> => ({
  rows,
  next: rows.length === limit ? cursorAfter(order, sort, rows.at(-1)!) : undefined,
})

export const pageRows = <Row>(
  order: Order<Row>,
  page: PageParams,
  where: readonly Condition[],
  from: RawBuilder<unknown> = sql.table(order.table),
): RawBuilder<Row> =>
  sql<Row>`select * from ${from} where ${all([afterCursor(order, page), ...where])} order by ${orderBy(order, page.sort)} ${limited(page)}`

/**
 * Reads the same page as pageRows. If a condition lists keys, it reads the first rows of each key by the key's index, and then orders them. With pageRows,
 * PostgreSQL may read the table in the page's order until enough rows have a listed key. If the listed keys have no rows, it reads the whole table.
 */
export const pageOfKeys = <Row>(
  { isDistributed }: View,
  order: Order<Row>,
  page: PageParams,
  where: readonly Condition[],
): RawBuilder<Row> => {
  const list = isDistributed ? undefined : where.find((condition) => condition?.column)
  if (!list?.column) return pageRows(order, page, where)
  const table = sql.table(order.table)
  const conditions = [sql<boolean>`${sql.ref(list.column)} = keys.key`, ...where.filter((condition) => condition !== list)]
  const ofKey = pageRows(order, { ...page, limit: page.limit + page.offset, offset: 0 }, conditions)
  return sql<Row>`select ${table}.* from (select distinct unnest(${list.keys}::bytea[])) as keys (key) cross join lateral (${ofKey}) as ${table}
    order by ${orderBy(order, page.sort)} ${limited(page)}`
}

interface PageOptions {
  /** Columns of the account's latest state that each row gets. Only the rows of the page are joined: each row that an offset skips would need a look-up. */
  readonly state?: readonly string[]
  /** Columns of the table itself, with `state` only; all by default. */
  readonly columns?: RawBuilder<unknown>
  readonly planned?: Planned
}

/** Joins rows of a table of contracts to the latest states of their accounts. `own`: columns of the table itself. */
export const withState = <Row>(
  rows: RawBuilder<unknown>,
  table: string,
  columns: readonly string[],
  own: RawBuilder<unknown> = sql`${sql.table(table)}.*`,
): RawBuilder<Row> =>
  sql<Row>`select ${own}, ${sql.join(columns.map((column) => sql.ref(`accounts.${column}`)))}
    from (${rows}) as ${sql.table(table)} join accounts on accounts.account = ${sql.ref(`${table}.account`)}`

export const findPage = async <Row, Found extends Row = Row>(
  view: View,
  order: Order<Row>,
  page: PageParams,
  where: readonly Condition[],
  { state, columns, planned }: PageOptions = {},
): Promise<Page<Found>> => {
  const rows = pageOfKeys(view, order, page, where)
  const query = state === undefined ? rows : sql`${withState(rows, order.table, state, columns)} order by ${orderBy(order, page.sort)}`
  return toPage(order, page, await view.rows(query as RawBuilder<Found>, planned))
}

/** Some rows do not match. So more are read at first than the page has: this many for each, and at most MAX_FIRST. */
const LISTED_FOR_ONE = 1.5
const MAX_FIRST = 250
/** Each further read has four times as many rows as the one before, up to this number. */
const MAX_LISTED = 4000

/**
 * Reads a page of rows by conditions that a distributed database cannot check in the query of the list. `list` reads rows without these conditions. `match`
 * gets the rows in order, and returns those that meet the conditions.
 */
export const readMatching = async <Listed, Row, P extends PageParams>(
  order: Order<Listed>,
  page: P,
  list: (piece: P) => Promise<readonly Listed[]>,
  match: (listed: readonly Listed[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  let skip = page.offset
  const first = Math.min(MAX_FIRST, Math.ceil(LISTED_FOR_ONE * (page.offset + page.limit)))
  for (let piece: P = { ...page, offset: 0, limit: first }; ; ) {
    const listed = await list(piece)
    const matching = await match(listed)
    rows.push(...matching.slice(skip, skip + page.limit - rows.length))
    skip = Math.max(0, skip - matching.length)
    if (listed.length < piece.limit || rows.length === page.limit) return rows
    piece = {
      ...piece,
      limit: Math.min(MAX_LISTED, Math.max(MAX_FIRST, piece.limit * 4)),
      cursor: cursorAfter(order, page.sort, listed.at(-1)!),
    }
  }
}
