import type { ClientConfig } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type LiteFunction, type LiteServer, LiteServerError } from '../../server/chain/liteserver.ts'
import { WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { bytesIn, copyOf, lying } from '../chain/kit.ts'
import { createTestPool, serve, type TestPool } from '../chain/lite/kit.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { sleep, until } from '../kit/wait.ts'
import { type Dump, differences, dump, indexUpTo } from './kit.ts'

/* A pool of two lite-servers, the one that is asked first a liar: the other one is asked, and the liar is caught. */

const LAST = 90
const SLOW_MS = 15

describe('the index over a lite-server that lies', () => {
  let server: TestServer
  let database: ClientConfig & { readonly database: string }
  const replay = createReplaySource(LAST)
  /** As lite-servers do, it sends no whole states: each account is asked for. */
  const stateless: LiteServer = {
    ...replay,
    query: async (fn, args, signal) => {
      if (fn === 'getState') throw new LiteServerError(-400, 'cannot request total state: possibly too large')
      return replay.query(fn, args, signal)
    },
  }
  /** What an index of an honest source holds. */
  const honest = new Map<LiteServer, Dump>()
  const deps = { from: 20, reverts: false } as const
  const closing: { close(): unknown }[] = []

  beforeAll(async () => {
    server = await startTestServer()
    for (const source of [replay, stateless]) {
      database = await server.database()
      await indexUpTo(source, database, LAST, deps)
      honest.set(source, await dump(database))
    }
  })
  afterEach(async () => {
    for (const each of closing.splice(0).reverse()) await each.close()
  })
  afterAll(async () => {
    await server?.close()
  })

  /** The quick one falsifies all answers to these functions, once both are known and trusted; `asked`: how often it was asked. */
  const poolWith = async (
    source: LiteServer,
    functions: readonly LiteFunction[],
  ): Promise<{ readonly pool: TestPool; readonly asked: () => number }> => {
    let begun = false
    let asked = 0
    const liar = lying(source, (fn, answer) => {
      if (!begun || !functions.includes(fn)) return answer
      asked += 1
      const lie = copyOf(answer)
      for (const bytes of bytesIn(lie)) if (bytes.length > 32) bytes[bytes.length >> 1]! ^= 1
      return lie
    })
    const slow: LiteServer = {
      ...source,
      query: async (fn, args, signal) => {
        await sleep(SLOW_MS)
        return source.query(fn, args, signal)
      },
    }
    const endpoints = [await serve(liar), await serve(slow)]
    closing.push(...endpoints)
    const pool = await createTestPool(replay, endpoints, {
      init: { ...replay.store.zeroState, shard: WHOLE_SHARD, seqno: 0 },
      attemptMs: 10_000,
    })
    closing.push(pool)
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state, seqno }) => state === 'ready' && seqno === LAST))
    begun = true
    return { pool, asked: () => asked }
  }

  it.each([
    { of: stateless, functions: ['getAccountState'] },
    { of: replay, functions: ['getState'] },
    { of: replay, functions: ['lookupBlockWithProof'] },
    { of: replay, functions: ['getConfigParams', 'getConfigAll'] },
    { of: replay, functions: ['getBlock'] },
    { of: stateless, functions: ['getAccountState', 'lookupBlockWithProof', 'getBlock', 'getConfigParams', 'getConfigAll'] },
  ] satisfies {
    of: LiteServer
    functions: LiteFunction[]
  }[])('a lie of the lite-server leaves no trace in the index: $functions', async ({ of, functions }) => {
    const { pool, asked } = await poolWith(of, functions)
    database = await server.database()
    const failed: unknown[] = []
    const log = { debug() {}, info() {}, warn() {}, error: (event: string, fields?: object) => failed.push([event, fields]) }
    await indexUpTo(pool, database, LAST, { ...deps, log })
    expect(failed).toEqual([])
    expect(differences(await dump(database), honest.get(of)!)).toEqual([])
    // Set aside with its first lies: those that were on their way by then are the only ones.
    expect(asked()).toBeGreaterThan(0)
    expect(asked()).toBeLessThan(60)
    expect(pool.status().servers[0]!.lies).toBeGreaterThan(0)
    expect(pool.status().servers[1]!.lies).toBe(0)
    const caught = functions.some((fn) => pool.told.some((line) => line.startsWith(`liteserver.refused ${fn}`)))
    expect(caught).toBe(true)
  })
})
