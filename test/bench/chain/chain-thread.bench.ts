import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { dial, postRequest } from '../load.ts'
import { startService } from '../service.ts'
import { seed32, TRANSFERS, transfer, wallets } from './transfers.ts'

/* Blocks that are made in a thread of their own (`--chain-thread on`), beside those of the thread that serves. */

const BLOCKS = 12
/** Services of each kind; they take turns, because processes of one program differ for as long as they live. */
const SERVICES = 3
const WARM_BLOCKS = 4
const IDLE_READS = 2_000
/** After this time the start is over. */
const AT_REST_MS = 8_000

const base64 = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const rpc = (method: string, params: object): Buffer =>
  Buffer.from(postRequest('/jsonRPC', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))

const { accounts, keys } = wallets(TRANSFERS)
const addresses = accounts.map(({ account }) => `0:${Buffer.from(account.hash).toString('hex')}`)

const addressOf = (n: number): string => `0:${Buffer.from(seed32(`no account ${n}`)).toString('hex')}`

/** Kinds of reads. None is answered from a cache of answers; only get-methods find their account in a cache, as those of one block do. */
const READS = {
  'reads without the chain': (n: number) => rpc('packAddress', { address: addressOf(n) }),
  // Each is of another account that does not exist, with the proof of that.
  'reads of accounts': (n: number) => rpc('getAddressInformation', { address: addressOf(n) }),
  'get-methods': (n: number) => rpc('runGetMethod', { address: addresses[n % TRANSFERS]!, method: 'seqno', stack: [['num', String(n)]] }),
} as const
type Read = keyof typeof READS

interface Figures {
  /** Times of reads beside blocks, ms. */
  readonly busy: Record<Read, number[]>
  /** Times of reads while no blocks are made, ms. */
  readonly idle: Record<Read, number[]>
  /** Processor time of a read while no blocks are made, us; one figure for each service. */
  readonly cost: Record<Read, number[]>
  /** Milliseconds from sending the transfers of a block to the answer that they are in one, with a reader beside them. */
  readonly blocks: number[]
  /** Processor time of a block with its transfers and no reader, ms; one figure for each service. */
  readonly blockCost: number[]
  /** MB at rest, before all this. */
  readonly memory: number[]
}
const eachRead = (): Record<Read, number[]> => ({ 'reads without the chain': [], 'reads of accounts': [], 'get-methods': [] })
const noFigures = (): Figures => ({ busy: eachRead(), idle: eachRead(), cost: eachRead(), blocks: [], blockCost: [], memory: [] })

/** Starts a service whose chain has the accounts, and whose blocks are made by `block` alone. */
const startChain = async (chainThread: 'on' | 'off', memory: number[]) => {
  const service = await startService({ TONWAY_CHAIN_THREAD: chainThread, TONWAY_INDEX: 'off', TONWAY_BLOCK_TIME: '0' })
  await service.rpc('local.mine')
  await sleep(AT_REST_MS)
  memory.push(service.rss())
  const set = accounts.map(({ code, data, balance }, n) => ({
    method: 'local.setAccount',
    params: { address: addresses[n], balance: String(balance), code: base64(code!), data: base64(data!) },
  }))
  await service.batch(set)
  await service.rpc('local.setAutomine', { automine: false })
  let seqno = 0
  /** Sends the transfers of a block and makes it; resolves with its milliseconds. */
  const block = async (): Promise<number> => {
    const sent = accounts.map((_, n) => ({ method: 'sendBoc', params: { boc: base64(transfer(accounts, keys, n, seqno).message) } }))
    seqno++
    const start = performance.now()
    await service.batch(sent)
    await service.rpc('local.mine')
    return performance.now() - start
  }
  let asked = 0
  /** Reads one after the other until `isOver` of their number; resolves with their times in milliseconds. */
  const readUntil = async (read: Read, isOver: (count: number) => boolean): Promise<number[]> => {
    const line = await dial(service.url)
    const times: number[] = []
    while (!isOver(times.length)) {
      const request = READS[read](asked++)
      const start = performance.now()
      await line.ask(request)
      times.push(performance.now() - start)
    }
    line.close()
    return times
  }
  return { service, block, readUntil }
}

const measureService = async (chainThread: 'on' | 'off', figures: Figures): Promise<void> => {
  const { service, block, readUntil } = await startChain(chainThread, figures.memory)
  try {
    for (let n = 0; n < WARM_BLOCKS; n++) await block()
    const before = service.cpu()
    for (let n = 0; n < BLOCKS / SERVICES; n++) await block()
    figures.blockCost.push((service.cpu() - before) / (BLOCKS / SERVICES))
    for (const read of Object.keys(READS) as Read[]) {
      await readUntil(read, (count) => count >= IDLE_READS)
      const start = service.cpu()
      figures.idle[read].push(...(await readUntil(read, (count) => count >= IDLE_READS)))
      figures.cost[read].push(((service.cpu() - start) * 1000) / IDLE_READS)
    }
    for (const read of Object.keys(READS) as Read[]) {
      let over = false
      const reading = readUntil(read, () => over)
      for (let n = 0; n < BLOCKS / SERVICES; n++) figures.blocks.push(await block())
      over = true
      figures.busy[read].push(...(await reading))
    }
  } finally {
    await service.close()
  }
}

/** All figures with the thread and without it, measured once for all lines. */
const figuresOf = (() => {
  let known: Promise<{ readonly on: Figures; readonly off: Figures }> | undefined
  const run = async () => {
    const all = { on: noFigures(), off: noFigures() }
    for (let n = 0; n < SERVICES; n++) {
      await measureService('off', all.off)
      await measureService('on', all.on)
    }
    return all
  }
  return () => {
    known ??= run()
    return known
  }
})()

const quantile = (values: readonly number[], q: number): number => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * q)]!

/** Ours: with the thread; the yardstick: without it. */
const line = (name: string, unit: string, q: number, of: (figures: Figures) => readonly number[], atLeast: number): Bench => ({
  name: `chain thread on against off: ${name}`,
  target: { atLeast },
  async measure() {
    const { on, off } = await figuresOf()
    const [ours, yardstick] = [quantile(of(on), q), quantile(of(off), q)]
    return { ours, yardstick, ratio: yardstick / ours, unit }
  },
})

export const benches: readonly Bench[] = [
  ...(Object.keys(READS) as Read[]).map((read) =>
    line(`${read} beside blocks of ${TRANSFERS} transfers, p99`, 'ms', 0.99, ({ busy }) => busy[read], 1),
  ),
  ...(Object.keys(READS) as Read[]).map((read) => line(`${read} beside an idle chain, p50`, 'ms', 0.5, ({ idle }) => idle[read], 1)),
  ...(Object.keys(READS) as Read[]).map((read) =>
    line(`${read} beside an idle chain, processor time`, 'us', 0.5, ({ cost }) => cost[read], 0.8),
  ),
  line(`${TRANSFERS} transfers sent and in a block, processor time`, 'ms', 0.5, ({ blockCost }) => blockCost, 0.8),
  line(`${TRANSFERS} transfers sent and in a block, with a reader beside them, p50`, 'ms', 0.5, ({ blocks }) => blocks, 1),
  line('memory at rest', 'MB', 0.5, ({ memory }) => memory, 0.8),
]
