import { type Builder, beginCell, type Cell } from '@ton/core'

/*
 * Contracts for tests whose get-methods leave what a test says, assembled by hand from TVM opcodes: so any stack a real contract may leave
 * can be had without a compiler.
 */

export type Answer =
  | bigint
  | null
  | { readonly cell: Cell }
  | { readonly slice: Cell }
  | { readonly tuple: readonly Answer[] }
  /** Opcodes in hex, run as they are. */
  | { readonly code: string }

/** crc16-xmodem with bit 16: the id of a get-method. */
export const idOf = (name: string): number => {
  let crc = 0
  for (const byte of Buffer.from(name)) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc | 0x10000
}

type Step = (b: Builder) => Builder
const hex =
  (text: string): Step =>
  (b) =>
    b.storeBuffer(Buffer.from(text, 'hex'))

/** PUSHINT in its longest form: 82, 5 bits of length l, 8l + 19 bits of the number. */
const pushInt = (value: bigint): Step => {
  let l = 0
  while (value < -(1n << BigInt(8 * l + 18)) || value >= 1n << BigInt(8 * l + 18)) l++
  return (b) =>
    b
      .storeUint(0x82, 8)
      .storeUint(l, 5)
      .storeInt(value, 8 * l + 19)
}

const push = (answer: Answer): Step[] => {
  if (answer === null) return [hex('6d')]
  if (typeof answer === 'bigint') return [pushInt(answer)]
  if ('cell' in answer) return [(b) => b.storeUint(0x88, 8).storeRef(answer.cell)]
  if ('slice' in answer) return [(b) => b.storeUint(0x89, 8).storeRef(answer.slice)]
  if ('code' in answer) return [hex(answer.code)]
  // TUPLEVAR
  return [...answer.tuple.flatMap(push), pushInt(BigInt(answer.tuple.length)), hex('6f80')]
}

/** Steps as one continuation: a cell that is full goes on in its last reference. */
const assemble = (steps: readonly Step[]): Cell => {
  let b = beginCell()
  for (const [i, step] of steps.entries()) {
    const one = step(beginCell())
    if (b.bits + one.bits > 1000 || b.refs + one.refs > 3) return b.storeRef(assemble(steps.slice(i))).endCell()
    b = b.storeBuilder(one)
  }
  return b.endCell()
}

/** DEPTH DROPX: forgets the arguments. */
const CLEAR = hex('6865')
/** DUP, PUSHINT id, EQUAL, IFJMPREF */
const branch = (id: number, body: Cell): Step[] => [
  (b) => pushInt(BigInt(id))(b.storeUint(0x20, 8)).storeUint(0xba, 8).storeUint(0xe302, 16).storeRef(body),
]

/** A continuation that forgets its arguments and leaves these values, the first at the bottom. */
export const leaving = (answers: readonly Answer[]): Cell => assemble([CLEAR, ...answers.flatMap(push)])

/** Code whose methods leave these values, the first at the bottom; any other method throws 11. External messages are accepted. */
export const answering = (methods: Readonly<Record<string, readonly Answer[]>>): Cell =>
  assemble([
    hex('ff00'),
    // recv_internal and recv_external: ACCEPT and nothing else.
    ...branch(0, assemble([CLEAR])),
    ...branch(-1, assemble([hex('f800'), CLEAR])),
    ...Object.entries(methods).flatMap(([name, answers]) => branch(idOf(name), assemble([CLEAR, ...answers.flatMap(push)]))),
    // THROW 11
    hex('f20b'),
  ])

/** Methods written in opcodes (hex); the id is dropped, the arguments are left on the stack. */
export const running = (methods: Readonly<Record<string, string>>): Cell =>
  assemble([
    hex('ff00'),
    ...Object.entries(methods).flatMap(([name, code]) => branch(idOf(name), assemble([hex('30'), hex(code)]))),
    hex('f20b'),
  ])
