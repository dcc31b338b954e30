import type { BlockId } from '../../tlb/ids.ts'
import type { CheckedQuery } from '../checked-query.ts'
import type { AskOptions, Head, LiteAnswer, LiteArgs, LiteServer, ZeroStateId } from '../liteserver.ts'
import { checkLookupWithProof } from '../proofs/lookup.ts'
import { checkEvident, checkNetwork } from './self-evident.ts'

export interface GroupSourceParts {
  readonly read: CheckedQuery
  readonly send: (body: Uint8Array, signal: AbortSignal) => Promise<LiteAnswer<'sendMessage'>>
  readonly heads: (signal: AbortSignal) => AsyncIterable<Head>
  readonly zeroState: ZeroStateId
  readonly trusted: () => BlockId | undefined
}

/**
 * Combines several servers into one source. The source itself makes the checks that need only the query and the answer. If an answer is false, another
 * server is queried.
 */
export const createGroupSource = ({ read, send, heads, zeroState, trusted }: GroupSourceParts): LiteServer => {
  /** Looks up a block. If there is a head, the answer must prove that the block belongs to the head's chain. */
  const lookup = <T>(
    args: LiteArgs<'lookupBlock'>,
    signal: AbortSignal,
    check: (answer: LiteAnswer<'lookupBlock'>) => T | Promise<T>,
    options?: AskOptions,
  ): Promise<T> => {
    const head = trusted()
    if (head === undefined) return read('lookupBlock', args, signal, check, options)
    const proven = (answer: LiteAnswer<'lookupBlockWithProof'>): T | Promise<T> => {
      const { id } = checkLookupWithProof(answer, args.id, args.by, head)
      return check({ id, mode: answer.mode, headerProof: answer.header })
    }
    return read('lookupBlockWithProof', { ...args, mcBlockId: head }, signal, proven, options)
  }
  const checked: CheckedQuery = (fn, args, signal, check, options) => {
    // `fn` determines the types of the arguments and the answer, but the compiler cannot infer this.
    if (fn === 'lookupBlock') return lookup(args as LiteArgs<'lookupBlock'>, signal, check as never, options)
    return read(fn, args, signal, (answer) => check(checkNetwork(fn, answer, zeroState)), options)
  }
  return {
    query: (fn, args, signal) => {
      if (fn === 'sendMessage') return send((args as LiteArgs<'sendMessage'>).body, signal) as Promise<LiteAnswer<typeof fn>>
      return checked(fn, args, signal, (answer) => checkEvident(fn, args, answer))
    },
    checked,
    heads,
  }
}
