import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Head, LiteArgs, LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import { LiteServerError } from '../../server/chain/liteserver.ts'
import type { IndexerDeps } from '../../server/index/service/indexer.ts'
import { bytesIn, copyOf } from '../chain/kit.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { type Dump, differences, dump, startIndexer } from './kit.ts'

/* A source that tells its heads in any order, does not have a block for a while, or answers nonsense: asked again, reported, and nothing is skipped. */

const LAST = 130
/** More blocks than a group has. */
const FAR = 70
const NOT_READY = 651

/** How an index is made. */
const WAYS = [
  { name: 'block by block', last: 24, heads: Array.from({ length: 24 }, (_, i) => i + 1) },
  { name: 'all at once', last: 24, heads: [24] },
  { name: 'in several groups', last: FAR, heads: [FAR] },
] as const
type Way = (typeof WAYS)[number]

describe('an unsteady source', () => {
  let server: TestServer
  const replay = createReplaySource(LAST)
  const masters = replay.store.index.filter(({ workchain }) => workchain === -1)
  const headAt = (seqno: number): Head => {
    const row = masters.find((each) => each.seqno === seqno)!
    return { id: replay.store.idOf(row), utime: row.gen_utime, epoch: 0 }
  }
  const headsOf = (seqnos: readonly number[]): LiteServer['heads'] =>
    async function* (signal) {
      for (const seqno of seqnos) yield headAt(seqno)
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(async () => {
    await server?.close()
  })

  type Change = (fn: LiteFunction, args: never, answer: object) => object
  const unsteady = (heads: readonly number[], change: Change): LiteServer => ({
    heads: headsOf(heads),
    query: async (fn, args, signal) => change(fn, args as never, await replay.query(fn, args, signal)) as never,
  })

  interface Told {
    /** Of the log. */
    readonly events: readonly string[]
    readonly infos: readonly string[]
    /** What the status said was wrong. */
    readonly errors: ReadonlySet<string>
    readonly tables: Dump
  }
  const index = async (source: LiteServer, last: number, deps: Partial<IndexerDeps>): Promise<Told> => {
    const database: ClientConfig = await server.database()
    const events: string[] = []
    const errors = new Set<string>()
    const note = (event: string, fields: object = {}): void => {
      events.push(`${event} ${'err' in fields ? (fields.err as Error).message : ''}`)
    }
    const infos: string[] = []
    const log = { debug() {}, info: (event: string) => void infos.push(event), warn: note, error: note }
    const indexer = startIndexer(source, database, { reverts: false, patience: 2, ...deps, log })
    const watching = setInterval(() => errors.add(indexer.status().error), 1)
    try {
      await indexer.reached(last, AbortSignal.timeout(100_000))
    } finally {
      clearInterval(watching)
      await indexer.close()
    }
    errors.delete('')
    return { events, infos, errors, tables: await dump(database) }
  }

  const kept = new Map<string, Dump>()
  /** What is left by a source without a fault. */
  const undisturbed = async (last: number, deps: Partial<IndexerDeps>, change: Change = (_fn, _args, answer) => answer): Promise<Dump> => {
    const name = `${last} ${deps.from} ${change.name}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const { events, tables } = await index(unsteady([last], change), last, deps)
    expect(events).toEqual([])
    expect(tables.transactions.length).toBeGreaterThan(0)
    kept.set(name, tables)
    return tables
  }

  it.each([
    { heads: [3, 2, 9, 1, 9, 8, 24, 7, 24], reverts: false },
    { heads: [3, 2, 9, 1, 9, 8, 24, 7, 24], reverts: true },
    { heads: [100, 60, 99, 100, 40, LAST, 1], reverts: false },
    { heads: [60, 120, 61, 2, LAST], reverts: true },
  ])('the index follows heads in the order $heads (may be reverted: $reverts)', async ({ heads, reverts }) => {
    const last = Math.max(...heads)
    const { events, tables } = await index(
      unsteady(heads, (_fn, _args, answer) => answer),
      last,
      { reverts },
    )
    expect(differences(tables, await undisturbed(last, {}))).toEqual([])
    expect(events).toEqual([])
  })

  /** Block by block every id is that of a head: none is looked up. */
  const asks = ({ heads }: Way, fn: LiteFunction): boolean => heads.length === 1 || !fn.startsWith('lookupBlock')

  /** A block as a question names it. */
  const isAbout = (args: object, workchain: number, seqno: number): boolean => {
    const { id } = args as LiteArgs<'getBlock'>
    return id.workchain === workchain && id.seqno === seqno
  }

  for (const way of WAYS)
    it.each(
      (
        [
          { what: 'the look-up of a masterchain block', fn: 'lookupBlock', workchain: -1, seqno: 7 },
          { what: 'a masterchain block', fn: 'getBlock', workchain: -1, seqno: 8 },
          { what: 'the last masterchain block', fn: 'getBlock', workchain: -1, seqno: way.last },
          { what: 'a shard block', fn: 'getBlock', workchain: 0, seqno: 9 },
        ] as const
      ).filter((each) => asks(way, each.fn)),
    )(`the index waits while $what is missing, ${way.name}`, async ({ fn, workchain, seqno }) => {
      let refused = 0
      const change: Change = (asked, args, answer) => {
        if (asked !== fn || !isAbout(args, workchain, seqno) || refused === 5) return answer
        refused += 1
        throw new LiteServerError(NOT_READY, `planted: ${seqno} is not in db`)
      }
      const { events, infos, errors, tables } = await index(unsteady(way.heads, change), way.last, {})
      expect(differences(tables, await undisturbed(way.last, {}))).toEqual([])
      expect(refused).toBe(5)
      expect(events.some((event) => event.startsWith('index.failed'))).toBe(true)
      expect(infos).toContain('index.recovered')
      expect([...errors].join()).toMatch(fn === 'getBlock' ? 'planted' : 'the source has no masterchain block 7, and its head is')
    })

  /** Bytes of a proof or of a block with a bit changed in the midst of them. */
  const flipped = (answer: object): object => {
    const lie = copyOf(answer)
    for (const bytes of bytesIn(lie)) if (bytes.length > 32) bytes[bytes.length >> 1]! ^= 1
    return lie
  }
  const stateless: Change = function stateless(fn, _args, answer) {
    if (fn === 'getState') throw new LiteServerError(-400, 'cannot request total state: possibly too large')
    return answer
  }

  for (const way of WAYS)
    it.each(
      (
        [
          { fn: 'getBlock', how: 'is damaged', from: 1, corrupt: flipped },
          {
            fn: 'lookupBlock',
            how: 'has a hash that no block has',
            from: 1,
            corrupt: (answer) => ({ ...answer, id: { ...(answer as { id: object }).id, rootHash: new Uint8Array(32).fill(7) } }),
          },
          { fn: 'lookupBlock', how: 'is of another block', from: 1, corrupt: (answer) => ({ ...answer, id: headAt(3).id }) },
          { fn: 'lookupBlockWithProof', how: 'is damaged', from: 5, corrupt: flipped },
          { fn: 'getState', how: 'is damaged', from: 1, corrupt: flipped },
          { fn: 'getState', how: 'is damaged', from: 5, corrupt: flipped },
          { fn: 'getAccountState', how: 'is damaged', from: 5, corrupt: flipped, base: stateless },
          { fn: 'getConfigParams', how: 'is damaged', from: 5, corrupt: flipped },
        ] as {
          readonly fn: LiteFunction
          readonly how: string
          readonly from: number
          readonly corrupt: (answer: object) => object
          readonly base?: Change
        }[]
      ).filter((each) => asks(way, each.fn)),
    )(`an answer to $fn $how, from block $from on, ${way.name}`, async ({ fn, from, corrupt, base }) => {
      let asked = 0
      const change: Change = (of, args, given) => {
        const answer = base === undefined ? given : base(of, args, given)
        if (of !== fn) return answer
        asked += 1
        return asked <= 5 ? corrupt(answer) : answer
      }
      const deps = { from }
      const { events, tables } = await index(
        unsteady(
          way.heads.filter((seqno) => seqno >= from),
          change,
        ),
        way.last,
        deps,
      )
      expect(differences(tables, await undisturbed(way.last, { from }, base))).toEqual([])
      expect(asked).toBeGreaterThan(0)
      expect(events.some((event) => /^index\.(source_)?failed/.test(event))).toBe(true)
    })
})
