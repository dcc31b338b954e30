import type { View } from '../store/queries/view.ts'
import type { BlockEvents, BookAndTokens, EventQuery, LiveEvent } from './events.ts'

/** Reads events from the index, in the JSON shapes of the v3 API. server/v3 implements it, because it has the builders of these shapes. */
export interface EventSource {
  /** Root hashes of indexed masterchain blocks, by seqno. */
  hashes(view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>>
  /** Events of published masterchain blocks, ascending. A block that is not indexed is missing from the result. */
  blocks(view: View, seqnos: readonly number[], query: EventQuery): Promise<readonly BlockEvents[]>
  /** Seqnos of published masterchain blocks above `after` that may have matching events, ascending, at most `limit`. Blocks above `until` were not read. */
  next(view: View, after: number, query: EventQuery, limit: number): Promise<{ readonly seqnos: readonly number[]; readonly until: number }>
  /** The address book and the metadata of all accounts in the events, if the query asks for them. */
  bookAndTokens(view: View, events: readonly LiveEvent[], query: Pick<EventQuery, 'book' | 'metadata'>): Promise<BookAndTokens>
  /**
   * The current states of all accounts and jetton wallets of the query. `undone`: states that were sent and then reverted. If the account or wallet of such
   * a state does not exist any more, the result has an event that says so. That needs an index with all accounts of the chain.
   */
  states(view: View, query: EventQuery, undone?: readonly LiveEvent[]): Promise<BookAndTokens & { readonly events: readonly LiveEvent[] }>
}

/** Reads one snapshot of the index. */
export type Read = <T>(run: (view: View) => Promise<T>, signal?: AbortSignal) => Promise<T>
