import type { Slice } from './slice.ts'

/* Bit strings of dictionary keys. A bit string is left-aligned in bytes, and its bits are numbered from the left. */

export const bitAt = (path: Uint8Array, at: number): number => (path[at >>> 3]! >>> (7 - (at & 7))) & 1

export const putBit = (path: Uint8Array, at: number, bit: number): void => {
  const mask = 128 >>> (at & 7)
  if (bit) path[at >>> 3]! |= mask
  else path[at >>> 3]! &= ~mask
}

/** The first bit in [from, to) at which `a` and `b` differ; `to` if they do not differ. */
export const commonPrefix = (a: Uint8Array, b: Uint8Array, from: number, to: number): number => {
  for (let at = from; at < to; ) {
    const differ = (a[at >>> 3]! ^ b[at >>> 3]!) & (255 >>> (at & 7))
    if (differ !== 0) return Math.min(to, (at & ~7) + Math.clz32(differ) - 24)
    at = (at & ~7) + 8
  }
  return to
}

export const readInto = (path: Uint8Array, at: number, slice: Slice, count: number): void => {
  let to = at
  for (let left = count; left > 0; ) {
    const free = 8 - (to & 7)
    const take = Math.min(left, free)
    const bits = slice.loadUint(take) << (free - take)
    path[to >>> 3] = (path[to >>> 3]! & (0xff00 >>> (8 - free))) | bits
    to += take
    left -= take
  }
}

export const fillBits = (path: Uint8Array, at: number, bit: number, count: number): void => {
  for (let i = 0; i < count; i++) putBit(path, at + i, bit)
}

export const uniform = (path: Uint8Array, from: number, to: number): boolean => {
  const first = bitAt(path, from)
  for (let at = from + 1; at < to; at++) if (bitAt(path, at) !== first) return false
  return true
}

const view = new DataView(new ArrayBuffer(8))
const words = new Uint8Array(view.buffer)

/** The n bits of a key, left-aligned; undefined if the key does not fit. */
export const keyPath = (key: bigint, n: number): Uint8Array | undefined => {
  if (key < 0n || BigInt.asUintN(n, key) !== key) return undefined
  const path = new Uint8Array((n + 7) >>> 3)
  let rest = key << BigInt(path.length * 8 - n)
  for (let end = path.length; end > 0; end -= 8) {
    view.setBigUint64(0, BigInt.asUintN(64, rest))
    if (end >= 8) path.set(words, end - 8)
    else path.set(words.subarray(8 - end))
    if (end > 8) rest >>= 64n
  }
  return path
}

export const keyOf = (path: Uint8Array, n: number): bigint => {
  const length = (n + 7) >>> 3
  let key = 0n
  let at = 0
  const head = length & 7
  if (head > 0) {
    words.fill(0, 0, 8 - head)
    words.set(path.subarray(0, head), 8 - head)
    key = view.getBigUint64(0)
    at = head
  }
  for (; at < length; at += 8) {
    words.set(path.subarray(at, at + 8))
    key = (key << 64n) | view.getBigUint64(0)
  }
  return key >> BigInt(length * 8 - n)
}
