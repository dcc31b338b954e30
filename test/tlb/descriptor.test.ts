import { describe, expect, it } from 'vitest'
import { augRootExtra } from '../../server/cell/aug.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import { type InMsg, loadInMsg, storeInMsg } from '../../server/tlb/block/in-msg.ts'
import { importFees, inMsgDescrAug } from '../../server/tlb/block/in-msg-descr.ts'
import { loadOutMsg, type OutMsg, storeOutMsg } from '../../server/tlb/block/out-msg.ts'
import { exportValue, outMsgDescrAug } from '../../server/tlb/block/out-msg-descr.ts'
import { storeMessage } from '../../server/tlb/message/message.ts'
import type { IntermediateAddress, MsgEnvelope } from '../../server/tlb/message/msg-envelope.ts'
import { emittedLt, loadMsgEnvelope, storeMsgEnvelope } from '../../server/tlb/message/msg-envelope.ts'
import { type Arbitrary, fc } from '../kit/property.ts'
import { augFromEntries } from '../kit/tlb/aug.ts'
import { address, cell, coins, hash, lt } from './arbitrary.ts'
import { plain } from './data.ts'

/* Kinds of descriptors and envelopes that no block of the data has, and the rules of their sums. */

const ref = cell(64)
const type = <T extends string>(name: T) => fc.constant(name)
const inMsgs: Arbitrary<InMsg> = fc.oneof(
  fc.record({ type: type('import-ext'), msg: ref, transaction: ref }),
  fc.record({ type: type('import-ihr'), msg: ref, transaction: ref, ihrFee: coins, proofCreated: ref }),
  fc.record({
    type: fc.constantFrom('import-imm' as const, 'import-fin' as const, 'import-deferred-fin' as const),
    inMsg: ref,
    transaction: ref,
    fwdFee: coins,
  }),
  fc.record({ type: type('import-tr'), inMsg: ref, outMsg: ref, transitFee: coins }),
  fc.record({ type: type('discard-fin'), inMsg: ref, transactionId: lt, fwdFee: coins }),
  fc.record({ type: type('discard-tr'), inMsg: ref, transactionId: lt, fwdFee: coins, proofDelivered: ref }),
  fc.record({ type: type('import-deferred-tr'), inMsg: ref, outMsg: ref }),
)
const outMsgs: Arbitrary<OutMsg> = fc.oneof(
  fc.record({ type: type('export-ext'), msg: ref, transaction: ref }),
  fc.record({ type: type('export-imm'), outMsg: ref, transaction: ref, reimport: ref }),
  fc.record({ type: fc.constantFrom('export-new' as const, 'export-new-defer' as const), outMsg: ref, transaction: ref }),
  fc.record({
    type: fc.constantFrom('export-tr' as const, 'export-tr-req' as const, 'export-deferred-tr' as const),
    outMsg: ref,
    imported: ref,
  }),
  fc.record({ type: type('export-deq'), outMsg: ref, importBlockLt: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }) }),
  fc.record({
    type: type('export-deq-short'),
    msgEnvHash: hash,
    nextWorkchain: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    nextAddrPrefix: lt,
    importBlockLt: lt,
  }),
  fc.record({ type: type('export-deq-imm'), outMsg: ref, reimport: ref }),
)
const intermediate: Arbitrary<IntermediateAddress> = fc.oneof(
  fc.record({ type: type('regular'), useDestBits: fc.integer({ min: 0, max: 96 }) }),
  fc.record({ type: type('simple'), workchain: fc.integer({ min: -128, max: 127 }), prefix: lt }),
  fc.record({ type: type('ext'), workchain: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), prefix: lt }),
)
const envelopes: Arbitrary<MsgEnvelope> = fc.record({
  curAddr: intermediate,
  nextAddr: intermediate,
  fwdFeeRemaining: coins,
  msg: ref,
  emittedLt: fc.option(lt, { nil: undefined }),
  metadata: fc.option(fc.record({ depth: fc.nat(), initiatorAddr: address, initiatorLt: lt }), { nil: undefined }),
})

describe('descriptors and envelopes', () => {
  it('descriptors and envelopes of every kind survive a round trip', () => {
    fc.assert(
      fc.property(inMsgs, (msg) => {
        const s = storeInMsg(beginCell(), msg).end().slice()
        expect(plain(loadInMsg(s))).toEqual(plain(msg))
        s.end()
      }),
    )
    fc.assert(
      fc.property(outMsgs, (msg) => {
        const s = storeOutMsg(beginCell(), msg).end().slice()
        expect(plain(loadOutMsg(s))).toEqual(plain(msg))
        s.end()
      }),
    )
    fc.assert(
      fc.property(envelopes, (envelope) => {
        const stored = storeMsgEnvelope(envelope)
        expect(stored.slice().loadUint(4)).toBe(envelope.emittedLt === undefined && envelope.metadata === undefined ? 4 : 5)
        expect(plain(loadMsgEnvelope(stored))).toEqual(plain(envelope))
      }),
    )
  })

  /* Tags bit by bit after block.tlb, so that a mistake made alike in loader and storer does not pass. */
  it.each([
    ['000', 'import-ext'],
    ['010', 'import-ihr'],
    ['011', 'import-imm'],
    ['100', 'import-fin'],
    ['101', 'import-tr'],
    ['110', 'discard-fin'],
    ['111', 'discard-tr'],
    ['00100', 'import-deferred-fin'],
    ['00101', 'import-deferred-tr'],
  ])('the InMsg %s is %s', (tag, name) => {
    const b = beginCell().storeUint(Number.parseInt(tag, 2), tag.length).storeUint(0, 200)
    for (let i = 0; i < 3; i++) b.storeRef(beginCell().end())
    expect(loadInMsg(b.end().slice()).type).toBe(name)
  })

  it.each([
    ['000', 'export-ext'],
    ['010', 'export-imm'],
    ['001', 'export-new'],
    ['011', 'export-tr'],
    ['1100', 'export-deq'],
    ['1101', 'export-deq-short'],
    ['111', 'export-tr-req'],
    ['100', 'export-deq-imm'],
    ['10100', 'export-new-defer'],
    ['10101', 'export-deferred-tr'],
  ])('the OutMsg %s is %s', (tag, name) => {
    const b = beginCell().storeUint(Number.parseInt(tag, 2), tag.length).storeUint(0, 500)
    for (let i = 0; i < 3; i++) b.storeRef(beginCell().end())
    expect(loadOutMsg(b.end().slice()).type).toBe(name)
  })

  it('tags of descriptors that the schema does not have are refused', () => {
    expect(() => loadInMsg(beginCell().storeUint(0b00110, 5).end().slice())).toThrow(/InMsg: no constructor with tag 00110/)
    expect(() => loadOutMsg(beginCell().storeUint(0b10111, 5).end().slice())).toThrow(/OutMsg: no constructor with tag 10111/)
    expect(() => loadMsgEnvelope(beginCell().storeUint(6, 4).end())).toThrow(/MsgEnvelope: no constructor with tag 6/)
    const empty = beginCell().storeUint(5, 4).storeUint(0, 16).storeCoins(0n).storeRef(beginCell().end()).storeUint(0, 2).end()
    expect(() => loadMsgEnvelope(empty)).toThrow(/5 without members of its own/)
    expect(() => loadMsgEnvelope(beginCell().storeUint(4, 4).storeUint(97, 8).end())).toThrow(/97 destination bits/)
  })
})

describe('sums of descriptors', () => {
  const [src, dest] = [stdAddress(0, new Uint8Array(32).fill(1)), stdAddress(0, new Uint8Array(32).fill(2))]
  const message = storeMessage({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src,
      dest,
      value: { grams: 1000n, other: new Map([[5, 7n]]) },
      ihrFee: 3n,
      fwdFee: 40n,
      createdLt: 77n,
      createdAt: 1,
    },
    body: beginCell().end(),
  })
  const regular = { type: 'regular', useDestBits: 96 } as const
  const inMsg = storeMsgEnvelope({ curAddr: regular, nextAddr: regular, fwdFeeRemaining: 20n, msg: message })
  const transaction = beginCell().end()
  const carried = (grams: bigint) => ({ grams, other: new Map([[5, 7n]]) })

  it('an import adds its value and the rest of its fee; ihr_fee counted until version 12 made flags of it', () => {
    const fin: InMsg = { type: 'import-fin', inMsg, transaction, fwdFee: 20n }
    expect(importFees(fin, 11)).toEqual({ feesCollected: 20n, valueImported: carried(1023n) })
    expect(importFees(fin, 12)).toEqual({ feesCollected: 20n, valueImported: carried(1020n) })
    expect(importFees({ ...fin, type: 'import-deferred-fin' }, 12)).toEqual({ feesCollected: 20n, valueImported: carried(1020n) })
    expect(importFees({ ...fin, type: 'import-imm' }, 12)).toEqual({ feesCollected: 20n, valueImported: { grams: 0n } })
    expect(importFees({ type: 'import-tr', inMsg, outMsg: inMsg, transitFee: 6n }, 12)).toEqual({
      feesCollected: 6n,
      valueImported: carried(1020n),
    })
    expect(importFees({ type: 'import-deferred-tr', inMsg, outMsg: inMsg }, 12)).toEqual({
      feesCollected: 0n,
      valueImported: carried(1020n),
    })
    expect(importFees({ type: 'discard-fin', inMsg, transactionId: 1n, fwdFee: 9n }, 12)).toEqual({
      feesCollected: 9n,
      valueImported: { grams: 9n },
    })
    expect(importFees({ type: 'import-ext', msg: message, transaction }, 12)).toEqual({ feesCollected: 0n, valueImported: { grams: 0n } })
    expect(() => importFees({ type: 'import-ihr', msg: message, transaction, ihrFee: 0n, proofCreated: transaction }, 12)).toThrow(/ihr/)
  })

  it('an export takes its value only when the message goes into the queue', () => {
    for (const kind of ['export-new', 'export-new-defer'] as const) {
      expect(exportValue({ type: kind, outMsg: inMsg, transaction }, 12)).toEqual(carried(1020n))
    }
    for (const kind of ['export-tr', 'export-tr-req', 'export-deferred-tr'] as const) {
      expect(exportValue({ type: kind, outMsg: inMsg, imported: transaction }, 11)).toEqual(carried(1023n))
    }
    expect(exportValue({ type: 'export-imm', outMsg: inMsg, transaction, reimport: transaction }, 12)).toEqual({ grams: 0n })
    expect(exportValue({ type: 'export-deq', outMsg: inMsg, importBlockLt: 1n }, 12)).toEqual({ grams: 0n })
  })

  it('the sums of descriptors are those of the dictionaries', () => {
    const value = storeInMsg(beginCell(), { type: 'import-fin', inMsg, transaction, fwdFee: 20n }).end()
    const spec = inMsgDescrAug(12)
    const root = augFromEntries(
      spec,
      [1n, 2n, 1n << 255n].map((key) => [key, value] as const),
    )
    expect(plain(augRootExtra(spec, root))).toEqual({ feesCollected: 60n, valueImported: { grams: 3060n, other: [[5, 21n]] } })
    const outSpec = outMsgDescrAug(12)
    const out = storeOutMsg(beginCell(), { type: 'export-new', outMsg: inMsg, transaction }).end()
    expect(plain(augRootExtra(outSpec, augFromEntries(outSpec, [[5n, out]])))).toEqual({ grams: 1020n, other: [[5, 7n]] })
  })

  it('the lt of a queued envelope is emitted_lt, or else its message’s created_lt', () => {
    expect(emittedLt(loadMsgEnvelope(inMsg))).toBe(77n)
    const later = storeMsgEnvelope({ curAddr: regular, nextAddr: regular, fwdFeeRemaining: 0n, msg: message, emittedLt: 99n })
    expect(emittedLt(loadMsgEnvelope(later))).toBe(99n)
  })
})
