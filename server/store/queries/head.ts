import { TonError } from '../../../shared/errors.ts'
import type { Ask, Reader } from '../postgres/pool.ts'

/** The data source of one answer: one snapshot of the database, and the newest block that may be read. */
export interface View {
  /** Builds statements. */
  readonly sql: Reader['sql']
  /** Runs one statement within the snapshot. Statements that are not awaited in between are sent together. */
  readonly rows: Ask
  /** The newest published masterchain block, and the first one whose history is kept. */
  readonly head: number
  readonly first: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  /** Whether friendly addresses are written with the test-only flag. */
  readonly testOnly: boolean
  readonly signal: AbortSignal
}

/** Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while nothing is indexed. */
export const readIndex = <T>(reader: Reader, signal: AbortSignal, read: (view: View) => Promise<T>): Promise<T> =>
  reader.snapshot(async (rows) => {
    const [place] = await rows(
      reader.sql
        .selectFrom(['published_head', 'index_checkpoint'])
        .select(['published_head.mc_seqno as head', 'published_head.epoch', 'index_checkpoint.network'])
        .select(({ fn }) => fn.coalesce('index_checkpoint.kept_mc_seqno', 'index_checkpoint.first_mc_seqno').as('first')),
    )
    if (!place) throw new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })
    const { head, first, network } = place
    const epoch = Number(place.epoch)
    reader.admit?.({ epoch, seqno: head })
    return await read({ sql: reader.sql, rows, head, first, epoch, testOnly: network === 'testnet', signal })
  }, signal)

/** Unix seconds of the newest published block. It decides whether something (such as an auction) is over. */
export const headTime = async (view: View): Promise<number> => {
  const [row] = await view.rows(view.sql.selectFrom('published_head').select('utime'))
  return Number(row?.utime ?? 0)
}
