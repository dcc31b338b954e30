import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createLog } from '../../../server/base/log.ts'
import { chainFiles } from '../../../server/chain/local/store/lock-directory.ts'
import { ask, rpc, rpcRequest } from '../../kit/service/client.ts'
import { startTonway } from '../../kit/service/tonway.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tonway-middle-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const { log, index } = chainFiles(dataDir)
const offsetOf = (seqno: number): number => readFileSync(index).readUIntLE(6 * seqno, 6) * 8
const headerOf = (seqno: number) => ({ workchain: -1, shard: '-9223372036854775808', seqno })

describe('damage in the middle of chain.log while chain.idx is whole', () => {
  it('the answer, /ready, /status and the log name the file and what to do once the damage is seen, and other blocks are served', async () => {
    const first = await startTonway({ dataDir, blockTime: 0 })
    await rpc(first.url, 'local.mine', { count: 20 })
    await first.close()
    // One in the row of a step, and one in its blocks, far behind the row.
    const bytes = readFileSync(log)
    for (const at of [offsetOf(8) + 60, offsetOf(10) + 400]) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(log, bytes)

    const lines: { event: string; reason?: string }[] = []
    const logger = createLog('error', { write: (line) => lines.push(JSON.parse(line)) })
    await using again = await startTonway({ dataDir, blockTime: 0, logger })
    expect((await ask(`${again.url}/ready`)).status).toBe(200)
    for (const seqno of [8, 10]) {
      const text = `${log} is damaged at byte ${offsetOf(seqno)}, so block ${seqno} cannot be read. Stop tonway, and put a copy of the file in its place; or run \`tonway repair\``
      const refused = await ask<{ error: { message: string; data: { kind: string } } }>(`${again.url}/jsonRPC`, {
        method: 'POST',
        body: JSON.stringify(rpcRequest('getBlockHeader', headerOf(seqno))),
      })
      expect(refused.body.error).toMatchObject({ message: expect.stringContaining(text), data: { kind: 'UNAVAILABLE' } })
      const ready = await ask<{ troubles: string[] }>(`${again.url}/ready`)
      expect(ready.status).toBe(503)
      expect(ready.body.troubles).toEqual([expect.stringContaining(text)])
      expect((await ask(`${again.url}/status`)).text).toContain(JSON.stringify(text).slice(1, -1))
    }
    // Once for each place, however often it is read.
    await ask(`${again.url}/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=8`)
    expect(lines.filter(({ event }) => event === 'chain.damaged').map(({ reason }) => reason?.match(/block (\d+)/)?.[1])).toEqual([
      '8',
      '10',
    ])
    for (const seqno of [7, 9, 15]) expect(await rpc(again.url, 'getBlockHeader', headerOf(seqno))).toMatchObject({ id: { seqno } })
    // It goes on making blocks.
    await rpc(again.url, 'local.mine', { count: 1 })
  })
})
