import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterProcess } from '../../server/store/postgres/embedded/postmaster.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* The whole service, whose database is killed under it. */

const dataDir = mkdtempSync(join(tmpdir(), 'tonway-test-'))
// Started by root, the database is another user's, who must be able to enter.
chmodSync(dataDir, 0o711)

describe('the service and its database', () => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ index: true, blockTime: 0, dataDir })
  })
  afterAll(async () => {
    await tonway?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const signal = AbortSignal.timeout(200_000)
  const get = (path: string) => ask<Record<string, unknown>>(tonway.url + path)
  const status = async () => (await get('/status')).body['index'] as Record<string, unknown>
  /** Coins to an account, and the wait until v3 shows them. */
  const transfer = async (byte: number): Promise<void> => {
    const { control, index } = tonway.app.network
    const { seqno } = await control!.fund({ workchain: 0, hash: new Uint8Array(32).fill(byte) }, 1_000_000_000n, signal)
    await index!.reached(seqno, signal)
  }
  const transactionsOf = async (byte: number): Promise<{ status: number; count: number }> => {
    const { status: code, body } = await get(`/api/v3/transactions?account=0:${Buffer.alloc(32, byte).toString('hex')}`)
    return { status: code, count: (body['transactions'] as unknown[] | undefined)?.length ?? 0 }
  }

  it('v2 answers at once; v3 says 503 with a reason until it can, and /status tells the progress', { timeout: 60_000 }, async () => {
    expect((await get('/api/v2/getMasterchainInfo')).status).toBe(200)
    const early = await get('/api/v3/masterchainInfo')
    if (early.status !== 200) {
      expect(early.status).toBe(503)
      expect(early.body['error']).toMatch(/index/)
    }
    await transfer(1)
    expect((await get('/api/v3/masterchainInfo')).status).toBe(200)
    expect(await status()).toMatchObject({ phase: 'following', lag: 0, database: 'embedded', error: '' })
    expect(await transactionsOf(1)).toEqual({ status: 200, count: 1 })
  })

  it('a database that is killed while blocks are made is started again, and nothing is missing', { timeout: 60_000 }, async () => {
    const { control, index } = tonway.app.network
    for (let round = 0; round < 2; round++) {
      const pid = clusterProcess(join(dataDir, 'postgres', 'cluster'))
      if (pid === undefined) throw new Error('no database is running')
      const work = Array.from({ length: 5 }, (_, i) =>
        control!.fund({ workchain: 0, hash: new Uint8Array(32).fill(0x10 + round * 5 + i) }, 1_000_000_000n, signal),
      )
      process.kill(pid, 'SIGKILL')
      await Promise.all(work)
      // v2 does not notice.
      expect((await get('/api/v2/getMasterchainInfo')).status).toBe(200)
      await index!.reached(tonway.app.network.chain.head().id.seqno, signal)
    }
    for (let i = 0; i < 10; i++) expect([i, await transactionsOf(0x10 + i)]).toEqual([i, { status: 200, count: 1 }])
    expect(await transactionsOf(1)).toEqual({ status: 200, count: 1 })
  })

  it('a start with a kept index continues where it was', async () => {
    const { seqno } = tonway.app.network.chain.head().id
    await tonway.close()
    tonway = await startTonway({ index: true, blockTime: 0, dataDir })
    await tonway.app.network.index!.reached(seqno, signal)
    expect(await transactionsOf(1)).toEqual({ status: 200, count: 1 })
    expect((await status())['transactions']).toBe(0)
    await transfer(2)
    expect(await transactionsOf(2)).toEqual({ status: 200, count: 1 })
  })
})
