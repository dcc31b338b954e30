import { describe, expect, it } from 'vitest'
import { createSorted } from '../../../../server/base/sorted.ts'
import { endSteps } from '../../../../server/base/yield.ts'
import { augEntries } from '../../../../server/cell/aug.ts'
import { EMPTY_CELL } from '../../../../server/cell/cell.ts'
import {
  createOutQueue,
  mergeQueues,
  messagesTo,
  receiversOf,
  wasProcessed,
  withProcessed,
} from '../../../../server/chain/local/collate/queue.ts'
import { storeMessage } from '../../../../server/tlb/message/message.ts'
import type { InternalMessageInfo } from '../../../../server/tlb/message/message-info.ts'
import { storeMsgEnvelope } from '../../../../server/tlb/message/msg-envelope.ts'
import { outMsgQueueAug, type ProcessedUpto } from '../../../../server/tlb/state/out-msg-queue.ts'
import { fc } from '../../../kit/property.ts'

interface Spec {
  readonly lt: number
  readonly workchain: number
  readonly to: number
}
const hashOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const enqueue = (queue: ReturnType<typeof createOutQueue>, { lt, workchain, to }: Spec): void => {
  const info: InternalMessageInfo = {
    type: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: { type: 'std', workchain: 0, hash: hashOf(1) },
    dest: { type: 'std', workchain, hash: hashOf(to) },
    value: { grams: 5n },
    ihrFee: 0n,
    fwdFee: 3n,
    createdLt: BigInt(lt),
    createdAt: 7,
  }
  const msg = storeMessage({ info, body: EMPTY_CELL })
  const envelope = storeMsgEnvelope({
    curAddr: { type: 'regular', useDestBits: 0 },
    nextAddr: { type: 'regular', useDestBits: 96 },
    fwdFeeRemaining: 3n,
    msg,
  })
  queue.add(BigInt(lt), msg, info, envelope)
}
const specs = fc.uniqueArray(
  fc.record({ lt: fc.integer({ min: 1, max: 12 }), workchain: fc.constantFrom(0, -1), to: fc.integer({ min: 0, max: 255 }) }),
  { maxLength: 60, selector: ({ lt, workchain, to }) => `${lt} ${workchain} ${to}` },
)
const names = (messages: Iterable<{ readonly lt: bigint; readonly hash: string }>): string[] =>
  [...messages].map(({ lt, hash }) => `${lt.toString().padStart(3, '0')}${Buffer.from(hash, 'latin1').toString('hex')}`)

describe('out queue', () => {
  it('the out queue is read in the order of (lt, hash), for each workchain separately', () => {
    fc.assert(
      fc.property(specs, (list) => {
        const queue = createOutQueue(undefined, 0)
        for (const spec of list) enqueue(queue, spec)
        const root = endSteps(queue.root())
        expect(queue.size).toBe(list.length)
        for (const workchain of [0, -1]) {
          const found = names(messagesTo(root, workchain, false))
          expect(found).toHaveLength(list.filter((spec) => spec.workchain === workchain).length)
          expect(found).toEqual([...found].sort())
        }
        const all = names(mergeQueues(messagesTo(root, 0, true), messagesTo(root, -1, false)))
        expect(all).toEqual([...all].sort())
        expect(all).toHaveLength([...augEntries(outMsgQueueAug, root, { cells: 1e9 })].length)
      }),
    )
  })

  it('the receivers of queued messages are found in a step for each message', () => {
    const queue = createOutQueue(undefined, 0)
    for (let lt = 1; lt <= 100; lt++) enqueue(queue, { lt, workchain: 0, to: lt % 7 })
    const root = endSteps(queue.root())
    expect([...receiversOf(messagesTo(root, 0, true))]).toHaveLength(100)
    expect(endSteps(receiversOf(messagesTo(root, 0, true)))).toHaveLength(7)
  })
  it('the out queue loses exactly the messages that are taken out', () => {
    fc.assert(
      fc.property(specs, fc.integer({ min: 0, max: 60 }), (list, taken) => {
        const queue = createOutQueue(undefined, 0)
        for (const spec of list) enqueue(queue, spec)
        const root = endSteps(queue.root())
        const next = createOutQueue(root, list.length)
        const all = [...messagesTo(root, 0, true)]
        for (const message of all.slice(0, taken)) next.remove(message)
        expect(names(messagesTo(endSteps(next.root()), 0, true))).toEqual(names(all.slice(taken)))
        expect(next.size).toBe(list.length - Math.min(taken, all.length))
      }),
    )
  })
})

describe('processed messages', () => {
  const row = (mcSeqno: number, lt: number, hash: number): ProcessedUpto => ({
    shard: 1n << 63n,
    mcSeqno,
    lastMsgLt: BigInt(lt),
    lastMsgHash: hashOf(hash),
  })
  it('processed messages are those up to the last (lt, hash)', () => {
    const is = (lt: number, hash: number): boolean =>
      wasProcessed({ lt: BigInt(lt), hash: Buffer.from(hashOf(hash)).toString('latin1') }, [row(1, 5, 0x80)])
    expect([is(4, 0xff), is(5, 0x7f), is(5, 0x80), is(5, 0x81), is(6, 0)]).toEqual([true, true, true, false, false])
  })
  it('processed messages are recognised by the rows that no other row covers', () => {
    expect(withProcessed([row(1, 5, 1)], row(2, 6, 0))).toEqual([row(2, 6, 0)])
    expect(withProcessed([row(2, 6, 0)], row(2, 5, 0))).toEqual([row(2, 6, 0)])
    expect(withProcessed([row(1, 9, 0)], row(2, 6, 0))).toEqual([row(1, 9, 0), row(2, 6, 0)])
  })
})

describe('sorted items', () => {
  it('the items come back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        const sorted = createSorted<number>((a, b) => a - b)
        for (const value of values) sorted.push(value)
        const found: number[] = []
        for (let value = sorted.pop(); value !== undefined; value = sorted.pop()) found.push(value)
        expect(found).toEqual([...values].sort((a, b) => a - b))
      }),
    )
  })
})
