import { ancestorSeqnos, ancestorsOf, WHOLE } from '../../live/cursor.ts'
import type { EventSource } from '../../live/event-source.ts'
import { type BlockEvents, type EventQuery, type LiveEvent, NO_BOOK_OR_TOKENS } from '../../live/events.ts'
import { blocksIn, type EventBlock, findEventBlocks, masterHashes, sizesAbout, walletsOwnedBy } from '../../store/queries/events.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw } from '../../store/row-keys.ts'
import { MAX_NODES } from '../shapes/trace.ts'
import { base64, shardHex } from '../shapes/values.ts'
import { bookAndTokensOfEvents } from './book-and-tokens.ts'
import { place, RANK } from './place.ts'
import { createGoneStates, presentStates, stateEvents } from './states.ts'
import { traceEvents } from './traces.ts'
import { readWatched } from './watched-changes.ts'

/* Events of masterchain blocks in the shapes of v3, by the builders of the v3 handlers. */

const blockEvent = (row: EventBlock): LiveEvent => ({
  body: {
    type: 'block',
    wire: {
      type: 'block',
      finality: 'finalized',
      workchain: row.workchain,
      shard: shardHex(row.shard),
      seqno: row.seqno,
      root_hash: base64(row.root_hash),
      gen_utime: Number(row.gen_utime),
      tx_count: row.tx_count,
      masterchain_seqno: row.mc_seqno,
    },
  },
  finality: 'finalized',
  traceHash: undefined,
  otherHashes: [],
  place: place(RANK.block, row.start_lt, row.root_hash),
})

const byPlace = (a: LiveEvent, b: LiveEvent): number => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0)

const MASTERCHAIN = -1
/** Maximum number of jetton wallets whose blocks are searched. If the accounts own more, no block is skipped. */
const MAX_SEARCHED = 10_000

/** Maximum size of the transactions in the blocks that are read together, and of the traces that end there. */
const MAX_TOGETHER = 20_000

export interface EventSourceOptions {
  readonly want?: ((token: Buffer) => void) | undefined
  /** True if accounts are missing in the index. The index of a fork has only accounts that changed after the fork. */
  readonly isPartial: boolean
}

export const createEventSource = ({ want, isPartial }: EventSourceOptions): EventSource => ({
  hashes: masterHashes,

  async blocks(view: View, seqnos: readonly number[], query: EventQuery): Promise<readonly BlockEvents[]> {
    const needed = [...new Set(seqnos.flatMap((seqno) => [seqno, ...ancestorSeqnos(seqno)]))]
    const [rows, changes, hashes] = await Promise.all([
      blocksIn(view, seqnos),
      readWatched(view, seqnos, query),
      masterHashes(view, needed),
    ])
    const [states, traces] = await Promise.all([stateEvents(view, changes, query), traceEvents(view, changes, query)])
    const about = [...states, ...traces]
    const eventsAbout = about.map(({ event }) => event)
    const bookAndTokens = await bookAndTokensOfEvents(view, eventsAbout, query, want)
    return rows
      .filter(({ workchain, seqno, mc_seqno }) => workchain === MASTERCHAIN && seqno === mc_seqno)
      .map(({ seqno, root_hash }) => {
        const own = rows.filter((row) => row.mc_seqno === seqno).map(blockEvent)
        const events = [...own, ...about.filter((each) => each.seqno === seqno).map(({ event }) => event)]
        return {
          end: { seqno, hash: root_hash, ancestors: ancestorsOf(seqno, hashes), place: WHOLE },
          events: events.sort(byPlace),
          ...bookAndTokens,
        }
      })
  },

  async together(view, seqnos) {
    if (seqnos.length < 2) return seqnos
    const sizes = await sizesAbout(view, seqnos, MAX_NODES)
    let left = MAX_TOGETHER
    const end = seqnos.findIndex((seqno, i) => {
      left -= sizes.get(seqno) ?? 0
      return i > 0 && left < 0
    })
    return end === -1 ? seqnos : seqnos.slice(0, end)
  },

  async next(view, after, query, limit) {
    const accounts = [...query.accounts].map(keyOfRaw)
    const owned = query.types.has('jettons_change') ? await walletsOwnedBy(view, accounts, MAX_SEARCHED + 1) : []
    if (query.types.has('blocks') || owned.length > MAX_SEARCHED) {
      const until = Math.min(view.head, after + limit)
      return { seqnos: Array.from({ length: until - after }, (_, i) => after + 1 + i), until }
    }
    const hashes = [...query.hashes].map((hash) => Buffer.from(hash, 'base64'))
    return await findEventBlocks(view, after, { accounts: [...accounts, ...owned], hashes }, limit)
  },

  bookAndTokens: (view, events, query) => bookAndTokensOfEvents(view, events, query, want),

  async *states(read, query, undone = []) {
    const withBook = async (events: readonly LiveEvent[]) => {
      if (events.length === 0 || !(query.book || query.metadata)) return { events, ...NO_BOOK_OR_TOKENS }
      return { events, ...(await read((view) => bookAndTokensOfEvents(view, events, query, want))) }
    }
    const gone = createGoneStates(isPartial ? [] : undone)
    for await (const events of presentStates(read, query)) {
      gone.add(events)
      yield await withBook(events)
    }
    yield await withBook(gone.left())
  },
})
