import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, call } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { untilIndexed } from './load.ts'
import { createStation, type Station } from './station.ts'

/* What is left when old blocks leave the index: everything from the first block that answers name. */

const KEEP = 10
const MASTERCHAIN = 'blocks?workchain=-1&sort=asc&limit=100'
const ADDRESS = `0:${'7'.repeat(64)}`

describe('an index that keeps the newest blocks', () => {
  let station: Station
  let url: string
  beforeAll(async () => {
    station = createStation({ settings: ['--block-time', '0', '--liteserver-port', 'off', '--index-keep', String(KEEP)] })
    url = await station.start()
  })
  afterAll(() => station?.close())

  it('every row of the first block that answers name is there, and of those after it', async () => {
    for (let i = 0; i < 2 * KEEP + 4; i++) await call(url, 'local.fund', { address: ADDRESS, amount: '1' })
    await untilIndexed(url)
    const list = async (path: string) => {
      const { headers, body } = await ask<{ readonly blocks: readonly { readonly seqno: number; readonly tx_count: number }[] }>(
        `${url}/api/v3/${path}`,
      )
      return { first: Number(headers.get('X-Index-First')), head: Number(headers.get('X-Index-Seqno')), blocks: body.blocks }
    }
    // Answers name a later first block before the rows of those before it are gone.
    let kept = await list(MASTERCHAIN)
    await until(async () => {
      kept = await list(MASTERCHAIN)
      return kept.first > KEEP && kept.blocks[0]!.seqno >= kept.first
    }, 50)
    const { first, head, blocks } = kept
    expect(blocks.map(({ seqno }) => seqno)).toEqual(Array.from({ length: head - first + 1 }, (_, i) => first + i))
    for (const { seqno } of blocks) {
      const counted = (await list(`blocks?mc_seqno=${seqno}`)).blocks.reduce((sum, { tx_count }) => sum + tx_count, 0)
      const { transactions } = await call(url, 'v3.transactionsByMasterchainBlock', { seqno })
      expect([seqno, transactions.length]).toEqual([seqno, counted])
    }
  }, 120_000)
})
