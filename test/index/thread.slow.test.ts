import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtWorker } from '../../server/base/threads/built-worker.ts'
import type { LiteAnswer, LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import { createSelection } from '../../server/index/service/account-selection.ts'
import { createIndexThread, type IndexThread } from '../../server/index/thread/thread.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { sleep } from '../kit/wait.ts'
import { type Dump, differences, dump, indexUpTo, startIndexer } from './kit.ts'
import { type Stumble, stumblingConnect } from './stumble.ts'

/* A long way is gone in a thread; what it leaves is what an indexer without one leaves. */

const LAST = 80
const FAR = 70

describe('the index in a thread', () => {
  let server: TestServer
  let database: ClientConfig & { readonly database: string }
  let thread: IndexThread
  let undisturbed: Dump
  const replay = createReplaySource(LAST)
  const workers = fileURLToPath(new URL(`../../dist/index-thread-${process.pid}`, import.meta.url))
  /** The source with answers changed, heads too where they are told. */
  const sourceOf = (
    change: (fn: LiteFunction, answer: LiteAnswer<LiteFunction>) => unknown = (_, answer) => answer,
    heads: LiteServer['heads'] = replay.heads,
  ): LiteServer => ({
    heads,
    query: async <F extends LiteFunction>(fn: F, args: never, signal: AbortSignal) =>
      change(fn, await replay.query(fn, args, signal)) as LiteAnswer<F>,
  })
  const fresh = async (): Promise<void> => {
    database = await server.database()
  }
  /** A thread whose runs are counted. `progress`: the seqnos that the thread reported to the status board. */
  const counted = (of: IndexThread): IndexThread & { readonly runs: () => number; readonly progress: readonly number[] } => {
    let runs = 0
    const progress: number[] = []
    return {
      close: of.close,
      run(job, ports, signal) {
        runs += 1
        const board: typeof ports.board = {
          ...ports.board,
          update(change) {
            if (change.seqno !== undefined) progress.push(change.seqno)
            ports.board.update(change)
          },
        }
        return of.run(job, { ...ports, board }, signal)
      },
      runs: () => runs,
      progress,
    }
  }
  /** A log that keeps the names of events and what failed. */
  /** What fails again as before is told as debug. */
  const createLog = () => {
    const events: string[] = []
    const note = (event: string, fields?: object): void => {
      events.push(`${event} ${fields && 'err' in fields ? (fields.err as Error).message : ''}`)
    }
    return { events, log: { debug: note, info() {}, warn: note, error: note } }
  }

  beforeAll(async () => {
    mkdirSync(workers, { recursive: true })
    server = await startTestServer()
    await fresh()
    await indexUpTo(replay, database, LAST)
    undisturbed = await dump(database)
    thread = createIndexThread()
  })
  afterAll(async () => {
    await thread?.close()
    await server?.close()
    rmSync(workers, { recursive: true, force: true })
  })

  const same = async (): Promise<void> => expect(differences(await dump(database), undisturbed)).toEqual([])

  it('the index thread writes the same rows, and new blocks are then followed in the main thread', async () => {
    await fresh()
    const used = counted(thread)
    const masters = replay.store.index.filter(({ workchain }) => workchain === -1).sort((a, b) => a.seqno - b.seqno)
    const source = sourceOf(undefined, async function* (signal) {
      for (const row of masters.filter(({ seqno }) => seqno >= FAR && seqno <= LAST))
        yield { id: replay.store.idOf(row), utime: row.gen_utime, epoch: 0 }
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    })
    const { events, log } = createLog()
    await indexUpTo(source, database, LAST, { thread: used, log })
    expect(events).toEqual([])
    expect(used.runs()).toBe(1)
    expect(used.progress.at(-1)).toBe(FAR)
    await same()
  })

  it('the index thread indexes only the chosen accounts', async () => {
    const selection = createSelection([{ workchain: -1, hash: new Uint8Array(32).fill(0x33) }], [0])
    await fresh()
    await indexUpTo(replay, database, LAST, { selection })
    const alone = await dump(database)
    expect(alone.transactions.length).toBeGreaterThan(0)
    expect(alone.transactions.length).toBeLessThan(undisturbed.transactions.length)
    await fresh()
    await indexUpTo(replay, database, LAST, { selection, thread })
    expect(differences(await dump(database), alone)).toEqual([])
  })

  it('short backfills, and topics of the caller, stay in the main thread', async () => {
    const used = counted(thread)
    await fresh()
    await indexUpTo(createReplaySource(20), database, 20, { thread: used })
    await fresh()
    await indexUpTo(replay, database, LAST, { thread: used, topics: [] })
    expect(used.runs()).toBe(0)
  })

  /** A thread that ends, as by a crash, right after it has sent so many statements; one number for each start, then it lives. */
  const mortal = (lives: readonly number[]): { readonly url: URL; readonly left: () => number } => {
    const [place, program] = [join(workers, 'lives.json'), join(workers, 'mortal.mjs')]
    writeFileSync(place, JSON.stringify(lives))
    writeFileSync(
      program,
      `import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
const place = ${JSON.stringify(place)}
const [life, ...rest] = JSON.parse(readFileSync(place, 'utf8'))
writeFileSync(place, JSON.stringify(rest))
const post = parentPort.postMessage.bind(parentPort)
let sent = 0
parentPort.postMessage = (message, transfer) => {
  post(message, transfer)
  if ((message.name === 'script' || message.name === 'query') && ++sent === life) process.exit(7)
}
await import(${JSON.stringify(builtWorker('index').href)})
`,
    )
    return { url: pathToFileURL(program), left: () => (JSON.parse(readFileSync(place, 'utf8')) as unknown[]).length }
  }

  it('if the index thread dies between its statements, it is reported, and no row is missing or doubled', async () => {
    // Fewer in all than the index needs, however its blocks are grouped.
    const lives = [1, 4, 7, 9, 11, 5]
    const { url, left } = mortal(lives)
    const dying = createIndexThread({ url })
    const { events, log } = createLog()
    await fresh()
    await indexUpTo(replay, database, LAST, { thread: dying, log })
    await dying.close()
    expect(left()).toBe(0)
    expect(events.filter((event) => event === "index.failed the index's thread ended with code 7").length).toBe(lives.length)
    await same()
  })

  // test/index/faults tries every statement; here it is enough that the thread tells of each way to fail.
  it.each([
    ['before', [2, 18]],
    ['after', [8, 25]],
    ['cut', [13, 23]],
    ['drop', [8, 18]],
  ] as const satisfies readonly (readonly [
    Stumble,
    readonly number[],
  ])[])('after a failed statement of the thread (%s) the tables equal those of an undisturbed run', async (mode, places) => {
    for (const at of places) {
      await fresh()
      const planted = stumblingConnect(mode, at)
      const { events, log } = createLog()
      await indexUpTo(replay, database, LAST, { thread, open: planted.open, log })
      expect(planted.count()).toBeGreaterThan(at)
      expect(events.filter((event) => event.startsWith('index.failed'))).toHaveLength(1)
      await same()
    }
  })

  it('a source that is away or sends damaged blocks is asked again', async () => {
    let asked = 0
    const { events, log } = createLog()
    const bad = sourceOf((fn, answer) => {
      asked += 1
      if (asked % 31 === 0) throw new Error('planted: the source is away')
      if (fn !== 'getBlock' || asked % 13 !== 0) return answer
      const data = Uint8Array.from((answer as LiteAnswer<'getBlock'>).data)
      data[asked % data.length]! ^= 1
      return { ...answer, data }
    })
    await fresh()
    await indexUpTo(bad, database, LAST, { thread, log, patience: 1 })
    expect(events).toContain('index.source_failed planted: the source is away')
    expect(events.some((event) => /file hash [0-9a-f]{64} instead of/.test(event))).toBe(true)
    // What is asked once, as the configuration, ends a try; blocks never do.
    expect(events.filter((event) => event.startsWith('index.failed') && !event.includes('planted'))).toEqual([])
    await same()
  })

  it('an index thread that is closed at any moment stops soon, and another one goes on', async () => {
    await fresh()
    let reached = -1
    for (let ms = 0; reached < LAST && ms < 600; ms += 40) {
      const indexer = startIndexer(replay, database, { thread })
      await sleep(ms)
      const begun = performance.now()
      await indexer.close()
      expect(performance.now() - begun).toBeLessThan(10_000)
      expect(indexer.status()).toMatchObject({ phase: 'stopped', error: '' })
      reached = indexer.status().seqno
    }
    await indexUpTo(replay, database, LAST, { thread })
    await same()
  })

  it('an index thread that does not answer is stopped', async () => {
    const deaf = join(workers, 'deaf.mjs')
    writeFileSync(deaf, `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => { for (;;); })\n`)
    await fresh()
    const indexer = startIndexer(replay, database, { thread: createIndexThread({ url: pathToFileURL(deaf) }) })
    while (indexer.status().phase !== 'backfill') await sleep(5)
    await indexer.close()
    expect(indexer.status().phase).toBe('stopped')
  })
})
