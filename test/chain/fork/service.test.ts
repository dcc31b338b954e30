import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRpc } from '../../events/kit.ts'
import { type Service, startService, startV3, type V3Service } from '../../kit/service/service.ts'
import { until } from '../../kit/wait.ts'

/* The whole service as a fork of another tonway, over its lite-server. */

const TOUCHED = `0:${'7'.repeat(64)}`
const UNTOUCHED = `0:${'8'.repeat(64)}`
const TON = 1_000_000_000n
const FORTY_TON = '40000000000'

let remote: Service
beforeAll(async () => {
  remote = await startService({ liteserverPort: 0, globalId: -11 })
  for (const address of [TOUCHED, UNTOUCHED]) await remote.call('local.fund', { address, amount: FORTY_TON })
})
afterAll(() => remote?.close())

const forkOf = () => ({ fork: `${remote.url}/global.config.json` })

describe('the service as a fork', () => {
  it('v2 reads accounts, get-methods and history of the other network, and local.* changes them here alone', async () => {
    const fork = await startService(forkOf())
    try {
      expect(await fork.call('getAddressBalance', { address: UNTOUCHED })).toBe(FORTY_TON)
      await fork.call('local.fund', { address: TOUCHED, amount: FORTY_TON })
      expect(BigInt(await fork.call('getAddressBalance', { address: TOUCHED }))).toBeGreaterThan(79n * TON)
      expect(await remote.call('getAddressBalance', { address: TOUCHED })).toBe(FORTY_TON)
      const [own, theirs] = await fork.call('getTransactions', { address: TOUCHED, limit: 10 })
      const [before] = await remote.call('getTransactions', { address: TOUCHED, limit: 10 })
      expect(theirs?.transaction_id).toEqual(before?.transaction_id)
      expect(BigInt(own!.transaction_id.lt)).toBeGreaterThan(BigInt(theirs!.transaction_id.lt))
      const status = (await (await fetch(`${fork.url}/status`)).json()) as { networks?: unknown }
      expect(JSON.stringify(status)).toContain('a fork of another network at block')
      // The place may be private.
      expect(JSON.stringify(status)).not.toContain(remote.url)
    } finally {
      await fork.close()
    }
  })
})

describe('jettons of the other network', () => {
  it('the index goes on when the start of a fork has the entry of an account in a dictionary, but not the account', async () => {
    const own = await startService({ liteserverPort: 0, globalId: -11 })
    await own.call('local.fund', { address: TOUCHED, amount: FORTY_TON })
    const { address: jetton } = await own.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    await own.call('local.mintJetton', { jetton, owner: TOUCHED, amount: '5' })
    await own.call('local.mine', { count: 4 })
    const fork = await startV3({ fork: `${own.url}/global.config.json` })
    try {
      await fork.call('local.fund', { address: TOUCHED, amount: '1' })
      await fork.settle()
      expect(await (await fetch(`${fork.url}/ready?for=v3`)).json()).toMatchObject({ ok: true })
    } finally {
      await fork.close()
      await own.close()
    }
  })

  it('local.setJettonBalance sets a balance on a fork, of a wallet that the other network has and of one that nobody has', async () => {
    const own = await startService({ liteserverPort: 0, globalId: -11 })
    const { address: jetton } = await own.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    await own.call('local.mintJetton', { jetton, owner: TOUCHED, amount: '5' })
    const fork = await startService({ fork: `${own.url}/global.config.json` })
    try {
      for (const [owner, was] of [
        [TOUCHED, '5'],
        [UNTOUCHED, '0'],
      ] as const) {
        const set = await fork.call('local.setJettonBalance', { jetton, owner, balance: '700' })
        expect(set.was).toBe(was)
        expect(await fork.call('getTokenData', { address: set.address })).toMatchObject({ contract_type: 'jetton_wallet', balance: '700' })
      }
      expect((await fork.call('getTokenData', { address: jetton })) as object).toMatchObject({ total_supply: '5' })
    } finally {
      await fork.close()
      await own.close()
    }
  })
})

describe('the lite-server of a fork', () => {
  it('a client that follows the fork from its init_block accepts its heads, accounts and configuration', async () => {
    const fork = await startService({ ...forkOf(), liteserverPort: 0 })
    const follower = await startService({ network: ['copy'], globalConfig: `${fork.url}/global.config.json` })
    try {
      await fork.call('local.fund', { address: TOUCHED, amount: FORTY_TON })
      const { last } = await fork.call('getMasterchainInfo', {})
      await expect.poll(async () => (await follower.call('getMasterchainInfo', {})).last.seqno).toBeGreaterThanOrEqual(last.seqno)
      // The second account is fetched for the follower.
      expect(BigInt(await follower.call('getAddressBalance', { address: TOUCHED }))).toBeGreaterThan(79n * TON)
      expect(BigInt(await follower.call('getAddressBalance', { address: UNTOUCHED }))).toBeGreaterThan(39n * TON)
      const price = (service: Service) => service.call('getConfigParam', { config_id: 21 })
      expect(await price(follower)).toMatchObject({ config: (await price(remote)).config })
    } finally {
      await follower.close()
      await fork.close()
    }
  })
})

describe('v3 of a fork', () => {
  let fork: V3Service
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tonway-fork-'))
    // PostgreSQL runs as another user where this one is root.
    await chmod(dataDir, 0o755)
    fork = await startV3({ ...forkOf(), dataDir })
  }, 120_000)
  afterAll(async () => {
    await fork?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('v3 begins at the fork and has the accounts that were touched since', async () => {
    await fork.call('local.fund', { address: TOUCHED, amount: FORTY_TON })
    await fork.settle()
    const response = await fetch(`${fork.url}/api/v3/accountStates?address=${TOUCHED}&address=${UNTOUCHED}`)
    const { accounts } = (await response.json()) as { accounts: { address: string; balance: string }[] }
    expect(BigInt(accounts.find(({ address }) => address.toLowerCase() === TOUCHED)!.balance)).toBeGreaterThan(79n * TON)
    expect(response.headers.get('x-fork')).toBe('another network')
    expect(await fork.call('rpc.about', {})).toMatchObject({ fork: 'another network' })
    const listed = await fetch(`${fork.url}/api/v3/transactions?account=${TOUCHED}`)
    const { transactions } = (await listed.json()) as { transactions: unknown[] }
    expect(transactions).toHaveLength(1)
  })

  it('a stream is not told after a revert that an account of the other network does not exist', async () => {
    const reader = await readRpc(fork.tonway.wsUrl, { types: ['account_state_change'], addresses: [UNTOUCHED] })
    const states = () => reader.of('account_state_change').map(({ state }) => state!.account_status)
    const { snapshot } = await fork.call('local.snapshot', {})
    await fork.call('local.fund', { address: UNTOUCHED, amount: FORTY_TON })
    await until(() => states().length === 1)
    await fork.call('local.revert', { snapshot })
    await until(() => reader.of('reset').length === 1)
    // Another amount, because the block would be the same in the same second.
    await fork.call('local.fund', { address: UNTOUCHED, amount: '1' })
    await until(() => states().length > 1)
    expect(states()).toEqual(['uninit', 'uninit'])
    reader.close()
  })

  it('v3 of a kept fork tells of the fork also when it is started without --fork', async () => {
    await fork.close()
    fork = await startV3({ dataDir })
    await fork.settle()
    const response = await fetch(`${fork.url}/api/v3/masterchainInfo`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-fork')).toBe('another network')
  })
})
