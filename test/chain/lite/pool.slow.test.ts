import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { Endpoint } from '../../../server/chain/endpoint/server.ts'
import type { Head, LiteAnswer, LiteArgs, LiteFunction, LiteServer } from '../../../server/chain/liteserver.ts'
import { LiteServerError } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { until } from '../../kit/wait.ts'
import { type Lie, lying, meaning } from '../kit.ts'
import { createTestPool, serve, type TestPool } from './kit.ts'
import { plain } from './plain.ts'

const { signal } = new AbortController()
const MASTER = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }

let tvm: Tvm
let local: LocalChain
const closing: { close(): unknown }[] = []
const later = <T extends { close(): unknown }>(what: T): T => {
  closing.push(what)
  return what
}

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  const wallets = local.control.wallets()
  await local.control.fund(wallets[0]!.address, 5_000_000_000n, signal)
  await local.control.mine(20, signal)
})
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

const open = async (source: LiteServer = local): Promise<Endpoint> => later(await serve(source))
const poolOver = async (endpoints: readonly Endpoint[], options = {}): Promise<TestPool> =>
  later(await createTestPool(local, endpoints, options))
/** A chain over a source that has a head, as after the start of a network. */
const chainOver = async (source: LiteServer | TestPool): Promise<Chain> => {
  if ('ready' in source) await source.ready(60_000)
  return createChain({ source, tvm })
}

const headOf = (source: LiteServer): Head => source.head!()

/** A lie about one function only. */
const about =
  <F extends LiteFunction>(fn: F, change: (answer: LiteAnswer<F>) => LiteAnswer<F>): Lie =>
  (asked, answer) =>
    (asked as LiteFunction) === fn ? (change(answer as unknown as LiteAnswer<F>) as unknown as typeof answer) : answer

describe('a chain over ADNL', () => {
  it('a chain over ADNL answers as the chain itself does, with every head proven from the first block on', async () => {
    const pool = await poolOver([await open()])
    const direct = await chainOver(local)
    const remote = await chainOver(pool)
    expect(meaning(remote.head().id)).toBe(meaning(direct.head().id))
    const { address } = local.control.wallets()[0]!
    const head = direct.head().id
    const shard = (await direct.shards(head, signal))[0]!.id
    const lt = (await direct.blockHeader(head, signal)).info.startLt
    const reads: ((chain: Chain) => Promise<unknown>)[] = [
      (chain) => chain.masterchainInfo(signal),
      (chain) => chain.account(address, undefined, signal),
      (chain) => chain.account({ workchain: 0, hash: new Uint8Array(32) }, 3, signal),
      (chain) => chain.transactions(address, { from: undefined, limit: 10, toLt: 0n }, signal),
      (chain) => chain.lookupBlock({ ...MASTER, seqno: 2 }, { seqno: true }, signal),
      (chain) => chain.lookupBlock({ ...MASTER, seqno: 0 }, { lt }, signal),
      (chain) => chain.blockHeader(head, signal),
      (chain) => chain.shards(head, signal),
      (chain) => chain.blockTransactions(shard, { count: 10, after: undefined }, signal),
      (chain) => chain.signatures(head.seqno, signal),
      (chain) => chain.shardBlockProof(shard, undefined, signal),
      async (chain) => (await chain.config(undefined, signal)).root,
      (chain) => chain.libraries([new Uint8Array(32)], signal),
      (chain) => chain.outMsgQueueSizes(signal),
    ]
    for (const read of reads) expect(meaning(await read(remote))).toBe(meaning(await read(direct)))
    expect(pool.status()).toMatchObject({ key_block: 1, servers: [{ state: 'ready', archival: true, faults: 0, trouble: null }] })
  })

  it('a chain over ADNL passes refusals on unchanged, and sends messages', async () => {
    const remote = await chainOver(await poolOver([await open(), await open()]))
    await expect(remote.lookupBlock({ ...MASTER, seqno: 999_999 }, { seqno: true }, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: expect.stringContaining('LITE_SERVER_NOTREADY'),
    })
    await expect(remote.sendMessage(new Uint8Array([1, 2, 3]), signal)).rejects.toMatchObject({ kind: 'CHAIN' })
  })

  it('a chain over ADNL follows new heads', async () => {
    const remote = await chainOver(await poolOver([await open(), await open()]))
    const { seqno } = headOf(local).id
    await local.control.mine(3, signal)
    await until(() => remote.head().id.seqno === seqno + 3)
  })

  it('many reads at once share one connection', async () => {
    const pool = await poolOver([await open()])
    await pool.ready(60_000)
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => pool.query('getTime', {}, signal)))
    expect(answers.every(({ now }) => now > 1_700_000_000)).toBe(true)
    expect(pool.status().servers[0]?.in_flight).toBeLessThan(3)
  })

  it('an aborted read is over at once', async () => {
    const slow = {
      ...local,
      query: (fn, args, stop) => (fn === 'getTime' ? new Promise(() => {}) : local.query(fn, args, stop)),
    } as LiteServer
    const pool = await poolOver([await open(slow)])
    await pool.ready(60_000)
    const stop = new AbortController()
    const read = pool.query('getTime', {}, stop.signal)
    stop.abort(new Error('changed my mind'))
    await expect(read).rejects.toThrow('changed my mind')
  })
})

describe('servers that fail', () => {
  it('if one of two servers dies, the other one answers', async () => {
    const first = await serve(local)
    const second = await open()
    const pool = await poolOver([first, second])
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    await first.close()
    for (let i = 0; i < 10; i += 1) expect((await pool.query('getTime', {}, signal)).now).toBeGreaterThan(0)
    await until(() => pool.status().servers[0]?.state === 'waiting')
    expect(pool.told.some((line) => line.startsWith('liteserver.down'))).toBe(true)
  })

  it('if no server works, calls fail in time with the reasons, and work again without a restart', async () => {
    const key = createKey()
    const first = await serve(local, {}, 0, key)
    const pool = await poolOver([first])
    await pool.ready(60_000)
    await first.close()
    await until(() => pool.status().servers[0]?.state !== 'ready')
    await expect(pool.query('getTime', {}, signal)).rejects.toMatchObject({
      kind: 'NO_WORKERS',
      message: expect.stringMatching(/no working lite-server \(127\.0\.0\.1:\d+: /),
    })
    await expect(pool.query('sendMessage', { body: new Uint8Array(1) }, signal)).rejects.toMatchObject({ kind: 'NO_WORKERS' })
    later(await serve(local, {}, first.port, key))
    await until(() => pool.status().servers[0]?.state === 'ready')
    expect((await pool.query('getTime', {}, signal)).now).toBeGreaterThan(0)
  })

  it('a pool that reads the port of another pool answers as that one does when no server works, and again when one does', async () => {
    const key = createKey()
    const first = await serve(local, {}, 0, key)
    const pool = await poolOver([first])
    const reader = await poolOver([await open(pool)])
    await reader.ready(60_000)
    await first.close()
    await until(() => pool.status().servers[0]?.state === 'waiting')
    const refusal = { kind: 'NO_WORKERS', message: expect.stringMatching(`^no working lite-server \\(127\\.0\\.0\\.1:${first.port}: `) }
    const refused = async (): Promise<void> => {
      const calls = [reader.query('getTime', {}, signal), reader.query('sendMessage', { body: new Uint8Array(1) }, signal)]
      for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) expect(reason).toMatchObject(refusal)
    }
    // Until the question for a new head has failed too: none of it is a fault of the port.
    for (const end = performance.now() + 6_500; performance.now() < end; ) await refused()
    expect(reader.status().servers).toMatchObject([{ state: 'ready', faults: 0, trouble: null }])
    later(await serve(local, {}, first.port, key))
    await until(() => pool.status().servers[0]?.state === 'ready')
    expect((await reader.query('getTime', {}, signal)).now).toBeGreaterThan(0)
  }, 120_000)

  it('a server that does not answer is left after a while', async () => {
    const stuck = {
      ...local,
      query: (fn, args, stop) => (fn === 'getTime' ? new Promise(() => undefined) : local.query(fn, args, stop)),
    } as LiteServer
    const pool = await poolOver([await open(stuck), await open()], { attemptMs: 1_000 })
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    for (let i = 0; i < 4; i += 1) expect((await pool.query('getTime', {}, signal)).now).toBeGreaterThan(0)
  })

  it('if one server does not have the data, another one is asked', async () => {
    const forgetful = {
      ...local,
      query: (fn, args, stop) =>
        fn === 'getBlock' ? Promise.reject(new LiteServerError(651, 'block is not in db')) : local.query(fn, args, stop),
    } as LiteServer
    const pool = await poolOver([await open(forgetful), await open()])
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    const { id } = headOf(local)
    for (let i = 0; i < 4; i += 1) expect((await pool.query('getBlock', { id }, signal)).data.length).toBeGreaterThan(100)
  })

  it.each([
    652, -503,
  ])('many servers without the data (%i) do not keep the one that has it from being asked, and are not set aside', async (code) => {
    const of = (answer: () => Promise<LiteAnswer<'getTime'>>): LiteServer =>
      ({ ...local, query: (fn, args, stop) => (fn === 'getTime' ? answer() : local.query(fn, args, stop)) }) as LiteServer
    let asked = 0
    const busy = (): Promise<never> => {
      asked += 1
      return Promise.reject(new LiteServerError(code, 'timeout'))
    }
    const idle = await open(of(async () => ({ now: 7 })))
    const pool = await poolOver([...(await Promise.all(Array.from({ length: 6 }, () => open(of(busy))))), idle])
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state, seqno }) => state === 'ready' && seqno !== null))
    for (let i = 0; i < 20; i += 1) expect(await pool.query('getTime', {}, signal)).toEqual({ now: 7 })
    await idle.close()
    await until(() => pool.status().servers.at(-1)?.state !== 'ready')
    // Whoever has no time says so, and goes on being asked.
    asked = 0
    await expect(pool.query('getTime', {}, signal)).rejects.toMatchObject({ code, message: 'timeout' })
    expect(asked).toBe(6)
    expect(pool.status().servers.filter(({ trouble }) => trouble !== null)).toHaveLength(1)
  })

  it('a message is sent to several servers, and one acceptance is enough', async () => {
    const got: number[] = []
    const taking = (index: number, answer: () => Promise<LiteAnswer<'sendMessage'>>): LiteServer =>
      ({
        ...local,
        query(fn, args, stop) {
          if (fn !== 'sendMessage') return local.query(fn, args, stop)
          got.push(index)
          return answer()
        },
      }) as LiteServer
    const refusing = await open(taking(0, () => Promise.reject(new LiteServerError(0, 'cannot apply external message'))))
    const accepting = await open(taking(1, async () => ({ status: 1 })))
    const pool = await poolOver([refusing, accepting])
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    expect(await pool.query('sendMessage', { body: new Uint8Array(1) }, signal)).toEqual({ status: 1 })
    expect(got.sort()).toEqual([0, 1])
  })

  it('a message is not sent again if it is unknown whether it was accepted', async () => {
    let sent = 0
    const source = {
      ...local,
      query(fn, args, stop) {
        if (fn !== 'sendMessage') return local.query(fn, args, stop)
        sent += 1
        void endpoint.close()
        return new Promise(() => undefined)
      },
    } as LiteServer
    const endpoint = await serve(source)
    const pool = await poolOver([endpoint])
    await pool.ready(60_000)
    await expect(pool.query('sendMessage', { body: new Uint8Array(1) }, signal)).rejects.toMatchObject({
      kind: 'SOURCE_TIMEOUT',
      message: expect.stringContaining('no lite-server said whether it accepted it'),
    })
    expect(sent).toBe(1)
  })
})

/** The only server of a pool has done what it is to be caught at. */
const caught = (pool: TestPool): Promise<void> => until(() => (pool.status().servers[0]?.faults ?? 0) > 0)

describe('servers that lie', () => {
  const flip = (bytes: Uint8Array): Uint8Array => {
    const copy = Uint8Array.from(bytes)
    copy[copy.length >> 1] = copy[copy.length >> 1]! ^ 1
    return copy
  }

  it.each([
    ['another account’s state', about('getAccountState', (answer) => ({ ...answer, state: flip(answer.state) }))],
    ['a broken proof', about('getAccountState', (answer) => ({ ...answer, proof: flip(answer.proof) }))],
    ['no account', about('getAccountState', (answer) => ({ ...answer, state: new Uint8Array(0) }))],
    ['another block', about('getAccountState', (answer) => ({ ...answer, id: { ...answer.id, seqno: answer.id.seqno - 1 } }))],
  ] as const)('if a server lies (%s), the right answer comes from the next one, and the liar is named', async (_, lie) => {
    const pool = await poolOver([await open(lying(local, lie)), await open()])
    const chain = await chainOver(pool)
    const direct = await chainOver(local)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    const { wallets } = local.control
    for (const { address } of wallets())
      expect(meaning(await chain.account(address, undefined, signal))).toBe(meaning(await direct.account(address, undefined, signal)))
    const faults = pool.status().servers.reduce((sum, { faults: each }) => sum + each, 0)
    if (faults > 0) expect(pool.told.some((line) => line.startsWith('liteserver.refused getAccountState'))).toBe(true)
    // Whichever was asked first: a liar alone proves nothing.
    const alone = await chainOver(await poolOver([await open(lying(local, lie))]))
    await expect(alone.account(wallets()[0]!.address, undefined, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: expect.stringContaining('INVALID_PROOF'),
    })
  })

  it('answers that prove themselves are checked even if the caller checks nothing', async () => {
    const { id } = headOf(local)
    const other = await local.query('lookupBlock', { id: { ...MASTER, seqno: 2 }, by: { seqno: true } }, signal)
    const { header } = await local.query(
      'lookupBlockWithProof',
      { id: { ...MASTER, seqno: 3 }, by: { seqno: true }, mcBlockId: id },
      signal,
    )
    const third: LiteArgs<'lookupBlock'> = { id: { ...MASTER, seqno: 3 }, by: { seqno: true } }
    for (const [lie, read] of [
      [
        about('getBlock', (answer) => ({ ...answer, data: flip(answer.data) })),
        (pool: LiteServer) => pool.query('getBlock', { id }, signal),
      ],
      [about('getBlock', (answer) => ({ ...answer, id: other.id })), (pool: LiteServer) => pool.query('getBlock', { id }, signal)],
      [
        about('lookupBlockWithProof', (answer) => ({ ...answer, id: other.id, header })),
        (pool: LiteServer) => pool.query('lookupBlock', third, signal),
      ],
      [
        // As itself it would be believed: the header is that of the block it names.
        (fn, answer) => (fn.startsWith('lookupBlock') ? ({ ...answer, id: other.id, header } as never) : answer),
        (pool: LiteServer) =>
          pool.checked ? pool.checked('lookupBlock', third, signal, (answer) => answer) : pool.query('lookupBlock', third, signal),
      ],
    ] as readonly (readonly [Lie, (pool: LiteServer) => Promise<object>])[]) {
      const pool = await poolOver([await open(lying(local, lie))])
      await pool.ready(60_000)
      await expect(read(pool)).rejects.toMatchObject({ name: 'ProofError' })
      const both = await poolOver([await open(lying(local, lie)), await open()])
      await both.ready(60_000)
      await until(() => both.status().servers.every(({ state }) => state === 'ready'))
      const told = (answer: object) => plain({ id: 'id' in answer && answer.id })
      expect(told(await read(both))).toEqual(told(await read(local)))
    }
  })

  it('a server that claims to be of another network is not believed', async () => {
    let begun = false
    const liar = lying(
      local,
      about('getMasterchainInfo', (answer) =>
        begun ? { ...answer, init: { ...answer.init, rootHash: flip(answer.init.rootHash) } } : answer,
      ),
    )
    const pool = await poolOver([await open(liar), await open()])
    await pool.ready(60_000)
    await until(() => pool.status().servers.every(({ state }) => state === 'ready'))
    begun = true
    const { init } = await local.query('getMasterchainInfo', {}, signal)
    for (let i = 0; i < 8; i += 1) {
      expect(plain((await pool.query('getMasterchainInfo', {}, signal)).init)).toEqual(plain(init))
      expect(plain(await pool.checked!('getMasterchainInfo', {}, signal, (answer) => answer.init))).toEqual(plain(init))
    }
  })

  it.each([
    ['a head of another chain', (id: LiteAnswer<'getMasterchainInfo'>['last']) => ({ ...id, rootHash: flip(id.rootHash) })],
    ['a head that is not there yet', (id: LiteAnswer<'getMasterchainInfo'>['last']) => ({ ...id, seqno: id.seqno + 5 })],
  ] as const)('%s is not believed', async (_, change) => {
    const liar = lying(
      local,
      about('getMasterchainInfo', (answer) => ({ ...answer, last: change(answer.last) })),
    )
    const pool = await poolOver([await open(liar)])
    await caught(pool)
    await expect(pool.ready(1)).rejects.toMatchObject({ kind: 'NO_WORKERS' })
    const both = await poolOver([await open(liar), await open()])
    await both.ready(60_000)
    expect(meaning((await (await chainOver(both)).masterchainInfo(signal)).last)).toBe(meaning(headOf(local).id))
  })

  it('a head with a time in the future is not believed', async () => {
    const early = { now: () => Math.floor(Date.now() / 1000) - 3_600, ticks: () => performance.now() }
    const pool = later(await createTestPool(local, [await open()], {}, early))
    await caught(pool)
    await expect(pool.ready(1)).rejects.toThrow(/set aside: head: the block's time \d+ is \d+ s ahead/)
  })

  it('a server of another network is not used', async () => {
    const stranger = lying(
      local,
      about('getMasterchainInfo', (answer) => ({ ...answer, init: { ...answer.init, rootHash: new Uint8Array(32) } })),
    )
    const pool = await poolOver([await open(stranger)])
    await caught(pool)
    await expect(pool.ready(1)).rejects.toThrow(/set aside: it serves another network/)
  })

  it('forged, doubled and missing signatures are not accepted as proof', async () => {
    const signatures = (change: (list: readonly { nodeIdShort: Uint8Array; signature: Uint8Array }[]) => typeof list): Lie =>
      about('getBlockProof', (answer) => ({
        ...answer,
        steps: answer.steps.map((step) =>
          step.type === 'forward' ? { ...step, signatures: { ...step.signatures, signatures: change(step.signatures.signatures) } } : step,
        ),
      }))
    for (const lie of [
      signatures((list) => list.map((each) => ({ ...each, signature: flip(each.signature) }))),
      signatures((list) => [...list, ...list]),
      signatures(() => []),
    ]) {
      const pool = await poolOver([await open(lying(local, lie))])
      await caught(pool)
      await expect(pool.ready(1)).rejects.toThrow(/set aside: block signatures/)
    }
  })
})
