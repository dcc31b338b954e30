import { type MethodName, type Params, type Result, registry } from '../../../shared/registry.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import type { View } from '../../store/queries/view.ts'
import { type ReadSubject, type TakeSubject, withProof } from '../proofs/with-proof.ts'
import { answer, type Overrides, type ReadResult, type V3Index } from './answer.ts'
import { type Accounts, type BookAndTokensReader, bookAndTokensOf, type ComingKinds } from './book-and-tokens.ts'
import { bounded } from './bounded.ts'

/*
 * An endpoint of v3 that returns one answer, without pages. Runs `find` in one snapshot of the index, and adds the address book and the metadata to the
 * answer.
 */

type V3Method = Extract<MethodName, `v3.${string}`>

type Own<R> = 'address_book' extends keyof R ? Omit<R, 'address_book' | 'metadata'> : R

interface Reads<M extends V3Method, Found> {
  /** Reads the data of the answer. Throws NOT_FOUND if there is none. */
  readonly find: (view: View, params: Params<M>, bookAndTokens: BookAndTokensReader) => Promise<Found>
  readonly accounts?: (found: Found) => Accounts
  /** States of accounts after an emulation, which differ from the index. */
  readonly emulated?: (found: Found) => EmulatedAccounts
  /** What the address book needs about the accounts (code hash, get-methods, domain), if `find` has already read it. */
  readonly kinds?: (found: Found) => ComingKinds
  /** True if a few short statements find the answer by key, so that it may share a snapshot with other calls. */
  readonly isShort?: (params: Params<M>) => boolean
  readonly proven?: ReadSubject<Found, Params<M>>
}

interface AsValue<M extends V3Method, Found> {
  /** Makes the answer without address book and metadata, which are read in parallel. */
  readonly toBody: (found: Found, params: Params<M>, view: View) => Own<Result<M>> | Promise<Own<Result<M>>>
  readonly write?: undefined
}

interface AsText<Found> {
  readonly toBody?: undefined
  /** Writes the answer as JSON. For answers with integers beyond 2^53. */
  readonly write: (found: Found) => string
}

export type Lookup<M extends V3Method, Found> = Reads<M, Found> & (AsValue<M, Found> | AsText<Found>)

export const lookup = <M extends V3Method, Found>(
  index: V3Index,
  name: M,
  { find, accounts, emulated, kinds, isShort, proven, toBody, write }: Lookup<M, Found>,
): AnswerHandlers<M>[M] => {
  const read = bookAndTokensOf(registry[name])
  const run = (from: V3Index, take: TakeSubject, params: Params<M>, { signal, isLarge }: Call) => {
    const readAll = async (whole: View, bookAndTokens: BookAndTokensReader): Promise<ReadResult<Result<M> & object>> => {
      const view = bounded(whole, isLarge)
      const found = await find(view, params, bookAndTokens)
      await take(proven, whole, found, params)
      if (write) return { text: write(found) }
      const [own, named] = await Promise.all([
        toBody(found, params, view),
        accounts && read(bookAndTokens, accounts(found), kinds?.(found), emulated?.(found)),
      ])
      return { body: (named ? { ...own, ...named } : own) as Result<M> & object }
    }
    return answer(from, name, params as Overrides, signal, readAll, isShort?.(params))
  }
  return (params, call) => withProof(index, params as object, call, (from, take) => run(from, take, params, call))
}
