import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MethodName, ParamsIn, Result } from '../../../shared/registry.ts'
import { checkLinks, checkProof, idOf } from '../../kit/check-proof.ts'
import { type ServedNetwork, serveNetwork } from '../../kit/network/serve.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'

/* Lists with proofs of a network whose shards split and merge, and whose hundred validators sign: everything is proven as a stranger would have it. */

const STEPS = 32

describe('a network with several shards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  const stop = new AbortController()
  let network: ServedNetwork
  let service: V3Service
  let shards = 0
  beforeAll(async () => {
    const load = { wallets: 30, perStep: 6, burst: 30, burstEvery: 20 }
    const utime = Math.floor(Date.now() / 1000)
    network = await serveNetwork(
      { seed: 7, utime, stepMs: 50, pace: 4, mostShards: 4, keyEvery: 10, ...load },
      join(folder, 'network.blocks'),
    )
    const globalConfig = join(folder, 'global.config.json')
    writeFileSync(globalConfig, network.config)
    service = await startV3({ network: ['made-up'], globalConfig })
    let steps = 0
    await network.run(stop.signal, ({ shardCount }) => {
      shards = Math.max(shards, shardCount)
      if (++steps === STEPS) stop.abort()
    })
    await service.tonway.app.network.index!.reached(STEPS, AbortSignal.timeout(60_000))
  }, 120_000)
  afterAll(async () => {
    await service?.close()
    await network?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const call = <M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> => service.call(method, params)
  type Rows = Result<'v3.transactions'>
  const checked = ({ proof, proof_missing }: Pick<Rows, 'proof' | 'proof_missing'>) => {
    expect(proof_missing).toBeUndefined()
    return { proof: proof!, shown: checkProof(proof!, idOf(proof!.masterchain)) }
  }

  it('the head that proofs hang on is signed by the validators that key blocks name, from the first block on', async () => {
    const { proof } = checked(await call('v3.transactions', { limit: 1, proofs: true }))
    const chain = service.tonway.app.network.chain
    const first = await chain.pin(1, AbortSignal.timeout(10_000))
    const from = {
      seqno: 1,
      root_hash: Buffer.from(first.rootHash).toString('base64'),
      file_hash: Buffer.from(first.fileHash).toString('base64'),
    }
    const { steps, complete, to } = await call('v3.blockProof', { ...from, to_seqno: proof.masterchain.seqno })
    expect([complete, to]).toEqual([true, proof.masterchain])
    checkLinks(steps, { ...idOf({ ...to, ...from }) }, idOf(to), false)
    expect(steps.filter(({ type }) => type === 'forward').every(({ signatures }) => signatures!.signatures.length > 60)).toBe(true)
  })

  it('rows of all shards are proven by links from the masterchain blocks that commit them', async () => {
    expect(shards).toBeGreaterThan(2)
    const seen = new Set<string>()
    let longest = 0
    for (const offset of [0, 80]) {
      const answer = await call('v3.transactions', { workchain: 0, limit: 80, offset, proofs: true })
      const { proof, shown } = checked(answer)
      expect([proof.complete, answer.transactions.length]).toEqual(['none', 80])
      for (const { block, links } of proof.blocks) {
        seen.add(block.shard)
        longest = Math.max(longest, links.length)
      }
      answer.transactions.forEach((row, i) => {
        const { cell, block } = shown.transactions[i]!
        expect([row.hash, row.block_ref.seqno]).toEqual([cell.hash().toString('base64'), block!.seqno])
        expect(row.mc_block_seqno).toBe(proof.blocks[proof.transactions[i]!.block!]!.mc_id.seqno)
      })
    }
    expect([seen.size > 2, longest > 1]).toEqual([true, true])
  })

  it('a page of an account goes through blocks of several shards, and a page of a block has all of the block', async () => {
    const { transactions } = await call('v3.transactions', { workchain: 0, limit: 300 })
    const counts = new Map<string, Rows['transactions']>()
    for (const row of transactions) counts.set(row.account, [...(counts.get(row.account) ?? []), row])
    const [account, own] = [...counts].sort((a, b) => b[1].length - a[1].length)[0]!
    const page = await call('v3.transactions', { account: [account], limit: 100, proofs: true })
    const { proof, shown } = checked(page)
    expect([proof.complete, page.transactions.length >= own.length]).toEqual(['from_newest', true])
    expect(page.transactions.map(({ hash }) => hash)).toEqual(shown.transactions.map(({ cell }) => cell.hash().toString('base64')))
    expect(new Set(page.transactions.map(({ block_ref }) => block_ref.shard)).size).toBeGreaterThan(1)

    const [{ block_ref }] = own as [Rows['transactions'][number]]
    const block = await call('v3.transactions', { ...block_ref, limit: 100, proofs: true })
    const of = checked(block)
    expect(of.proof.complete).toBe('block')
    expect(new Set(block.transactions.map(({ hash }) => hash))).toEqual(new Set(of.shown.lists[0]!.map(({ hash }) => hash)))
    const states = await call('v3.accountStates', { address: [...counts.keys()].slice(0, 20), proofs: true })
    const found = checked(states)
    expect([found.proof.complete, found.shown.accounts.size]).toEqual(['accounts', Math.min(20, counts.size)])
    for (const row of states.accounts)
      expect(row.account_state_hash).toBe(Buffer.from(found.shown.accounts.get(row.address)!.account!.hash()).toString('base64'))
  })
})
