import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Replicated, startReplicated } from '../kit/index/replicated.ts'
import { ask, call } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { MASTERCHAIN } from './ledger.ts'
import { addressOf, setUpWallets, untilIndexed, WALLETS } from './load.ts'
import { createStation, type Station } from './station.ts'

/* What the lines of the program find by chance, because it needs a moment: here that moment is made. */

const [WALLET, OTHER] = WALLETS as [(typeof WALLETS)[0], (typeof WALLETS)[0]]
const address = addressOf(WALLET)
const message = (seqno: number): string => Buffer.from(WALLET.transfer(seqno, OTHER.id, 1_000_000n)).toString('base64')
const fund = (url: string, amount: string): Promise<unknown> => call(url, 'local.fund', { address, amount })
const headOf = async (url: string) => (await call(url, 'getMasterchainInfo', {})).last
const rootOf = async (url: string, seqno: number): Promise<string> => (await call(url, 'lookupBlock', { ...MASTERCHAIN, seqno })).root_hash

describe('a service with an index', () => {
  let servers: Replicated
  let station: Station
  let url: string
  beforeAll(async () => {
    servers = await startReplicated(0)
    const settings = ['--block-time', '0', '--liteserver-port', 'off', '--anonymous-rps', 'unlimited']
    station = createStation({ settings, env: { DATABASE_URL: servers.primary.url } })
    url = await station.start()
    await setUpWallets(url)
    for (const seqno of [0, 1, 2]) await call(url, 'sendBoc', { boc: message(seqno) })
    await untilIndexed(url)
  })
  afterAll(async () => {
    await station?.close()
    await servers?.close()
  })

  const headOfIndex = async (): Promise<number> => (await call(url, 'v3.masterchainInfo', {})).last.seqno

  it('a head of v3 is not told before its rows are there', async () => {
    const before = (await headOf(url)).seqno
    const holder = new Client({ connectionString: servers.primary.url })
    await holder.connect()
    try {
      await holder.query('begin; lock table transactions in share row exclusive mode')
      await fund(url, '1')
      await until(async () => (await servers.primary.run('select from pg_locks where not granted')).length > 0)
      expect((await headOf(url)).seqno).toBeGreaterThan(before)
      expect([await headOfIndex(), await headOfIndex()]).toEqual([before, before])
    } finally {
      await holder.end()
    }
    await untilIndexed(url)
  })

  it('pages have every row of the whole list, and none twice', async () => {
    const list = async (query: string) => {
      const { headers, body } = await ask<{ readonly transactions: readonly { readonly hash: string }[] }>(
        `${url}/api/v3/transactions?${query}`,
      )
      return { hashes: body.transactions.map(({ hash }) => hash), next: headers.get('X-Next-Cursor') }
    }
    const whole = await list('limit=100')
    expect(whole.hashes.length).toBeGreaterThan(5)
    const paged: string[] = []
    let query = 'limit=2'
    for (;;) {
      const { hashes, next } = await list(query)
      paged.push(...hashes)
      if (next === null) break
      query = `limit=2&cursor=${encodeURIComponent(next)}`
    }
    expect(paged).toEqual(whole.hashes)
  })

  it('every transaction of a list is found by its hash', async () => {
    const hashesOf = ({ transactions }: { readonly transactions: readonly { readonly hash: string }[] }): string[] =>
      transactions.map(({ hash }) => hash).sort()
    const listed = hashesOf(await call(url, 'v3.transactions', { limit: 100 }))
    expect(listed.length).toBeGreaterThan(5)
    expect(hashesOf(await call(url, 'v3.transactions', { hash: listed, limit: 100 }))).toEqual(listed)
  })

  it('an account is answered as it was in the block that is asked for, also if it does not exist', async () => {
    const { seqno } = await headOf(url)
    await fund(url, '5')
    const at = async (of: string, block: number) => {
      const { balance, block_id } = await call(url, 'getAddressInformation', { address: of, seqno: block })
      return { balance: BigInt(balance), seqno: block_id.seqno }
    }
    const after = await at(address, seqno + 1)
    const before = await at(address, seqno)
    expect([before.seqno, after.seqno]).toEqual([seqno, seqno + 1])
    expect(after.balance).toBeGreaterThan(before.balance)
    expect(await at(`0:${'e'.repeat(64)}`, seqno)).toEqual({ balance: 0n, seqno })
  })

  it('a block that takes the place of one that was undone is told instead of it, and nothing of that one is left', async () => {
    /** Hashes of what the newest lists have. */
    const listed = async (): Promise<string[]> => {
      await untilIndexed(url)
      const all = { limit: 1_000 } as const
      const [{ transactions }, { messages }, { traces }] = await Promise.all([
        call(url, 'v3.transactions', all),
        call(url, 'v3.messages', all),
        call(url, 'v3.traces', all),
      ])
      const hashes = [
        ...transactions.map(({ hash }) => hash),
        ...messages.map(({ hash }) => hash),
        ...traces.map(({ trace_id }) => trace_id),
      ]
      return hashes.filter((hash) => hash !== null)
    }
    const { seqno } = await headOf(url)
    const before = await listed()
    const { snapshot } = await call(url, 'local.snapshot', {})
    await fund(url, '2')
    const undone = await rootOf(url, seqno + 1)
    expect(await rootOf(url, seqno + 1)).toBe(undone)
    const gone = (await listed()).filter((hash) => !before.includes(hash))
    expect(gone.length).toBeGreaterThan(0)
    await call(url, 'local.revert', { snapshot })
    await until(async () => (await headOfIndex()) === seqno)
    expect(await listed()).toEqual(before)
    await fund(url, '3')
    const { last } = await call(url, 'getMasterchainInfo', {})
    expect([last.seqno, await rootOf(url, seqno + 1)]).toEqual([seqno + 1, last.root_hash])
    expect(last.root_hash).not.toBe(undone)
    expect((await listed()).filter((hash) => gone.includes(hash))).toEqual([])
  })
})

describe('a service that is killed', () => {
  let station: Station
  beforeAll(async () => {
    station = createStation({ settings: ['--block-time', '3600', '--liteserver-port', 'off', '--index', 'off'] })
    await setUpWallets(await station.start())
  })
  afterAll(() => station?.close())
  const restart = async (): Promise<string> => {
    await station.kill()
    return station.start()
  }

  it('messages that a killed service accepted are in its next block', async () => {
    await call(station.url(), 'sendBoc', { boc: message(0) })
    const url = await restart()
    await call(url, 'local.mine', { count: 1 })
    expect((await call(url, 'getWalletInformation', { address })).seqno).toBe(1)
  })

  it('what a killed service said to be undone is undone', async () => {
    const before = await headOf(station.url())
    const { workchain, shard, seqno } = before
    const blockAt = (at: number): Promise<unknown> =>
      call(station.url(), 'lookupBlock', { workchain, shard, seqno: at }).catch((error: Error) => error.message)
    const { snapshot } = await call(station.url(), 'local.snapshot', {})
    await call(station.url(), 'local.mine', { count: 3 })
    const undone = await blockAt(seqno + 3)
    expect(undone).toHaveProperty('root_hash')
    await call(station.url(), 'local.revert', { snapshot })
    await restart()
    // A start may make a block of its own.
    expect(await blockAt(seqno)).toEqual(before)
    expect(await blockAt(seqno + 3)).not.toEqual(undone)
  })
})
