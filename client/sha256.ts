/* SHA-256 (FIPS 180-4). Needed because crypto.subtle is missing on pages without a secure context, such as a dev server opened on a phone. */

const fraction = (x: number): number => ((x % 1) * 2 ** 32) | 0

/**
 * Constants from the square and cube roots of primes. None of these roots is so close to a multiple of 2^-32 that an engine's rounding could change the
 * result. The calls are marked pure, so that bundlers omit them if nothing is hashed.
 */
const constants = (count: number, root: number): readonly number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let prime = true
    for (let i = 2; i * i <= n; i++) prime &&= n % i > 0
    if (prime) found.push(fraction(n ** (1 / root)))
  }
  return found
}
const START = /* @__PURE__ */ constants(8, 2)
const ROUND = /* @__PURE__ */ constants(64, 3)

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

const schedule = (view: DataView, block: number): Int32Array => {
  const words = new Int32Array(64)
  for (let i = 0; i < 64; i++) {
    const x = words[i - 15]!
    const y = words[i - 2]!
    words[i] =
      i < 16
        ? view.getInt32(block + i * 4)
        : words[i - 16]! + words[i - 7]! + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))
  }
  return words
}

export const sha256 = (message: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, message.length * 8)
  const state = Int32Array.from(START)
  for (let block = 0; block < padded.length; block += 64) {
    const words = schedule(view, block)
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < 64; i++) {
      const t = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!
      const u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + t) | 0
      d = c
      c = b
      b = a
      a = (t + u) | 0
    }
    for (const [i, x] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + x
  }
  for (const [i, x] of state.entries()) view.setInt32(i * 4, x)
  return padded.slice(0, 32)
}
