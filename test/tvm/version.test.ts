import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { NEWEST_VERSION, runVersion, versionText } from '../../server/tvm/versions.ts'
import { type Service, startService } from '../kit/service/service.ts'

/* The global version of the network's configuration chooses the rules, and answers say by which they ran. */

let service: Service
let wallet: string
beforeAll(async () => {
  service = await startService()
  wallet = (await service.call('local.wallets', {})).wallets[0]!.raw_address
})
afterAll(() => service?.close())

/** capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion; (ConfigParam 8) */
const setVersion = (version: number, of = service) => {
  const param = beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(0x6c, 64).end()
  return of.call('local.setConfig', { params: { 8: Buffer.from(serializeBoc(param)).toString('base64') } })
}
const headerOf = async (path: string, body: object, of = service): Promise<string | null> => {
  const answer = await of.raw(path, body)
  expect(answer.status).toBe(200)
  return answer.headers.get('x-tvm-version')
}
const seqno = { method: 'seqno', stack: [] }
const status = async () =>
  (await (await fetch(`${service.url}/status`)).json()) as { tvm: { version: number; network_version: number }; notes: string[] }

describe('the global version', () => {
  it('the global version of a new embedded chain is the newest known one, and every door with headers tells it', async () => {
    expect(NEWEST_VERSION).toBe(15)
    expect(await headerOf('/api/v2/runGetMethod', { address: wallet, ...seqno })).toBe('15')
    expect(await headerOf('/api/v2/runGetMethodStd', { address: wallet, ...seqno })).toBe('15')
    expect(
      await headerOf('/api/v2/jsonRPC', { jsonrpc: '2.0', id: 1, method: 'runGetMethod', params: { address: wallet, ...seqno } }),
    ).toBe('15')
    const body = Buffer.from(serializeBoc(beginCell().end())).toString('base64')
    expect(await headerOf('/api/v2/estimateFee', { address: wallet, body })).toBe('15')
    // An answer from the cache says it as well, and one that ran nothing does not.
    expect(await headerOf('/api/v2/runGetMethod', { address: wallet, ...seqno })).toBe('15')
    expect((await fetch(`${service.url}/api/v2/getMasterchainInfo`)).headers.get('x-tvm-version')).toBeNull()
    await expect.poll(async () => (await status()).tvm).toMatchObject({ version: 15, network_version: 15 })
  })

  it('a global version above the known ones runs by the newest rules, and says so', async () => {
    await setVersion(16)
    expect(await headerOf('/api/v2/runGetMethod', { address: wallet, ...seqno })).toBe('15; network=16')
    await expect.poll(async () => (await status()).tvm.network_version).toBe(16)
    expect((await status()).notes.join()).toContain('the network is at global version 16')
  })

  it('a global version below 4 is labelled as approximate', async () => {
    await setVersion(2)
    expect(await headerOf('/api/v2/runGetMethod', { address: wallet, ...seqno })).toBe('4; network=2; approximate')
  })

  it('the global version of the configuration is used, and chooses the instructions', async () => {
    // DROP, INMSG_BOUNCE (INMSGPARAM 0), since version 11.
    const code = beginCell().storeUint(0x30f890, 24).end()
    const boc = Buffer.from(serializeBoc(code)).toString('base64')
    const address = `0:${'5e'.repeat(32)}`
    await service.call('local.setAccount', {
      address,
      balance: '1000000000',
      code: boc,
      data: Buffer.from(serializeBoc(beginCell().end())).toString('base64'),
    })
    const exitCode = async () => (await service.call('runGetMethod', { address, method: 1, stack: [] })).exit_code
    await setVersion(10)
    expect(await exitCode()).toBe(6)
    expect(await headerOf('/api/v2/runGetMethod', { address, method: 1, stack: [] })).toBe('10')
    await setVersion(11)
    expect(await exitCode()).toBe(0)
  })

  it('a data directory of version 12 runs by it after a restart, until local.setConfig changes parameter 8', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-version-'))
    const dataDir = join(folder, 'data')
    try {
      const old = await startService({ dataDir })
      await setVersion(12, old)
      await old.close()
      const kept = await startService({ dataDir })
      try {
        const address = (await kept.call('local.wallets', {})).wallets[0]!.raw_address
        const version = () => headerOf('/api/v2/runGetMethod', { address, ...seqno }, kept)
        expect(await version()).toBe('12')
        const sent = await kept.call('local.fund', { address, amount: '5' })
        const traced = () => kept.call('trace.transaction', { address, lt: sent.transaction_id.lt })
        expect((await traced()).version).toBe(12)
        await setVersion(15, kept)
        expect(await version()).toBe('15')
        expect((await traced()).version).toBe(12)
      } finally {
        await kept.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('the global version is written as in a header', () => {
    expect([0, 3, 4, 12, 15, 16].map((version) => [runVersion(version), versionText(version)])).toEqual([
      [4, '4; network=0; approximate'],
      [4, '4; network=3; approximate'],
      [4, '4'],
      [12, '12'],
      [15, '15'],
      [15, '15; network=16'],
    ])
  })
})
