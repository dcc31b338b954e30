import { bls12_381 } from '@noble/curves/bls12-381.js'
import { beginCell, Cell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import type { GetMethodRequest, Tvm, TvmError } from '../../server/tvm/tvm.ts'
import { emptyAccount, externalMessage, messageBoc, shardAccount, walletV4 } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { accountOf, idOf, ownCell, stackOf } from '../kit/tvm/cells.ts'

const open: Tvm[] = []
const start = (options: Parameters<typeof createTestTvm>[0]): Tvm => {
  const tvm = createTestTvm({ inline: false, ...options })
  open.push(tvm)
  return tvm
}
afterAll(() => Promise.all(open.map((tvm) => tvm.close())))

const config = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
const { signal } = new AbortController()
const seqno: GetMethodRequest = {
  config,
  code: ownCell(walletV4.init.code!),
  data: ownCell(walletV4.init.data!),
  address: idOf(walletV4.address),
  balance: 1n,
  methodId: 85143,
  stack: stackOf(),
  now: 1_760_000_000,
  randomSeed: Buffer.alloc(32, 1),
  gasLimit: 1_000_000n,
}
/** PUSHCONT {} AGAIN */
const loop: GetMethodRequest = {
  ...seqno,
  code: ownCell(beginCell().storeBuffer(Buffer.from('9100ea', 'hex')).endCell()),
  data: EMPTY_CELL,
}
const endless: GetMethodRequest = { ...loop, gasLimit: 1n << 40n }
const kindOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error as TvmError).kind ?? String(error),
  )

describe('the TVM pool', () => {
  it('the TVM pool stops a get-method that loops by gas', async () => {
    const tvm = start({ workers: 1, deadlineMs: 20_000 })
    const result = await tvm.runGetMethod({ ...loop, gasLimit: 100_000n }, signal)
    expect([result.exitCode, result.gasUsed >= 100_000n]).toEqual([-14, true])
    expect(tvm.stats()).toMatchObject({ workers: 1, replaced: 0 })
  })

  it('the TVM pool stops a get-method with unlimited gas by the clock, and no other job is affected', async () => {
    const tvm = start({ workers: 2, deadlineMs: 500 })
    await tvm.runGetMethod(seqno, signal)
    const stuck = kindOf(tvm.runGetMethod(endless, signal))
    const others = Array.from({ length: 40 }, () => tvm.runGetMethod(seqno, signal))
    expect((await Promise.all(others)).map(({ exitCode }) => exitCode)).toEqual(new Array(40).fill(0))
    expect(await stuck).toBe('timeout')
    await tvm.runGetMethod(seqno, signal)
    expect(tvm.stats()).toEqual({ workers: 2, busy: 0, queued: 0, replaced: 1, inline: 0 })
    expect((await tvm.runGetMethod(seqno, signal)).exitCode).toBe(0)
  })

  it('the TVM pool goes on after its only worker was replaced: waiting jobs are run', async () => {
    const tvm = start({ workers: 1, deadlineMs: 500 })
    await tvm.runGetMethod(seqno, signal)
    const stuck = kindOf(tvm.runGetMethod(endless, signal))
    const waiting = tvm.runGetMethod(seqno, signal)
    expect(await stuck).toBe('timeout')
    expect((await waiting).exitCode).toBe(0)
  })

  it('the TVM pool refuses jobs beyond its queue and loses none of those it took', async () => {
    const tvm = start({ workers: 1, maxQueue: 3, deadlineMs: 60_000 })
    await tvm.runGetMethod(seqno, signal)
    const holder = new AbortController()
    const held = tvm.runGetMethod(endless, holder.signal)
    held.catch(() => {})
    const kinds = Array.from({ length: 7 }, () => kindOf(tvm.runGetMethod(seqno, signal)))
    expect(await Promise.all(kinds.slice(3))).toEqual(['overloaded', 'overloaded', 'overloaded', 'overloaded'])
    holder.abort()
    expect(await Promise.all(kinds.slice(0, 3))).toEqual(['answered', 'answered', 'answered'])
  })

  it('the TVM pool lets a caller go at once, whether its job waits or runs', async () => {
    const tvm = start({ workers: 1, deadlineMs: 60_000 })
    await tvm.runGetMethod(seqno, signal)
    const running = new AbortController()
    const waiting = new AbortController()
    const first = tvm.runGetMethod(endless, running.signal)
    const second = tvm.runGetMethod(seqno, waiting.signal)
    const third = tvm.runGetMethod(seqno, signal)
    waiting.abort(new Error('second has gone'))
    await expect(second).rejects.toThrow('second has gone')
    running.abort(new Error('first has gone'))
    await expect(first).rejects.toThrow('first has gone')
    // The worker of the first is replaced long before the deadline.
    expect((await third).exitCode).toBe(0)
    expect(tvm.stats().replaced).toBe(1)
    await expect(tvm.runGetMethod(seqno, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  })

  it('the TVM pool keeps answering after a run that made as many values as its gas allows', async () => {
    const tvm = start({ workers: 1, deadlineMs: 60_000 })
    // PUSHNULL, AGAIN { DUP, DUP, TUPLE 3 }: a new tuple for 44 gas, until the gas is out.
    const code = ownCell(beginCell().storeBuffer(Buffer.from('6d9420206f03ea', 'hex')).endCell())
    const result = await tvm.runGetMethod({ ...loop, code, gasLimit: 4_000_000n }, signal)
    expect(result.exitCode).toBe(-14)
    expect((await tvm.runGetMethod(seqno, signal)).exitCode).toBe(0)
    expect(tvm.stats().replaced).toBe(0)
  })

  it('the TVM pool ends each of the slowest programs of 4 million gas, by its gas or by the deadline, and goes on', async () => {
    const tvm = start({ workers: 2, deadlineMs: 300 })
    const cell = (bytes: Uint8Array) => beginCell().storeBuffer(Buffer.from(bytes)).endCell()
    const point = (bytes: Uint8Array) => ({ type: 'slice' as const, cell: cell(bytes) })
    const g1 = point(bls12_381.G1.Point.BASE.toBytes())
    const g2 = point(bls12_381.G2.Point.BASE.toBytes())
    // DROP, PUSHCONT { ... }, AGAIN
    const again = (body: string): string => `309${body.length / 2}${body}ea`
    const programs = [
      // 2DUP, BLS_G1_ADD, DROP
      { code: again('5cf9301030'), stack: [g1, g1] },
      // 2DUP, PUSHINT 1, BLS_PAIRING, DROP
      { code: again('5c71f9303030'), stack: [g1, g2] },
      // PUSHINT 7, RIST255_MULBASE, DROP
      { code: again('77f92530'), stack: [] },
      // NEWDICT; AGAIN { NEWC, RANDU256, PUSH s2, PUSHINT 256, DICTUSETB, NIP }: a dictionary of random keys that grows
      { code: '306d9ac8f81022810100f44331ea', stack: [] },
    ]
    const ends = await Promise.all(
      programs.map(({ code, stack }) =>
        tvm
          .runGetMethod({ ...loop, code: ownCell(cell(Buffer.from(code, 'hex'))), stack: stackOf(stack), gasLimit: 4_000_000n }, signal)
          .then(
            ({ exitCode }) => exitCode,
            (error: TvmError) => error.kind,
          ),
      ),
    )
    for (const end of ends) expect([-14, 'timeout']).toContain(end)
    expect((await tvm.runGetMethod(seqno, signal)).exitCode).toBe(0)
  })

  it('the TVM pool holds more configurations than a worker keeps', async () => {
    const tvm = start({ workers: 1 })
    const configs = Array.from({ length: 12 }, (_, i) => withConfigParam(config, 1000 + i, EMPTY_CELL))
    for (const one of [...configs, ...configs]) expect((await tvm.runGetMethod({ ...seqno, config: one }, signal)).exitCode).toBe(0)
  })

  it('the TVM pool refuses an invalid configuration, for get-methods and transactions', async () => {
    const tvm = start({ workers: 1 })
    expect(await kindOf(tvm.runGetMethod({ ...seqno, config: EMPTY_CELL }, signal))).toBe('rejected')
    const request = {
      kind: 'tick',
      config: EMPTY_CELL,
      account: seqno.address,
      shardAccount: accountOf(emptyAccount()),
      now: 1,
      lt: 1n,
      blockSeed: seqno.randomSeed,
    } as const
    for (const inPool of [true, false]) expect(await kindOf(tvm.runTransaction(request, signal, { inPool }))).toBe('rejected')
    expect((await tvm.runGetMethod(seqno, signal)).exitCode).toBe(0)
  })

  it('a transaction that is ended by the clock is refused, or fails for those who asked for the pool', async () => {
    const tvm = start({ workers: 1, deadlineMs: 100 })
    // ACCEPT, AGAIN { PUSHINT 7, RIST255_MULBASE, DROP }
    const code = beginCell().storeBuffer(Buffer.from('f8009477f92530ea', 'hex')).endCell()
    const request = {
      kind: 'message',
      config,
      account: idOf(walletV4.address),
      shardAccount: accountOf(shardAccount(walletV4.address, { code, data: Cell.EMPTY }, 10_000_000_000n)),
      message: parseBocRoot(messageBoc(externalMessage(walletV4.address, Cell.EMPTY))),
      now: 1_760_000_000,
      lt: 1n,
      blockSeed: seqno.randomSeed,
    } as const
    const outcome = await tvm.runTransaction(request, signal)
    expect(outcome).toEqual({ ok: false, error: 'the TVM failed: the TVM made no progress for 100 ms' })
    expect(await kindOf(tvm.runTransaction(request, signal, { inPool: true }))).toBe('timeout')
    expect(await kindOf(tvm.runTransaction(request, AbortSignal.abort(new Error('too late'))))).toBe('Error: too late')
  })

  it('closing the TVM pool ends its open jobs', async () => {
    const tvm = createTestTvm({ workers: 1, inline: false })
    await tvm.runGetMethod(seqno, signal)
    const kinds = Promise.all([kindOf(tvm.runGetMethod(endless, signal)), kindOf(tvm.runGetMethod(seqno, signal))])
    await tvm.close()
    expect(await kinds).toEqual(['closed', 'closed'])
    expect(await kindOf(tvm.runGetMethod(seqno, signal))).toBe('closed')
  })

  it('the TVM pool can be closed before it is ready', async () => {
    const tvm = createTestTvm({ workers: 2, inline: false })
    const waiting = kindOf(tvm.runGetMethod(seqno, signal))
    await tvm.close()
    expect(await waiting).toBe('closed')
    expect(tvm.stats()).toMatchObject({ workers: 0 })
  })
})
