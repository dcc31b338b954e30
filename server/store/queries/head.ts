import { TonError } from '../../../shared/errors.ts'
import type { Ask, Reader } from '../postgres/pool.ts'

/** What an answer is made of: one snapshot of the database, and how far it may be read. */
export interface View {
  /** Builds statements. */
  readonly sql: Reader['sql']
  /** Runs one statement within the snapshot; those that are not awaited in between go together. */
  readonly rows: Ask
  /** Newest masterchain block whose rows are published, and the first that is indexed. */
  readonly head: number
  readonly first: number
  /** Whether addresses are written for people as those of a test network. */
  readonly testOnly: boolean
  readonly signal: AbortSignal
  /** Whether the answer's address book is wanted. */
  readonly book: boolean
  /** Whether the answer's metadata is. */
  readonly metadata: boolean
  /** Told of a token whose data off the chain is not here yet: it is fetched in the background. */
  readonly want: ((token: Buffer) => void) | undefined
}

/** Reads within one snapshot, nothing above the published head. UNAVAILABLE while nothing is indexed. */
export const readIndex = <T>(
  reader: Reader,
  { signal, book, metadata }: Pick<View, 'signal' | 'book' | 'metadata'>,
  read: (view: View) => Promise<T>,
): Promise<T> =>
  reader.snapshot(async (rows) => {
    const [place] = await rows(
      reader.sql
        .selectFrom(['published_head', 'index_checkpoint'])
        .select(['published_head.mc_seqno as head', 'index_checkpoint.first_mc_seqno as first', 'index_checkpoint.network']),
    )
    if (!place) throw new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })
    const { head, first, network } = place
    return await read({ sql: reader.sql, rows, head, first, testOnly: network === 'testnet', signal, book, metadata, want: reader.want })
  }, signal)

/** Unix seconds of the newest published block: what is over and what is not. */
export const headTime = async (view: View): Promise<number> => {
  const [row] = await view.rows(view.sql.selectFrom('published_head').select('utime'))
  return Number(row?.utime ?? 0)
}
