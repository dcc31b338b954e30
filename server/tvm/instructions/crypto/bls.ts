import type { Slice } from '../../../cell/slice.ts'
import { BLS_ORDER, type BlsGroup, type BlsPoint, G1_SIZE, G2_SIZE, isInGroup, zeroOf } from '../../crypto/bls-format.ts'
import { curves } from '../../crypto/load-curves.ts'
import { EMPTY_BUILDER } from '../../machine/builder.ts'
import { CELL_UNDERFLOW, UNKNOWN_ERROR } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import type { Machine } from '../../machine/machine.ts'
import { simple } from '../define.ts'
import { wholeBytes } from './hashes.ts'

/* 0xF930: BLS12-381. Points are slices in compressed form. Exception 11 if a point cannot be decoded. */

const VERIFY_GAS = 61_000
const AGGREGATE_BASE = -2_650
const AGGREGATE_EACH = 4_350
const FAST_BASE = 58_000
const FAST_EACH = 3_000
const AGGREGATE_VERIFY_BASE = 38_500
const AGGREGATE_VERIFY_EACH = 22_500
const PAIRING_BASE = 20_000
const PAIRING_EACH = 11_800

const bytesOf = (slice: Slice, size: number): Uint8Array => {
  if (slice.remainingBits < size * 8) throw CELL_UNDERFLOW
  return slice.preloadBits(size * 8)
}
const popBytes = (vm: Machine, size: number): Uint8Array => bytesOf(vm.slice(), size)
const pushBytes = (vm: Machine, bytes: Uint8Array): void => {
  vm.stack.push(EMPTY_BUILDER.storeBytes(bytes).end().slice())
}
const pushBool = (vm: Machine, value: boolean): void => {
  vm.stack.push(value ? -1 : 0)
}
const pauseOf = (vm: Machine) => (): void => vm.beforeSlow()

const decoded = <P extends BlsPoint<P>>(group: BlsGroup<P>, bytes: Uint8Array): P => {
  const point = group.decode(bytes)
  if (point === undefined) throw UNKNOWN_ERROR
  return point
}
/** Decodes a point for an addition. The point must be in the group of prime order. */
const decodedInGroup = <P extends BlsPoint<P>>(group: BlsGroup<P>, bytes: Uint8Array): P => {
  const point = decoded(group, bytes)
  if (!isInGroup(point)) throw UNKNOWN_ERROR
  return point
}

const verify = (vm: Machine): void => {
  vm.need(3)
  vm.use(VERIFY_GAS)
  const signature = popBytes(vm, G2_SIZE)
  const message = wholeBytes(vm.slice())
  const key = popBytes(vm, G1_SIZE)
  pushBool(vm, curves().verifyBls(key, message, signature, pauseOf(vm)))
}
const aggregate = (vm: Machine): void => {
  const count = vm.small(vm.stack.length - 1, 1)
  vm.use(AGGREGATE_BASE + count * AGGREGATE_EACH)
  const signatures = Array.from({ length: count }, () => popBytes(vm, G2_SIZE)).reverse()
  vm.beforeSlow()
  const { BLS_G2 } = curves()
  let sum = decoded(BLS_G2, signatures[0]!)
  for (let i = 1; i < count; i++) {
    vm.beforeSlow()
    sum = sum.add(decodedInGroup(BLS_G2, signatures[i]!))
  }
  pushBytes(vm, BLS_G2.encode(sum))
}
const fastAggregateVerify = (vm: Machine): void => {
  vm.need(3)
  const signature = vm.slice()
  const message = vm.slice()
  const count = vm.small(vm.stack.length - 1)
  vm.use(FAST_BASE + count * FAST_EACH)
  const keys = Array.from({ length: count }, () => popBytes(vm, G1_SIZE)).reverse()
  // The message and the signature are read before either is used. Their order does not matter, because both reads throw the same error.
  const bytes = wholeBytes(message)
  pushBool(vm, curves().fastAggregateVerifyBls(keys, bytes, bytesOf(signature, G2_SIZE), pauseOf(vm)))
}
const aggregateVerify = (vm: Machine): void => {
  vm.need(2)
  const signature = vm.slice()
  const count = vm.small(Math.floor((vm.stack.length - 1) / 2))
  vm.use(AGGREGATE_VERIFY_BASE + count * AGGREGATE_VERIFY_EACH)
  const signed = Array.from({ length: count }, (): readonly [Uint8Array, Uint8Array] => {
    const message = wholeBytes(vm.slice())
    return [popBytes(vm, G1_SIZE), message]
  }).reverse()
  pushBool(vm, curves().aggregateVerifyBls(signed, bytesOf(signature, G2_SIZE), pauseOf(vm)))
}
const pairing = (vm: Machine): void => {
  const count = vm.small(Math.floor((vm.stack.length - 1) / 2))
  vm.use(PAIRING_BASE + count * PAIRING_EACH)
  const pairs = Array.from({ length: count }, (): readonly [Uint8Array, Uint8Array] => {
    const second = popBytes(vm, G2_SIZE)
    return [popBytes(vm, G1_SIZE), second]
  }).reverse()
  const result = curves().pairingBls(pairs, pauseOf(vm))
  if (result === undefined) throw UNKNOWN_ERROR
  pushBool(vm, result)
}

const reduced = (factor: number | bigint): bigint => ((BigInt(factor) % BLS_ORDER) + BLS_ORDER) % BLS_ORDER

const groupInstructions = <P extends BlsPoint<P>>(
  opcode: number,
  name: string,
  size: number,
  groupOf: () => BlsGroup<P>,
  prices: typeof G1_PRICES,
  fieldSize: number,
  map: (bytes: Uint8Array) => Uint8Array,
): Instruction[] => {
  const give = (vm: Machine, point: P): void => pushBytes(vm, groupOf().encode(point))
  const combine = (vm: Machine, subtracts: boolean): void => {
    vm.need(2)
    vm.use(prices.add)
    const b = popBytes(vm, size)
    const a = popBytes(vm, size)
    vm.beforeSlow()
    const group = groupOf()
    const [first, second] = subtracts ? [decoded(group, b).negate(), a] : [decoded(group, a), b]
    give(vm, first.add(decodedInGroup(group, second)))
  }
  const negate = (vm: Machine): void => {
    vm.use(prices.negate)
    const a = popBytes(vm, size)
    vm.beforeSlow()
    give(vm, decoded(groupOf(), a).negate())
  }
  const times = (group: BlsGroup<P>, bytes: Uint8Array, factor: number | bigint): P =>
    factor === 0 ? group.zero : decoded(group, bytes).multiplyUnsafe(reduced(factor))
  const multiply = (vm: Machine): void => {
    vm.need(2)
    vm.use(prices.multiply)
    const factor = vm.finite()
    const bytes = popBytes(vm, size)
    vm.beforeSlow()
    give(vm, times(groupOf(), bytes, factor))
  }
  const multiexp = (vm: Machine): void => {
    const count = vm.small(Math.floor((vm.stack.length - 1) / 2))
    const share = Math.max(4, Math.floor(Math.log2(Math.max(count, 1))))
    vm.use(prices.multiexpBase + count * prices.multiexpEach + Math.floor((count * prices.multiexpShared) / share))
    const terms = Array.from({ length: count }, () => {
      const factor = vm.finite()
      return { factor, bytes: popBytes(vm, size) }
    }).reverse()
    const group = groupOf()
    let sum = group.zero
    for (const { factor, bytes } of terms) {
      vm.beforeSlow()
      // For a single term with factor zero the result is zero, even if the point cannot be decoded. With several terms, each point must be decodable.
      if (count > 1) decoded(group, bytes)
      sum = sum.add(times(group, bytes, factor))
    }
    give(vm, sum)
  }
  const zero = (vm: Machine): void => pushBytes(vm, zeroOf(size))
  const mapTo = (vm: Machine): void => {
    vm.use(prices.map)
    const bytes = popBytes(vm, fieldSize)
    vm.beforeSlow()
    pushBytes(vm, map(bytes))
  }
  const inGroup = (vm: Machine): void => {
    vm.use(prices.inGroup)
    const bytes = popBytes(vm, size)
    vm.beforeSlow()
    const point = groupOf().decode(bytes)
    pushBool(vm, point !== undefined && isInGroup(point))
  }
  const isZero = (vm: Machine): void => pushBool(vm, Buffer.from(popBytes(vm, size)).equals(zeroOf(size)))
  const entry = (i: number, suffix: string, exec: (vm: Machine) => void): Instruction =>
    simple(opcode + i, 24, suffix.startsWith('MAP') ? `BLS_${suffix}_${name}` : `BLS_${name}_${suffix}`, exec, undefined, 4)
  return [
    entry(0, 'ADD', (vm) => combine(vm, false)),
    entry(1, 'SUB', (vm) => combine(vm, true)),
    entry(2, 'NEG', negate),
    entry(3, 'MUL', multiply),
    entry(4, 'MULTIEXP', multiexp),
    entry(5, 'ZERO', zero),
    entry(6, 'MAP_TO', mapTo),
    entry(7, 'INGROUP', inGroup),
    entry(8, 'ISZERO', isZero),
  ]
}

const G1_PRICES = {
  add: 3_900,
  negate: 750,
  multiply: 5_200,
  inGroup: 2_950,
  map: 2_350,
  multiexpBase: 11_375,
  multiexpEach: 630,
  multiexpShared: 8_820,
}
const G2_PRICES: typeof G1_PRICES = {
  add: 6_100,
  negate: 1_550,
  multiply: 10_550,
  inGroup: 4_250,
  map: 7_950,
  multiexpBase: 30_388,
  multiexpEach: 1_280,
  multiexpShared: 22_840,
}

const pushOrder = (vm: Machine): void => {
  vm.stack.push(BLS_ORDER)
}

export const BLS: readonly Instruction[] = [
  simple(0xf93000, 24, 'BLS_VERIFY', verify, undefined, 4),
  simple(0xf93001, 24, 'BLS_AGGREGATE', aggregate, undefined, 4),
  simple(0xf93002, 24, 'BLS_FASTAGGREGATEVERIFY', fastAggregateVerify, undefined, 4),
  simple(0xf93003, 24, 'BLS_AGGREGATEVERIFY', aggregateVerify, undefined, 4),
  ...groupInstructions(
    0xf93010,
    'G1',
    G1_SIZE,
    () => curves().BLS_G1,
    G1_PRICES,
    48,
    (bytes) => curves().mapToG1(bytes),
  ),
  ...groupInstructions(
    0xf93020,
    'G2',
    G2_SIZE,
    () => curves().BLS_G2,
    G2_PRICES,
    96,
    (bytes) => curves().mapToG2(bytes),
  ),
  simple(0xf93030, 24, 'BLS_PAIRING', pairing, undefined, 4),
  simple(0xf93031, 24, 'BLS_PUSHR', pushOrder, undefined, 4),
]
