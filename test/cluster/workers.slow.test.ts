import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { ERRORS, type ErrorKind } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { ask, askAlone, type RpcReply, resultOf, rpcRequest } from '../kit/service/client.ts'
import { type Example, examples } from '../kit/service/examples.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { startTonway } from '../kit/service/tonway.ts'

/* The built service with two workers, beside itself as one process on the same data directory. */

const statusOf = (kind: string): number => ERRORS[kind as ErrorKind]?.http ?? 500

/** A call on a connection of its own, so that it may come to any worker. */
const askAny = async <T>(url: string, method: string, params: object = {}): Promise<RpcReply<T>> =>
  (await askAlone<RpcReply<T>>(`${url}/jsonRPC`, { method: 'POST', body: JSON.stringify(rpcRequest(method, params)) })).body

const result = async <T>(url: string, method: string, params: object = {}): Promise<T> => resultOf(await askAny<T>(url, method, params))

/** What differs between two calls of the same moment: the server's clock, and ids of requests. */
const still = (method: string, reply: RpcReply): unknown => {
  if (reply.error) return { kind: reply.error.data?.kind, message: reply.error.message.replace(/request [\w.-]+$/, 'request') }
  return method === 'getConsensusBlock' ? { ...(reply.result as object), timestamp: 0 } : reply.result
}

const boc = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')

let folder: string
let running: Started | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonway-workers-'))
  // Where the tests are run as root, PostgreSQL is another user.
  await chmod(folder, 0o755)
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  if (folder) await rm(folder, { recursive: true, force: true })
})

const start = async (workers: number, more: readonly string[] = []): Promise<string> => {
  // A test that failed has left it.
  running?.child.kill('SIGKILL')
  await running?.ended
  const settings = [
    '--port',
    '0',
    '--liteserver-port',
    '0',
    '--data-dir',
    join(folder, 'data'),
    '--block-time',
    '0',
    '--tvm-workers',
    '1',
    '--log',
    'error',
  ]
  running = builtService.start([...settings, '--workers', String(workers), ...more])
  return running.ready
}
/** `err`: what the service has said in its life. */
const stop = async (err: unknown = ''): Promise<void> => {
  running!.child.kill('SIGTERM')
  expect(await running!.ended).toMatchObject({ code: 0, err })
  running = undefined
}
const indexed = async (url: string): Promise<void> => {
  const { last } = await result<{ last: { seqno: number } }>(url, 'getMasterchainInfo')
  const at = async (): Promise<number> => {
    const { index } = (await ask(`${url}/status`)).body as { index?: { seqno: number } }
    return index?.seqno ?? -1
  }
  await expect.poll(at).toBe(last.seqno)
}

/** What rpc.discover and rpc.about answer is about the service that was asked. */
const reads = methodNames.filter((name) => registry[name].effect === 'read' && registry[name].needs !== 'local' && !name.startsWith('rpc.'))
const writes = methodNames.filter((name) => registry[name].effect === 'write')

/** Every example of every read, each method asked twice so that both workers are likely to answer some of it. */
const answers = async (url: string, times: number): Promise<Record<string, unknown[]>> => {
  const all: Record<string, unknown[]> = {}
  for (const name of reads)
    for (const example of examples[name] as readonly Example<MethodName>[])
      all[`${name}: ${example.title}`] = await Promise.all(
        Array.from({ length: times }, async () => still(name, await askAny(url, name, example.params))),
      )
  return all
}

describe('two workers', { timeout: 240_000 }, () => {
  let url: string

  it('two workers answer every read as one process on the same chain does', async () => {
    url = await start(2)
    expect(childrenOf(running!.child.pid!, 'main.js')).toHaveLength(2)
    const { wallets } = await result<{ wallets: { address: string }[] }>(url, 'local.wallets')
    const { address } = await result<{ address: string }>(url, 'local.deployJetton', { name: 'Coin', symbol: 'CN' })
    await result(url, 'local.mintJetton', { jetton: address, owner: wallets[1]!.address, amount: '5' })
    await result(url, 'local.mine', { count: 4 })
    await using alone = await startTonway({ network: ['copy'], globalConfig: `${url}/global.config.json`, index: true })
    await Promise.all([indexed(url), indexed(alone.url)])
    const [both, one] = [await answers(url, 2), await answers(alone.url, 1)]
    for (const [what, [expected]] of Object.entries(one)) for (const reply of both[what]!) expect([what, reply]).toEqual([what, expected])
    expect(Object.keys(one).length).toBeGreaterThan(100)
  })

  const scrape = async (): Promise<Map<string, number>> => {
    // On its own connection: one that is kept may be that of the worker that stands still.
    const { text } = await askAlone(`${url}/metrics`)
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  }

  it('two workers tell their metrics as one, whichever of them is asked', async () => {
    const name = 'tonway_calls_total{network="local",method="detectHash",status="422"}'
    const before = (await scrape()).get(name) ?? 0
    for (let i = 1; i <= 20; i++) {
      await askAny(url, 'detectHash')
      if (i % 5 === 0) expect((await scrape()).get(name)).toBe(before + i)
    }
    const seen = await scrape()
    // Each has a TVM of its own; of chain and index all know the same.
    expect(seen.get('tonway_tvm_workers{network="local"}')).toBe(2)
    expect(seen.get('tonway_ready{network="local"}')).toBe(1)
    expect(seen.get('tonway_index_lag_blocks{network="local"}')).toBe(0)
    expect([...seen.keys()].filter((key) => key.startsWith('tonway_build_info'))).toHaveLength(1)
    expect(seen.get('tonway_workers_silent')).toBe(0)
  })

  it('a worker that stands still is seen in the metrics of the others', async () => {
    const [first] = childrenOf(running!.child.pid!, 'main.js')
    process.kill(first!, 'SIGSTOP')
    try {
      await expect.poll(() => readFileSync(`/proc/${first}/stat`, 'utf8')).toMatch(/\) T /)
      // It is handed one of these connections, so that the scrape comes to the other one.
      const asked = Promise.all(Array.from({ length: 3 }, () => askAny(url, 'getMasterchainInfo')))
      asked.catch(() => {})
      await expect.poll(async () => (await scrape()).get('tonway_workers_silent')).toBe(1)
      process.kill(first!, 'SIGCONT')
      await asked
    } finally {
      process.kill(first!, 'SIGCONT')
    }
    await expect.poll(async () => (await scrape()).get('tonway_workers_silent')).toBe(0)
  })

  it.each(writes)('two workers answer %s as in its examples', async (name) => {
    const def: MethodDef = registry[name]
    for (const example of examples[name] as readonly Example<MethodName>[]) {
      const reply = await askAny(url, name, example.params)
      if (example.fails) expect(statusOf(reply.error?.data?.kind ?? '')).toBe(statusOf(example.fails))
      else if (reply.error) expect.fail(`${example.title}: ${reply.error.message}`)
      else expect(z.safeParse(def.result as z.ZodType, reply.result).error?.issues ?? []).toEqual([])
    }
  })

  it('two workers both know the effect of a control as soon as it is answered, a revert too', async () => {
    const seqno = async (): Promise<number[]> => {
      const infos = await Promise.all(Array.from({ length: 8 }, () => result<{ last: { seqno: number } }>(url, 'getMasterchainInfo')))
      return [...new Set(infos.map(({ last }) => last.seqno))]
    }
    const [before] = await seqno()
    const { snapshot } = await result<{ snapshot: string }>(url, 'local.snapshot')
    for (let i = 1; i <= 5; i++) {
      await result(url, 'local.mine', { count: 1 })
      expect(await seqno()).toEqual([before! + i])
    }
    await result(url, 'local.revert', { snapshot })
    expect(await seqno()).toEqual([before])
    await result(url, 'local.mine', { count: 1 })
    expect(await seqno()).toEqual([before! + 1])
  })

  it('a killed worker is replaced, and the other answers meanwhile', async () => {
    const { pid } = running!.child
    const [first, second] = childrenOf(pid!, 'main.js')
    process.kill(first!, 'SIGKILL')
    await expect.poll(() => childrenOf(pid!, 'main.js').filter((child) => child !== first && child !== second).length).toBe(1)
    // Calls that were given to the dead one have ended with it; from now on each is answered.
    const ready = async (): Promise<boolean> =>
      (await Promise.allSettled(Array.from({ length: 8 }, () => result(url, 'getMasterchainInfo')))).every(
        ({ status }) => status === 'fulfilled',
      )
    await expect.poll(ready).toBe(true)
    expect(childrenOf(pid!, 'main.js')).toContain(second)
  })

  it('a connection that was on its way to a worker when it was killed is closed at once, and the others are served', async () => {
    const { pid } = running!.child
    const [first, second] = childrenOf(pid!, 'main.js')
    process.kill(first!, 'SIGSTOP')
    await expect.poll(() => readFileSync(`/proc/${first}/stat`, 'utf8')).toMatch(/\) T /)
    // The stopped worker is handed one of them, which it never takes.
    const ends: string[] = []
    const sent = Array.from({ length: 4 }, () =>
      askAny(url, 'getMasterchainInfo').then(
        ({ result }) => ends.push(result === undefined ? 'refused' : 'answered'),
        () => ends.push('closed'),
      ),
    )
    await expect.poll(() => ends).toEqual(['answered', 'answered', 'answered'])
    process.kill(first!, 'SIGKILL')
    await Promise.all(sent)
    expect(ends.at(-1)).toBe('closed')
    await expect.poll(() => childrenOf(pid!, 'main.js').filter((child) => child !== first && child !== second).length).toBe(1)
  })

  it('two workers end in order: what was acknowledged under load is in the chain', async () => {
    const wallets = Array.from({ length: 4 }, (_, n) => ownWallet(100 + n))
    for (const { account } of wallets) {
      const state = { balance: account.balance!.toString(), code: boc(account.code!), data: boc(account.data!) }
      await result(url, 'local.setAccount', { address: formatRaw(account.account, 'upper'), ...state })
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
    child.kill('SIGTERM')
    const end = await ended
    // The two that were killed before are in the log, and nothing else (but a machine too slow for the 4.5 s that an end may take).
    expect(
      end.err
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { event: string }).event)
        .filter((event) => event !== 'shutdown.forced'),
    ).toEqual(['worker.lost', 'worker.lost'])
    await working
    running = undefined
    const again = await start(1, ['--index', 'off'])
    for (const [n, seqno] of acknowledged) {
      const address = formatRaw(wallets[n]!.id, 'upper')
      await expect
        .poll(async () => (await result<{ seqno: number }>(again, 'getWalletInformation', { address })).seqno)
        .toBeGreaterThan(seqno)
    }
    await stop()
  })
})

/** Opens streams of one client, who may have two, until each is open or refused; then ends them. */
const openStreams = async (url: string, count: number): Promise<{ readonly open: number; readonly refused: readonly string[] }> => {
  const headers = { 'X-Limiting-Key': 'one', 'X-Max-Parallel-Connections': '2' }
  const sockets = Array.from({ length: count }, () => new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`, { headers }))
  const first = await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => {})
      await once(socket, 'open')
      socket.send(JSON.stringify({ operation: 'ping' }))
      const [data] = (await once(socket, 'message')) as [Buffer]
      return JSON.parse(String(data)) as { status?: string; error?: string }
    }),
  ).finally(() => {
    for (const socket of sockets) socket.terminate()
  })
  const refused = first.flatMap(({ error }) => error ?? [])
  return { open: first.length - refused.length, refused: [...new Set(refused)] }
}

describe('limits', () => {
  it('limits are counted for all workers together', async () => {
    const url = await start(2, ['--index', 'off', '--anonymous-rps', '3', '--trusted-proxies', '127.0.0.1'])
    const began = performance.now()
    const replies = await Promise.all(Array.from({ length: 60 }, () => askAny(url, 'detectHash', { hash: 'a'.repeat(64) })))
    const seconds = (performance.now() - began) / 1000
    const passed = replies.filter(({ error }) => error === undefined).length
    expect(passed).toBeGreaterThanOrEqual(3)
    expect(passed).toBeLessThanOrEqual(3 * (Math.floor(seconds) + 1))
    for (const { error } of replies) if (error) expect(error.data?.kind).toBe('RATE_LIMITED')
    expect(await openStreams(url, 6)).toEqual({ open: 2, refused: ['connection limit reached: 2 active connections'] })
    for (const pid of childrenOf(running!.child.pid!, 'main.js')) process.kill(pid, 'SIGKILL')
    // The places of a worker that died are free.
    await expect.poll(() => openStreams(url, 6).catch(() => undefined)).toMatchObject({ open: 2 })
    // A second start says why it cannot be, as one process does.
    const { port } = new URL(url)
    const { code, err } = await builtService.start(['--port', port, '--workers', '2', '--index', 'off', '--log', 'silent']).ended
    expect(code).toBe(1)
    expect(err).toContain(`tonway: port ${port} of 127.0.0.1 is in use by another process; choose another one with --port`)
    await stop(expect.stringMatching(/^(\{[^\n]+"event":"worker.lost"\}\n){2}$/))
  })
})

describe('a network of lite-servers', () => {
  it('if no lite-server works, the workers answer as one process does, reads and sends alike', async () => {
    const maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
    const globalConfig = `${maker.url}/global.config.json`
    const settings = ['--network', 'copy', '--global-config', globalConfig, '--index', 'off', '--anonymous-rps', 'unlimited']
    const { ready, child, ended } = builtService.start([...settings, '--port', '0', '--workers', '2', '--log', 'silent'])
    const url = await ready.finally(() => maker.close())
    const address = `0:${'4'.repeat(64)}`
    const kindOf = async (method: string, params: object): Promise<unknown> => (await askAny(url, method, params)).error?.data?.kind
    await expect.poll(() => kindOf('getAddressInformation', { address })).toBe('NO_WORKERS')
    const { error } = await askAny(url, 'getAddressInformation', { address })
    expect(error?.message).toMatch(/^no working lite-server \(127\.0\.0\.1:\d+: /)
    const wallet = ownWallet(0)
    const message = Buffer.from(wallet.transfer(0, wallet.account.account, 1n)).toString('base64')
    expect(await kindOf('sendBoc', { boc: message })).toBe('NO_WORKERS')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })
})
