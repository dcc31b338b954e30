import type { View } from '../store/queries/view.ts'
import type { BlockEvents, BookAndTokens, EventQuery, LiveEvent } from './events.ts'

/** Reads events from the index, in the shapes of v3. The room of v3 implements it: its builders make the shapes. */
export interface EventSource {
  /** Root hashes of indexed masterchain blocks, by seqno. */
  hashes(view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>>
  /** Events of published masterchain blocks, ascending. A block that is not indexed is missing from the result. */
  blocks(view: View, seqnos: readonly number[], query: EventQuery): Promise<readonly BlockEvents[]>
  /** Seqnos of published masterchain blocks above `after` that may have events of the query, ascending, at most `limit`. Blocks above `until` were not read. */
  next(view: View, after: number, query: EventQuery, limit: number): Promise<{ readonly seqnos: readonly number[]; readonly until: number }>
  /** The address book and the metadata of all accounts in the events, if the query has them. */
  bookAndTokens(view: View, events: readonly LiveEvent[], query: Pick<EventQuery, 'book' | 'metadata'>): Promise<BookAndTokens>
  /**
   * The present states of all accounts and jetton wallets of the query. `undone`: states that were sent and are reverted. What they are about may not
   * exist any more, and then an event says so, if the index has all accounts of the chain.
   */
  states(view: View, query: EventQuery, undone?: readonly LiveEvent[]): Promise<BookAndTokens & { readonly events: readonly LiveEvent[] }>
}

/** Reads one snapshot of the index. */
export type Read = <T>(run: (view: View) => Promise<T>, signal?: AbortSignal) => Promise<T>
