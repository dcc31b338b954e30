import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { NetworkOptions } from '../../kit/network/network.ts'
import { ask } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createStation, type Station } from '../station.ts'
import { type Costs, costsOf, diskOf } from './costs.ts'
import type { RunningNetwork, Told } from './network-process.ts'

/* A service follows the made-up network. It is watched from outside: what it streams, what v3 says its newest block is, what it takes of the machine. */

export interface FollowOptions {
  readonly network: (options: NetworkOptions) => Promise<RunningNetwork>
  readonly options: Omit<NetworkOptions, 'utime'>
  readonly milliseconds: number
  say(text: string): void
}

/** Milliseconds from the moment at which the lite-server had a block. */
export interface BlockLag extends Told {
  /** Until v3 names it as its newest block. */
  readonly index: number
  /** Until a subscriber was told of it. */
  readonly live: number
}

export interface Followed {
  readonly blocks: readonly BlockLag[]
  readonly costs: readonly Costs[]
  /** MiB on the disk when it began, and when it was over. */
  readonly disk: readonly [ReturnType<typeof diskOf>, ReturnType<typeof diskOf>]
  readonly minutes: number
  /** What was lost or wrong; empty if all is well. */
  readonly faults: readonly string[]
}

/** Milliseconds between two looks at v3, and at the costs. */
const LOOK_MS = 40
const COSTS_MS = 10_000

/** What a subscriber was told of a masterchain block and its shard blocks. */
interface Streamed {
  readonly at: number
  blocks: number
  transactions: number
}

/** Subscribes to all blocks. Throws if the service ends the subscription. */
const listen = async (
  url: string,
  onFault: (text: string) => void,
): Promise<{ readonly streamed: Map<number, Streamed>; close(): void }> => {
  const streamed = new Map<number, Streamed>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
  let isOpen = true
  socket.on('close', () => isOpen && onFault('the subscription ended'))
  socket.on('error', (error) => onFault(`the subscription: ${error.message}`))
  const begun = new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { types: ['blocks'] } })))
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)).params?.result
      if (event?.type === 'subscribed') resolve()
      if (event?.type === 'gap' || event?.type === 'reset') onFault(`the subscription told: ${JSON.stringify(event)}`)
      if (event?.type !== 'block') return
      const seqno = Number(event.masterchain_seqno)
      const known = streamed.get(seqno) ?? { at: Date.now(), blocks: 0, transactions: 0 }
      known.blocks += 1
      known.transactions += Number(event.tx_count)
      streamed.set(seqno, known)
    })
  })
  await begun
  return {
    streamed,
    close() {
      isOpen = false
      socket.close()
    },
  }
}

/** Seqno of the newest block of the index; 0 if it has none. */
const indexed = async (url: string): Promise<number> => {
  const { body, status } = await ask<{ readonly last: { readonly seqno: number } }>(`${url}/api/v3/masterchainInfo`)
  return status === 200 ? Number(body.last.seqno) : 0
}

/** Looks at v3 again and again. Returns when each block was first seen as the newest or an older one. */
const look = (url: string, signal: AbortSignal): { readonly seen: Map<number, number>; readonly done: Promise<void> } => {
  const seen = new Map<number, number>()
  const run = async (): Promise<void> => {
    let last = await indexed(url)
    while (!signal.aborted) {
      await sleep(LOOK_MS)
      const head = await indexed(url)
      for (; last < head; last++) seen.set(last + 1, Date.now())
    }
  }
  return { seen, done: run() }
}

interface Row {
  readonly mc_block_seqno: number
  readonly hash: string
}

/** Transactions of each masterchain block, by pages of v3 from the first to the last. */
const countRows = async (url: string): Promise<Map<number, number>> => {
  const counts = new Map<number, number>()
  for (let cursor = ''; ; ) {
    const page = await ask<{ readonly transactions: readonly Row[] }>(`${url}/api/v3/transactions?limit=1000&sort=asc${cursor}`)
    if (page.status !== 200) throw new Error(`v3 answered ${page.status} ${page.text.slice(0, 200)}`)
    for (const { mc_block_seqno: seqno } of page.body.transactions) counts.set(seqno, (counts.get(seqno) ?? 0) + 1)
    const next = page.headers.get('x-next-cursor')
    if (next === null) return counts
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

const compare = (told: readonly Told[], streamed: ReadonlyMap<number, Streamed>, rows: ReadonlyMap<number, number>): string[] =>
  told.flatMap(({ seqno, blocks, transactions }) => {
    const event = streamed.get(seqno)
    const faults: string[] = []
    if (event?.blocks !== blocks || event.transactions !== transactions)
      faults.push(`block ${seqno} has ${blocks} blocks with ${transactions} transactions, and the stream told ${JSON.stringify(event)}`)
    const count = rows.get(seqno) ?? 0
    if (count !== transactions) faults.push(`block ${seqno} has ${transactions} transactions, and v3 has ${count}`)
    return faults
  })

const watch = async (station: Station, url: string, network: RunningNetwork, { milliseconds, say }: FollowOptions): Promise<Followed> => {
  const faults: string[] = []
  const told: Told[] = []
  network.start((block) => told.push(block))
  // An index of blocks that were made while the service started catches up first.
  await until(async () => (await indexed(url)) >= (told.at(-1)?.seqno ?? Number.POSITIVE_INFINITY) - 1, 50)
  const { streamed, close } = await listen(url, (text) => void faults.push(text))
  const over = new AbortController()
  const { seen, done } = look(url, over.signal)
  done.catch((error: Error) => faults.push(`v3: ${error.message}`))
  // What was made before the subscription began is not compared.
  await until(async () => streamed.size > 1, 20)
  const first = Math.min(...streamed.keys()) + 1
  const costs: Costs[] = [costsOf(station.pid())]
  const before = diskOf(station.dataDir)
  const begun = performance.now()
  const left = (): number => begun + milliseconds - performance.now()
  while (left() > 0 && faults.length === 0) {
    await sleep(Math.min(COSTS_MS, left()))
    costs.push(costsOf(station.pid()))
    const { seqno, shardCount } = told.at(-1)!
    if (costs.length % 30 === 0) say(`block ${seqno}, ${shardCount} shards, index ${[...seen.keys()].at(-1)}`)
  }
  const after = diskOf(station.dataDir)
  await network.stop()
  const last = told.at(-1)!.seqno
  await until(async () => (await indexed(url)) === last && streamed.has(last), 20)
  await sleep(2 * LOOK_MS)
  over.abort()
  await done.catch(() => {})
  close()
  const compared = told.filter(({ seqno }) => seqno >= first)
  const holes = compared.filter(({ seqno }, i) => seqno !== first + i).map(({ seqno }) => `the network skipped a block before ${seqno}`)
  faults.push(...holes, ...compare(compared, streamed, await countRows(url)))
  const blocks = compared.map((block) => ({
    ...block,
    index: seen.get(block.seqno)! - block.at,
    live: streamed.get(block.seqno)!.at - block.at,
  }))
  return { blocks, costs, disk: [before, after], minutes: (costs.at(-1)!.at - costs[0]!.at) / 60_000, faults }
}

/** Follows the network for a time, and looks afterwards whether anything is lost; derives every row again at the end. */
export const follow = async (given: FollowOptions): Promise<Followed> => {
  const network = await given.network({ ...given.options, utime: Math.floor(Date.now() / 1000) })
  const folder = mkdtempSync(join(tmpdir(), 'tonway-follow-'))
  const file = join(folder, 'global.config.json')
  writeFileSync(file, network.config)
  const station = createStation({
    settings: [
      ...['--network', 'copy', '--global-config', file, '--index-from', '1'],
      ...['--liteserver-port', 'off', '--anonymous-rps', 'unlimited'],
    ],
  })
  try {
    const url = await station.start()
    const followed = await watch(station, url, network, given)
    given.say('verify')
    await station.verify()
    return followed
  } finally {
    await station.close()
    await network.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
