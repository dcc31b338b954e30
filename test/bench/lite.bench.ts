import { createChain } from '../../server/chain/chain.ts'
import { createLiteClient } from '../../server/chain/lite/client.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import { checkLink, createSigners } from '../../server/chain/proofs/links.ts'
import { createLiteTl } from '../../server/chain/tl/lite-queries.ts'
import type { Bench } from './bench.ts'
import { startLeast } from './least.ts'
import { accountAt, contractAt, serveChain } from './lite/chain.ts'
import { recordedLinks } from './lite/links.ts'
import { openPeers, type Peers } from './lite/peers.ts'
import { dial, getRequest } from './load.ts'
import { startService } from './service.ts'

const { signal } = new AbortController()
const READS = 600
const WARM = 100
const BLOCKS = 300
/** A service of its own process is compiled by its own calls: it is at its speed after some thousands. */
const SERVICE = { reads: 5_000, warm: 4_000 }

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Milliseconds of a read of each kind at p50, the kinds in turn, so that a machine that slows down favours none. */
const p50 = async (
  kinds: readonly ((index: number) => Promise<unknown>)[],
  { reads = READS, warm = WARM } = {},
): Promise<readonly number[]> => {
  const times = kinds.map((): number[] => [])
  for (let i = 0; i < reads; i += 1) {
    for (const [kind, read] of kinds.entries()) {
      const start = performance.now()
      await read(i)
      if (i >= warm) times[kind]!.push(performance.now() - start)
    }
  }
  return times.map(median)
}

const verified: Bench = {
  name: 'an account state over ADNL, verified: more than unverified at p50',
  target: { atMost: 0.6, unit: 'ms' },
  async measure() {
    const { tvm, local, client, close } = await serveChain(2)
    const source: LiteServer = { query: client.query, heads: local.heads, ...(local.head && { head: local.head }) }
    try {
      await local.control.mine(BLOCKS, signal)
      const chain = createChain({ source, tvm })
      const blocks = await Promise.all(Array.from({ length: BLOCKS }, (_, i) => chain.pin(i + 1, signal)))
      // Another account at another block each time: nothing is answered from what is kept.
      const at = (i: number) => ({ id: blocks[i % BLOCKS]!, account: accountAt(Math.floor(i / BLOCKS)) })
      const [ours, yardstick] = (await p50([
        (i) => chain.account(at(i).account, at(i).id, signal),
        (i) => client.query('getAccountState', at(i), signal),
      ])) as [number, number]
      return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
    } finally {
      await close()
    }
  },
}

/** Milliseconds at p50 beyond those of the same account without the service. */
const overHttp = (name: string, without: 'call' | 'least'): Bench => ({
  name,
  target: { atMost: 0.5, unit: 'ms' },
  async measure() {
    // The lite-server is a process of its own, as lite-servers are: both sides go over to it.
    const chain = await startService({ TONWAY_BLOCK_TIME: '0', TONWAY_INDEX: 'off', TONWAY_LITESERVER_PORT: '0' })
    const raw = (i: number): string => `0:${Buffer.from(accountAt(i).hash).toString('hex')}`
    const account = (i: number) => ({ method: 'local.setAccount', params: { address: raw(i), balance: '1000000000', ...contractAt(i) } })
    for (let from = 0; from < SERVICE.reads; from += 500) await chain.batch(Array.from({ length: 500 }, (_, i) => account(from + i)))
    const config = `${chain.url}/global.config.json`
    const { liteservers } = (await (await fetch(config)).json()) as { liteservers: [{ port: number; id: { key: string } }] }
    const [{ port, id }] = liteservers
    const peer = { host: '127.0.0.1', port, key: Buffer.from(id.key, 'base64') }
    const client = createLiteClient(peer, { tl: createLiteTl(), onChange: () => undefined })
    const env = { TONWAY_NETWORK: 'copy', TONWAY_GLOBAL_CONFIG: config, TONWAY_INDEX: 'off', TONWAY_ANONYMOUS_RPS: 'unlimited' }
    const service = await startService(env)
    const least = without === 'least' ? await startLeast('forward', { host: peer.host, port, key: id.key }) : undefined
    const asker = async (url: string) => {
      const line = await dial(url)
      return (i: number) => line.ask(Buffer.from(getRequest(`/api/v2/getAddressInformation?address=${raw(i)}`)))
    }
    try {
      const { last } = await client.query('getMasterchainInfo', {}, signal)
      const bare = (i: number) => client.query('getAccountState', { id: last, account: accountAt(i) }, signal)
      // Every account once: the service has none of them yet.
      const [ours, yardstick] = (await p50([await asker(service.url), least ? await asker(least.url) : bare], SERVICE)) as [number, number]
      return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
    } finally {
      least?.stop()
      client.close()
      await service.close()
      await chain.close()
    }
  },
})

const proofs = (what: 'size' | 'time'): Bench => ({
  name: `proof of one account at 100,000 accounts against 1,000: ${what}`,
  target: { atMost: 1.5 },
  async measure() {
    const [many, few] = [await serveChain(100_000), await serveChain(1_000)]
    try {
      let bytes = [0, 0]
      const read =
        (side: number, { local }: typeof many) =>
        async (i: number) => {
          const { proof, shardProof } = await local.query('getAccountState', { id: local.head!().id, account: accountAt(i) }, signal)
          bytes = bytes.map((sum, at) => (at === side ? sum + proof.length + shardProof.length : sum))
        }
      const [slow, quick] = (await p50([read(0, many), read(1, few)])) as [number, number]
      const [ours, yardstick] = what === 'size' ? [bytes[0]! / READS, bytes[1]! / READS] : [slow, quick]
      return { ours, yardstick, ratio: ours / yardstick, unit: what === 'size' ? 'bytes' : 'ms' }
    } finally {
      await many.close()
      await few.close()
    }
  },
})

/** Links from a key block of mainnet to the blocks after it; the yardstick is what is left out, the signatures beyond two thirds of the weight. */
const keyBlocks: Bench = {
  name: 'links from a key block of mainnet to the blocks after it: a signature that is checked (yardstick: share of the signatures that is)',
  target: { atMost: 0.15, unit: 'ms' },
  async measure() {
    const links = recordedLinks()
    const checked = links.reduce((sum, { needed }) => sum + needed, 0)
    // As who follows the heads checks them.
    const signers = createSigners()
    const times: number[] = []
    for (let round = 0; round < 21; round += 1) {
      const before = process.cpuUsage()
      for (const { link } of links) checkLink(link, signers)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1_000 / checked)
    }
    const ours = median(times)
    const yardstick = checked / links.reduce((sum, { link }) => sum + link.signatures.signatures.length, 0)
    return { ours, yardstick, ratio: ours, unit: 'ms cpu' }
  },
}

/** So many calls, one after another or all at once. */
const inTurn = async (count: number, call: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i += 1) await call()
}
const atOnce = async (count: number, call: () => Promise<unknown>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, call))
}

const against = (name: string, atLeast: number, blockBytes: number, run: (side: Peers['ours']) => Promise<void>): Bench => ({
  name,
  target: { atLeast },
  pairs: 7,
  async setup() {
    const peers = await openPeers(blockBytes)
    return { ours: () => run(peers.ours), yardstick: () => run(peers.theirs), close: peers.close }
  },
})

/* Client and endpoint are in one process, so the CPU time is that of both; the endpoint is ours on both sides. */
const roundTrips: readonly Bench[] = [
  against('ADNL round trips, one after another, against ton-lite-client', 2, 0, ({ head }) => inTurn(3_000, head)),
  against('ADNL round trips, 500 at once, against ton-lite-client', 2, 0, ({ head }) => inTurn(8, () => atOnce(500, head))),
  against('a 500 KB block over ADNL against ton-lite-client', 3, 500_000, ({ block }) => inTurn(10, block)),
]

export const benches: readonly Bench[] = [
  ...roundTrips,
  verified,
  overHttp('getAddressInformation over HTTP, of a service that follows by ADNL: more than the bare ADNL call at p50', 'call'),
  overHttp('getAddressInformation over HTTP: more than bare node:http that forwards the ADNL answer unread', 'least'),
  proofs('size'),
  proofs('time'),
  // Of mainnet's recorded blocks, which are not part of the project.
  keyBlocks,
]
