import { bls12_381 } from '@noble/curves/bls12-381.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { Slice } from '../../server/cell/slice.ts'
import { fromBytes } from '../../server/tvm/machine/integer.ts'
import type { Value } from '../../server/tvm/machine/value.ts'
import { runVm } from '../../server/tvm/run-vm.ts'
import '../kit/tvm/curves.ts'

/* Where the libraries of curves and the node's own differ: encodings, points outside the groups of prime order, versions. */

const run = (hex: string, stack: readonly Value[], version = 15) => {
  const code = beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
  const { exitCode, stack: left, gasUsed } = runVm({ code, stack: [...stack], c7: [], gas: { limit: 10_000_000 }, version })
  return { exit: exitCode, left: left.map((value) => (value instanceof Slice ? hexOf(value) : value)), gas: gasUsed }
}
const hexOf = (slice: Slice): string => Buffer.from(slice.preloadBits(slice.remainingBits)).toString('hex')
const sliceOf = (bytes: Uint8Array): Value => beginCell().storeBytes(bytes).end().slice()
/** The one value that an instruction leaves. */
const one = (hex: string, stack: readonly Value[], version?: number): unknown => {
  const { exit, left } = run(hex, stack, version)
  return exit === 0 && left.length === 1 ? left[0] : `exit ${exit}`
}

const { Fp } = bls12_381.fields
const G1 = bls12_381.G1.Point
const GENERATOR = G1.BASE.toBytes()
const INFINITY = Buffer.concat([Buffer.of(0xc0), Buffer.alloc(47)])
const WRONG = 'exit 11'
const ADD = 'f93010'
const NEG = 'f93012'
const MUL = 'f93013'
const MULTIEXP = 'f93014'
const IN_GROUP = 'f93017'
const IS_ZERO = 'f93018'
const PAIRING = 'f93030'

interface Affine {
  readonly x: bigint
  readonly y: bigint
}
const written = ({ x, y }: Affine): Buffer => {
  const bytes = Buffer.from(x.toString(16).padStart(96, '0'), 'hex')
  bytes[0]! |= y > (Fp.ORDER - 1n) / 2n ? 0xa0 : 0x80
  return bytes
}
/** A point on the curve outside the group of prime order. Nearly every x with a y is one. */
const outside = (): Affine => {
  for (let x = 3n; ; x++) {
    try {
      const y = Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n))
      if (!G1.fromAffine({ x, y }).isTorsionFree()) return { x, y }
    } catch {
      // No y for this x.
    }
  }
}
/** The sum by its definition: the chord or the tangent. */
const plus = (a: Affine, b: Affine): Affine => {
  const slope = a.x === b.x ? Fp.div(Fp.mul(3n, Fp.sqr(a.x)), Fp.mul(2n, a.y)) : Fp.div(Fp.sub(b.y, a.y), Fp.sub(b.x, a.x))
  const x = Fp.sub(Fp.sub(Fp.sqr(slope), a.x), b.x)
  return { x, y: Fp.sub(Fp.mul(slope, Fp.sub(a.x, x)), a.y) }
}

describe('BLS', () => {
  const affine = outside()
  const point = written(affine)
  const hex = point.toString('hex')

  it('BLS instructions calculate with points outside the group of prime order, as blst does', () => {
    const thrice = written(plus(plus(affine, affine), affine)).toString('hex')
    expect(one(MUL, [sliceOf(point), 3])).toBe(thrice)
    expect(one(MULTIEXP, [sliceOf(point), 3, 1])).toBe(thrice)
    expect(one(NEG, [sliceOf(point)])).toBe(written({ x: affine.x, y: Fp.neg(affine.y) }).toString('hex'))
    const sum = written(plus(affine, G1.BASE.toAffine())).toString('hex')
    expect(one(ADD, [sliceOf(point), sliceOf(GENERATOR)])).toBe(sum)
    expect(one(PAIRING, [sliceOf(point), sliceOf(bls12_381.G2.Point.BASE.toBytes()), 1])).toBe(0)
  })

  it('BLS instructions refuse points outside the group where blst checks the group', () => {
    expect(one(IN_GROUP, [sliceOf(point)])).toBe(0)
    expect(one(IN_GROUP, [sliceOf(GENERATOR)])).toBe(-1)
    const message = Buffer.from('a message')
    const signature = bls12_381.G2.Point.BASE.toBytes()
    expect(one('f93000', [sliceOf(point), sliceOf(message), sliceOf(signature)])).toBe(0)
    // The node adds the second point by `aggregate`, which checks it (bls.cpp:120).
    expect(one(ADD, [sliceOf(GENERATOR), sliceOf(point)])).toBe(WRONG)
  })

  it('BLS instructions take only one encoding of infinity', () => {
    expect(one('f93015', [])).toBe(INFINITY.toString('hex'))
    expect(one(IS_ZERO, [sliceOf(INFINITY)])).toBe(-1)
    expect(one(IN_GROUP, [sliceOf(INFINITY)])).toBe(-1)
    expect(one(ADD, [sliceOf(point), sliceOf(INFINITY)])).toBe(hex)
    for (const wrong of [
      Buffer.concat([Buffer.of(0xe0), Buffer.alloc(47)]),
      Buffer.concat([Buffer.of(0xc0), Buffer.alloc(46), Buffer.of(1)]),
    ]) {
      expect(one(ADD, [sliceOf(point), sliceOf(wrong)])).toBe(WRONG)
      expect(one(IN_GROUP, [sliceOf(wrong)])).toBe(0)
    }
  })

  it('BLS instructions refuse a coordinate beyond the field, one without a point, and the long form', () => {
    const beyond = Buffer.from(Fp.ORDER.toString(16).padStart(96, '0'), 'hex')
    beyond[0]! |= 0x80
    const long = Buffer.from(GENERATOR)
    long[0]! &= 0x7f
    let nowhere = 2n
    while (Fp.isValid(nowhere) && Fp.pow(Fp.add(Fp.pow(nowhere, 3n), 4n), (Fp.ORDER - 1n) / 2n) === 1n) nowhere++
    const without = Buffer.from(nowhere.toString(16).padStart(96, '0'), 'hex')
    without[0]! |= 0x80
    for (const wrong of [beyond, long, without]) expect(one(NEG, [sliceOf(wrong)])).toBe(WRONG)
  })

  it('BLS instructions give infinity as the sum of no points', () => {
    expect(one(MULTIEXP, [0])).toBe(INFINITY.toString('hex'))
    expect(one(MULTIEXP, [sliceOf(GENERATOR), 0, 1])).toBe(INFINITY.toString('hex'))
    expect(one('f93024', [0])).toBe(Buffer.concat([Buffer.of(0xc0), Buffer.alloc(95)]).toString('hex'))
  })
})

describe('signatures', () => {
  const hash = Buffer.alloc(32, 3)
  const signed = secp256k1.sign(hash, Buffer.alloc(32, 9), { prehash: false, format: 'recovered' })
  const [r, s] = [fromBytes(signed.slice(1, 33)), fromBytes(signed.slice(33))]

  it('ECRECOVER takes v 27 and 28 for 0 and 1 from version 14 on', () => {
    const v = signed[0]!
    const found = run('f912', [fromBytes(hash), v, r, s])
    expect([found.exit, found.left.length, found.left[3]]).toEqual([0, 4, -1])
    expect(run('f912', [fromBytes(hash), v + 27, r, s]).left).toEqual(found.left)
    expect(run('f912', [fromBytes(hash), v + 27, r, s], 13).left).toEqual([0])
  })

  it('CHKSIGNU is false for the keys 00..00 and 01 00..00 from version 14 on', () => {
    const signature = sliceOf(Buffer.alloc(64))
    for (const key of [0, fromBytes(Buffer.concat([Buffer.of(1), Buffer.alloc(31)]))]) {
      expect(one('f910', [1, signature, key])).toBe(0)
      expect(run('f910', [1, signature, key]).gas).toBe(run('f910', [1, signature, 7]).gas)
    }
  })
})

describe('ristretto', () => {
  it('ristretto multiplication checks the point also where the factor is zero, from version 14 on', () => {
    // 2 is no encoding of a point; RIST255_QMUL leaves 0 for it.
    expect(run('b7f924', [2, 0]).left).toEqual([0])
    expect(run('b7f924', [2, 0], 13).left).toEqual([0, -1])
    expect(run('b7f924', [0, 5]).left).toEqual([0, -1])
    expect(run('b7f924', [0, 5], 13).left).toEqual([0])
    expect(run('f925', [0]).left).toEqual([0])
  })
})
