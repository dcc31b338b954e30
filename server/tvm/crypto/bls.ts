import { bls12_381 } from '@noble/curves/bls12-381.js'
import { isInGroup } from './bls-format.ts'
import { BLS_G1, BLS_G2, type G1Point, type G2Point } from './bls-points.ts'

/* Signatures and pairings of the BLS instructions, with keys in G1 and signatures in G2. Each function may take tens of milliseconds. */

const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const { Fp12 } = bls12_381.fields
const { calcPairingPrecomputes } = bls12_381.utils
const { millerLoopBatch } = bls12_381
const NEGATIVE_GENERATOR = bls12_381.G1.Point.BASE.negate()

/** Called before each slow part of a computation; throws to abort it. */
export type Pause = () => void

const hashToG2 = (message: Uint8Array): G2Point => bls12_381.G2.hashToCurve(message, { DST })

const productIsOne = (pairs: readonly (readonly [G1Point, G2Point])[], pause: Pause): boolean => {
  const loops: Parameters<typeof millerLoopBatch>[0] = []
  for (const [p, q] of pairs) {
    if (p.is0() || q.is0()) continue
    pause()
    const { x, y } = p.toAffine()
    loops.push([calcPairingPrecomputes(q), x, y])
  }
  let product = Fp12.ONE
  // The Miller loops run one by one, because a batch of hundreds of loops could not be aborted.
  for (const loop of loops) {
    pause()
    product = Fp12.mul(product, millerLoopBatch([loop]))
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}

const verifyWith = (keys: readonly G1Point[], messages: readonly Uint8Array[], signature: G2Point, pause: Pause): boolean => {
  const pairs: [G1Point, G2Point][] = [[NEGATIVE_GENERATOR, signature]]
  keys.forEach((key, i) => {
    pause()
    pairs.push([key, hashToG2(messages[i]!)])
  })
  return productIsOne(pairs, pause)
}

/** Keys at infinity or outside the group never verify. */
export const verifyBls = (key: Uint8Array, message: Uint8Array, signature: Uint8Array, pause: Pause): boolean =>
  fastAggregateVerifyBls([key], message, signature, pause)

export const fastAggregateVerifyBls = (keys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array, pause: Pause): boolean => {
  let sum: G1Point | undefined
  for (const bytes of keys) {
    pause()
    const point = BLS_G1.decode(bytes)
    // The first key needs no check of its own, because the check of the sum includes it.
    if (point === undefined || point.is0() || (sum !== undefined && !isInGroup(point))) return false
    sum = sum === undefined ? point : sum.add(point)
  }
  if (sum === undefined) return false
  const point = BLS_G2.decode(signature)
  if (point === undefined || !isInGroup(point) || sum.is0() || !isInGroup(sum)) return false
  return verifyWith([sum], [message], point, pause)
}

export const aggregateVerifyBls = (
  signed: readonly (readonly [key: Uint8Array, message: Uint8Array])[],
  signature: Uint8Array,
  pause: Pause,
): boolean => {
  if (signed.length === 0) return false
  const keys: G1Point[] = []
  for (const [key] of signed) {
    pause()
    const point = BLS_G1.decode(key)
    if (point === undefined || point.is0() || !isInGroup(point)) return false
    keys.push(point)
  }
  const point = BLS_G2.decode(signature)
  if (point === undefined || !isInGroup(point)) return false
  return verifyWith(
    keys,
    signed.map(([, message]) => message),
    point,
    pause,
  )
}

/** Returns whether the product of pairings is one; undefined if a point cannot be decoded. Points outside the groups are allowed. */
export const pairingBls = (pairs: readonly (readonly [Uint8Array, Uint8Array])[], pause: Pause): boolean | undefined => {
  const points: [G1Point, G2Point][] = []
  for (const [first, second] of pairs) {
    pause()
    const p = BLS_G1.decode(first)
    const q = p && BLS_G2.decode(second)
    if (p === undefined || q === undefined) return undefined
    points.push([p, q])
  }
  return productIsOne(points, pause)
}
