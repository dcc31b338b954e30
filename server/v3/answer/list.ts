import { setImmediate } from 'node:timers/promises'
import { type MethodName, type Params, type Result, registry } from '../../../shared/registry.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { allPieces, memberSteps, shortSteps, valueSteps, type WriteMember, writtenPieces } from '../../base/json/steps.ts'
import { JsonText } from '../../base/json/text.ts'
import { checkSize } from '../../base/limits/large-page.ts'
import type { Page } from '../../store/queries/order.ts'
import type { View } from '../../store/queries/view.ts'
import { nameOf } from '../../store/row-keys.ts'
import { type ReadSubject, type TakeSubject, withProof } from '../proofs/with-proof.ts'
import { answer, type Overrides, type ReadResult, type V3Index } from './answer.ts'
import { type Accounts, type BookAndTokensReader, bookAndTokensOf, type ComingKinds, hasMember, type Named } from './book-and-tokens.ts'
import { bounded } from './bounded.ts'

/*
 * A list endpoint of v3: the page and its cursors, the snapshot, the address book and the metadata, and the requested time window, which some answers
 * repeat. The definition in shared/v3 determines which of these an answer has.
 */

/** Type of the rows in the answer of a method: the elements of the only array among its members. */
type WireRow<M extends MethodName> = { [K in keyof Result<M>]: Result<M>[K] extends readonly (infer R)[] ? R : never }[keyof Result<M>]

export type ListMethod = {
  [M in MethodName]: M extends `v3.${string}` ? ([WireRow<M>] extends [never] ? never : M) : never
}[MethodName]

/** Members besides the rows that some lists have, such as sums over the rows. */
type Extras<M extends ListMethod> = Partial<Result<M>>

interface Reads<M extends ListMethod, Row, Loaded> {
  readonly find: (view: View, params: Params<M>) => Promise<Page<Row>>
  readonly load?: (view: View, rows: readonly Row[], params: Params<M>) => Promise<Loaded>
  /** Accounts that the answer names, for the address book and the metadata. */
  readonly accounts: (rows: readonly Row[], loaded: Loaded) => Accounts
  /** What the address book needs about the accounts (code hash, get-methods, domain), if `load` has already read it. */
  readonly kinds?: (loaded: Loaded) => ComingKinds
  /** Members of the answer that are written before the rows. */
  readonly extras?: (rows: readonly Row[]) => Extras<M>
  /** True if a few short statements find the page by key, so that it may share a snapshot with other calls. */
  readonly isShort?: (params: Params<M>) => boolean
  /** True: the body always has the cursor of the next page. By default only if the caller passed a cursor. */
  readonly hasNextCursor?: boolean
  /** Estimates the bytes of the answer, for lists whose answers can be large. The bytes that are read are limited in any case (bounded.ts). */
  readonly bytes?: (rows: readonly Row[], params: Params<M>) => number
  /**
   * Splits the rows into groups if together they may need too much memory: each group is loaded and written before the next. By default `load` and
   * `accounts` are called once for all rows.
   */
  readonly groups?: (rows: readonly Row[]) => readonly (readonly Row[])[]
  readonly proven?: ReadSubject<readonly Row[], Params<M>>
}

interface RowByRow<M extends ListMethod, Row, Loaded> {
  readonly row: (row: Row, loaded: Loaded, params: Params<M>) => WireRow<M>
  readonly rows?: undefined
  readonly writer?: undefined
}

/** A list that formats all rows at once. Its queries run in parallel with those of the address book. */
interface RowsAtOnce<M extends ListMethod, Row, Loaded> {
  readonly row?: undefined
  readonly writer?: undefined
  readonly rows: (view: View, rows: readonly Row[], loaded: Loaded, params: Params<M>) => Promise<readonly WireRow<M>[]>
}

/** A list whose rows need more queries and are then written one by one. */
interface RowsByWriter<M extends ListMethod, Row, Loaded> {
  readonly row?: undefined
  readonly rows?: undefined
  readonly writer: (view: View, rows: readonly Row[], loaded: Loaded, params: Params<M>) => Promise<WriteMember<Row>> | WriteMember<Row>
}

export type List<M extends ListMethod, Row, Loaded> = Reads<M, Row, Loaded> &
  (RowByRow<M, Row, Loaded> | RowsAtOnce<M, Row, Loaded> | RowsByWriter<M, Row, Loaded>)

const writeJson = (out: JsonText, value: unknown): void => out.value(value)

/** Writes the rows of a page after all their data was read. */
type RowSteps = (out: JsonText) => Iterable<void>

interface ListParams extends Overrides {
  readonly cursor?: string | undefined
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
}

const rowsMemberOf = (name: ListMethod): string => {
  const { page } = registry[name]
  if (page === undefined) throw new Error(`${name} has no page`)
  return page.rows
}

function* ending(out: JsonText, members: object): Generator<void> {
  out.add(']')
  for (const [member, value] of Object.entries(members)) {
    out.add(`,"${member}":`)
    yield* valueSteps(out, value)
  }
  out.add('}')
}

function* both(first: Iterable<void>, then: Iterable<void>): Generator<void> {
  yield* first
  yield* then
}

/**
 * Returns a short answer as text, and a long answer as chunks that are written while they are sent. `end` resolves with a function that writes the text
 * after the rows.
 */
const writtenAnswer = async (
  writeRows: (out: JsonText) => Generator<void>,
  end: Promise<(out: JsonText) => Generator<void>>,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly texts: AsyncIterable<string>; readonly isRead: true }> => {
  const out = new JsonText()
  const rows = writeRows(out)
  const areWritten = await shortSteps(out, rows, signal)
  const rest = (await end)(out)
  if (!areWritten || !(await shortSteps(out, rest, signal))) return { texts: allPieces(out, both(rows, rest)), isRead: true }
  return { text: out.take() }
}

export const list = <M extends ListMethod, Row, Loaded = undefined>(
  index: V3Index,
  name: M,
  { find, load, accounts, kinds, extras, isShort, hasNextCursor, bytes, groups, proven, ...shape }: List<M, Row, Loaded>,
): AnswerHandlers<M>[M] => {
  const rowsMember = rowsMemberOf(name)
  const hasWindow = hasMember(registry[name], 'start_utime')
  const [hasBook, hasTokens] = [hasMember(registry[name], 'address_book'), hasMember(registry[name], 'metadata')]
  const readNamed = bookAndTokensOf(registry[name])
  /** Reads the data that the JSON of the rows needs, and returns the function that writes the rows. */
  const rowSteps = async (view: View, rows: readonly Row[], loaded: Loaded, params: Params<M>): Promise<RowSteps> => {
    if (shape.rows) {
      const made = await shape.rows(view, rows, loaded, params)
      return (out) => memberSteps(out, made, writeJson)
    }
    const write: WriteMember<Row> = shape.writer
      ? await shape.writer(view, rows, loaded, params)
      : (out, row) => writeJson(out, shape.row(row, loaded, params))
    return (out) => memberSteps(out, rows, write)
  }

  const above = ({ start_utime, end_utime }: ListParams, rows: readonly Row[]): object => ({
    ...(hasWindow && { ...(start_utime !== undefined && { start_utime }), ...(end_utime !== undefined && { end_utime }) }),
    ...extras?.(rows),
  })
  const beginning = (params: Params<M>, rows: readonly Row[]): string =>
    JSON.stringify({ ...above(params as ListParams, rows), [rowsMember]: [] }).slice(0, -2)
  const below = ({ cursor }: ListParams, named: Named, next: string | undefined): object => ({
    ...named,
    ...(cursor !== undefined && { next_cursor: next ?? null }),
    ...(hasNextCursor && next !== undefined && { next_cursor: next }),
  })

  async function* byGroups(
    view: View,
    bookAndTokens: BookAndTokensReader,
    { rows, next }: Page<Row>,
    params: Params<M>,
  ): AsyncGenerator<string> {
    const keys = new Map<string, Buffer>()
    const out = new JsonText()
    out.add(beginning(params, rows))
    for (const [i, group] of groups!(rows).entries()) {
      const loaded = load ? await load(view, group, params) : (undefined as Loaded)
      for (const key of accounts(group, loaded)) if (key) keys.set(nameOf(key), key)
      const steps = await rowSteps(view, group, loaded, params)
      if (i > 0) out.add(',')
      yield* writtenPieces(out, steps(out))
    }
    yield* writtenPieces(out, ending(out, below(params as ListParams, await readNamed(bookAndTokens, keys.values()), next)))
    yield out.take()
  }

  function* upToRows(out: JsonText, rows: readonly Row[], steps: RowSteps, params: Params<M>): Generator<void> {
    out.add(beginning(params, rows))
    // A possible pause before the first row, so that other calls of the same event-loop turn can start.
    yield
    yield* steps(out)
  }

  const run = (from: V3Index, take: TakeSubject, params: Params<M>, { signal, isLarge }: Call) => {
    const read = async (whole: View, bookAndTokens: BookAndTokensReader): Promise<ReadResult<Result<M> & object>> => {
      const view = bounded(whole, isLarge)
      const page = await find(view, params)
      const { rows, next } = page
      await take(proven, whole, rows, params)
      if (bytes && isLarge === false) checkSize(bytes(rows, params))
      if (groups && groups(rows).length > 1) return { texts: byGroups(whole, bookAndTokens, page, params), next }
      const loaded = load ? await load(view, rows, params) : (undefined as Loaded)
      const coming = kinds?.(loaded)
      const naming = readNamed(bookAndTokens, accounts(rows, loaded), coming)
      const end = naming.then((named) => (out: JsonText) => ending(out, below(params as ListParams, named, next)))
      end.catch(() => {})
      // Waits one event-loop turn, so that the queries of the address book and the metadata are sent before the rows are written.
      const left = hasTokens || (hasBook && !coming) ? setImmediate() : undefined
      const steps = await rowSteps(view, rows, loaded, params)
      await left
      return { ...(await writtenAnswer((out) => upToRows(out, rows, steps, params), end, view.signal)), next }
    }
    return answer(from, name, params as ListParams, signal, read, isShort?.(params))
  }
  return (params, call) => withProof(index, params as object, call, (from, take) => run(from, take, params, call))
}
