import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { createDisk } from '../../../server/chain/local/store/disk-faults.ts'
import { chainFiles } from '../../../server/chain/local/store/lock-directory.ts'
import { openLogFile } from '../../../server/chain/local/store/log-file.ts'
import type { StepIndex } from '../../../server/chain/local/store/step-index.ts'
import { appendStep, handMadeGenesis, handMadeStep, putState } from '../../kit/chain/hand-made.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

/* The disk that keeps the embedded chain runs full: blocks and messages are refused with the cause, /ready says so, and it goes on when there is room. */

const CAUSE = 'the chain cannot be written: its disk is full'
const dir = mkdtempSync(join(tmpdir(), 'tonway-test-full-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tonway-test', dir]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', dir])
  rmSync(dir, { recursive: true, force: true })
})

let indexFails = false
vi.mock('../../../server/chain/local/store/step-index.ts', async (original) => {
  const real = await original<typeof import('../../../server/chain/local/store/step-index.ts')>()
  return {
    openStepIndex: (path: string): StepIndex => {
      const index = real.openStepIndex(path)
      return {
        ...index,
        push(at) {
          if (indexFails) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
          index.push(at)
        },
      }
    },
  }
})
afterEach(() => {
  indexFails = false
})

describe('a write that the disk refuses', () => {
  it.skipIf(process.platform !== 'linux')('a write that the disk refuses is recognised by the system’s own error for /dev/full', () => {
    const disk = createDisk('chain.log')
    const full = openSync('/dev/full', 'w')
    expect(() => disk.write(() => writeSync(full, 'block'))).toThrow(CAUSE)
    expect(disk.trouble()).toBe(CAUSE)
    expect(disk.write(() => 1)).toBe(1)
    expect(disk.trouble()).toBe('')
    closeSync(full)
  })

  it('other faults of a write are not taken for a full disk', () => {
    const disk = createDisk('chain.log')
    expect(() =>
      disk.write(() => {
        throw new RangeError('no number')
      }),
    ).toThrow(RangeError)
    expect(disk.trouble()).toBe('')
  })
})

describe('a step that cannot be kept', () => {
  it('if the index of steps has no room, the log holds no step that is not in it, so a repeated step is there once', async () => {
    const own = mkdtempSync(join(tmpdir(), 'tonway-test-'))
    try {
      const paths = { log: join(own, 'chain.log'), index: join(own, 'chain.idx') }
      const store = await openChainStore(paths, async () => ({ genesis: handMadeGenesis(), text: '{}' }))
      const end = openLogFile(paths.log).size()
      // New cells, which must be written again with the repeated step.
      const state = putState(undefined, [[1n, beginCell().storeRef(beginCell().storeUint(7, 8).end()).end()]])
      const step = handMadeStep(store.tip(), { shard: state, master: state }, 'again')
      indexFails = true
      await expect(appendStep(store, step)).rejects.toThrow(CAUSE)
      expect(openLogFile(paths.log).size()).toBe(end)
      expect(store.head().id.seqno).toBe(0)
      expect(store.trouble()).toBe(CAUSE)
      // The next record takes the place of the one that was cut.
      store.appendMessage(0, Buffer.alloc(4096))
      indexFails = false
      await appendStep(store, step)
      store.close()
      // Without the index the whole log is read: two steps of one seqno would be damage.
      rmSync(paths.index)
      const again = await openChainStore(paths, () => Promise.reject(new Error('there is a genesis already')))
      expect(again.head().id.seqno).toBe(1)
      expect(parseBocRoot(serializeBoc(again.tip().shard.state)).hashHex()).toBe(state.hashHex())
      again.close()
    } finally {
      rmSync(own, { recursive: true, force: true })
    }
  })
})

describe.skipIf(!mounted)(`a full disk${mounted ? '' : ' (skipped: no file system can be mounted here)'}`, () => {
  const ballast = join(dir, 'ballast')
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(dir)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  }
  const get = async ({ url }: Tonway, path: string): Promise<{ status: number; body: { troubles?: string[]; error?: string } }> => {
    const answer = await fetch(url + path)
    return { status: answer.status, body: (await answer.json()) as { troubles?: string[]; error?: string } }
  }
  const fund = async ({ url }: Tonway): Promise<{ error?: { code: number; message: string }; result?: { block: { seqno: number } } }> => {
    const params = { address: `0:${'7'.repeat(64)}`, amount: '1' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.fund', params })
    return (await (await fetch(`${url}/jsonRPC`, { method: 'POST', body })).json()) as Awaited<ReturnType<typeof fund>>
  }

  it('with a full disk the cause is in answers, /ready and /status; blocks go on when there is room, and the log is intact', async () => {
    const dataDir = join(dir, 'data')
    const indexPath = chainFiles(dataDir).index
    let seqno = 0
    {
      await using tonway = await startTonway({ dataDir, blockTime: 0 })
      expect((await fund(tonway)).result).toBeDefined()
      fill()
      // A page of the file may have room for a block or two.
      await expect.poll(async () => (await fund(tonway)).error).toMatchObject({ code: -32053, message: CAUSE })
      expect(await get(tonway, '/ready')).toMatchObject({ status: 503, body: { troubles: [CAUSE] } })
      expect((await get(tonway, '/status')).body.troubles).toEqual([CAUSE])
      // What is there is served all the same.
      expect((await get(tonway, '/api/v2/getMasterchainInfo')).status).toBe(200)
      rmSync(ballast)
      // Nobody has to send anything for it to be found out.
      await expect.poll(async () => (await get(tonway, '/ready')).status).toBe(200)
      const funded = await fund(tonway)
      seqno = funded.result!.block.seqno
    }
    // Without the index the whole log is read.
    rmSync(indexPath)
    await using again = await startTonway({ dataDir, blockTime: 0 })
    const { last } = ((await get(again, '/api/v2/getMasterchainInfo')).body as unknown as { result: { last: { seqno: number } } }).result
    expect(last.seqno).toBeGreaterThanOrEqual(seqno)
  })
})
