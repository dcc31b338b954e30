import { type Params, type Result, registry } from '../../../shared/registry.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import { jsonParts, piecesOf } from '../../base/json/parts.ts'
import type { View } from '../../store/queries/view.ts'
import type { ProofSubject } from '../proofs/subject.ts'
import { endpoint, type Overrides, type V3Index, type V3Method } from './answer.ts'
import { bookMembersOf, type NamedAccounts } from './book-and-tokens.ts'
import { bounded } from './bounded.ts'

/*
 * An endpoint of v3 that returns one answer, without pages. Reads the answer in one snapshot of the index, and adds the address book and the metadata.
 */

type Own<R> = 'address_book' extends keyof R ? Omit<R, 'address_book' | 'metadata'> : R

interface Found<M extends V3Method> extends Partial<NamedAccounts> {
  /** The answer without address book and metadata. A promise if it needs more queries, which run in parallel with those of the address book. */
  readonly body: Own<Result<M>> | Promise<Own<Result<M>>>
  readonly subject?: (view: View) => Promise<ProofSubject>
}

/** `find` throws NOT_FOUND if there is no answer. */
export const lookup = <M extends V3Method>(
  index: V3Index,
  name: M,
  find: (view: View, params: Params<M>) => Promise<Found<M>>,
  isShort?: (params: Params<M>) => boolean,
): AnswerHandlers<M>[M] => {
  const readBook = bookMembersOf(registry[name], index)
  return endpoint<M>(index, {
    isShort,
    async read(whole, params, { isLarge }) {
      const view = bounded(whole, isLarge)
      const { accounts, emulated, body, subject } = await find(view, params)
      const [own, book] = await Promise.all([body, accounts && readBook(view, { accounts, emulated }, params as Overrides)])
      const parts = jsonParts(book ? { ...own, ...book } : own, 2)
      return { pieces: piecesOf(parts), subject: subject && (() => subject(whole)) }
    },
  })
}
