import { assemble, type Code, call, type Func, get, I32, i32, ifThen, loopWhile, seq, set, tee, V128, v128 } from './assembler.ts'

/*
 * SHA-256 as unrolled WebAssembly, generated at load: one form for 32-bit numbers, one for vectors of four. A call of node:crypto costs ten times
 * the arithmetic. Memory below HEAP belongs to the module.
 */

/** Round constants, 256 bytes, written by the loader. */
export const ROUND_CONSTANTS = 0
/** Address of the four message buffers of the vector code. */
const BUFFERS = 512
/** Bytes from one buffer to the next. The longest representation is 266 bytes, which is five blocks. */
const BUFFER_SIZE = 384
/** Addresses of the message of `one` and of its digest. */
export const MESSAGE = 2048
export const DIGEST = 2496
/** First byte of the caller's data. */
export const HEAP = 4096

/**
 * Bytes of a job of `run`: the address for its hash, the address of its data, one byte each for d1, d2, the number of data bytes and the number
 * of references, then the addresses of the hashes of its references.
 */
export const JOB = 28

const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

/** First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
export const roundConstants = (): Uint32Array => {
  const out = new Uint32Array(64)
  for (let n = 2, i = 0; i < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (prime) out[i++] = (Math.cbrt(n) % 1) * 2 ** 32
  }
  return out
}

/** The operations in which the two forms differ. Operands are numbers of locals. */
interface Kind {
  readonly add: Code
  readonly and: Code
  readonly xor: Code
  rotr(x: number, bits: number): Code
  shr(x: number, bits: number): Code
  /** The constant at an offset from the address on the stack. */
  constant(offset: number): Code
}

const scalar: Kind = {
  add: i32.add,
  and: i32.and,
  xor: i32.xor,
  rotr: (x, bits) => seq(get(x), i32.const(bits), i32.rotr),
  shr: (x, bits) => seq(get(x), i32.const(bits), i32.shrU),
  constant: (offset) => i32.load(offset),
}

const vector: Kind = {
  add: v128.add,
  and: v128.and,
  xor: v128.xor,
  rotr: (x, bits) => seq(get(x), i32.const(bits), v128.shrU, get(x), i32.const(32 - bits), v128.shl, v128.or),
  shr: (x, bits) => seq(get(x), i32.const(bits), v128.shrU),
  constant: (offset) => v128.load32Splat(offset),
}

/** One block: state in locals s..s+7, message words in w..w+15, working variables from v on (eleven of them), an i32 counter in `at`. */
const compress = (k: Kind, s: number, w: number, v: number, at: number): Code => {
  const eight = [0, 1, 2, 3, 4, 5, 6, 7]
  return seq(
    ...eight.map((i) => seq(get(s + i), set(v + i))),
    seq(get(v + 1), get(v + 2), k.xor, set(v + 9)),
    seq(i32.const(0), set(at)),
    sixteenRounds(k, w, v, at, false),
    loopWhile(seq(get(at), i32.const(64), i32.add, set(at)), sixteenRounds(k, w, v, at, true), seq(get(at), i32.const(192), i32.ltU)),
    ...eight.map((i) => seq(get(s + i), get(v + i), k.add, set(s + i))),
  )
}

/** Sixteen rounds, after which the working variables are back in their places. `schedule`: message words are computed from the last sixteen. */
const sixteenRounds = (k: Kind, w: number, v: number, at: number, schedule: boolean): Code => {
  const parts: Code[] = []
  const t1 = v + 8
  const bc = v + 9
  const ab = v + 10
  for (let round = 0; round < 16; round++) {
    const word = (i: number): number => w + ((round + i) & 15)
    const [a, b, , d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => v + ((i - round) & 7)) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    if (schedule) {
      const w1 = word(1)
      const w14 = word(14)
      parts.push(get(word(0)), k.rotr(w1, 7), k.rotr(w1, 18), k.xor, k.shr(w1, 3), k.xor, k.add, get(word(9)), k.add)
      parts.push(k.rotr(w14, 17), k.rotr(w14, 19), k.xor, k.shr(w14, 10), k.xor, k.add, set(word(0)))
    }
    // t1 = h + K + w + ch(e, f, g) + S1(e)
    parts.push(get(h), get(at), k.constant(ROUND_CONSTANTS + 4 * round), k.add, get(word(0)), k.add)
    parts.push(get(g), get(f), get(g), k.xor, get(e), k.and, k.xor, k.add)
    parts.push(k.rotr(e, 6), k.rotr(e, 11), k.xor, k.rotr(e, 25), k.xor, k.add, set(t1))
    parts.push(get(d), get(t1), k.add, set(d))
    // h = t1 + S0(a) + maj(a, b, c); maj = b ^ ((a ^ b) & (b ^ c)), and this a ^ b is the b ^ c of the next round
    parts.push(get(a), get(b), k.xor, tee(ab), get(bc), k.and, get(b), k.xor, get(t1), k.add)
    parts.push(k.rotr(a, 2), k.rotr(a, 13), k.xor, k.rotr(a, 22), k.xor, k.add, set(h))
    parts.push(get(ab), set(bc))
  }
  return parts
}

/** Reverses the bytes of each of four 32-bit words. */
const SWAP = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]
const LOW32 = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23]
const HIGH32 = LOW32.map((i) => i + 8)
const LOW64 = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
const HIGH64 = LOW64.map((i) => i + 8)

/** Turns four row vectors in locals x..x+3 into four columns, using locals t..t+3. */
const transpose = (x: number, t: number): Code =>
  seq(
    ...[LOW32, HIGH32].flatMap((half, i) => [
      seq(get(x), get(x + 1), v128.shuffle(half), set(t + 2 * i)),
      seq(get(x + 2), get(x + 3), v128.shuffle(half), set(t + 2 * i + 1)),
    ]),
    ...[0, 1].flatMap((i) => [
      seq(get(t + 2 * i), get(t + 2 * i + 1), v128.shuffle(LOW64), set(x + 2 * i)),
      seq(get(t + 2 * i), get(t + 2 * i + 1), v128.shuffle(HIGH64), set(x + 2 * i + 1)),
    ]),
  )

/** one(blocks): the digest of the padded message at MESSAGE. */
const one = (): Code => {
  const blocks = 0
  const at = 1
  const s = 2
  const w = 10
  const v = 26
  return seq(
    ...INITIAL.map((value, i) => seq(i32.const(value), set(s + i))),
    loopWhile(
      ...Array.from({ length: 16 }, (_, i) => seq(get(at), i32.load(MESSAGE + 4 * i), swap32(w + i))),
      compress(scalar, s, w, v, 37),
      seq(get(at), i32.const(64), i32.add, set(at)),
      seq(get(blocks), i32.const(1), i32.sub, tee(blocks)),
    ),
    ...Array.from({ length: 8 }, (_, i) => seq(i32.const(0), get(s + i), swap32(s + i), get(s + i), i32.store(DIGEST + 4 * i))),
  )
}

/** Takes a number from the stack and leaves it byte-swapped in a local. */
const swap32 = (local: number): Code =>
  seq(
    set(local),
    seq(get(local), i32.const(8), i32.rotr, i32.const(0xff00ff00 | 0), i32.and),
    seq(get(local), i32.const(24), i32.rotr, i32.const(0x00ff00ff), i32.and, i32.or),
    set(local),
  )

/** gather(job, to): writes the padded representation of a job's cell to `to`. */
const gather = (): Code => {
  const [job, to, end, from, count, i] = [0, 1, 2, 3, 4, 5] as const
  const copyLoop = (length: Code): Code =>
    seq(
      length,
      set(count),
      i32.const(0),
      set(i),
      loopWhile(
        seq(get(end), get(i), i32.add, get(from), get(i), i32.add, v128.load(), v128.store()),
        seq(get(i), i32.const(16), i32.add, tee(i), get(count), i32.ltU),
      ),
      get(end),
      get(count),
      i32.add,
      set(end),
    )
  const refs = seq(get(job), i32.load8(11))
  return seq(
    // Descriptors and data.
    seq(get(to), get(job), i32.load16(8), i32.store16()),
    seq(get(to), i32.const(2), i32.add, set(end)),
    seq(get(job), i32.load(4), set(from)),
    copyLoop(seq(get(job), i32.load8(10))),
    // The depth of a reference follows its hash in memory. The representation has all depths first, then all hashes.
    ifThen(
      refs,
      seq(get(job), set(from), refs, set(count)),
      loopWhile(
        seq(get(end), get(from), i32.load(12), i32.load16(32), i32.store16()),
        seq(get(end), i32.const(2), i32.add, set(end)),
        seq(get(from), i32.const(4), i32.add, set(from)),
        seq(get(count), i32.const(1), i32.sub, tee(count)),
      ),
      seq(get(job), set(from), refs, set(count)),
      loopWhile(
        seq(get(end), get(from), i32.load(12), v128.load(), v128.store()),
        seq(get(end), get(from), i32.load(12), v128.load(16), v128.store(16)),
        seq(get(end), i32.const(32), i32.add, set(end)),
        seq(get(from), i32.const(4), i32.add, set(from)),
        seq(get(count), i32.const(1), i32.sub, tee(count)),
      ),
    ),
    // Padding: a one bit, zeros, the length in bits in the last eight bytes (it fits the last two).
    seq(get(end), get(to), i32.sub, set(from)),
    seq(get(end), i32.const(0x80), i32.store8()),
    seq(get(end), i32.const(1), i32.add, set(end)),
    seq(get(to), get(from), i32.const(8), i32.add, i32.const(6), i32.shrU, i32.const(6), i32.shl, i32.add, i32.const(64), i32.add, set(i)),
    loopWhile(seq(get(end), v128.zero, v128.store()), seq(get(end), i32.const(16), i32.add, tee(end), get(i), i32.ltU)),
    seq(get(i), i32.const(2), i32.sub, get(from), i32.const(5), i32.shrU, i32.store8()),
    seq(get(i), i32.const(1), i32.sub, get(from), i32.const(3), i32.shl, i32.store8()),
  )
}

/** run(job, groups): runs groups of four jobs. All jobs of a group have the same number of blocks, which follows the last job of the group. */
const run = (): Code => {
  const [job, groups, at, blocks, rounds] = [0, 1, 2, 3, 4] as const
  const s = 5
  const w = 13
  const v = 29
  const buffer = (i: number): number => BUFFERS + BUFFER_SIZE * i
  const hashOf = (i: number): Code => seq(get(job), i32.load(JOB * i))
  return seq(
    loopWhile(
      ...[0, 1, 2, 3].map((i) => seq(get(job), i32.const(JOB * i), i32.add, i32.const(buffer(i)), call(0))),
      ...INITIAL.map((value, i) => seq(i32.const(value), v128.splat, set(s + i))),
      seq(i32.const(0), set(at), get(job), i32.load(4 * JOB), set(blocks)),
      loopWhile(
        ...[0, 1, 2, 3].flatMap((part) => [
          ...[0, 1, 2, 3].map((i) =>
            seq(
              get(at),
              v128.load(buffer(i) + 16 * part),
              tee(w + 4 * part + i),
              get(w + 4 * part + i),
              v128.shuffle(SWAP),
              set(w + 4 * part + i),
            ),
          ),
          transpose(w + 4 * part, v),
        ]),
        compress(vector, s, w, v, rounds),
        seq(get(at), i32.const(64), i32.add, set(at)),
        seq(get(blocks), i32.const(1), i32.sub, tee(blocks)),
      ),
      ...[0, 1].flatMap((half) => [
        transpose(s + 4 * half, v),
        ...[0, 1, 2, 3].map((i) => seq(hashOf(i), get(s + 4 * half + i), get(s + 4 * half + i), v128.shuffle(SWAP), v128.store(16 * half))),
      ]),
      seq(get(job), i32.const(4 * JOB + 4), i32.add, set(job)),
      seq(get(groups), i32.const(1), i32.sub, tee(groups)),
    ),
  )
}

/** The module. It exports `memory`, `one(blocks)` and, if `vectors`, `run(jobs, groups)`. */
export const sha256Module = (vectors: boolean): Uint8Array<ArrayBuffer> => {
  const single: Func = { name: 'one', params: 1, locals: [[37, I32]], body: one() }
  if (!vectors) return assemble([single], 1)
  return assemble(
    [
      { name: 'gather', params: 2, locals: [[4, I32]], body: gather() },
      single,
      {
        name: 'run',
        params: 2,
        locals: [
          [3, I32],
          [35, V128],
        ],
        body: run(),
      },
    ],
    1,
  )
}
