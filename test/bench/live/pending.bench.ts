import { once } from 'node:events'
import { WebSocket } from 'ws'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type MadeTransaction, makeTransaction } from '../../../server/tvm/make-transaction.ts'
import { formatRaw } from '../../../shared/fields/address.ts'
import { applyAccountInput } from '../../kit/chain/account-input.ts'
import { type OwnWallet, ownWallet } from '../../kit/chain/own-wallet.ts'
import { startTestServer, urlOf } from '../../kit/index/database.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { dial, postRequest, rpcRequest, stayAwake } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { openReader, type RawReader } from './readers.ts'

/* What is told before a block: an emulation over HTTP, and how soon a sent message is seen as pending. */

const CALLS = 300
/** Calls before those that count. V8 compiles what runs once in a call after one or two thousand of them; a service lives for days. */
const WARM_UP = 2_000
/** Messages that are pending at a time: each is seen within the minute for which it is held. */
const MESSAGES = { warmUp: WARM_UP, counted: 100, atOnce: 250 } as const

const FRIEND = { workchain: 0, hash: new Uint8Array(32).fill(0x11) }
const NOBODY = { lastTransHash: new Uint8Array(32), lastTransLt: 0n }

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const withService = async <T>(run: (service: Service) => Promise<T>): Promise<T> => {
  const server = await startTestServer()
  const service = await startService({
    DATABASE_URL: urlOf(await server.database()),
    TONWAY_BLOCK_TIME: '0',
    TONWAY_ANONYMOUS_RPS: 'unlimited',
  })
  try {
    await service.rpc('local.mine', { count: 2 })
    while ((await service.rpc('v3.masterchainInfo').catch(() => undefined)) === undefined) await sleep(50)
    return await run(service)
  } finally {
    await service.close()
    await server.close()
  }
}

/** The call that puts a wallet on the service's chain. */
export const placing = ({ id, account: { code, data, balance } }: OwnWallet): { readonly method: string; readonly params: object } => ({
  method: 'local.setAccount',
  params: {
    address: formatRaw(id, 'upper'),
    balance: String(balance),
    code: base64(serializeBoc(code!)),
    data: base64(serializeBoc(data!)),
  },
})
const place = (service: Service, wallet: OwnWallet): Promise<unknown> => {
  const { method, params } = placing(wallet)
  return service.rpc(method, params)
}

/** The two transactions of a transfer by the machine alone, in milliseconds at p50. */
const machineTime = async (service: Service, wallet: OwnWallet, boc: Uint8Array): Promise<number> => {
  const { config: told } = await service.rpc<{ config: { bytes: string } }>('getConfigAll')
  const config = parseBocRoot(Buffer.from(told.bytes, 'base64'))
  const now = Math.floor(Date.now() / 1000)
  const around = { kind: 'message', config, now, blockSeed: new Uint8Array(32).fill(1), prevBlocks: null } as const
  const sender = { accountCell: applyAccountInput(undefined, wallet.id, wallet.account, now), ...NOBODY }
  const receiver = { accountCell: beginCell().storeBit(0).end(), ...NOBODY }
  const make = (request: Parameters<typeof makeTransaction>[0]): MadeTransaction => {
    const made = makeTransaction(request)
    if (!made.ok) throw new Error(made.error)
    return made
  }
  const times: number[] = []
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    const began = performance.now()
    const message = parseBocRoot(boc)
    const { outMsgs, endLt } = make({ ...around, account: wallet.id, shardAccount: sender, message, lt: 1_000_001n })
    make({ ...around, account: FRIEND, shardAccount: receiver, message: outMsgs[0]!, lt: endLt + 1n })
    if (i >= WARM_UP) times.push(performance.now() - began)
  }
  return median(times)
}

const emulation: Bench = {
  name: 'emulated wallet transfer through HTTP, more than the machine itself, p50',
  target: { atMost: 2, unit: 'ms' },
  measure: () =>
    withService(async (service) => {
      const wallet = ownWallet(1)
      await place(service, wallet)
      await service.rpc('local.mine', { count: 1 })
      const times: number[] = []
      const now = Math.floor(Date.now() / 1000) + 1_000
      const boc = wallet.transfer(0, FRIEND, 1_000_000n)
      const path = '/api/emulate/v1/emulateTrace'
      const body = (i: number): string => JSON.stringify({ boc: base64(boc), now: now + i })
      const response = await fetch(service.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: body(0) })
      const { transactions, error } = (await response.json()) as { transactions?: object; error?: string }
      if (Object.keys(transactions ?? {}).length !== 2) throw new Error(`no emulation: ${error}`)
      const sleep = stayAwake()
      const line = await dial(service.url)
      for (let i = 1; i <= WARM_UP + CALLS; i++) {
        // Another time, because equal requests of a second share an answer.
        const request = Buffer.from(postRequest(path, body(i)))
        const began = performance.now()
        await line.ask(request)
        if (i > WARM_UP) times.push(performance.now() - began)
      }
      line.close()
      sleep()
      const ours = median(times)
      const yardstick = await machineTime(service, wallet, boc)
      return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
    }),
}

/** Addresses of one connection: less than a service allows. */
const SUBSCRIBED = 500

/** Tells of each transaction of these accounts that is pending, or has a higher finality. */
export const listen = async (
  service: Service,
  addresses: readonly string[],
  onAccount: (account: string) => void,
  finality = 'pending',
): Promise<WebSocket> => {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ operation: 'subscribe', types: ['transactions'], addresses, min_finality: finality }))
  const [answer] = (await once(socket, 'message')) as [Buffer]
  if (!String(answer).includes('"subscribed"')) throw new Error(String(answer))
  socket.on('message', (data) => {
    const { transactions } = JSON.parse(String(data)) as { transactions?: { account: string }[] }
    for (const { account } of transactions ?? []) onAccount(account)
  })
  return socket
}

/** When each message was told on a stream (performance.now()), by its number. */
const watch = async (service: Service, wallets: readonly OwnWallet[]): Promise<{ readonly told: number[]; close(): void }> => {
  const numbers = new Map(wallets.map(({ id }, n) => [formatRaw(id, 'upper'), n]))
  const told: number[] = []
  const sockets: WebSocket[] = []
  for (let at = 0; at < wallets.length; at += SUBSCRIBED) {
    const onAccount = (account: string): void => {
      told[numbers.get(account)!] ??= performance.now()
    }
    sockets.push(await listen(service, [...numbers.keys()].slice(at, at + SUBSCRIBED), onAccount))
  }
  return {
    told,
    close() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Calls in batches, with some batches under way at a time. `size`: calls of a batch. */
export const callAll = async (
  service: Service,
  calls: readonly { readonly method: string; readonly params: object }[],
  size = 50,
): Promise<void> => {
  const left = [...calls]
  const run = async (): Promise<void> => {
    while (left.length > 0) await service.batch(left.splice(0, size))
  }
  await Promise.all([run(), run(), run(), run()])
}

/** How long a sent message may take to be pending, ms. One that takes longer has failed. */
const PATIENCE = 10_000

/** Asks again until there is an answer. Throws if there is none for PATIENCE. */
export const untilThere = async (what: string, ask: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + PATIENCE
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`${what} after ${PATIENCE} ms`)
    await sleep(1)
  }
}

/** JSON-RPC over one connection, with as little work of the client as there can be. */
export const openRpc = async (url: string) => {
  const line = await dial(url)
  return {
    async call<T>(method: string, params: object): Promise<T> {
      const request = rpcRequest(method, params)
      const { result, error } = JSON.parse(String(await line.ask(Buffer.from(request)))) as { result: T; error?: { message: string } }
      if (error) throw new Error(`${method}: ${error.message}`)
      return result
    },
    close: line.close,
  }
}

const sent: Bench = {
  name: 'message sent to its pending trace in v3 and on a stream, p50 of the later one',
  target: { atMost: 15, unit: 'ms' },
  measure: () =>
    withService(async (service) => {
      // One message of each: many of one wallet in ten seconds are not all followed.
      const wallets = Array.from({ length: MESSAGES.warmUp + MESSAGES.counted }, (_, n) => ownWallet(1_000 + n))
      await callAll(service, wallets.map(placing))
      await service.rpc('local.mine', { count: 1 })
      await service.rpc('local.setAutomine', { automine: false })
      const { told, close } = await watch(service, wallets)
      const { call, close: hangUp } = await openRpc(service.url)
      const times: number[] = []
      const sends: number[] = []
      for (const [n, wallet] of wallets.entries()) {
        if (n % MESSAGES.atOnce === 0 || n === MESSAGES.warmUp) {
          await service.rpc('local.mine', { count: 1 })
          await sleep(1_000)
        }
        const boc = base64(wallet.transfer(0, FRIEND, 1_000_000n))
        const began = performance.now()
        const { hash } = await call<{ hash: string }>('sendBocReturnHash', { boc })
        const taken = performance.now()
        await untilThere(
          `message ${n} has no pending trace in v3`,
          async () => (await call<{ traces: unknown[] }>('v3.pendingTraces', { ext_msg_hash: [hash] })).traces.length > 0,
        )
        const listed = performance.now()
        await untilThere(`message ${n} was not told on the stream`, () => told[n] !== undefined)
        if (n < MESSAGES.warmUp) continue
        times.push(Math.max(listed, told[n]!) - began)
        sends.push(taken - began)
      }
      close()
      hangUp()
      const ours = median(times)
      console.error(`the answer to sendBocReturnHash alone: ${median(sends).toFixed(1)} ms`)
      return { ours, yardstick: 0, ratio: ours, unit: 'ms' }
    }),
}

/** Sockets and pending traces at the same time. */
const HELD = { sockets: 1_000, traces: 10_000 } as const

const pendingOf = async (service: Service): Promise<{ readonly traces: number; readonly bytes: number }> => {
  const { pending } = (await (await fetch(`${service.url}/status`)).json()) as { pending: { traces: number; bytes: number } }
  return pending
}

/** Milliseconds after which the traces of a burst are gone: each is held for a minute. */
const GONE = 65_000
/** Calls of a batch: four batches at a time are fewer messages than may wait for their emulation. */
const SENT_AT_ONCE = 20

/** Each message pays another account, as those of wallets do. */
const friendOf = (n: number): typeof FRIEND => {
  const hash = Buffer.alloc(32, 0x22)
  hash.writeUInt32BE(n)
  return { workchain: 0, hash: new Uint8Array(hash) }
}

/** The most memory of a process while something runs, MB. */
const mostDuring = async (service: Service, run: () => Promise<void>): Promise<number> => {
  let most = 0
  const look = (): void => {
    most = Math.max(most, service.rss())
  }
  const timer = setInterval(look, 250)
  try {
    await run()
    look()
    return most
  } finally {
    clearInterval(timer)
  }
}

/**
 * All traces have to be alive at the same time, or there is no figure. A trace is held for a minute, so the messages are signed before the first one is sent.
 * The figure is the most memory of that time.
 */
const held: Bench = {
  name: 'memory of 1,000 subscribed sockets and 10,000 pending traces of two transactions, above rest',
  target: { atMost: 120, unit: 'MB' },
  measure: () =>
    withService(async (service) => {
      const wallets = Array.from({ length: HELD.traces }, (_, n) => ownWallet(100_000 + n))
      await callAll(service, wallets.map(placing))
      await service.rpc('local.mine', { count: 1 })
      await service.rpc('local.setAutomine', { automine: false })
      const messages = wallets.map((wallet, n) => base64(wallet.transfer(0, friendOf(n), 1_000_000n)))
      await sleep(2_000)
      const rest = service.rss()
      const filter = { types: ['transactions', 'actions', 'trace'], min_finality: 'pending' }
      const readers: RawReader[] = []
      const most = await mostDuring(service, async () => {
        for (let i = 0; i < HELD.sockets; i++)
          readers.push(await openReader(service.url, { ...filter, addresses: [formatRaw(wallets[i]!.id, 'upper')] }))
        const sends = messages.map((boc) => ({ method: 'sendBoc', params: { boc } }))
        await callAll(service, sends, SENT_AT_ONCE)
      })
      const { traces, bytes } = await pendingOf(service)
      const ours = most - rest
      const figures = `${traces} traces are pending, ${(bytes / 2 ** 20).toFixed(1)} MB of packed text; ${ours.toFixed(0)} MB above ${rest.toFixed(0)} MB at rest`
      if (traces < HELD.traces) throw new Error(`${figures}: the machine is too slow or too busy for all of them at a time`)
      await sleep(GONE)
      console.error(`${figures}, ${(service.rss() - rest).toFixed(0)} MB when the traces are gone`)
      for (const reader of readers) reader.close()
      return { ours, yardstick: rest, ratio: ours, unit: 'MB' }
    }),
}

export const benches: readonly Bench[] = [emulation, sent, held]
