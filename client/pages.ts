import { textOf } from './calls.ts'
import type { CallOptions } from './types.ts'

/** A method as `pages` takes it. */
type Method = (params: never, options?: CallOptions) => Promise<unknown>
type Answer<F extends Method> = Awaited<ReturnType<F>>
type Params<F extends Method> = NonNullable<Parameters<F>[0]>

/** Params of a method that pages; `never` for any other. */
type Paged<F extends Method> = [Rows<Answer<F>>, Extract<keyof Params<F>, 'limit' | 'count'>] extends [infer R, infer Size]
  ? [R] extends [never]
    ? never
    : [Size] extends [never]
      ? never
      : Params<F>
  : never

/** Rows of a page: the answer itself, or its only list. */
export type Rows<R> = R extends readonly (infer Row)[]
  ? Row
  : R extends object
    ? { [K in keyof R]-?: Exclude<R[K], undefined> extends readonly (infer Row)[] ? Row : never }[keyof R]
    : never

export interface PageOptions<F extends Method> extends CallOptions {
  /** Where an answer has several lists: which one. */
  readonly rows?: ((page: Answer<F>) => readonly Rows<Answer<F>>[]) | undefined
}

type Data = Readonly<Record<string, unknown>>
interface TransactionRow {
  readonly transaction_id?: { readonly lt: string; readonly hash: string }
  readonly lt?: string
  readonly account: string
}

const listOf = (page: unknown): readonly unknown[] => (Array.isArray(page) ? page : (Object.values(page as Data).find(Array.isArray) ?? []))

/** Params of the page that follows, for the methods that page by cursor; null: there is none; undefined: it pages by offset. */
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
  return last?.transaction_id && { lt: last.transaction_id.lt, hash: last.transaction_id.hash }
}

/** So many rows are known again, and so many are looked through for the last one told. */
const REMEMBERED = 2_000

/**
 * Every row of a method that answers in pages, page by page: `for await (const row of pages(client.v3.jetton.transfers, { limit: 100 }))`. By
 * cursor where the answer holds one (lists of v3 that take a cursor do when they are asked with `cursor: ''`, and a page far down then costs what
 * the first one costs), else by offset. Stable while the chain grows: what is newer than the first row moves the others to later
 * places; it is not told, and nothing is told twice or left out.
 */
export async function* pages<F extends Method>(
  method: F,
  params: Paged<F>,
  { rows: pick = listOf as NonNullable<PageOptions<F>['rows']>, signal }: PageOptions<F> = {},
): AsyncGenerator<Rows<Answer<F>>, void, undefined> {
  const ask = method as unknown as (params: Data, options: CallOptions) => Promise<Answer<F>>
  const given = params as Data
  const limit = given['limit'] === undefined ? undefined : Number(given['limit'])
  /** Pages by offset begin with the last row told, so that it is seen how far the rows have moved. */
  const overlap = limit === 1 ? 0 : 1
  let query = given
  let start = Number(given['offset'] ?? 0)
  let told: string[] = []
  /** Rows seen while the last one told was not: newer ones if it comes yet, the next ones if it is gone. */
  let held: [string, Rows<Answer<F>>][] = []
  for (;;) {
    const page = await ask(query, { signal })
    const rows = pick(page).map((row): (typeof held)[number] => [textOf(row), row])
    const cursor = cursorAfter(page, rows, given)
    const last = told.at(-1)
    const at = rows.map(([key]) => key).lastIndexOf(last ?? '')
    const ended = cursor === null || rows.length === 0 || (!cursor && rows.length < (limit ?? 1))
    let fresh = rows.slice(at + 1)
    if (cursor === undefined && last !== undefined && at < 0 && overlap > 0) {
      held.push(...rows)
      fresh = []
    } else held = []
    if (ended || held.length > REMEMBERED) fresh.push(...new Map(held.splice(0)))
    const known = new Set(told)
    for (const [key, row] of fresh) if (!known.has(key)) yield row
    if (ended || (cursor && fresh.length === 0)) return
    told = [...told, ...fresh.map(([key]) => key)].slice(-REMEMBERED)
    start += Math.max(1, rows.length - overlap)
    query = { ...given, ...(cursor ?? { offset: start }) }
  }
}
