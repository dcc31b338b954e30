import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import type { CheckedQuery } from '../../../server/chain/checked-query.ts'
import type { Endpoint } from '../../../server/chain/endpoint/server.ts'
import { COMMON } from '../../../server/chain/lite/choose-servers.ts'
import { createLiteClient } from '../../../server/chain/lite/client.ts'
import { createMember, type Member } from '../../../server/chain/lite/member.ts'
import { createRead } from '../../../server/chain/lite/reads.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createLiteTl, type LiteTl } from '../../../server/chain/tl/lite-queries.ts'
import { readServer } from '../../../server/config/lite-servers.ts'
import { byGroup } from '../../../server/dispatch/choose-handler.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { busy, countPerTurn, countTurns } from '../../kit/turns.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createTestPool, serve, type TestPool } from './kit.ts'

/* Groups of lite-servers, and how many queries one of them is given at a time. */

const { signal } = new AbortController()
let tvm: Tvm
let local: LocalChain
const closing: { close(): unknown }[] = []

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  await local.control.mine(3, signal)
})
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

/** A server whose clock tells which one it is. */
const named = async (now: number): Promise<Endpoint> => {
  const source = { ...local, query: async (fn, args, stop) => (fn === 'getTime' ? { now } : local.query(fn, args, stop)) } as LiteServer
  const endpoint = await serve(source)
  closing.push(endpoint)
  return endpoint
}
const poolOf = async (servers: readonly (readonly [Endpoint, string | undefined])[], options = {}): Promise<TestPool> => {
  const pool = await createTestPool(
    local,
    servers.map(([endpoint, group]) => ({ port: endpoint.port, publicKey: endpoint.publicKey, group })),
    options,
  )
  closing.push(pool)
  await pool.ready(60_000)
  await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
  return pool
}
describe('large answers', () => {
  it('large answers of a server are read while few are being checked, and all are checked in the end', async () => {
    const data = new Uint8Array(15 << 20)
    const large = {
      ...local,
      query: async (fn, args, stop) => (fn === 'getBlock' ? { ...args, data } : local.query(fn, args, stop)),
    } as LiteServer
    const endpoint = await serve(large)
    closing.push(endpoint)
    const pool = await poolOf([[endpoint, undefined]], { attemptMs: 60_000 })
    let [isOver, checking, most, checked] = [false, 0, 0, 0]
    const check = async (): Promise<void> => {
      most = Math.max(most, ++checking)
      await until(() => isOver)
      checking--
      checked++
    }
    const reads = Array.from({ length: 7 }, () => pool.checked!('getBlock', { id: pool.head!().id }, signal, check))
    await until(() => checking === 5)
    await sleep(2_000)
    isOver = true
    await Promise.all(reads)
    expect([most < 7, checked]).toEqual([true, 7])
  }, 120_000)
})

describe('answers that a server sends at once', () => {
  const COUNT = 30
  /** A server that answers the first queries when all have come; with `servers`, several that do so together. */
  const holdBack = async (servers = 1): Promise<Endpoint[]> => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let queries = 0
    const source = {
      ...local,
      async query(fn, args, stop) {
        if (fn !== 'getTime') return local.query(fn, args, stop)
        if (++queries === COUNT) release()
        await released
        return { now: 1 }
      },
    } as LiteServer
    const endpoints = await Promise.all(Array.from({ length: servers }, () => serve(source, { running: COUNT, atOnce: 2 * COUNT })))
    closing.push(...endpoints)
    return endpoints
  }

  it('answers that a server sends at once are checked in several turns', async () => {
    const pool = await poolOf([[(await holdBack())[0]!, undefined]])
    const perTurn = countPerTurn()
    const check = (): void => {
      perTurn.see()
      busy(15)
    }
    await Promise.all(Array.from({ length: COUNT }, () => pool.checked!('getTime', {}, signal, check)))
    expect([perTurn.all(), perTurn.most()]).toEqual([COUNT, 1])
  })

  const slowTl = (ms: number, onDecode: () => void): LiteTl => {
    const tl = createLiteTl()
    return {
      ...tl,
      decodeAnswer(fn, bytes) {
        onDecode()
        busy(ms)
        return tl.decodeAnswer(fn, bytes)
      },
    }
  }
  const membersOf = async (endpoints: readonly Endpoint[], tl: LiteTl): Promise<{ members: Member[]; read: CheckedQuery }> => {
    const members = endpoints.map(({ port, publicKey }) => {
      const client = createLiteClient({ host: '127.0.0.1', port, key: publicKey }, { tl, onChange: () => {} })
      closing.push(client)
      return createMember({ client, ticks: () => performance.now(), group: COMMON, limit: COUNT })
    })
    await until(() => members.every((member) => member.usable()))
    const queue = { waiting: 0, wake: () => {} }
    const deps = { headSeqno: () => 0, change: () => sleep(1), onLie: () => {}, queue, attemptMs: 1_000, patienceMs: 5_000 }
    return { members, read: createRead({ ...deps, choice: { own: members, others: [] } }) }
  }

  it('an answer is decoded and checked in one turn', async () => {
    const turns = countTurns()
    const [decoded, checked]: number[][] = [[], []]
    const tl = slowTl(6, () => decoded!.push(turns.count()))
    const { read } = await membersOf(await holdBack(), tl)
    const check = (): void => {
      checked!.push(turns.count())
      busy(6)
    }
    await Promise.all(Array.from({ length: COUNT }, () => read('getTime', {}, signal, check)))
    turns.stop()
    expect([checked, new Set(checked).size]).toEqual([decoded, COUNT])
  })

  it('the time for which an answer waits for its turn is not that of the server', async () => {
    const tl = slowTl(80, () => {})
    // With one server alone, queries would have no timeout.
    const { members, read } = await membersOf(await holdBack(2), tl)
    await Promise.all(Array.from({ length: COUNT }, () => read('getTime', {}, signal, () => {})))
    for (const member of members) {
      expect(member.status().faults).toBe(0)
      expect(member.status().latency).toBeLessThan(500)
    }
  })

  it('answers that a server sends at once are decoded in several turns', async () => {
    const perTurn = countPerTurn()
    const { members } = await membersOf(await holdBack(), slowTl(15, perTurn.see))
    const { client } = members[0]!
    await Promise.all(Array.from({ length: COUNT }, () => client.query('getTime', {}, signal)))
    expect([perTurn.all(), perTurn.most()]).toEqual([COUNT, 1])
  })
})

/** Which servers answer `count` queries of a source. */
const answering = async (source: LiteServer, count = 6): Promise<readonly number[]> => {
  const seen = new Set<number>()
  for (let i = 0; i < count; i += 1) seen.add((await source.query('getTime', {}, signal)).now)
  return [...seen].sort()
}

describe('groups of lite-servers', () => {
  it('a group of lite-servers answers its own calls, and only those', async () => {
    const pool = await poolOf([
      [await named(1), undefined],
      [await named(2), 'private'],
      [await named(3), 'archive'],
    ])
    expect([...pool.groups].sort()).toEqual(['archive', 'private', 'public'])
    expect(await answering(pool)).toEqual([1])
    expect(await answering(pool.group('private'))).toEqual([2])
    expect(await answering(pool.group('archive'))).toEqual([3])
    expect(await answering(pool.group('nobody knows'))).toEqual([1])
    expect(pool.status().servers.map(({ group }) => group)).toEqual(['public', 'private', 'archive'])
  })

  it('a group falls back to the common servers while none of its own can be asked, and never the other way round', async () => {
    const [common, own] = [await named(1), await named(2)]
    const pool = await poolOf([
      [common, undefined],
      [own, 'private'],
    ])
    await own.close()
    await until(() => pool.status().servers[1]?.state !== 'ready')
    expect(await answering(pool.group('private'), 2)).toEqual([1])
    const second = await poolOf([
      [common, undefined],
      [await named(3), 'private'],
    ])
    await common.close()
    await until(() => second.status().servers[0]?.state !== 'ready')
    expect(await answering(second.group('private'), 2)).toEqual([3])
    await expect(second.query('getTime', {}, signal)).rejects.toMatchObject({ kind: 'NO_WORKERS' })
  })

  it('all servers are common if every server is in one group', async () => {
    const pool = await poolOf([[await named(2), 'private']])
    expect(await answering(pool)).toEqual([2])
  })

  it('a group says for each of its servers why there is no answer', async () => {
    const [common, own] = [await named(1), await named(2)]
    const pool = await poolOf([
      [common, undefined],
      [own, 'private'],
    ])
    await own.close()
    await common.close()
    await until(() => pool.status().servers.every(({ state }) => state !== 'ready'))
    const told = (port: number) => `127\\.0\\.0\\.1:${port}: [^;]+`
    await expect(pool.query('getTime', {}, signal)).rejects.toMatchObject({
      kind: 'NO_WORKERS',
      message: expect.stringMatching(new RegExp(`^no working lite-server \\(${told(common.port)}\\)$`)),
    })
    await expect(pool.group('private').query('getTime', {}, signal)).rejects.toMatchObject({
      kind: 'NO_WORKERS',
      message: expect.stringMatching(new RegExp(`^no working lite-server \\(${told(own.port)}; ${told(common.port)}\\)$`)),
    })
  })
})

describe('handlers', () => {
  it('calls are answered by the group that the caller’s plan names, all others by the common servers', async () => {
    const of = (name: string) => ({ tell: async (what: string) => `${what} of ${name}` })
    const call = { network: 'copy', signal, requestId: 'test', localAllowed: false, log: silentLog }
    const handlers = byGroup(of('public'), new Map([['private', of('private')]])) as unknown as {
      tell: (params: never, call: Call) => Promise<unknown>
    }
    const caller = { keyId: undefined, take: () => true, charge: () => {}, onEnd: () => () => {} }
    const tell = (servers?: string): Promise<unknown> => handlers.tell('news' as never, { ...call, caller: { ...caller, servers } })
    expect(await tell()).toBe('news of public')
    expect(await tell('private')).toBe('news of private')
    expect(await tell('nobody knows')).toBe('news of public')
  })
})

describe('queries on one server', () => {
  it('a server never gets more queries than its limit; the others wait and are counted', async () => {
    let running = 0
    let most = 0
    const waiting: (() => void)[] = []
    const source = {
      ...local,
      async query(fn, args, stop) {
        if (fn !== 'getTime') return local.query(fn, args, stop)
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => waiting.push(resolve))
        running -= 1
        return { now: 5 }
      },
    } as LiteServer
    const endpoint = await serve(source, { running: 100 })
    closing.push(endpoint)
    // The head's own query is one of them.
    const pool = await poolOf([[endpoint, undefined]], { maxInFlight: 5 })
    const answers = Array.from({ length: 40 }, () => pool.query('getTime', {}, signal))
    await until(() => pool.status().queued > 20)
    let done = 0
    for (const answer of answers) void answer.then(() => (done += 1))
    await until(() => {
      for (const go of waiting.splice(0)) go()
      return done === 40
    })
    expect(most).toBeLessThanOrEqual(5)
    expect(pool.status().servers[0]).toMatchObject({ limit: 5, faults: 0 })
    expect(pool.status().queued).toBe(0)
  })
})

describe('a lite-server in one line', () => {
  const key = Buffer.from(createKey().publicKey)
  it('a lite-server in one line can have a group, and its key in base64 or hexadecimal digits', () => {
    const read = (line: string) => {
      const server = readServer(line)
      return typeof server === 'string' ? server : { ...server, key: Buffer.from(server.key).toString('hex') }
    }
    const hex = key.toString('hex')
    expect(read(`10.0.0.5:30000/${key.toString('base64')}`)).toEqual({ host: '10.0.0.5', port: 30_000, key: hex })
    expect(read(`private@ls.example:1/${hex}`)).toEqual({ host: 'ls.example', port: 1, key: hex, group: 'private' })
    expect(read(`private@[::1]:8082/${hex}`)).toEqual({ host: '::1', port: 8_082, key: hex, group: 'private' })
  })
  it.each([
    ['', /is not a lite-server/],
    ['10.0.0.5/AAAA', /is not a lite-server/],
    [`10.0.0.5:99999/${key.toString('base64')}`, /is not a port/],
    ['10.0.0.5:1/AAAA', /32 bytes/],
    [`A B@10.0.0.5:1/${key.toString('base64')}`, /is not a lite-server/],
    [`Private@10.0.0.5:1/${key.toString('base64')}`, /lower-case letters/],
  ])('the lite-server %s is refused with the reason', (line, why) => {
    expect(readServer(line)).toMatch(why)
  })
})
