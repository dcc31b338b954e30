import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { Bench } from '../bench.ts'
import { dial, postRequest } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { TRANSFERS, transfer, wallets } from './transfers.ts'

/* The embedded chain in a thread of its own (`--chain-thread on`), beside the chain in the thread that serves. */

const BLOCKS = 12
/** Services of each kind; they take turns, because processes of one program differ for as long as they live. */
const SERVICES = 3

const base64 = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const rpc = (method: string, params: object): Buffer =>
  Buffer.from(postRequest('/jsonRPC', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))

const { accounts, keys } = wallets(TRANSFERS)
const addresses = accounts.map(({ account }) => `0:${Buffer.from(account.hash).toString('hex')}`)

/** Kinds of reads. None is answered from a cache. */
const READS = {
  'reads without the chain': (n: number) => rpc('packAddress', { address: `0:${n.toString(16).padStart(64, '0')}` }),
  'reads of accounts': (n: number) => rpc('getAddressInformation', { address: addresses[n % TRANSFERS]! }),
  'get-methods': (n: number) => rpc('runGetMethod', { address: addresses[n % TRANSFERS]!, method: 'seqno', stack: [['num', String(n)]] }),
} as const
type Read = keyof typeof READS

/** Reads one after the other until `isOver`; their times in milliseconds. */
const readUntil = async (service: Service, read: Read, isOver: () => boolean): Promise<number[]> => {
  const line = await dial(service.url)
  const times: number[] = []
  for (let n = 0; !isOver(); n++) {
    const request = READS[read](n)
    const start = performance.now()
    await line.ask(request)
    times.push(performance.now() - start)
  }
  line.close()
  return times
}

interface Figures {
  /** Times of reads beside blocks, ms. */
  readonly busy: Record<Read, number[]>
  /** Times of reads while no blocks are made, ms. */
  readonly idle: Record<Read, number[]>
  /** Milliseconds from sending the transfers of a block to the answer that they are in one. */
  readonly blocks: number[]
  /** MB at rest, before all this. */
  readonly memory: number[]
}
const noFigures = (): Figures => ({
  busy: { 'reads without the chain': [], 'reads of accounts': [], 'get-methods': [] },
  idle: { 'reads without the chain': [], 'reads of accounts': [], 'get-methods': [] },
  blocks: [],
  memory: [],
})

const measureService = async (chainThread: 'on' | 'off', figures: Figures): Promise<void> => {
  const service = await startService({ TONWAY_CHAIN_THREAD: chainThread, TONWAY_INDEX: 'off', TONWAY_BLOCK_TIME: '0' })
  try {
    await service.rpc('local.mine')
    figures.memory.push(service.rss())
    const set = accounts.map(({ code, data, balance }, n) => ({
      method: 'local.setAccount',
      params: { address: addresses[n], balance: String(balance), code: base64(code!), data: base64(data!) },
    }))
    await service.batch(set)
    await service.rpc('local.setAutomine', { automine: false })
    const block = async (seqno: number): Promise<void> => {
      const sent = accounts.map((_, n) => ({ method: 'sendBoc', params: { boc: base64(transfer(accounts, keys, n, seqno).message) } }))
      const start = performance.now()
      await service.batch(sent)
      await service.rpc('local.mine')
      figures.blocks.push(performance.now() - start)
    }
    let seqno = 0
    for (; seqno < 4; seqno++) await block(seqno)
    figures.blocks.splice(-4)
    for (const read of Object.keys(READS) as Read[]) {
      const end = performance.now() + 1_000
      figures.idle[read].push(...(await readUntil(service, read, () => performance.now() > end)))
    }
    for (const read of Object.keys(READS) as Read[]) {
      let over = false
      const reading = readUntil(service, read, () => over)
      for (let n = 0; n < BLOCKS / SERVICES; n++) await block(seqno++)
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
  line(`${TRANSFERS} transfers sent and in a block, with a reader beside them, p50`, 'ms', 0.5, ({ blocks }) => blocks, 1),
  line('memory at rest', 'MB', 0.5, ({ memory }) => memory, 0.8),
]
