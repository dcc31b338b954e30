import type { Slice } from '../../cell/slice.ts'

export const commonBits = (a: Slice, b: Slice): number => {
  const max = Math.min(a.remainingBits, b.remainingBits)
  const x = a.clone()
  const y = b.clone()
  let at = 0
  while (at < max) {
    const take = Math.min(32, max - at)
    const differ = (x.loadUint(take) ^ y.loadUint(take)) >>> 0
    if (differ !== 0) return at + Math.clz32(differ) - (32 - take)
    at += take
  }
  return max
}

/** Compares bit strings in the order of dictionary keys: -1, 0 or 1. A prefix comes before longer strings. */
export const compareBits = (a: Slice, b: Slice): number => {
  const common = commonBits(a, b)
  if (common < a.remainingBits && common < b.remainingBits) return a.clone().skip(common).loadBit() ? 1 : -1
  return Math.sign(a.remainingBits - b.remainingBits)
}

export const isPrefix = (a: Slice, b: Slice): boolean => a.remainingBits <= b.remainingBits && commonBits(a, b) === a.remainingBits

export const isSuffix = (a: Slice, b: Slice): boolean => {
  const skipped = b.remainingBits - a.remainingBits
  return skipped >= 0 && commonBits(a, b.clone().skip(skipped)) === a.remainingBits
}

/** Number of bits at the start that are equal to `bit`. */
export const leading = (slice: Slice, bit: 0 | 1): number => {
  const s = slice.clone()
  const total = s.remainingBits
  while (s.remainingBits > 0) {
    const take = Math.min(32, s.remainingBits)
    const word = s.loadUint(take)
    const differ = (bit === 0 ? word : word ^ (2 ** take - 1)) >>> 0
    if (differ !== 0) return total - s.remainingBits - take + Math.clz32(differ) - (32 - take)
  }
  return total
}

/** Number of bits at the end that are equal to `bit`. */
export const trailing = (slice: Slice, bit: 0 | 1): number => {
  const total = slice.remainingBits
  const data = slice.preloadBits(total)
  let count = 0
  while (count < total) {
    const at = total - 1 - count
    if (((data[at >>> 3]! >>> (7 - (at & 7))) & 1) !== bit) break
    count++
  }
  return count
}
