import { BitString, type Builder as CoreBuilder, type Slice as CoreSlice, beginCell as coreBegin } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { attempt } from '../../server/cell/error.ts'
import type { Slice } from '../../server/cell/slice.ts'
import { fc } from '../kit/property.ts'
import { kindOf } from './kind.ts'

/** One field: how both libraries store it, how both read it back, and its bits. */
interface Field {
  readonly name: string
  readonly bits: number
  store(b: Builder): void
  storeCore(b: CoreBuilder): void
  load(s: Slice): unknown
  loadCore(s: CoreSlice): unknown
}

const unsignedBig = fc.integer({ min: 0, max: 256 }).chain((n) =>
  fc.bigInt(0n, (1n << BigInt(n)) - 1n).map(
    (v): Field => ({
      name: `uint${n} ${v}`,
      bits: n,
      store: (b) => b.storeUint(v, n),
      storeCore: (b) => b.storeUint(v, n),
      load: (s) => s.loadUintBig(n),
      loadCore: (s) => s.loadUintBig(n),
    }),
  ),
)
const signedBig = fc.integer({ min: 1, max: 257 }).chain((n) =>
  fc.bigInt(-(1n << BigInt(n - 1)), (1n << BigInt(n - 1)) - 1n).map(
    (v): Field => ({
      name: `int${n} ${v}`,
      bits: n,
      store: (b) => b.storeInt(v, n),
      storeCore: (b) => b.storeInt(v, n),
      load: (s) => s.loadIntBig(n),
      loadCore: (s) => s.loadIntBig(n),
    }),
  ),
)
const unsigned = fc.integer({ min: 1, max: 53 }).chain((n) =>
  fc.maxSafeNat().map((raw): Field => {
    const v = raw % 2 ** n
    return {
      name: `number uint${n} ${v}`,
      bits: n,
      store: (b) => b.storeUint(v, n),
      storeCore: (b) => b.storeUint(v, n),
      load: (s) => [s.preloadUint(n), s.clone().preloadUintBig(n), s.loadUint(n)],
      loadCore: (s) => [s.preloadUint(n), s.preloadUintBig(n), s.loadUint(n)],
    }
  }),
)
const signed = fc.integer({ min: 1, max: 53 }).chain((n) =>
  fc.maxSafeInteger().map((raw): Field => {
    const v = Number(BigInt.asIntN(n, BigInt(raw)))
    return {
      name: `number int${n} ${v}`,
      bits: n,
      store: (b) => b.storeInt(v, n),
      storeCore: (b) => b.storeInt(v, n),
      load: (s) => s.loadInt(n),
      loadCore: (s) => s.loadInt(n),
    }
  }),
)
const coins = fc.bigInt(0n, (1n << 120n) - 1n).map(
  (v): Field => ({
    name: `coins ${v}`,
    bits: 4 + 8 * Math.ceil(v.toString(2).length / 8),
    store: (b) => b.storeCoins(v),
    storeCore: (b) => b.storeCoins(v),
    load: (s) => s.loadCoins(),
    loadCore: (s) => s.loadCoins(),
  }),
)
const varUint = fc.bigInt(0n, (1n << 248n) - 1n).map(
  (v): Field => ({
    name: `varuint32 ${v}`,
    bits: 253,
    store: (b) => b.storeVarUint(v, 5),
    storeCore: (b) => b.storeVarUint(v, 5),
    load: (s) => s.loadVarUint(5),
    loadCore: (s) => s.loadVarUintBig(5),
  }),
)
const bytes = fc.uint8Array({ maxLength: 40 }).map(
  (v): Field => ({
    name: `bytes ${v}`,
    bits: v.length * 8,
    store: (b) => b.storeBytes(v),
    storeCore: (b) => b.storeBuffer(Buffer.from(v)),
    load: (s) => Buffer.from(s.loadBytes(v.length)).toString('hex'),
    loadCore: (s) => s.loadBuffer(v.length).toString('hex'),
  }),
)
const bitField = fc.record({ source: fc.uint8Array({ minLength: 9, maxLength: 30 }), offset: fc.nat(20), n: fc.nat(50) }).map(
  ({ source, offset, n }): Field => ({
    name: `bits ${n} at ${offset}`,
    bits: n,
    store: (b) => b.storeBits(source, n, offset),
    storeCore: (b) => b.storeBits(new BitString(Buffer.from(source), offset, n)),
    load: (s) => Buffer.from(s.loadBits(n)).toString('hex'),
    loadCore: (s) => {
      const bits = s.loadBits(n)
      const padded = coreBegin()
        .storeBits(bits)
        .storeUint(0, (8 - (n % 8)) % 8)
      return n === 0
        ? ''
        : padded
            .asSlice()
            .loadBuffer(Math.ceil(n / 8))
            .toString('hex')
    },
  }),
)
const bit = fc.boolean().map(
  (v): Field => ({
    name: `bit ${v}`,
    bits: 1,
    store: (b) => b.storeBit(v),
    storeCore: (b) => b.storeBit(v),
    load: (s) => s.loadBit(),
    loadCore: (s) => s.loadBit(),
  }),
)

const fields = fc
  .array(fc.oneof(unsignedBig, signedBig, unsigned, signed, coins, varUint, bytes, bitField, bit), { maxLength: 12 })
  .map((list) => {
    let sum = 0
    return list.filter((field) => {
      sum += field.bits
      return sum <= 1023
    })
  })

describe('builders and slices', () => {
  it('builders and slices store and load every kind of field as @ton/core does, at every offset', () => {
    fc.assert(
      fc.property(fields, (list) => {
        const b = beginCell()
        const core = coreBegin()
        for (const field of list) {
          field.store(b)
          field.storeCore(core)
        }
        const cell = b.end()
        const coreCell = core.endCell()
        expect(cell.hashHex()).toBe(coreCell.hash().toString('hex'))
        // The same from a table: a different source of bytes in Slice.
        const parsed = parseBocRoot(coreCell.toBoc())
        for (const source of [cell, parsed]) {
          const s = source.slice()
          const coreSlice = coreCell.beginParse()
          for (const field of list) expect(field.load(s), field.name).toEqual(field.loadCore(coreSlice))
          s.end()
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('builders copy slices at every alignment', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(), fc.nat(7), (data, skip, take, before) => {
        const from = skip % (data.length * 8)
        const n = take % (data.length * 8 - from + 1)
        const source = beginCell().storeBytes(data).storeRef(EMPTY_CELL).end()
        const s = source.slice().skip(from)
        const part = beginCell().storeBits(s.loadBits(n), n).storeRef(EMPTY_CELL).end().slice()
        const copied = beginCell().storeUint(0, before).storeSlice(part).end()
        const bits = new BitString(Buffer.from(data), from, n)
        expect(copied.hashHex()).toBe(
          coreBegin().storeUint(0, before).storeBits(bits).storeRef(coreBegin().endCell()).endCell().hash().toString('hex'),
        )
        expect(part.asCell().equals(beginCell().storeSlice(part).end())).toBe(true)
        // A builder that is half full, from another builder and from a cell inline.
        const half = beginCell().storeBits(data, n, from).storeRef(EMPTY_CELL)
        expect(beginCell().storeUint(0, before).storeBuilder(half).end().equals(copied)).toBe(true)
        expect(beginCell().storeUint(0, before).storeCell(half.end()).end().equals(copied)).toBe(true)
        expect(beginCell().storeUint(0, before).storeBuilder(half).end().equals(copied)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('builders can be used on after end()', () => {
    const b = beginCell().storeUint(5, 3)
    const first = b.end()
    const other = beginCell().storeUint(0x1fff, 13).end()
    const second = b.storeUint(6, 4).storeRef(other).end()
    expect(first.equals(beginCell().storeUint(5, 3).end())).toBe(true)
    expect(second.equals(beginCell().storeUint(0b101_0110, 7).storeRef(other).end())).toBe(true)
    expect(b.end().equals(second)).toBe(true)
  })

  it('builders refuse what does not fit', () => {
    expect(kindOf(() => beginCell().storeUint(8, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(8n, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(-1, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(-1n, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(0.5, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(2 ** 53, 64))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(1, 0))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(0, -1))).toBe('range')
    expect(kindOf(() => beginCell().storeUint(Number.NaN, 8))).toBe('range')
    expect(kindOf(() => beginCell().storeInt(4, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeInt(-5, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeInt(-5n, 3))).toBe('range')
    expect(kindOf(() => beginCell().storeInt(1, 0))).toBe('range')
    expect(kindOf(() => beginCell().storeInt(0, 0))).toBe('none')
    expect(kindOf(() => beginCell().storeCoins(1n << 120n))).toBe('range')
    expect(kindOf(() => beginCell().storeCoins(-1n))).toBe('range')
    expect(kindOf(() => beginCell().storeBits(new Uint8Array(2), 17))).toBe('range')
    expect(kindOf(() => beginCell().storeBytes(new Uint8Array(128)))).toBe('overflow')
    expect(kindOf(() => beginCell().storeBytes(new Uint8Array(127)).storeUint(0, 8))).toBe('overflow')
    expect(kindOf(() => beginCell().storeBytes(new Uint8Array(127)).storeUint(0, 7))).toBe('none')
    const four = beginCell().storeRef(EMPTY_CELL).storeRef(EMPTY_CELL).storeRef(EMPTY_CELL).storeRef(EMPTY_CELL)
    expect(kindOf(() => four.storeRef(EMPTY_CELL))).toBe('overflow')
    let deep = EMPTY_CELL
    for (let i = 0; i < 1024; i++) deep = beginCell().storeRef(deep).end()
    expect(deep.depth()).toBe(1024)
    expect(deep.hashHex()).toHaveLength(64)
    expect(kindOf(() => beginCell().storeRef(deep).end())).toBe('overflow')
  })

  it('slices refuse to read past the end', () => {
    const s = beginCell().storeUint(0b1111, 4).storeRef(EMPTY_CELL).end().slice()
    for (const read of [
      () => s.loadUint(5),
      () => s.loadUintBig(5),
      () => s.loadIntBig(200),
      () => s.loadBits(5),
      () => s.loadBytes(1),
      () => s.skip(5),
      () => s.skip(-1),
      () => s.loadBits(-1),
      () => s.loadCoins(),
      () => s.loadUnary(),
      () => s.preloadRef(1),
      () => s.preloadRef(-1),
      () => s.skipRefs(2),
    ]) {
      expect(kindOf(() => read())).toBe('underflow')
    }
    expect(kindOf(() => s.clone().loadUint(54))).toBe('range')
    expect(kindOf(() => s.clone().loadUint(-1))).toBe('range')
    expect(kindOf(() => s.clone().loadUintBig(257))).toBe('range')
    expect(kindOf(() => s.clone().loadIntBig(258))).toBe('range')
    const rest = beginCell().storeUint(1, 1).storeRef(EMPTY_CELL).end().slice()
    expect(kindOf(() => rest.end())).toBe('range')
    rest.skip(1)
    expect(kindOf(() => rest.end())).toBe('range')
    rest.loadRef()
    expect(kindOf(() => rest.end())).toBe('none')
    expect(kindOf(() => rest.loadRef())).toBe('underflow')
    expect(kindOf(() => rest.loadBit())).toBe('underflow')
    expect(kindOf(() => EMPTY_CELL.ref(0))).toBe('underflow')
  })
})

describe('an error of malformed data', () => {
  const empty = (): number => beginCell().end().slice().loadUint(1)
  const stackOf = (read: () => unknown): string => {
    try {
      read()
    } catch (error) {
      return (error as Error).stack!
    }
    return ''
  }
  it('an error of malformed data has no stack trace where nobody sees it, because stacks cost more than the data', () => {
    let hidden = ''
    expect(
      attempt(() => {
        hidden = stackOf(empty)
        return empty()
      }),
    ).toBeUndefined()
    expect(hidden).not.toContain('\n')
  })
  it('an error of malformed data has a stack trace elsewhere, and other errors always have one', () => {
    expect(stackOf(empty)).toContain('slice-builder.test.ts')
    const mistake = () => {
      throw new TypeError('a mistake')
    }
    expect(stackOf(() => attempt(mistake))).toContain('slice-builder.test.ts')
  })
})
