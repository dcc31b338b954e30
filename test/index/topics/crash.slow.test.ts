import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, beginCell } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom, seed } from '../../kit/random.ts'
import { call } from '../../kit/service/client.ts'
import { builtService, type Started } from '../../kit/service/process.ts'
import { sleep } from '../../kit/wait.ts'

const random = createRandom(seed)

/* The service is killed while it indexes jettons and NFTs: what was acknowledged is there, and the tables are those that the blocks make anew. */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 3)
const OWNERS = [1, 2, 3].map((byte) => new Address(0, Buffer.alloc(32, byte)).toString())

let folder: string
let settings: readonly string[]
let running: Started | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-tokens-'))
  // Started as root, the embedded PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  settings = ['--data-dir', join(folder, 'chain'), '--block-time', '50ms', '--liteserver-port', 'off', '--log', 'error']
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const start = async (): Promise<string> => {
  running = builtService.start(['--port', '0', ...settings])
  return running.ready
}

/** transfer#0f8a7ea5 of one unit, in its owner's name. */
const transfer = (to: string, from: string): string =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(1)
    .storeAddress(Address.parse(to))
    .storeAddress(Address.parse(from))
    .storeBit(0)
    .storeCoins(0)
    .storeBit(0)
    .endCell()
    .toBoc()
    .toString('base64')

/** What was acknowledged: units minted, items minted, transfers sent. */
const told = { units: 0n, items: 0, transfers: 0 }

/** Mints and moves tokens until the service is gone. */
const work = async (url: string, jetton: string, collection: string, wallets: Map<string, string>): Promise<void> => {
  const lane = async (n: number): Promise<void> => {
    const owner = OWNERS[n]!
    for (;;) {
      const { address } = await call(url, 'local.mintJetton', { jetton, owner, amount: '5' })
      told.units += 5n
      wallets.set(owner, address)
      const to = OWNERS[(n + 1) % OWNERS.length]!
      await call(url, 'local.sendInternal', { from: owner, to: address, value: '200000000', body: transfer(to, owner) })
      told.transfers++
      if (n > 0) continue
      await call(url, 'local.mintNft', { collection, owner, name: `Leaf ${told.items}` })
      told.items++
    }
  }
  // A call ends by the end of the connection; anything else is a finding.
  const ends = await Promise.allSettled(OWNERS.map((_, n) => lane(n)))
  for (const end of ends) if (end.status === 'rejected' && end.reason?.message !== 'fetch failed') throw end.reason
}

it(`no rows of tokens are lost or doubled over ${ROUNDS} kills`, { timeout: 600_000 }, async () => {
  const wallets = new Map<string, string>()
  let url = await start()
  const { address: jetton } = await call(url, 'local.deployJetton', { symbol: 'ACRN' })
  const { address: collection } = await call(url, 'local.deployCollection', { name: 'Leaves' })
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) url = await start()
    const enough = told.units + 15n
    const working = work(url, jetton, collection, wallets)
    await expect.poll(() => told.units, { interval: 5 }).toBeGreaterThan(enough)
    await sleep(random.below(300))
    running!.child.kill('SIGKILL')
    await working
    await running!.ended
  }

  url = await start()
  const { last } = await call(url, 'getMasterchainInfo', {})
  const indexed = async () => (await call(url, 'v3.masterchainInfo', {}).catch(() => undefined))?.last.seqno
  await expect.poll(indexed).toBeGreaterThanOrEqual(last.seqno)
  const [master] = (await call(url, 'v3.jetton.masters', { address: [jetton] })).jetton_masters
  const held = (await call(url, 'v3.jetton.wallets', { jetton_address: [jetton] })).jetton_wallets
  const supply = BigInt(master!.total_supply)
  expect(held.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(supply)
  expect(supply).toBeGreaterThanOrEqual(told.units)
  // A call whose answer was lost may have been done: one in each lane and round.
  expect(supply).toBeLessThanOrEqual(told.units + 5n * BigInt(ROUNDS * OWNERS.length))
  const { jetton_transfers } = await call(url, 'v3.jetton.transfers', { jetton_master: jetton, limit: 1000 })
  expect(jetton_transfers.length).toBeGreaterThanOrEqual(told.transfers)
  const { nft_items } = await call(url, 'v3.nft.items', { collection_address: [collection], limit: 1000 })
  expect(nft_items.length).toBeGreaterThanOrEqual(told.items)
  expect(new Set(nft_items.map(({ index }) => index)).size).toBe(nft_items.length)

  running!.child.kill('SIGTERM')
  await running!.ended
  const verified = await builtService.start(['verify', ...settings]).ended
  expect(verified).toMatchObject({ code: 0 })
})
