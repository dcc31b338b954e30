import { beginCell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { createFairQueue, type Owner } from '../../server/tvm/fair-queue.ts'
import type { GetMethodRequest, Tvm } from '../../server/tvm/tvm.ts'
import { walletV4 } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { idOf, ownCell, stackOf } from '../kit/tvm/cells.ts'

const of = (client: string, contract: string): Owner => ({ client, contract })

describe('the queue before the TVM', () => {
  let clock = 0
  const start = (most = 100): ReturnType<typeof createFairQueue<string>> => {
    clock = 0
    return createFairQueue<string>(most, () => clock)
  }
  /** Runs the next job, which uses so many thousands of gas. */
  const run = (queue: ReturnType<typeof createFairQueue<string>>, gas: number, workers = 1): string | undefined => {
    const next = queue.next(workers)
    clock += 1
    next?.running.end(gas * 1_000)
    return next?.job
  }

  it('the queue before the TVM keeps the order of arrival among equals', () => {
    const queue = start()
    for (const name of ['a', 'b', 'c']) queue.push(name, of('me', 'x'))
    expect([run(queue, 0), run(queue, 0), run(queue, 0), run(queue, 0)]).toEqual(['a', 'b', 'c', undefined])
    expect(queue.size).toBe(0)
  })

  it('the queue before the TVM lets a client who used less go first, however many jobs another one has', () => {
    const queue = start()
    for (let i = 0; i < 8; i++) queue.push(`greedy ${i}`, of('greedy', `loop ${i}`))
    expect(run(queue, 1_000)).toBe('greedy 0')
    queue.push('modest', of('modest', 'wallet'))
    expect(run(queue, 1)).toBe('modest')
    expect(run(queue, 1_000)).toBe('greedy 1')
  })

  it('the queue before the TVM lets a contract that takes little time go first among the jobs of one client', () => {
    const queue = start()
    for (let i = 0; i < 8; i++) queue.push(`loop ${i}`, of('me', 'loop'))
    expect(run(queue, 1_000)).toBe('loop 0')
    queue.push('seqno', of('me', 'wallet'))
    expect(run(queue, 1)).toBe('seqno')
  })

  it('a full queue before the TVM has a place for a client who used little, however many others wait', () => {
    const queue = start(4)
    for (const client of ['a', 'b', 'c']) {
      queue.push(client, of(client, 'x'))
      run(queue, client === 'b' ? 2_000 : 1_000)
    }
    const dropped = ['a 1', 'b 1', 'c 1', 'new 1'].map((job) => queue.push(job, of(job.split(' ')[0]!, 'x')))
    expect(dropped).toEqual([undefined, undefined, undefined, undefined])
    expect(queue.push('other 1', of('other', 'x'))).toBe('b 1')
    expect(queue.push('d 1', of('d', 'x'))).toBe('c 1')
    expect([run(queue, 0), run(queue, 0), run(queue, 0)]).toEqual(['new 1', 'other 1', 'd 1'])
  })

  it('the queue before the TVM counts running jobs too', () => {
    const queue = start()
    for (let i = 0; i < 3; i++) queue.push(`loop ${i}`, of('greedy', 'loop'))
    queue.next(3)
    clock += 10
    queue.push('late', of('modest', 'wallet'))
    expect(queue.next(3)?.job).toBe('late')
  })

  it('the queue before the TVM keeps a worker free of contracts whose runs are long', () => {
    const queue = start()
    queue.push('known', of('greedy', 'wallet'))
    run(queue, 1, 2)
    for (let i = 0; i < 4; i++) queue.push(`loop ${i}`, of('greedy', 'loop'))
    run(queue, 500, 2)
    const first = queue.next(2)
    expect(first?.job).toBe('loop 1')
    expect(queue.next(2)).toBeUndefined()
    queue.push('short', of('greedy', 'wallet'))
    expect(queue.next(2)?.job).toBe('short')
    first!.running.end()
    expect(queue.next(2)?.job).toBe('loop 2')
    // With one worker there is none to keep.
    expect(queue.next(1)?.job).toBe('loop 3')
  })

  it('a client with a new contract for each run occupies no more than all workers but one', () => {
    const queue = start()
    for (let i = 0; i < 4; i++) queue.push(`loop ${i}`, of('greedy', `new ${i}`))
    const first = queue.next(2)
    expect(first?.job).toBe('loop 0')
    clock += 300
    // Its first run goes on for long.
    expect(queue.next(2)).toBeUndefined()
    queue.push('unknown', of('modest', 'wallet'))
    const modest = queue.next(2)
    expect(modest?.job).toBe('unknown')
    modest!.running.end(1_000)
    first!.running.end(4_000_000)
    const second = queue.next(2)
    expect(second?.job).toBe('loop 1')
    // It has just used much.
    expect(queue.next(2)).toBeUndefined()
    second!.running.end(1_000)
    clock += 60_000
    expect(queue.next(2)?.job).toBe('loop 2')
    expect(queue.next(2)?.job).toBe('loop 3')
  })

  it('a run whose thread worked much longer than its gas explains counts by that time', () => {
    const queue = start()
    for (let i = 0; i < 3; i++) queue.push(`bomb ${i}`, of('greedy', 'bomb'))
    const first = queue.next(2)
    first!.running.end(10_000, 500)
    queue.push('modest', of('modest', 'wallet'))
    expect(queue.next(2)?.job).toBe('modest')
    // It is a long run, so it may not occupy all workers.
    expect(queue.next(2)?.job).toBe('bomb 1')
    expect(queue.next(2)).toBeUndefined()
  })

  it('the usage of a client is forgotten after a while', () => {
    const queue = start()
    for (let i = 0; i < 20; i++) {
      queue.push('a', of('a', 'x'))
      run(queue, 10)
    }
    clock += 60_000
    queue.push('b', of('b', 'x'))
    run(queue, 10)
    queue.push('b', of('b', 'x'))
    queue.push('a', of('a', 'x'))
    expect(run(queue, 0)).toBe('a')
  })

  it('the queue before the TVM makes the client with the most jobs leave when it is full', () => {
    const queue = start(5)
    for (let i = 0; i < 5; i++) expect(queue.push(`greedy ${i}`, of('greedy', `${i}`))).toBeUndefined()
    expect(queue.push('modest', of('modest', 'x'))).toBe('greedy 4')
    expect(queue.push('greedy 5', of('greedy', '5'))).toBe('greedy 5')
    queue.remove('modest')
    expect(queue.size).toBe(4)
    expect(queue.drain()).toEqual(['greedy 0', 'greedy 1', 'greedy 2', 'greedy 3'])
    expect(queue.next(1)).toBeUndefined()
  })
})

describe('the pool, whatever engine is in it', () => {
  const open: Tvm[] = []
  afterAll(() => Promise.all(open.map((tvm) => tvm.close())))

  const seqno: GetMethodRequest = {
    config: parseBocRoot(Buffer.from(sandboxConfig(), 'base64')),
    code: ownCell(walletV4.init.code!),
    data: ownCell(walletV4.init.data!),
    address: idOf(walletV4.address),
    balance: 1n,
    methodId: 85143,
    stack: stackOf(),
    now: 1_760_000_000,
    randomSeed: Buffer.alloc(32, 1),
    gasLimit: 4_000_000n,
  }
  /** PUSHCONT {} AGAIN, at another address each; with gas for some tens of milliseconds. */
  const loop = (i: number): GetMethodRequest => ({
    ...seqno,
    code: ownCell(beginCell().storeBuffer(Buffer.from('9100ea', 'hex')).endCell()),
    data: EMPTY_CELL,
    gasLimit: 30_000_000n,
    address: { workchain: 0, hash: Buffer.alloc(32, i) },
  })

  it.each([
    ['another client', 'victim', 2],
    ['the same client', 'attacker', 2],
    ['another client, with one worker', 'victim', 1],
  ])(
    'the pool lets the short get-methods of %s pass those that loop',
    async (_, client, workers) => {
      const tvm = createTestTvm({ workers, deadlineMs: 60_000, inline: false })
      open.push(tvm)
      const own = new AbortController()
      // A contract that never ran is not known to be short.
      await tvm.runGetMethod({ ...seqno, client }, own.signal)
      const attack = new AbortController()
      let ended = 0
      let isOver = false
      // Eight of them at any time.
      const attackers = Array.from({ length: 8 }, async (_each, i) => {
        while (!isOver) {
          await tvm.runGetMethod({ ...loop(i), client: 'attacker' }, attack.signal).catch(() => {})
          ended++
        }
      })
      try {
        await expect.poll(() => ended, { timeout: 30_000 }).toBeGreaterThanOrEqual(workers)
        for (let i = 0; i < 4; i++) {
          const before = ended
          expect((await tvm.runGetMethod({ ...seqno, client }, own.signal)).exitCode).toBe(0)
          // It waits for one loop on each worker, and two more may end before its answer is read. In a single line it would wait for eight.
          expect(ended - before).toBeLessThanOrEqual(workers + 2)
        }
      } finally {
        isOver = true
        attack.abort()
        await Promise.all(attackers)
      }
    },
    120_000,
  )
})
