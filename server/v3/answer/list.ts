import { setImmediate } from 'node:timers/promises'
import { type MethodName, type Params, type Result, registry } from '../../../shared/registry.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import { answerOfParts, joinedParts, jsonParts, memberParts, piecesOf, shortText, stretchesOf } from '../../base/json/parts.ts'
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

/** What is read around the rows of a page. */
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
   * Splits the rows into groups if together they may need too much memory: each group is read while the one before it is written, and the address book while
   * the last one is. By default there is one group.
   */
  readonly groups?: (rows: readonly Row[]) => readonly (readonly Row[])[]
  /** Outer levels of a row's JSON that are written in parts, because the row can be large. By default none. */
  readonly levelsOf?: (row: Row) => number
  /** Reads what a proof of the rows is about. */
  readonly proven?: (view: View, rows: readonly Row[], params: Params<M>) => Promise<ProofSubject>
}

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

/** The members after the rows, and the end of the answer. */
function* ending(members: object): Generator<string> {
  yield ']'
  for (const [member, value] of Object.entries(members)) {
    yield `,"${member}":`
    yield* jsonParts(value)
  }
  yield '}'
}

/** Returns a function that resolves with the next step of a generator, and then begins the one after it. */
const readAhead = <T, R>(source: AsyncGenerator<T, R>): (() => Promise<IteratorResult<T, R>>) => {
  let coming = source.next()
  return async () => {
    const step = await coming
    if (!step.done) coming = source.next()
    // Nobody awaits a step of an answer that was abandoned.
    coming.catch(() => {})
    return step
  }
}

export const list = <M extends ListMethod, Row>(
  index: V3Index,
  name: M,
  { find, relate, extras, isShort, hasNextCursor, groups, levelsOf, proven }: List<M, Row>,
): AnswerHandlers<M>[M] => {
  const rowsMember = rowsMemberOf(name)
  const hasWindow = hasMember(registry[name], 'start_utime')
  const hasBook = hasMember(registry[name], 'address_book')
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
    async function* read() {
      for (const group of groups!(rows)) {
        const { accounts, format } = await relate(view, group, params)
        for (const key of accounts) if (key) keys.set(nameOf(key), key)
        yield { group, toWire: await format }
      }
      // The rows are sent already, so this is no longer refused.
      return await readBook(view, { accounts: keys.values() }, params as ListParams, MAX_READ)
    }
    yield beginning(params as ListParams, rows)
    const reading = readAhead(read())
    for (let separator = ''; ; separator = ',') {
      const step = await reading()
      if (step.done) return yield* stretchesOf(ending(below(params as ListParams, step.value, next)))
      yield separator
      yield* stretchesOf(memberParts(step.value.group, step.value.toWire, levelsOf))
    }
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
      const reading = readBook(view, { accounts }, params as ListParams)
      // Awaited after the rows are written.
      reading.catch(() => {})
      // Waits an event-loop turn, so that the queries of the address book are sent before the rows are written.
      const [toWire] = await Promise.all([format, hasBook && setImmediate()])
      const above = joinedParts([beginning(params as ListParams, rows)], memberParts(rows, toWire, levelsOf))
      const text = await shortText(above, view.signal)
      const parts = joinedParts([text], above, ending(below(params as ListParams, await reading, next)))
      return { ...(await answerOfParts(parts, view.signal)), next, subject }
    },
  })
}
