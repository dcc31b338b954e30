import type { View } from '../store/queries/view.ts'
import type { BlockEvents, BookAndTokens, EventQuery, LiveEvent } from './events.ts'

/** Reads events from the index, in the JSON shapes of the v3 API. server/v3 implements it, because it has the builders of these shapes. */
export interface EventSource {
  hashes(view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>>
  /** Events of published masterchain blocks, in ascending order. Blocks that are not indexed are missing. */
  blocks(view: View, seqnos: readonly number[], query: EventQuery): Promise<readonly BlockEvents[]>
  /** The first of these blocks whose events fit into memory together; at least one. */
  together(view: View, seqnos: readonly number[]): Promise<readonly number[]>
  /** Seqnos of published masterchain blocks above `after` that may have matching events: ascending, at most `limit`. The search ended at block `until`. */
  next(view: View, after: number, query: EventQuery, limit: number): Promise<{ readonly seqnos: readonly number[]; readonly until: number }>
  /** Address book and metadata of all accounts in the events, if the query asks for them. */
  bookAndTokens(view: View, events: readonly LiveEvent[], query: Pick<EventQuery, 'book' | 'metadata'>): Promise<BookAndTokens>
  /**
   * Current states of all accounts and jetton wallets of the query, in pages, because an account can own any number of wallets. `undone`: states that were
   * sent and then reverted. If the account or wallet of an undone state no longer exists, an event of the last page says so, provided that the index has all
   * accounts of the chain.
   */
  states(
    read: Read,
    query: EventQuery,
    undone?: readonly LiveEvent[],
  ): AsyncIterable<BookAndTokens & { readonly events: readonly LiveEvent[] }>
}

export type Read = <T>(run: (view: View) => Promise<T>, signal?: AbortSignal) => Promise<T>
