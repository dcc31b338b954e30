import type { View } from '../store/queries/head.ts'
import type { BlockEvents, BookAndTokens, LiveEvent, Wanted } from './events.ts'

/** Reads events from the index, in the shapes of v3. The room of v3 implements it: its builders make the shapes. */
export interface EventSource {
  /** Root hashes of indexed masterchain blocks, by seqno. */
  hashes(view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>>
  /** Events of published masterchain blocks, ascending. A block that is not indexed is missing from the result. */
  blocks(view: View, seqnos: readonly number[], wanted: Wanted): Promise<readonly BlockEvents[]>
  /** Seqnos of published masterchain blocks above `after` that may have wanted events, ascending, at most `limit`. Blocks above `until` were not read. */
  next(view: View, after: number, wanted: Wanted, limit: number): Promise<{ readonly seqnos: readonly number[]; readonly until: number }>
  /** The address book and the metadata of all accounts in the events, if somebody wants them. */
  bookAndTokens(view: View, events: readonly LiveEvent[], wanted: Pick<Wanted, 'book' | 'metadata'>): Promise<BookAndTokens>
  /**
   * The present states of all wanted accounts and jetton wallets. `undone`: states that were sent and are reverted. What they are about may not exist any
   * more, and then an event says so, if the index knows all accounts of the chain.
   */
  states(view: View, wanted: Wanted, undone?: readonly LiveEvent[]): Promise<BookAndTokens & { readonly events: readonly LiveEvent[] }>
}

/** Reads one snapshot of the index. */
export type Read = <T>(run: (view: View) => Promise<T>, signal?: AbortSignal) => Promise<T>
