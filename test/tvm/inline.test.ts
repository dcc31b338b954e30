import { setTimeout as sleep } from 'node:timers/promises'
import { beginCell, type Cell as CoreCell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { VmStackValue } from '../../server/tlb/vm-stack/value.ts'
import { runGetMethodRequest, TooManyValues } from '../../server/tvm/get-method-request.ts'
import { createInline } from '../../server/tvm/inline.ts'
import { VmInterrupted } from '../../server/tvm/machine/exceptions.ts'
import type { GetMethodRequest, TvmError } from '../../server/tvm/tvm.ts'
import { walletV4 } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { idOf, ownCell, stackItems, stackOf } from '../kit/tvm/cells.ts'

/* Get-methods in the calling thread, and when they leave it. */

const tvm = createTestTvm({ workers: 2 })
afterAll(() => tvm.close())

const { signal } = new AbortController()
const code = (hex: string) => ownCell(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell())
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
/** DROP, PUSHINT 0, PUSHCONT { INC }, AGAIN: until the gas is out. */
const loop: GetMethodRequest = { ...seqno, code: code('307091a4ea'), data: EMPTY_CELL, gasLimit: 50_000_000n }
/** A clock that goes on by so many milliseconds each time it is read. */
const clock = (step: number) => {
  let time = 0
  return () => {
    time += step
    return time
  }
}
const by = (client: string): GetMethodRequest => ({ ...seqno, client })

describe('a get-method in the calling thread', () => {
  it('a short get-method ends in the calling thread', async () => {
    const inline = createInline()
    // The first run decodes the code, which a busy machine may take its time for.
    const first = (await inline.run(seqno, signal)) ?? (await createInline(clock(0)).run(seqno, signal))
    expect([first?.exitCode, stackItems(first!.stack)]).toEqual([0, [{ type: 'int', value: 0n }]])
  })

  it('a get-method in the calling thread is dropped after three milliseconds, and goes to the pool at once for the next ten seconds', async () => {
    let time = 0
    let tick = 1
    const inline = createInline(() => {
      time += tick
      return time
    })
    expect(await inline.run(loop, signal)).toBeUndefined()
    tick = 0
    // On a clock that stands still it would end here, but it is remembered.
    const short = { ...loop, gasLimit: 1_000n }
    expect(await inline.run(short, signal)).toBeUndefined()
    time += 10_001
    expect((await inline.run(short, signal))?.exitCode).toBe(-14)
    expect(inline.count()).toBe(1)
  })

  it('a get-method in the calling thread is dropped after half a million gas, whatever the clock says', async () => {
    expect(await createInline(clock(0)).run(loop, signal)).toBeUndefined()
  })

  it.each([
    ['ACCEPT', '3095f800f81030ea'],
    ['SETGASLIMIT', '30978315f801f81030ea'],
  ])('a get-method that repeats %s is dropped after half a million gas as well', async (_name, hex) => {
    // DROP, PUSHCONT { the instruction, RANDU256, DROP }, AGAIN.
    expect(await createInline(clock(0)).run({ ...seqno, code: code(hex), data: EMPTY_CELL }, signal)).toBeUndefined()
  })

  it('the checks of a get-method go on in nested RUNVM, each of which takes less gas than a check', () => {
    // PUSHINT 1, RIST255_MULBASE: an operation on a curve, before which the interrupt is asked and told so.
    const leaf = beginCell().storeBuffer(Buffer.from('71f925', 'hex')).endCell()
    // PUSHINT 100, PUSHCONT { PUSHINT 0, DROP }, REPEAT: some 4,100 gas. Then PUSHINT 0, PUSHREFSLICE, RUNVM 0 of the level below.
    const nested = Array.from({ length: 10 }).reduce<CoreCell>(
      (inner) => beginCell().storeBuffer(Buffer.from('8064927030e47089db4000', 'hex')).storeRef(inner).endCell(),
      leaf,
    )
    const asked: boolean[] = []
    const stopAtCurve = (isSlow: boolean): boolean => {
      asked.push(isSlow)
      return isSlow
    }
    expect(() => runGetMethodRequest({ ...seqno, code: ownCell(nested), data: EMPTY_CELL }, stopAtCurve)).toThrow(VmInterrupted)
    expect(asked.at(-1)).toBe(true)
    expect(asked.length).toBeGreaterThan(5)
  })

  it('a get-method in the calling thread is dropped before an operation on a curve', async () => {
    // DROP, CHKSIGNU of nothing that is a signature, which needs no curve; then of one.
    const signature = beginCell().storeBuffer(Buffer.alloc(64)).endCell()
    const check: GetMethodRequest = {
      ...seqno,
      code: code('30f910'),
      data: EMPTY_CELL,
      stack: stackOf([
        { type: 'int', value: 5n },
        { type: 'slice', cell: signature },
        { type: 'int', value: 12_345_678n },
      ]),
    }
    expect(await createInline(clock(0)).run(check, signal)).toBeUndefined()
    expect(stackItems((await tvm.runGetMethod(check, signal)).stack)).toEqual([{ type: 'int', value: 0n }])
  })

  it('a get-method in the calling thread is dropped if its result has thousands of values', async () => {
    // DROP, PUSHNULL, REPEAT 20 { DUP, DUP, TUPLE 3 }: 3^20 values in some hundred gas.
    const bomb: GetMethodRequest = { ...seqno, code: code('306d80149420206f03e4'), data: EMPTY_CELL }
    expect(await createInline(clock(0)).run(bomb, signal)).toBeUndefined()
    await expect(tvm.runGetMethod(bomb, signal)).rejects.toMatchObject({ kind: 'rejected', message: 'TVM stack size exceeds limit' })
  })

  /** DROP, a continuation that saves c4 and c5, and DUP 99 times, TUPLE 100, DUP 9 times, TUPLE 10: 1,011 values, 1,000 of which are the continuation. */
  const tuple = (count: number) => `81${count.toString(16).padStart(4, '0')}9120e481${(count + 1).toString(16).padStart(4, '0')}6f80`
  const repeated: GetMethodRequest = { ...seqno, code: code(`3090ed4401ed64ed4501ed65${tuple(99)}${tuple(9)}`), data: EMPTY_CELL }

  it('a continuation and a tuple that are in a result many times are written once', () => {
    const { stack } = runGetMethodRequest(repeated)
    const found = new Set<VmStackValue>()
    const count = (value: VmStackValue): number => {
      found.add(value)
      return 1 + (value.type === 'tuple' ? value.items.reduce((sum, item) => sum + count(item), 0) : 0)
    }
    expect(stack.map(count)).toEqual([1_011])
    expect([...found].map(({ type }) => type)).toEqual(['tuple', 'tuple', 'cont'])
  })

  it('all that is written of a continuation counts as values of a result', () => {
    // DROP, PUSHCONT {} with c4, c5 and the empty tuple as c7.
    const saving: GetMethodRequest = { ...seqno, code: code('3090ed4401ed64ed4501ed656f0001ed67'), data: EMPTY_CELL }
    expect(() => runGetMethodRequest(saving, undefined, 3)).toThrow(TooManyValues)
    expect(runGetMethodRequest(saving, undefined, 4).stack).toMatchObject([{ type: 'cont' }])
    expect(() => runGetMethodRequest({ ...saving, maxValues: 3 })).toThrow('TVM stack size exceeds limit')
  })

  it('a get-method may be limited in its operations on curves', async () => {
    // DROP, then three times or for ever: PUSHINT 5, RIST255_QVALIDATE, DROP.
    const few = { ...seqno, code: code(`30${'75b7f92130'.repeat(3)}`), data: EMPTY_CELL, maxSlow: 3 }
    expect((await tvm.runGetMethod(few, signal)).exitCode).toBe(0)
    await expect(tvm.runGetMethod({ ...few, maxSlow: 2 }, signal)).rejects.toMatchObject({ kind: 'rejected' })
    const endless = { ...seqno, code: code('309575b7f92130ea'), data: EMPTY_CELL, gasLimit: 1_000_000n, maxSlow: 32 }
    await expect(tvm.runGetMethod(endless, signal)).rejects.toThrow('more than 32 operations on curves')
  })

  // What is short by its gas counts half a millisecond at most, even if the processor was taken away.
  it.each([1, 50])('a get-method in the calling thread waits for the next turn if this one is used up: steps of %s ms', async (step) => {
    const inline = createInline(clock(step))
    const order: string[] = []
    setImmediate(() => order.push('others'))
    const runs = Array.from({ length: 12 }, async (_, i) => {
      expect((await inline.run(seqno, signal))?.exitCode).toBe(0)
      order.push(`run ${i}`)
    })
    await Promise.all(runs)
    expect(order.indexOf('others')).toBeGreaterThan(0)
    expect(order.indexOf('others')).toBeLessThan(12)
    expect(order.filter((name) => name !== 'others')).toEqual(Array.from({ length: 12 }, (_, i) => `run ${i}`))
  })

  it('among get-methods that wait for a turn, those of a client who used little go first', async () => {
    const inline = createInline(clock(1))
    const order: string[] = []
    const ask = async (name: string, client: string): Promise<void> => {
      await inline.run(by(client), signal)
      order.push(name)
    }
    // Six runs take a turn.
    const runs = Array.from({ length: 24 }, (_, i) => ask(`greedy ${i}`, 'greedy'))
    await new Promise(setImmediate)
    runs.push(ask('modest', 'modest'))
    await Promise.all(runs)
    expect(order.indexOf('modest')).toBe(12)
    expect(order.filter((name) => name !== 'modest')).toEqual(Array.from({ length: 24 }, (_, i) => `greedy ${i}`))
  })

  it('few get-methods wait for a turn: more are refused, of the client who has most of them', async () => {
    const inline = createInline(clock(1), 4)
    const ask = (client: string) =>
      inline.run(by(client), signal).then(
        (result) => result?.exitCode,
        (error: TvmError) => [error.kind, error.answeredAs, error.retryAfter],
      )
    const refused = ['overloaded', 'UNAVAILABLE', 1]
    // Six runs take the turn, four wait, two are refused, and one more gives way.
    const greedy = Array.from({ length: 12 }, () => ask('greedy'))
    const modest = ask('modest')
    expect(await Promise.all(greedy)).toEqual([...Array(9).fill(0), refused, refused, refused])
    expect(await modest).toBe(0)
  })

  it('a get-method that waits for a turn leaves when its caller does', async () => {
    const inline = createInline(clock(1), 1)
    const turn = Array.from({ length: 6 }, () => inline.run(seqno, signal))
    const leaving = new AbortController()
    const left = inline.run(seqno, leaving.signal)
    leaving.abort(new Error('the caller has gone'))
    await expect(left).rejects.toThrow('the caller has gone')
    // Its place is free again.
    turn.push(inline.run(seqno, signal))
    for (const result of await Promise.all(turn)) expect(result?.exitCode).toBe(0)
  })

  it('after a client’s get-method was dropped, another one of it stays in the thread only if it is known to be quick', async () => {
    const inline = createInline(clock(0))
    expect((await inline.run(by('mine'), signal))?.exitCode).toBe(0)
    expect(await inline.run({ ...loop, client: 'mine' }, signal)).toBeUndefined()
    const other = { ...loop, code: code('3071'), gasLimit: 1_000n }
    expect(await inline.run({ ...other, client: 'mine' }, signal)).toBeUndefined()
    expect((await inline.run(by('mine'), signal))?.exitCode).toBe(0)
    expect((await inline.run({ ...other, client: 'yours' }, signal))?.exitCode).toBe(0)
  })

  it('a get-method in the calling thread gives the same result in the pool', async () => {
    const pooled = createTestTvm({ workers: 1, inline: false })
    try {
      for (const request of [seqno, { ...seqno, methodId: 1 }, { ...loop, gasLimit: 10_000n }]) {
        const [here, there] = [await createInline(clock(0)).run(request, signal), await pooled.runGetMethod(request, signal)]
        expect(stackItems(here!.stack)).toEqual(stackItems(there.stack))
        expect([here!.exitCode, here!.gasUsed]).toEqual([there.exitCode, there.gasUsed])
      }
    } finally {
      await pooled.close()
    }
  })

  it('a get-method in the calling thread answers while eight others loop', async () => {
    await tvm.runGetMethod({ ...seqno, trace: true }, signal)
    const stop = new AbortController()
    const loops = Array.from({ length: 8 }, (_, i) =>
      tvm
        .runGetMethod(
          { ...loop, gasLimit: 1n << 40n, client: 'attacker', address: { workchain: 0, hash: Buffer.alloc(32, i) } },
          stop.signal,
        )
        .catch(() => {}),
    )
    await sleep(1)
    expect((await tvm.runGetMethod(by('victim'), signal)).exitCode).toBe(0)
    stop.abort()
    await Promise.all(loops)
  })
})
