import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createDeferred } from '../../server/base/promises/deferred.ts'
import type { Chunk } from '../../server/base/writer/chunk.ts'
import { type Cursor, formatCursor, parseCursor, WHOLE } from '../../server/live/cursor.ts'
import type { EventSource } from '../../server/live/event-source.ts'
import { createForks } from '../../server/live/forks.ts'
import { createHub, type Hub, type HubDeps } from '../../server/live/hub.ts'
import { createListener, type Listener } from '../../server/live/listener.ts'
import { replay } from '../../server/live/replay.ts'
import { readIndex } from '../../server/store/queries/view.ts'
import { TonError } from '../../shared/errors.ts'
import { collectGarbage } from '../kit/gc.ts'
import { timeTurns } from '../kit/turns.ts'
import { until } from '../kit/wait.ts'
import { createFakeReader, type FakeIndex, type FakeReader, filterOf, hashOf, readFake, startFakeHub } from './fake-chain.ts'

const PERMIT = Object.assign(() => {}, { [Symbol.dispose]() {} })

/* The hub over an index of the test's own. */

let hub: Hub | undefined
afterEach(() => hub?.close())

const indexOf = (first: number, count: number, name: string): FakeIndex => ({
  first,
  names: Array.from({ length: count }, () => name),
  states: 0,
  gate: Promise.resolve(),
})

/** The place after a block of the name `old`. */
const cursorAt = (seqno: number): Cursor => ({ seqno, hash: hashOf(seqno, 'old'), ancestors: Buffer.alloc(24), place: WHOLE })

const join = async (types: Parameters<typeof filterOf>[0], reader: FakeReader, since?: string, metadata = false) => {
  const listening = hub!.listen({ ...filterOf(types), metadata }, reader.sink, since === undefined ? undefined : parseCursor(since))
  const started = await listening.started
  listening.begin()
  return { listening, ...started }
}
const told = ({ events }: FakeReader): (string | number)[] =>
  events.map(({ type, seqno, name }) => (type === 'block' ? `${name}${seqno}` : type))

describe('the hub', () => {
  it('the hub tells a live listener every block of an index that has no block in common with the last one', async () => {
    const index = indexOf(1, 5, 'old')
    hub = startFakeHub(index)
    const reader = createFakeReader()
    await join(['blocks'], reader)
    index.names.push('old')
    await until(() => reader.events.length === 1)
    index.first = 3
    index.names = ['new', 'new', 'new', 'new', 'new']
    await until(() => reader.events.length === 7)
    expect(told(reader)).toEqual(['old6', 'reset', 'new3', 'new4', 'new5', 'new6', 'new7'])
    expect(reader.events[1]).toMatchObject({ seqno: 2 })
  })

  it('what a replay has read does not stay in memory for a client that does not read: it is read again, and each event is sent once', async () => {
    const index = indexOf(1, 20, 'old')
    const { source, reader: indexReader } = readFake(index)
    const read: WeakRef<object>[] = []
    const blocks: EventSource['blocks'] = async (...of) => {
      const found = await source.blocks(...of)
      for (const block of found) read.push(new WeakRef(block))
      return found
    }
    let lookAgain = (): void => {}
    const onHead: HubDeps['onHead'] = (look) => {
      lookAgain = look
      return () => {}
    }
    hub = createHub({ source: { ...source, blocks }, reader: indexReader, onHead, log: silentLog })
    const reader = createFakeReader()
    const reads = createDeferred()
    let isStopped = false
    const room = () => (isStopped || reader.events.length < 5 ? undefined : reads.promise)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await join(['blocks'], { ...reader, sink: { ...reader.sink, room } }, formatCursor(cursorAt(1)))
    await until(() => reader.events.length === 5)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    // The timer by which the hub looks was not real.
    lookAgain()
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(read.filter((each) => each.deref() !== undefined)).toEqual([])
    isStopped = true
    reads.resolve()
    await until(() => reader.events.length >= 19)
    expect(told(reader)).toEqual(Array.from({ length: 19 }, (_, i) => `old${i + 2}`))
  })

  it('a gap names the rest of the block inside which a cursor is, if the index no longer has that block', async () => {
    hub = startFakeHub(indexOf(5, 3, 'old'))
    for (const seqno of [3, 4]) {
      const reader = createFakeReader()
      const { resumed } = await join(['blocks'], reader, formatCursor({ ...cursorAt(seqno), place: '1' }))
      await until(() => told(reader).includes('old7'))
      expect([resumed, told(reader)]).toEqual([false, ['gap', 'old5', 'old6', 'old7']])
      expect(reader.events[0]).toMatchObject({ from_seqno: seqno, to_seqno: 4 })
    }
  })

  it('the hub lets a reader take thousands of states after a gap and after a reset at its own speed', async () => {
    const index = indexOf(1, 400, 'old')
    hub = startFakeHub(index)
    const first = createFakeReader()
    const { cursor } = await join(['blocks'], first)
    index.first = 500
    index.names = ['new', 'new']
    index.states = 3_000
    const reader = createFakeReader()
    const { resumed } = await join(['blocks', 'account_state_change'], reader, cursor)
    await until(() => reader.events.some(({ seqno }) => seqno === 501))
    expect(resumed).toBe(false)
    expect(reader.events.filter(({ type }) => type === 'account_state_change').length).toBe(3_000)
    expect(told(reader)[0]).toBe('gap')
    expect(reader.most()).toBeLessThan(20)
    expect(reader.failures).toEqual([])
  })

  it('the hub fails a live listener whose states it cannot read after a reset, so that the listener comes back and gets both', async () => {
    const index = indexOf(1, 5, 'old')
    hub = startFakeHub(index)
    const [reader, other] = [createFakeReader(), createFakeReader()]
    const { cursor } = await join(['account_state_change'], reader)
    await join(['blocks'], other)
    index.statesFault = new TonError('UNAVAILABLE', 'the database is away')
    index.states = 2
    index.names = ['old', 'old', 'old', 'new', 'new']
    await until(() => reader.failures.length === 1)
    expect(reader.failures).toEqual([index.statesFault])
    index.statesFault = undefined
    await until(() => other.events.length === 3)
    expect([told(other), other.failures]).toEqual([['reset', 'new4', 'new5'], []])
    const back = createFakeReader()
    await join(['account_state_change'], back, cursor)
    await until(() => back.events.length === 3)
    expect(told(back)).toEqual(['reset', 'account_state_change', 'account_state_change'])
  })

  it('the hub gives a reset no cursor if states follow it, so that a reader that is lost in between gets them again', async () => {
    const index = indexOf(1, 20, 'old')
    index.states = 3
    hub = startFakeHub(index)
    const withStates = createFakeReader()
    const without = createFakeReader()
    await join(['blocks', 'account_state_change'], withStates)
    await join(['blocks'], without)
    index.names.splice(15, 5, 'new', 'new')
    await until(() => withStates.events.length === 9 && without.events.length === 6)
    // Nothing was told before, so the common block is found by the distances in the cursor: 12.
    const blocks = Array.from({ length: 5 }, () => ['block', true])
    expect(withStates.events.map(({ type, cursor }) => [type, cursor !== ''])).toEqual([
      ['reset', false],
      ['account_state_change', false],
      ['account_state_change', false],
      ['account_state_change', false],
      ...blocks,
    ])
    expect(without.events.map(({ type, cursor }) => [type, cursor !== ''])).toEqual([['reset', true], ...blocks])
  })

  it('the hub counts the replays of a client, refuses one over its limit, and forgets those that ended', async () => {
    const index = indexOf(1, 100, 'old')
    hub = startFakeHub(index)
    const { cursor } = await join(['blocks'], createFakeReader())
    index.names.push('old')
    let open = (): void => {}
    index.gate = new Promise((resolve) => {
      open = resolve
    })
    const readers = Array.from({ length: 3 }, () => createFakeReader({ client: 'one', replays: 2 }))
    const joining = readers.map((reader) => join(['blocks'], reader, cursor))
    await expect(joining[2]).rejects.toMatchObject({
      kind: 'RATE_LIMITED',
      message: 'resume limit reached: 2 subscriptions resume at present, max 2',
    })
    const other = createFakeReader({ client: 'other', replays: 2 })
    const joiningOther = join(['blocks'], other, cursor)
    open()
    await Promise.all([joining[0], joining[1], joiningOther])
    for (const reader of [readers[0]!, readers[1]!, other]) await until(() => told(reader).includes('old101'))
    // Their replays end once they have joined the live events.
    await until(() =>
      join(['blocks'], readers[2]!, cursor).then(
        () => true,
        () => false,
      ),
    )
    await until(() => told(readers[2]!).includes('old101'))
  })

  it('the hub goes on with a replay when the index is back after a failure, and the reader stays', async () => {
    const index = indexOf(1, 100, 'old')
    hub = startFakeHub(index)
    const first = await join(['blocks'], createFakeReader())
    first.listening.close()
    await until(() => hub!.count() === 0)
    index.names.push(...Array.from({ length: 200 }, () => 'old'))
    let reads = 0
    Object.defineProperty(index, 'gate', {
      get: () => (++reads === 2 ? Promise.reject(new TonError('UNAVAILABLE', 'the database is away')) : Promise.resolve()),
    })
    const reader = createFakeReader()
    expect(await join(['blocks'], reader, first.cursor)).toMatchObject({ resumed: true })
    await until(() => told(reader).includes('old300'))
    expect(reads).toBeGreaterThan(2)
    expect(told(reader)).toEqual(Array.from({ length: 200 }, (_, i) => `old${101 + i}`))
    expect(reader.failures).toEqual([])
  })

  it('the hub lets others read past events while replays wait for the index', async () => {
    const index = indexOf(1, 300, 'old')
    hub = startFakeHub(index)
    index.fault = { seqno: 150, error: new TonError('UNAVAILABLE', 'the database is away') }
    // As many as may read at once.
    const waiting = Array.from({ length: 4 }, () => createFakeReader())
    for (const reader of waiting) await join(['blocks'], reader, formatCursor(cursorAt(100)))
    for (const reader of waiting) await until(() => told(reader).includes('old132'))
    const other = createFakeReader()
    await join(['blocks'], other, formatCursor(cursorAt(250)))
    await until(() => told(other).includes('old300'))
    for (const reader of waiting) expect(told(reader)).not.toContain('old150')
    index.fault = undefined
    for (const reader of waiting) await until(() => told(reader).includes('old300'))
    for (const reader of [...waiting, other]) expect(reader.failures).toEqual([])
  })

  it('the hub lets those that wait for a block join in many turns, each gets the next block once, and what comes meanwhile does too', async () => {
    const index = { ...indexOf(1, 5, 'old'), heads: [] as number[] }
    hub = startFakeHub(index)
    const first = createFakeReader()
    await join(['blocks'], first)
    let open = (): void => {}
    index.gate = new Promise<void>((resolve) => {
      open = resolve
    })
    index.names.push('old')
    await until(() => index.heads.includes(6))
    const readers = Array.from({ length: 300 }, () => createFakeReader())
    const joins = readers.map((reader, i) => {
      const accounts = new Set(Array.from({ length: 1_000 }, (_, at) => `0:${i}.${at}`))
      const listening = hub!.listen({ ...filterOf(['blocks']), accounts }, reader.sink)
      listening.begin()
      return listening.started
    })
    const late = createFakeReader()
    const { longest, all } = await timeTurns(async () => {
      open()
      await joins[0]
      // The hub does not read on before the others have joined.
      index.names.push('old')
      joins.push(join(['blocks'], late))
      await Promise.all(joins)
    })
    expect(longest).toBeLessThan(all / 3)
    for (const reader of [...readers, late]) {
      await until(() => reader.events.length > 0)
      expect(told(reader)).toEqual(['old7'])
    }
    expect(told(first)).toEqual(['old6', 'old7'])
  })

  const LATE = new TonError('SOURCE_TIMEOUT', 'the statement took too long')

  it('the hub sends a block without metadata if it cannot be read in time with it', async () => {
    const index = indexOf(1, 5, 'old')
    hub = startFakeHub(index)
    const [reader, other] = [createFakeReader(), createFakeReader()]
    await join(['blocks'], reader, undefined, true)
    await join(['blocks'], other)
    index.fault = { seqno: 7, error: LATE, of: ({ metadata }) => metadata }
    index.names.push('old', 'old', 'old')
    await until(() => reader.events.length === 3 && other.events.length === 3)
    expect([told(reader), told(other)]).toEqual([
      ['old6', 'old7', 'old8'],
      ['old6', 'old7', 'old8'],
    ])
  })

  it('the hub passes a block whose events cannot be read in time with a gap, for live listeners and in a replay', async () => {
    const index = indexOf(1, 5, 'old')
    hub = startFakeHub(index)
    const live = createFakeReader()
    await join(['blocks'], live)
    index.fault = { seqno: 7, error: LATE, of: ({ types }) => types.size > 0 }
    index.names.push('old', 'old', 'old')
    await until(() => live.events.length === 4)
    const back = createFakeReader()
    await join(['blocks'], back, formatCursor(cursorAt(5)))
    await until(() => back.events.length === 4)
    for (const reader of [live, back]) {
      expect([told(reader), reader.failures]).toEqual([['old6', 'gap', 'old7', 'old8'], []])
      expect(reader.events[1]).toMatchObject({ from_seqno: 7, to_seqno: 7 })
    }
  }, 120_000)

  it('the hub ends a replay whose reads take too long again and again, and logs why it waits and why it ends', async () => {
    const logged: unknown[] = []
    const index = indexOf(1, 300, 'old')
    hub = startFakeHub(index, { log: { ...silentLog, warn: (event, fields) => logged.push([event, fields]) } })
    const error = LATE
    index.fault = { seqno: 150, error }
    const reader = createFakeReader()
    expect(await join(['blocks'], reader, formatCursor(cursorAt(100)))).toMatchObject({ resumed: true })
    await until(() => reader.failures.length > 0)
    expect(reader.failures).toEqual([error])
    const text = error.message
    expect(logged).toEqual([
      ['live.replay_waits', { text }],
      ['live.replay_failed', { text }],
    ])
  }, 120_000)

  it('a replay that gets no permit after its start asks for one again', async () => {
    const index = indexOf(1, 200, 'old')
    const { source, reader } = readFake(index)
    const fakeReader = createFakeReader()
    const { signal } = new AbortController()
    let asked = 0
    const joined: Listener[] = []
    await replay(
      {
        from: cursorAt(100),
        listener: createListener(filterOf(['blocks']), fakeReader.sink),
        permits: {
          async take() {
            if (++asked === 2) throw new TonError('UNAVAILABLE', 'too many readers resume at once; try again')
            return PERMIT
          },
        },
        source,
        read: (run, stop = signal) => readIndex(reader, stop, run),
        forks: createForks(),
        begun: Promise.resolve(),
        between: async (join) => join(cursorAt(200)),
        join: (listener) => void joined.push(listener),
        started: () => {},
        maxEvents: 1_000,
        log: silentLog,
      },
      signal,
    )
    expect(told(fakeReader)).toEqual(Array.from({ length: 100 }, (_, i) => `old${101 + i}`))
    expect([joined.map((listener) => listener.sentSeqno), asked]).toEqual([[200], 5])
  })

  it('the hub ends a replay of too many events with a gap and the present states, and goes on from there', async () => {
    const index = indexOf(1, 1_000, 'old')
    hub = startFakeHub(index, { maxEvents: 100 })
    const first = createFakeReader()
    const { cursor } = await join(['blocks'], first)
    index.names.push(...Array.from({ length: 500 }, () => 'old'))
    index.states = 2
    const reader = createFakeReader()
    expect(await join(['blocks', 'account_state_change'], reader, cursor)).toMatchObject({ resumed: true })
    await until(() => told(reader).includes('gap') && reader.events.length > 102)
    index.names.push('old')
    await until(() => told(reader).includes('old1501'))
    const at = told(reader).indexOf('gap')
    expect(at).toBeGreaterThan(100)
    expect(told(reader).slice(0, at)).toEqual(Array.from({ length: at }, (_, i) => `old${1_001 + i}`))
    expect(reader.events[at]).toMatchObject({ from_seqno: 1_001 + at, to_seqno: 1_500 })
    expect(told(reader).slice(at + 1)).toEqual(['account_state_change', 'account_state_change', 'old1501'])
  })

  it('a replay to a client that reads an event in six seconds reads few blocks for each, and ends with a gap too', async () => {
    const { source, reader } = readFake(indexOf(1, 1_000, 'old'))
    const fakeReader = createFakeReader()
    let opens: Promise<void> | undefined
    const sink = {
      ...fakeReader.sink,
      push(chunk: Chunk) {
        fakeReader.sink.push(chunk)
        opens = new Promise<void>((resolve) => setTimeout(resolve, 6_000)).then(() => {
          opens = undefined
        })
      },
      room: () => opens,
    }
    let blocks = 0
    let isJoined = false
    const { signal } = new AbortController()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const replayed = replay(
      {
        from: cursorAt(100),
        listener: createListener(filterOf(['blocks']), sink),
        permits: { take: async () => PERMIT },
        source: {
          ...source,
          blocks(view, seqnos, query) {
            blocks += seqnos.length
            return source.blocks(view, seqnos, query)
          },
        },
        read: (run, stop = signal) => readIndex(reader, stop, run),
        forks: createForks(),
        begun: Promise.resolve(),
        between: async (join) => join(cursorAt(1_000)),
        join() {
          isJoined = true
        },
        started: () => {},
        maxEvents: 50,
        log: silentLog,
      },
      signal,
    )
    for (let i = 0; i < 200 && !isJoined; i++) await vi.advanceTimersByTimeAsync(6_000)
    vi.useRealTimers()
    await replayed
    expect(told(fakeReader)).toEqual([...Array.from({ length: 51 }, (_, i) => `old${101 + i}`), 'gap'])
    expect(fakeReader.events.at(-1)).toMatchObject({ from_seqno: 151, to_seqno: 1_000 })
    expect(blocks).toBeLessThan(32 + 2 * 51)
  })
})
