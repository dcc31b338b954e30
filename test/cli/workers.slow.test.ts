import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc as serialize } from '../../server/cell/boc.ts'
import type { ErrorKind } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { freePort, freePorts } from '../kit/free-port.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask, askAlone, type RpcReply, resultOf, rpc, rpcRequest } from '../kit/service/client.ts'
import { type Example, examples } from '../kit/service/examples.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { redisMissing, startRedis, type TestRedis } from '../kit/service/redis.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { sleep } from '../kit/wait.ts'

/* The built service with two workers, on the lite-server port of another tonway's embedded chain. */

/** A call on a connection of its own, so that it may come to any worker. */
const askAny = async <T>(url: string, method: string, params: object = {}): Promise<RpcReply<T>> =>
  (await askAlone<RpcReply<T>>(`${url}/jsonRPC`, { method: 'POST', body: JSON.stringify(rpcRequest(method, params)) })).body

const result = async <T>(url: string, method: string, params: object = {}): Promise<T> => resultOf(await askAny<T>(url, method, params))

/** What differs between two calls of the same moment: the server's clock, and ids of requests. */
const still = (method: string, reply: RpcReply): unknown => {
  if (reply.error) return { kind: reply.error.data?.kind, message: reply.error.message.replace(/request [\w.-]+$/, 'request') }
  return method === 'getConsensusBlock' ? { ...(reply.result as object), timestamp: 0 } : reply.result
}

let server: TestServer
let redis: TestRedis | undefined
let maker: Tonway
let folder: string
let running: Started | undefined
beforeAll(async () => {
  if (redisMissing !== undefined) return
  ;[server, redis, folder] = await Promise.all([startTestServer(), startRedis(), mkdtemp(join(tmpdir(), 'tonway-workers-'))])
  await chmod(folder, 0o755)
  maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
})
const kill = async (): Promise<void> => {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = undefined
}
afterAll(async () => {
  await kill()
  await maker?.close()
  await Promise.all([server?.close(), redis?.close(), folder && rm(folder, { recursive: true, force: true })])
})

const globalConfig = (): string => `${maker.url}/global.config.json`

/** Starts the service, which follows the maker's chain, with two workers. */
const start = async (more: readonly string[] = []): Promise<string> => {
  // A test that failed has left it.
  await kill()
  const common = ['--port', '0', '--network', 'copy', '--global-config', globalConfig(), '--tvm-workers', '1', '--log', 'error']
  const places = { REDIS_URL: redis!.url, DATABASE_URL: urlOf(await server.database()) }
  running = builtService.start([...common, '--workers', '2', '--anonymous-rps', 'unlimited', ...more], { env: places })
  return await running.ready
}
const workersOf = ({ child }: Started): number[] => childrenOf(child.pid!, 'main.js')
const both = async (): Promise<readonly number[]> => {
  await expect.poll(() => workersOf(running!).length).toBe(2)
  return workersOf(running!)
}

/** Whether every one of several calls, on connections of their own, is answered. */
const isWell = async (url: string): Promise<boolean> =>
  (await Promise.allSettled(Array.from({ length: 16 }, () => result(url, 'getMasterchainInfo')))).every(
    ({ status }) => status === 'fulfilled',
  )

/** Waits until each of several answers is from an index that has the chain's head. */
const indexed = async (url: string): Promise<void> => {
  const { last } = await rpc<{ last: { seqno: number } }>(maker.url, 'getMasterchainInfo')
  const at = async (): Promise<number> => {
    const all = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { index } = (await askAlone<{ index?: { seqno: number } }>(`${url}/status`)).body
        return index?.seqno ?? -1
      }),
    )
    return Math.min(...all)
  }
  await expect.poll(at).toBe(last.seqno)
}

/** What rpc.discover and rpc.about answer is about the service that was asked. */
const reads = methodNames.filter((name) => registry[name].effect === 'read' && registry[name].needs !== 'local' && !name.startsWith('rpc.'))

/** Every example of every read, each asked so often that every worker is likely to answer some of it. */
const answers = async (url: string, times: number): Promise<Record<string, unknown[]>> => {
  const all: Record<string, unknown[]> = {}
  for (const name of reads)
    for (const example of examples[name] as readonly Example<MethodName>[])
      all[`${name}: ${example.title}`] = await Promise.all(
        Array.from({ length: times }, async () => still(name, await askAny(url, name, example.params))),
      )
  return all
}

const eventsOf = (err: string): string[] =>
  err
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { event: string }).event)

describe.skipIf(redisMissing !== undefined)('two workers', { timeout: 240_000 }, () => {
  let url: string

  it('two workers answer every read as one process on the same chain does', async () => {
    const { wallets } = await rpc<{ wallets: { address: string }[] }>(maker.url, 'local.wallets')
    const { address } = await rpc<{ address: string }>(maker.url, 'local.deployJetton', { name: 'Coin', symbol: 'CN' })
    await rpc(maker.url, 'local.mintJetton', { jetton: address, owner: wallets[1]!.address, amount: '5' })
    await rpc(maker.url, 'local.mine', { count: 4 })
    url = await start()
    await both()
    await using alone = await startTonway({ network: ['copy'], globalConfig: globalConfig(), index: true })
    await Promise.all([indexed(url), indexed(alone.url)])
    const [ours, one] = [await answers(url, 3), await answers(alone.url, 1)]
    for (const [what, [expected]] of Object.entries(one)) for (const reply of ours[what]!) expect([what, reply]).toEqual([what, expected])
    expect(Object.keys(one).length).toBeGreaterThan(100)
  })

  it('two workers have one connection to a lite-server, and both see a new block', async () => {
    expect(maker.app.network.endpoint!.connections()).toBe(1)
    await rpc(maker.url, 'local.mine', { count: 1 })
    const { last } = await rpc<{ last: { seqno: number } }>(maker.url, 'getMasterchainInfo')
    const seqnos = async (): Promise<number[]> => {
      const all = await Promise.all(Array.from({ length: 16 }, () => result<{ last: { seqno: number } }>(url, 'getMasterchainInfo')))
      return [...new Set(all.map((each) => each.last.seqno))]
    }
    await expect.poll(seqnos).toEqual([last.seqno])
    await indexed(url)
  })

  it('each worker tells its own metrics, with its number', async () => {
    // Connections come to a worker in no fixed order.
    const seen = new Set<string>()
    for (let i = 0; i < 200 && seen.size < 2; i++) {
      const { text } = await askAlone(`${url}/metrics`)
      const numbers = new Set([...text.matchAll(/worker="(\d+)"/g)].map(([, number]) => number!))
      expect(numbers.size).toBe(1)
      for (const line of text.split('\n')) if (line !== '' && !line.startsWith('#')) expect(line).toContain('worker="')
      for (const number of numbers) seen.add(number)
    }
    expect([...seen].sort()).toEqual(['1', '2'])
  })

  it.each([
    ['first', 0],
    ['second', 1],
  ])('the %s worker is killed and replaced, the other one answers meanwhile, and then both do', async (_, which) => {
    const before = await both()
    const [killed, other] = [before[which]!, before[1 - which]!]
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => workersOf(running!).filter((pid) => !before.includes(pid)).length).toBe(1)
    expect(workersOf(running!)).toContain(other)
    // Connections that were on their way to the dead one have ended with it; from now on each is answered.
    await expect.poll(() => isWell(url)).toBe(true)
    await rpc(maker.url, 'local.mine', { count: 1 })
    await indexed(url)
  })

  it('two workers end in order: what was acknowledged under load is in the chain', async () => {
    await both()
    await expect.poll(() => isWell(url)).toBe(true)
    const wallets = Array.from({ length: 4 }, (_, n) => ownWallet(100 + n))
    for (const { account, id } of wallets) {
      const boc = (cell: Parameters<typeof serialize>[0]): string => Buffer.from(serialize(cell)).toString('base64')
      const state = { balance: account.balance!.toString(), code: boc(account.code!), data: boc(account.data!) }
      await rpc(maker.url, 'local.setAccount', { address: formatRaw(id, 'upper'), ...state })
    }
    const acknowledged = new Map<number, number>()
    const spend = async (n: number): Promise<void> => {
      for (let seqno = 0; ; ) {
        const body = wallets[n]!.transfer(seqno, wallets[(n + 1) % wallets.length]!.id, 1_000_000n)
        const reply = await askAny(url, 'sendBoc', { boc: Buffer.from(body).toString('base64') })
        if (reply.result !== undefined) acknowledged.set(n, seqno++)
        else if (reply.error?.data?.kind === 'UNAVAILABLE') return
      }
    }
    const working = Promise.allSettled(wallets.map((_, n) => spend(n)))
    await expect.poll(() => [...acknowledged.values()].reduce((sum, seqno) => sum + seqno + 1, 0)).toBeGreaterThan(40)
    const { child, ended } = running!
    // As a terminal does for Ctrl-C, to each process, and once more as `npm start` does.
    for (const pid of [...workersOf(running!), child.pid!, child.pid!]) process.kill(pid, 'SIGINT')
    const { code, err } = await ended
    running = undefined
    expect(code).toBe(0)
    // The two that were killed before are in the log, and nothing else (but a machine too slow for the 4.5 s that an end may take).
    expect(eventsOf(err).filter((event) => event !== 'shutdown.forced')).toEqual(['worker.lost', 'worker.lost'])
    await working
    for (const [n, seqno] of acknowledged) {
      const address = formatRaw(wallets[n]!.id, 'upper')
      const seqnoNow = async (): Promise<number> => (await rpc<{ seqno: number }>(maker.url, 'getWalletInformation', { address })).seqno
      await expect.poll(seqnoNow).toBeGreaterThan(seqno)
    }
  })
})

describe.skipIf(redisMissing !== undefined)('settings of workers', { timeout: 240_000 }, () => {
  it('limits are counted for all workers together', async () => {
    const url = await start(['--index', 'off', '--anonymous-rps', '3'])
    await both()
    const began = performance.now()
    const replies = await Promise.all(Array.from({ length: 60 }, () => askAny(url, 'detectHash', { hash: 'a'.repeat(64) })))
    const seconds = (performance.now() - began) / 1000
    const passed = replies.filter(({ error }) => error === undefined).length
    expect(passed).toBeGreaterThanOrEqual(3)
    expect(passed).toBeLessThanOrEqual(3 * (Math.floor(seconds) + 1))
    for (const { error } of replies) if (error) expect(error.data?.kind).toBe('RATE_LIMITED')
  })

  it('a port that is in use is told as one process tells it, once, and nothing is left', async () => {
    const url = await start(['--index', 'off'])
    const { port } = new URL(url)
    const argv = [
      '--port',
      port,
      '--network',
      'copy',
      '--global-config',
      globalConfig(),
      '--workers',
      '2',
      '--index',
      'off',
      '--log',
      'silent',
    ]
    const { code, err } = await builtService.start(argv, { env: { REDIS_URL: redis!.url } }).ended
    expect(code).toBe(1)
    expect(err.trim()).toBe(`tonway: port ${port} of 127.0.0.1 is in use by another process; choose another one with --port`)
  })

  it('a port for metrics that is in use is told too', async () => {
    // The first worker's port is free, and the second one's is not.
    const first = await freePorts(2)
    const port = first + 1
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const argv = [
      '--port',
      '0',
      '--network',
      'copy',
      '--global-config',
      globalConfig(),
      '--workers',
      '2',
      '--index',
      'off',
      '--log',
      'silent',
    ]
    const { code, err } = await builtService.start([...argv, '--metrics', String(first)], { env: { REDIS_URL: redis!.url } }).ended
    other.close()
    expect(code).toBe(1)
    expect(err.trim()).toBe(`tonway: port ${port} of 127.0.0.1 is in use by another process; choose another one with --metrics`)
  })

  it('a worker that cannot start ends the service with its own words', async () => {
    const argv = ['--port', '0', '--network', 'copy', '--global-config', '/nowhere/config.json', '--workers', '2', '--index', 'off']
    const { code, err } = await builtService.start([...argv, '--log', 'silent'], { env: { REDIS_URL: redis!.url } }).ended
    expect(code).toBe(1)
    expect(err.trim()).toMatch(/^tonway: cannot start: cannot read the global config \/nowhere\/config\.json: .+$/)
  })

  it('the lite-server port of the settings is one for all workers, and every worker names it', async () => {
    const liteserverPort = await freePort()
    const url = await start(['--index', 'off', '--liteserver-port', String(liteserverPort), '--data-dir', join(folder, 'data')])
    await both()
    await expect.poll(() => isWell(url)).toBe(true)
    const texts = new Set<string>()
    for (let i = 0; i < 16; i++) texts.add((await askAlone(`${url}/global.config.json`)).text)
    expect(texts.size).toBe(1)
    const [{ port }] = (JSON.parse([...texts][0]!) as { liteservers: [{ port: number }] }).liteservers
    expect(port).toBe(liteserverPort)
    await using reader = await startTonway({ network: ['copy'], globalConfig: `${url}/global.config.json`, index: false })
    expect((await rpc<{ last: object }>(reader.url, 'getMasterchainInfo')).last).toEqual(
      (await rpc<{ last: object }>(maker.url, 'getMasterchainInfo')).last,
    )
  })

  it('a port for metrics is the first of one for each worker', async () => {
    const metrics = await freePorts(2)
    const url = await start(['--index', 'off', '--metrics', String(metrics)])
    await both()
    await expect.poll(() => isWell(url)).toBe(true)
    for (const number of [1, 2]) {
      const told = async (): Promise<string[]> => {
        const text = await ask(`http://127.0.0.1:${metrics + number - 1}/metrics`).then(
          (answer) => answer.text,
          () => '',
        )
        return [...new Set([...text.matchAll(/worker="(\d+)"/g)].map(([, each]) => each!))]
      }
      await expect.poll(told).toEqual([String(number)])
    }
  })

  it('a first worker that is away for long is found again within seconds', async () => {
    const url = await start(['--index', 'off'])
    const [first] = await both()
    await expect.poll(() => isWell(url)).toBe(true)
    process.kill(first!, 'SIGSTOP')
    // Long enough that a second one that gives up more and more would wait for half a minute.
    await sleep(20_000)
    process.kill(first!, 'SIGKILL')
    await expect.poll(() => workersOf(running!).length).toBe(2)
    let account = 0
    const reads = async (): Promise<boolean> => {
      // An account that no cache has.
      const address = `0:${(++account).toString(16).padStart(64, '0')}`
      const all = await Promise.all(
        Array.from({ length: 8 }, () => askAny(url, 'getAddressInformation', { address }).catch(() => undefined)),
      )
      return all.every((reply) => reply?.result !== undefined)
    }
    await expect.poll(reads, { timeout: 20_000 }).toBe(true)
  })

  it('if no lite-server works, the workers say so, for reads and sends alike', async () => {
    const gone = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
    const file = join(folder, 'gone.json')
    await writeFile(file, (await ask(`${gone.url}/global.config.json`)).text)
    const url = await start(['--index', 'off', '--global-config', file]).finally(() => gone.close())
    const address = `0:${'4'.repeat(64)}`
    const kindOf = async (method: string, params: object): Promise<ErrorKind | undefined> =>
      (await askAny(url, method, params)).error?.data?.kind as ErrorKind | undefined
    const wallet = ownWallet(0)
    const message = Buffer.from(wallet.transfer(0, wallet.account.account, 1n)).toString('base64')
    const kinds = async (): Promise<unknown[]> => {
      const reads = Array.from({ length: 8 }, () => kindOf('getAddressInformation', { address }))
      const sends = Array.from({ length: 8 }, () => kindOf('sendBoc', { boc: message }))
      return [...new Set(await Promise.all([...reads, ...sends]))]
    }
    await expect.poll(kinds).toEqual(['NO_WORKERS'])
    // The second worker may have begun to listen a moment ago.
    const told = async (): Promise<string | undefined> => (await askAny(url, 'getAddressInformation', { address })).error?.message
    await expect.poll(told).toMatch(/^no working lite-server \(127\.0\.0\.1:\d+: /)
  })
})
