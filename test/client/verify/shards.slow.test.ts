import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLightClient, type LightClient, verifyPage } from '../../../client/verify/index.ts'
import type { MethodName, ParamsIn, Result } from '../../../shared/registry.ts'
import { type ServedNetwork, serveNetwork } from '../../kit/network/serve.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'

/* Pages of a network whose shards split and merge, and whose hundred validators sign, as a stranger verifies them from its first block on. */

const STEPS = 32

describe('a network with several shards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  const stop = new AbortController()
  let network: ServedNetwork
  let service: V3Service
  let light: LightClient
  const ask = (method: string, params: object) => service.call(method as MethodName, params as ParamsIn<MethodName>) as Promise<unknown>
  beforeAll(async () => {
    const load = { wallets: 30, perStep: 6, burst: 30, burstEvery: 20 }
    const utime = Math.floor(Date.now() / 1000)
    const shape = { seed: 7, utime, stepMs: 50, pace: 4, mostShards: 4, keyEvery: 10, ...load }
    network = await serveNetwork(shape, join(folder, 'network.blocks'))
    const globalConfig = join(folder, 'global.config.json')
    writeFileSync(globalConfig, network.config)
    service = await startV3({ network: ['made-up'], globalConfig })
    let steps = 0
    await network.run(stop.signal, () => {
      if (++steps === STEPS) stop.abort()
    })
    await service.tonway.app.network.index!.reached(STEPS, AbortSignal.timeout(60_000))
    const { init_block } = (
      JSON.parse(network.config) as { validator: { init_block: { seqno: number; root_hash: string; file_hash: string } } }
    ).validator
    light = createLightClient({ call: ask, trusted: init_block })
  }, 120_000)
  afterAll(async () => {
    await service?.close()
    await network?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const verified = async (method: string, params: object) => {
    const answer = (await ask(method, { ...params, proofs: true })) as Result<'v3.transactions'>
    return { answer, page: await verifyPage(method, params, answer, { head: light }) }
  }

  it('a light client goes from the first block over key blocks to the newest', async () => {
    const { seqno } = await light.catchUp()
    expect(seqno).toBeGreaterThanOrEqual(STEPS)
    expect(light.state().key.seqno).toBeGreaterThan(10)
  })

  it('rows of all shards are accepted, with masterchain blocks that are proven or listed as uncovered', async () => {
    for (const params of [
      { workchain: 0, limit: 80 },
      { workchain: 0, limit: 80, offset: 80 },
      { limit: 20, sort: 'asc' },
    ]) {
      const { page } = await verified('v3.transactions', params)
      expect([page.complete, page.rows.length]).toEqual(['none', params.limit])
      expect(page.uncovered).not.toContain('transactions[].block_ref')
    }
    const messages = (await verified('v3.messages', { limit: 60 })).page.rows as unknown as readonly unknown[]
    expect(messages).toHaveLength(60)
  })

  it('a history through several shards, all rows of a block and states of accounts are accepted', async () => {
    const { transactions } = await service.call('v3.transactions', { workchain: 0, limit: 300 })
    const accounts = [...new Set(transactions.map(({ account }) => account))].slice(0, 20)
    for (const account of accounts.slice(0, 5))
      expect((await verified('v3.transactions', { account: [account], limit: 100 })).page.complete).toBe('from_newest')
    for (const { block_ref } of transactions.slice(0, 5))
      expect((await verified('v3.transactions', { ...block_ref, limit: 100 })).page).toMatchObject({ complete: 'block', next: undefined })
    expect((await verified('v3.accountStates', { address: accounts })).page.complete).toBe('accounts')
  })
})
