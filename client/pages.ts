import { textOf } from './calls.ts'
import type { CallOptions } from './types.ts'

type Method = (params: never, options?: CallOptions) => Promise<unknown>
type Answer<F extends Method> = Awaited<ReturnType<F>>
type Params<F extends Method> = NonNullable<Parameters<F>[0]>

type Paged<F extends Method> = [Rows<Answer<F>>, Extract<keyof Params<F>, 'limit' | 'count'>] extends [infer R, infer Size]
  ? [R] extends [never]
    ? never
    : [Size] extends [never]
      ? never
      : Params<F>
  : never

/** The row type of a page: the elements of the answer itself, or of its only list. */
export type Rows<R> = R extends readonly (infer Row)[]
  ? Row
  : R extends object
    ? { [K in keyof R]-?: Exclude<R[K], undefined> extends readonly (infer Row)[] ? Row : never }[keyof R]
    : never

export interface PageOptions<F extends Method> extends CallOptions {
  /** Selects the list of rows, for answers with several lists. */
  readonly rows?: ((page: Answer<F>) => readonly Rows<Answer<F>>[]) | undefined
}

type Data = Readonly<Record<string, unknown>>
interface TransactionRow {
  readonly transaction_id?: { readonly lt: string; readonly hash: string }
  readonly lt?: string
  readonly account: string
}

const listOf = (page: unknown): readonly unknown[] => (Array.isArray(page) ? page : (Object.values(page as Data).find(Array.isArray) ?? []))

/** Params of the next page for a method with cursors. null: there is no next page. undefined: the method has no cursor and uses offsets. */
const cursorAfter = (page: unknown, rows: readonly (readonly [string, unknown])[], given: Data): Data | null | undefined => {
  const {
    previous_transaction_id: previous,
    incomplete,
    next_cursor: next,
  } = page as {
    previous_transaction_id?: { lt: string; hash: string }
    incomplete?: boolean
    next_cursor?: string | null
  }
  if (next !== undefined && 'cursor' in given) return next === null ? null : { cursor: next }
  const last = rows.at(-1)?.[1] as TransactionRow | undefined
  if (previous) return previous.lt === '0' ? null : { lt: previous.lt, hash: previous.hash }
  if (incomplete !== undefined)
    return incomplete && last ? { after_lt: last.lt ?? last.transaction_id?.lt, after_hash: last.account.split(':')[1] } : null
  // The next page begins with this row, so a page of one row would hold no other.
  const wider = Number(given['limit']) === 1 && { limit: 2 }
  return last?.transaction_id && { lt: last.transaction_id.lt, hash: last.transaction_id.hash, ...wider }
}

/** Number of yielded rows that are stored to detect duplicates. The search for a new row, or for the last yielded one, ends after as many rows. */
const REMEMBERED = 2_000

/**
 * Yields every row of a paginated method: `for await (const row of pages(client.v3.jetton.transfers, { limit: 100 }))`. Uses cursors if the answer has
 * them, otherwise offsets. Lists of v3 return a cursor if they are called with `cursor: ''`; a late page then costs as much as the first. The result is
 * stable while the chain grows: no row is yielded twice or missed, and rows newer than the first row are not yielded.
 */
export async function* pages<F extends Method>(
  method: F,
  params: Paged<F>,
  { rows: pick = listOf as NonNullable<PageOptions<F>['rows']>, signal }: PageOptions<F> = {},
): AsyncGenerator<Rows<Answer<F>>, void, undefined> {
  const ask = method as unknown as (params: Data, options: CallOptions) => Promise<Answer<F>>
  const given = params as Data
  const limit = given['limit'] === undefined ? undefined : Number(given['limit'])
  /** With offsets, each page starts with the last yielded row. Its position shows how far new rows have shifted the list. */
  const overlap = limit === 1 ? 0 : 1
  let query = given
  let start = Number(given['offset'] ?? 0)
  let yielded: string[] = []
  /** Rows that were read since the last new one. A server may repeat its pages for ever. */
  let repeated = 0
  /**
   * Rows that were read while the last yielded row was missing. If that row still appears, they are newer and are dropped. Otherwise they are the next
   * rows.
   */
  let pending: [string, Rows<Answer<F>>][] = []
  for (;;) {
    const page = await ask(query, { signal })
    const rows = pick(page).map((row): (typeof pending)[number] => [textOf(row), row])
    const cursor = cursorAfter(page, rows, given)
    const last = yielded.at(-1)
    const at = rows.map(([key]) => key).lastIndexOf(last ?? '')
    const ended = cursor === null || rows.length === 0 || (!cursor && rows.length < (limit ?? 1))
    let fresh = rows.slice(at + 1)
    if (cursor === undefined && last !== undefined && at < 0 && overlap > 0) {
      pending.push(...rows)
      fresh = []
    } else pending = []
    if (ended || pending.length > REMEMBERED) fresh.push(...new Map(pending.splice(0)))
    const seen = new Set(yielded)
    const unseen = fresh.filter(([key]) => !seen.has(key))
    for (const [, row] of unseen) yield row
    repeated = unseen.length > 0 ? 0 : repeated + rows.length
    if (ended || (cursor && unseen.length === 0) || repeated > REMEMBERED) return
    yielded = [...yielded, ...fresh.map(([key]) => key)].slice(-REMEMBERED)
    start += Math.max(1, rows.length - overlap)
    query = { ...given, ...(cursor ?? { offset: start }) }
  }
}
