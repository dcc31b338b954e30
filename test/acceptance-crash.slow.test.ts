import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serializeBoc } from '../server/cell/boc.ts'
import type { Cell } from '../server/cell/cell.ts'
import { formatRaw } from '../shared/fields/address.ts'
import { ownWallet } from './kit/chain/own-wallet.ts'
import { createRandom, seed } from './kit/random.ts'
import { call } from './kit/service/client.ts'
import { builtService, type Started } from './kit/service/process.ts'
import { sleep } from './kit/wait.ts'

const random = createRandom(seed)

/* The service as people run it, with a data directory, is killed under load over and over. What it said by HTTP before has to hold after. */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 8)
const WALLETS = Array.from({ length: 6 }, (_, n) => ownWallet(n))
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const boc = (cell: Cell): string => base64(serializeBoc(cell))

let folder: string
let running: Started | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-acceptance-'))
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const start = async (): Promise<{ url: string; service: Started }> => {
  // The index has crash tests of its own (test/index): without it a round takes a second less.
  const settings = ['--port', '0', '--data-dir', join(folder, 'chain'), '--block-time', '50ms', '--index', 'off', '--log', 'error']
  const service = builtService.start(settings)
  running = service
  return { url: await service.ready, service }
}

/** What has been told so far: the highest acknowledged seqno of each wallet, and blocks by seqno. */
const acknowledged = new Map<number, number>()
const blocks = new Map<number, string>()
let highest = 0
/** Acknowledgements so far: of any message, and of those that were new. */
const count = { all: 0, fresh: 0 }
const told = (seqno: number, rootHash: string): void => {
  expect([seqno, blocks.get(seqno) ?? rootHash]).toEqual([seqno, rootHash])
  blocks.set(seqno, rootHash)
  highest = Math.max(highest, seqno)
}

/** Spends from every wallet at once until the service is gone. */
const load = async (url: string): Promise<void> => {
  const spend = async (n: number): Promise<void> => {
    const wallet = WALLETS[n]!
    for (;;) {
      const { seqno } = await call(url, 'getWalletInformation', { address: formatRaw(wallet.id, 'upper') })
      // A message of this seqno may be on its way already: it is the same one, and acknowledged again.
      const boc = base64(wallet.transfer(seqno!, WALLETS[(n + 1) % WALLETS.length]!.id, 1_000_000n))
      const sent = await call(url, 'sendBoc', { boc }).catch((error: Error) => {
        if (!error.message.startsWith('LITE_SERVER_UNKNOWN')) throw error
      })
      if (sent) {
        count.all++
        if (seqno! > (acknowledged.get(n) ?? -1)) {
          count.fresh++
          acknowledged.set(n, seqno!)
        }
      }
      const { last } = await call(url, 'getMasterchainInfo', {})
      told(last.seqno, last.root_hash)
      await sleep(random.below(20))
    }
  }
  // Every one of them ends by the connection's end; anything else is a finding.
  const ends = await Promise.allSettled(WALLETS.map((_, n) => spend(n)))
  for (const end of ends) if (end.status === 'rejected' && end.reason?.message !== 'fetch failed') throw end.reason
}

it(`nothing that was acknowledged by HTTP is lost over ${ROUNDS} kills`, { timeout: 600_000 }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { url, service } = await start()
    if (round === 0) {
      for (const { account } of WALLETS) {
        const state = { balance: account.balance!.toString(), code: boc(account.code!), data: boc(account.data!) }
        await call(url, 'local.setAccount', { address: formatRaw(account.account, 'upper'), ...state })
      }
    }
    const { last } = await call(url, 'getMasterchainInfo', {})
    expect(last.seqno).toBeGreaterThanOrEqual(highest)
    const working = load(url)
    // Half of the rounds end early, at times before the first block; the others live for some blocks.
    const kind = round % 2 === 0 ? 'fresh' : 'all'
    const enough = count[kind] + random.below(20)
    await expect.poll(() => count[kind], { interval: 5 }).toBeGreaterThanOrEqual(enough)
    if (round === 0) await expect.poll(() => acknowledged.size, { interval: 5 }).toBe(WALLETS.length)
    await sleep(random.below(30))
    service.child.kill('SIGKILL')
    await working
    expect((await service.ended).code).toBe(null)
  }
  const { url, service } = await start()
  for (const [n, seqno] of acknowledged) {
    const address = formatRaw(WALLETS[n]!.id, 'upper')
    await expect.poll(async () => (await call(url, 'getWalletInformation', { address })).seqno).toBeGreaterThan(seqno)
  }
  for (const [seqno, root_hash] of blocks) {
    expect(await call(url, 'lookupBlock', { workchain: -1, shard: '-9223372036854775808', seqno })).toMatchObject({ root_hash })
  }
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0, err: '' })
})
