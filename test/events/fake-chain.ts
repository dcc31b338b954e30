import { createHash } from 'node:crypto'
import { silentLog } from '../../server/base/log.ts'
import type { Chunk } from '../../server/base/writer/chunk.ts'
import { ancestorSeqnos, ancestorsOf, WHOLE } from '../../server/live/cursor.ts'
import type { EventSource } from '../../server/live/event-source.ts'
import type { BlockEvents, EventQuery, EventType, LiveEvent } from '../../server/live/events.ts'
import type { Filter } from '../../server/live/filter.ts'
import { createHub, type HubDeps } from '../../server/live/hub.ts'
import type { Sink } from '../../server/live/listener.ts'
import type { Reader } from '../../server/store/postgres/reader.ts'

/* A hub over an index of the test's own, for what a real chain makes too slowly: long forks, many states, replays that do not end. */

const ACCOUNT = `0:${'AB'.repeat(32)}`

/** What an index has: masterchain blocks, and states of accounts. */
export interface FakeIndex {
  first: number
  /** Names of the blocks from `first` on. A block with another name is another block. */
  names: string[]
  /** How many states the accounts of a listener have. */
  states: number
  /** Waited for by each read of blocks. */
  gate: Promise<void>
  /** Heads with which blocks were read. */
  readonly heads?: number[]
  /** Reads of this block fail with this error: all, or those for which `of` is true. */
  fault?: { readonly seqno: number; readonly error: Error; readonly of?: (query: EventQuery) => boolean } | undefined
  /** Reads of states fail with this error. */
  statesFault?: Error | undefined
}

/** Root hash of a block. */
export const hashOf = (seqno: number, name: string): Buffer => createHash('sha256').update(`${seqno} ${name}`).digest()

const stateEvent = (i: number): LiveEvent => ({
  body: { type: 'account_state_change', account: ACCOUNT, wire: { balance: String(i) } },
  finality: 'finalized',
  traceHash: undefined,
  otherHashes: [],
  place: '',
})
const blockEvent = (seqno: number, name: string): LiveEvent => ({
  body: { type: 'block', wire: { type: 'block', seqno, name } },
  finality: 'finalized',
  traceHash: undefined,
  otherHashes: [],
  place: '0',
})

/** How a hub reads the index. */
export const readFake = (index: FakeIndex): Pick<HubDeps, 'source' | 'reader'> => {
  const hashes = (seqnos: readonly number[]): Map<number, Buffer> =>
    new Map(
      seqnos.flatMap((seqno) => {
        const name = index.names[seqno - index.first]
        return name === undefined ? [] : [[seqno, hashOf(seqno, name)] as const]
      }),
    )
  const source: EventSource = {
    hashes: async (_, seqnos) => hashes(seqnos),
    async blocks({ head }, seqnos, query): Promise<BlockEvents[]> {
      index.heads?.push(head)
      await index.gate
      if (index.fault && seqnos.includes(index.fault.seqno) && (index.fault.of?.(query) ?? true)) throw index.fault.error
      return seqnos.flatMap((seqno) => {
        const hash = hashes([seqno]).get(seqno)
        if (hash === undefined) return []
        const end = { seqno, hash, ancestors: ancestorsOf(seqno, hashes(ancestorSeqnos(seqno))), place: WHOLE }
        return [{ end, events: [blockEvent(seqno, index.names[seqno - index.first]!)], book: {}, tokens: {} }]
      })
    },
    together: async (_, seqnos) => seqnos,
    next: async ({ head }, after, _: EventQuery, limit) => {
      const until = Math.min(head, after + limit)
      return { seqnos: Array.from({ length: until - after }, (__, i) => after + 1 + i), until }
    },
    bookAndTokens: async () => ({ book: {}, tokens: {} }),
    async *states() {
      if (index.statesFault) throw index.statesFault
      yield { events: Array.from({ length: index.states }, (_, i) => stateEvent(i)), book: {}, tokens: {} }
    },
  }
  const place = () => ({
    head: index.first + index.names.length - 1,
    first: index.first,
    network: 'local',
    utime: 0,
    epoch: 0,
    isDistributed: false,
  })
  const reader: Reader = {
    rows: async () => [],
    snapshot: (run) => run(async <R>() => [place()] as R[]),
    close: async () => {},
  }
  return { source, reader }
}

export const startFakeHub = (index: FakeIndex, options: Partial<Pick<HubDeps, 'maxEvents' | 'maxNames' | 'log' | 'onHead'>> = {}) =>
  createHub({ ...readFake(index), onHead: () => () => {}, log: silentLog, ...options })

export const filterOf = (types: Filter['types'] extends ReadonlySet<infer T> ? readonly T[] : never): Filter => ({
  types: new Set(types),
  accounts: new Set([ACCOUNT]),
  hashes: new Set(),
  minFinality: 'finalized',
  book: false,
  metadata: false,
  actionTypes: new Set(),
  supportedTypes: new Set(),
  scope: 'block',
})

export const queryOf = (accounts: readonly string[], types: readonly EventType[]): EventQuery => ({
  types: new Set(types),
  accounts: new Set(accounts),
  hashes: new Set(),
  book: false,
  metadata: false,
  newestOnly: false,
})

export interface FakeReader {
  readonly sink: Sink
  readonly events: { readonly type: string; readonly seqno?: number; readonly name?: string; readonly cursor: string }[]
  /** The most events that waited for the reader at a time. */
  most(): number
  readonly failures: unknown[]
}

/** A reader that takes what waits for it in the next turn of the event loop. A replay waits while more than `busy` events do. */
export const createFakeReader = ({ client = 'reader', replays = -1, busy = 10, takesResets = true } = {}): FakeReader => {
  const events: FakeReader['events'] = []
  const failures: unknown[] = []
  let waiting = 0
  let most = 0
  const push = ({ pieces, cursor }: Chunk): void => {
    events.push({ ...JSON.parse(String(pieces[0])), cursor })
    most = Math.max(most, ++waiting)
  }
  const room = (): Promise<void> | undefined => {
    if (waiting <= busy) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        waiting = 0
        resolve()
      }),
    )
  }
  const sink: Sink = {
    frame: { key: '', wrap: (json) => Buffer.from(json) },
    client,
    replays,
    push,
    room,
    fail: (error) => failures.push(error),
    takesResets,
  }
  return { sink, events, most: () => most, failures }
}
