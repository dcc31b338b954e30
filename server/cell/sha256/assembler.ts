/*
 * A minimal WebAssembly assembler for code.ts. Code is an array of bytes. An instruction is a function that returns its bytes, or a constant.
 * https://webassembly.github.io/spec/core/binary/
 */

export type Code = readonly (number | Code)[]

/** Unsigned LEB128. */
const unsigned = (value: number): Code => {
  if (value >= 0 && value < 128) return [value]
  const out: number[] = []
  let rest = value >>> 0
  while (rest > 127) {
    out.push((rest & 127) | 128)
    rest >>>= 7
  }
  out.push(rest)
  return out
}

/** Signed LEB128 of a 32-bit number. */
const signed = (value: number): Code => {
  const out: number[] = []
  let rest = value | 0
  for (;;) {
    const low = rest & 127
    rest >>= 7
    if ((rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0)) return [...out, low]
    out.push(low | 128)
  }
}

/** Joins code: it stays nested until the module is assembled. */
export const seq = (...parts: readonly Code[]): Code => parts

/** Appends the bytes of nested code. */
const flatten = (code: Code, out: number[]): number[] => {
  for (let i = 0; i < code.length; i++) {
    const item = code[i]!
    if (typeof item === 'number') out.push(item)
    else flatten(item, out)
  }
  return out
}
const bytes = (...parts: readonly Code[]): number[] => flatten(parts, [])

export const I32 = 0x7f
export const V128 = 0x7b

export const get = (local: number): Code => [0x20, unsigned(local)]
export const set = (local: number): Code => [0x21, unsigned(local)]
export const tee = (local: number): Code => [0x22, unsigned(local)]
export const call = (index: number): Code => [0x10, unsigned(index)]

/** Repeats `body` as long as it leaves a non-zero i32 on the stack. */
export const loopWhile = (...body: readonly Code[]): Code => [0x03, 0x40, body, 0x0d, 0, 0x0b]
export const ifThen = (condition: Code, ...body: readonly Code[]): Code => [condition, 0x04, 0x40, body, 0x0b]

const memory = (op: Code, align: number, offset: number): Code => seq(op, unsigned(align), unsigned(offset))
const simd = (op: number): Code => [0xfd, unsigned(op)]

export const i32 = {
  const: (value: number): Code => seq([0x41], signed(value)),
  load: (offset = 0): Code => memory([0x28], 0, offset),
  load8: (offset = 0): Code => memory([0x2d], 0, offset),
  load16: (offset = 0): Code => memory([0x2f], 0, offset),
  store: (offset = 0): Code => memory([0x36], 0, offset),
  store8: (offset = 0): Code => memory([0x3a], 0, offset),
  store16: (offset = 0): Code => memory([0x3b], 0, offset),
  ltU: [0x49] as Code,
  gtU: [0x4b] as Code,
  add: [0x6a] as Code,
  sub: [0x6b] as Code,
  and: [0x71] as Code,
  or: [0x72] as Code,
  xor: [0x73] as Code,
  shl: [0x74] as Code,
  shrU: [0x76] as Code,
  rotr: [0x78] as Code,
}

export const v128 = {
  load: (offset = 0): Code => memory(simd(0x00), 0, offset),
  load32Splat: (offset = 0): Code => memory(simd(0x09), 0, offset),
  store: (offset = 0): Code => memory(simd(0x0b), 0, offset),
  zero: seq(simd(0x0c), new Array(16).fill(0)),
  shuffle: (indices: Code): Code => seq(simd(0x0d), indices),
  splat: simd(0x11),
  and: simd(0x4e),
  or: simd(0x50),
  xor: simd(0x51),
  shl: simd(0xab),
  shrU: simd(0xad),
  add: simd(0xae),
}

/** A function of i32 parameters without results. */
export interface Func {
  readonly name: string
  readonly params: number
  /** Types of the locals after the parameters, run-length coded. */
  readonly locals: readonly (readonly [count: number, type: number])[]
  readonly body: Code
}

const section = (id: number, content: Code): Code => {
  const flat = bytes(content)
  return [id, unsigned(flat.length), flat]
}
const vector = (items: readonly Code[]): Code => [unsigned(items.length), items]
const name = (text: string): Code => [unsigned(text.length), [...Buffer.from(text)]]

/** Assembles a module of functions with one exported memory, `memory`, of at least `pages` pages. */
export const assemble = (funcs: readonly Func[], pages: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    bytes(
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, vector(funcs.map(({ params }) => [0x60, vector(new Array(params).fill([I32])), 0]))),
      section(3, vector(funcs.map((_, i) => unsigned(i)))),
      section(5, [1, 0, unsigned(pages)]),
      section(7, vector([[name('memory'), 2, 0], ...funcs.map((func, i) => [name(func.name), 0, unsigned(i)])])),
      section(
        10,
        vector(
          funcs.map(({ locals, body }) => {
            const code = bytes(vector(locals.map(([count, type]) => [unsigned(count), type])), body, [0x0b])
            return [unsigned(code.length), code]
          }),
        ),
      ),
    ),
  )
