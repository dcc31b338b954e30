import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { LazyCell } from '../../server/cell/lazy.ts'
import { createKeep } from '../../server/chain/local/collate/accounts/block-accounts.ts'
import { createTvm } from '../../server/tvm/create.ts'
import type { TransactionRequest } from '../../server/tvm/executor/execute.ts'
import { measureState } from '../../server/tvm/executor/storage-stat.ts'
import type { MadeTransaction } from '../../server/tvm/make-transaction.ts'
import { packOutcome, unpackOutcome } from '../../server/tvm/pack-requests.ts'
import { wideTree } from '../kit/bombs.ts'
import { countTurns } from '../kit/turns.ts'

/* An account can have 65,536 cells with three hashes each. Reading, writing or copying it takes 100 ms and more, so each is done in several turns. */

const ECHO = `import { parentPort } from 'node:worker_threads'
parentPort.postMessage({ type: 'ready' })
parentPort.on('message', ({ id, job }) => parentPort.postMessage({ type: 'transaction', id, result: { shardAccount: job.request.shardAccount } }))`
const tvm = createTvm({ workers: 1, workerUrl: new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`) })
const turns = countTurns()
afterAll(() => {
  turns.stop()
  return tvm.close()
})

const LOAD_MS = 0.1
const CELLS = 2_000
const CALLS = 40

/** A tree of cells that are loaded from a slow store. `loadedIn` gets the turn of the event loop in which each cell is loaded. */
const slowTree = (loadedIn: Set<number>): Cell => {
  const cells = [wideTree(CELLS)]
  for (let i = 0; i < CELLS; i++) for (let j = 0; j < cells[i]!.refCount; j++) cells.push(cells[i]!.ref(j))
  const source = {
    load(at: number): Cell {
      loadedIn.add(turns.count())
      const end = performance.now() + LOAD_MS
      while (performance.now() < end);
      const cell = cells[at]!
      const places = [1, 2, 3, 4].map((child) => 4 * at + child)
      return new LazyCell(source, at, cell.meta, cell.src as string, cell.hashKey(), places)
    },
  }
  return source.load(0)
}

describe('large accounts', () => {
  it('a large account is loaded for a thread in several turns, and comes back the same', async () => {
    const loadedIn = new Set<number>()
    const accountCell = slowTree(loadedIn)
    const config = beginCell().end()
    const shardAccount = { accountCell, lastTransHash: new Uint8Array(32), lastTransLt: 1n }
    const account = { workchain: 0, hash: new Uint8Array(32) }
    const request = { config, account, shardAccount, now: 1, blockSeed: new Uint8Array(32) } as TransactionRequest
    const outcome = await tvm.runTransaction(request, new AbortController().signal, { inPool: true })
    expect((outcome as MadeTransaction).shardAccount.accountCell.equals(accountCell)).toBe(true)
    expect(loadedIn.size).toBeGreaterThan((CELLS * LOAD_MS) / 20)
  })

  it('calls that wait for a thread have no copy of the account', async () => {
    const silent = `${ECHO.slice(0, ECHO.indexOf('parentPort.on'))}parentPort.on('message', () => {})`
    const busy = createTvm({ workers: 1, workerUrl: new URL(`data:text/javascript,${encodeURIComponent(silent)}`) })
    const accountCell = parseBocRoot(serializeBoc(wideTree(20_000)))
    const shardAccount = { accountCell, lastTransHash: new Uint8Array(32), lastTransLt: 1n }
    const account = { workchain: 0, hash: new Uint8Array(32) }
    const request = { config: beginCell().end(), account, shardAccount, now: 1, blockSeed: new Uint8Array(32) } as TransactionRequest
    const before = process.memoryUsage().arrayBuffers
    const { signal } = new AbortController()
    const calls = Array.from({ length: CALLS }, () => busy.runTransaction(request, signal, { inPool: true }).catch(() => undefined))
    await expect.poll(() => busy.stats(), { timeout: 60_000 }).toMatchObject({ busy: 1, queued: CALLS - 1 })
    await setTimeout(500)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * serializeBoc(accountCell).length)
    await busy.close()
    await Promise.all(calls)
  })

  describe('of 40,000 cells', () => {
    const countSteps = <R>(steps: Generator<void, R>): { readonly count: number; readonly result: R } => {
      for (let count = 1; ; count++) {
        const step = steps.next()
        if (step.done) return { count, result: step.value }
      }
    }
    let root: Cell
    beforeAll(() => {
      root = parseBocRoot(serializeBoc(wideTree(40_000)))
    })

    it('the state is measured once for the limits and for the storage fee', () => {
      const run: Parameters<typeof measureState>[0] = { measured: undefined }
      const stat = measureState(run, [undefined, root, undefined])
      expect(stat.cells).toBe(40_000)
      expect(measureState(run, [root])).toBe(stat)
      expect(measureState(run, [root.ref(0)]).cells).toBeLessThan(40_000)
    })

    it('the answer of a thread is read in steps', () => {
      const packed = endSteps(packOutcome({ ok: true, shardAccount: { accountCell: root } } as never))
      const { count, result } = countSteps(unpackOutcome(packed))
      expect(count).toBeGreaterThan(10)
      expect((result as MadeTransaction).shardAccount.accountCell.equals(root)).toBe(true)
    })

    it('the copy for the state is made in steps', () => {
      const { count, result } = countSteps(createKeep()(root, root))
      expect(count).toBeGreaterThan(10)
      expect(serializeBoc(result)).toEqual(serializeBoc(root))
      expect(countSteps(createKeep()(result, root))).toEqual({ count: 1, result })
    }, 120_000)
  })
})
