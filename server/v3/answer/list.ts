import { type MethodName, type Params, type Result, registry } from '../../../shared/registry.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import { joinedParts, jsonParts, memberParts, piecesOf, stretchesOf } from '../../base/json/parts.ts'
import { awaitedLater } from '../../base/promises/awaited-later.ts'
import type { WindowParams } from '../../store/queries/conditions.ts'
import type { Page } from '../../store/queries/order.ts'
import type { View } from '../../store/queries/view.ts'
import { nameOf } from '../../store/row-keys.ts'
import type { ProofSubject } from '../proofs/subject.ts'
import { endpoint, type Overrides, type V3Index } from './answer.ts'
import { type BookMembers, bookMembersOf, hasMember } from './book-and-tokens.ts'
import { bounded, MAX_READ } from './bounded.ts'

/*
 * A list endpoint of v3: the page and its cursors, the snapshot, the address book and the metadata, and the requested time window, which some answers
 * repeat. The definition in shared/v3 determines which of these an answer has.
 */

/** Type of the rows in the answer of a method: the elements of the only array among its members. */
type WireRow<M extends MethodName> = { [K in keyof Result<M>]: Result<M>[K] extends readonly (infer R)[] ? R : never }[keyof Result<M>]

export type ListMethod = {
  [M in MethodName]: M extends `v3.${string}` ? ([WireRow<M>] extends [never] ? never : M) : never
}[MethodName]

type Format<Row, Wire> = (row: Row) => Wire

interface Related<Row, Wire> {
  /** Accounts that the answer names, for the address book and the metadata. */
  readonly accounts: Iterable<Buffer | null>
  /** Formats a row. A promise if that needs more queries, which run in parallel with those of the address book. */
  readonly format: Format<Row, Wire> | Promise<Format<Row, Wire>>
}

export interface List<M extends ListMethod, Row> {
  readonly find: (view: View, params: Params<M>) => Promise<Page<Row>>
  readonly relate: (view: View, rows: readonly Row[], params: Params<M>) => Related<Row, WireRow<M>> | Promise<Related<Row, WireRow<M>>>
  /** Members besides the rows, such as sums over the rows. They are written before the rows. */
  readonly extras?: (rows: readonly Row[]) => Partial<Result<M>>
  readonly isShort?: (params: Params<M>) => boolean
  /** True: the body always has the cursor of the next page. By default only if the caller passed a cursor. */
  readonly hasNextCursor?: boolean
  /**
   * Splits the rows into groups if together they may need too much memory: some groups are read while the one before them is written, and the address book
   * while the last one is. By default there is one group.
   */
  readonly groups?: (rows: readonly Row[]) => readonly (readonly Row[])[]
  /** Outer levels of a row's JSON that are written in parts, because the row can be large. By default none. */
  readonly levelsOf?: (row: Row) => number
  readonly proven?: (view: View, rows: readonly Row[], params: Params<M>) => Promise<ProofSubject>
}

type ListParams = Overrides & Partial<WindowParams>

const rowsMemberOf = (name: ListMethod): string => {
  const { page } = registry[name]
  if (page === undefined) throw new Error(`${name} has no page`)
  return page.rows
}

function* ending(members: object): Generator<string> {
  yield ']'
  for (const [member, value] of Object.entries(members)) {
    yield `,"${member}":`
    yield* jsonParts(value)
  }
  yield '}'
}

/** Number of groups that are read at once. Each takes several queries, one after the other, and none of them waits for the group that is being written. */
const AHEAD = 2

/** Yields the results of reads in order, while the next ones run. Nobody awaits those of an answer that was abandoned. */
async function* readAhead<T>(reads: readonly (() => Promise<T>)[]): AsyncGenerator<T> {
  const begin = (read: () => Promise<T>): Promise<T> => awaitedLater(read())
  const coming = reads.slice(0, AHEAD).map(begin)
  for (const next of [...reads.slice(AHEAD), undefined]) {
    const result = await coming.shift()!
    if (next) coming.push(begin(next))
    yield result
  }
  for (const last of coming) yield await last
}

export const list = <M extends ListMethod, Row>(
  index: V3Index,
  name: M,
  { find, relate, extras, isShort, hasNextCursor, groups, levelsOf, proven }: List<M, Row>,
): AnswerHandlers<M>[M] => {
  const rowsMember = rowsMemberOf(name)
  const hasWindow = hasMember(registry[name], 'start_utime')
  const readBook = bookMembersOf(registry[name], index)

  const beginning = ({ start_utime, end_utime }: ListParams, rows: readonly Row[]): string =>
    JSON.stringify({ ...(hasWindow && { start_utime, end_utime }), ...extras?.(rows), [rowsMember]: [] }).slice(0, -2)
  const below = ({ cursor }: ListParams, book: BookMembers, next: string | undefined): object => ({
    ...book,
    ...(cursor !== undefined && { next_cursor: next ?? null }),
    ...(hasNextCursor && next !== undefined && { next_cursor: next }),
  })

  async function* byGroups(view: View, { rows, next }: Page<Row>, params: Params<M>): AsyncGenerator<string> {
    const keys = new Map<string, Buffer>()
    const all = groups!(rows)
    const reads = all.map((group) => async () => {
      const { accounts, format } = await relate(view, group, params)
      for (const key of accounts) if (key) keys.set(nameOf(key), key)
      return { group, toWire: await format }
    })
    // The rows are sent already, so this is no longer refused.
    const book = () => readBook(view, { accounts: keys.values() }, params as ListParams, MAX_READ)
    let reading: Promise<BookMembers> | undefined
    yield beginning(params as ListParams, rows)
    for await (const { group, toWire } of readAhead(reads)) {
      if (group === all.at(-1)) reading = awaitedLater(book())
      if (group !== all[0]) yield ','
      yield* stretchesOf(memberParts(group, toWire, levelsOf))
    }
    yield* stretchesOf(ending(below(params as ListParams, await reading!, next)))
  }

  return endpoint<M>(index, {
    isShort,
    async read(whole, params, { isLarge }) {
      const view = bounded(whole, isLarge)
      const page = await find(view, params)
      const { rows, next } = page
      const subject = proven && (() => proven(whole, rows, params))
      if (groups && groups(rows).length > 1) return { pieces: piecesOf(byGroups(whole, page, params)), isOpen: true, next, subject }
      const { accounts, format } = await relate(view, rows, params)
      const [toWire, book] = await Promise.all([format, readBook(view, { accounts }, params as ListParams)])
      const above = joinedParts([beginning(params as ListParams, rows)], memberParts(rows, toWire, levelsOf))
      return { pieces: piecesOf(joinedParts(above, ending(below(params as ListParams, book, next)))), next, subject }
    },
  })
}
