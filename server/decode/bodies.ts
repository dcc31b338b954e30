import type { Cell } from '../cell/cell.ts'
import { listTypes } from './builtin-types.ts'
import { Compiler } from './compile.ts'
import { type BodyKind, type Row, readTable } from './notation.ts'
import { BODY_BUDGET, type Shape } from './shape.ts'
import type { BodyOf, Key } from './typed.ts'

type ExistingKey<Text extends string, K extends Key> = [BodyOf<Text, K>] extends [never] ? never : K

export interface Bodies<Text extends string> {
  /** Returns the opcode of a body, so that code need not repeat opcodes of the notation. Throws Error if the text does not have the body. */
  readonly opcode: (body: `${BodyKind} ${string}`) => number
  /**
   * Returns the fields of a cell that is a body or has a type of the notation (`type X`). The opcode is skipped: the caller has checked it. Each field is
   * read at its first use, which throws CellError if the body ends before the field or does not fit its type.
   */
  readonly load: <K extends Key>(body: ExistingKey<Text, K>, cell: Cell) => BodyOf<Text, K>
  /** Same as `load`, but returns undefined if there is no cell or its opcode differs. */
  readonly loadIf: <K extends Key>(body: ExistingKey<Text, K>, cell: Cell | null | undefined) => BodyOf<Text, K> | undefined
}

export const opcodeOf = (cell: Cell | null | undefined): number | undefined =>
  cell === undefined || cell === null || cell.exotic || cell.bits < 32 ? undefined : cell.slice().loadUint(32)

interface Reader {
  readonly open: NonNullable<Shape['open']>
  readonly tagBits: number
}

/** Returns a function that finds the reader for a key in a table of the notation (notation.ts). Each reader is compiled at its first use. */
const readersOf = (text: string): ((key: string) => Reader) => {
  const readers = new Map<string, Reader>()
  let rows: readonly Row[] = []
  let compiler: Compiler | undefined
  const compile = (key: string): Reader => {
    if (rows.length === 0) rows = readTable(text)
    compiler ??= new Compiler(rows, listTypes)
    const [kind, name] = key.split(' ') as [string, string]
    const row = rows.find((other) => other.kind === kind && other.name === name)
    const shape: Shape = row === undefined ? compiler.named(name) : compiler.record(row.name, row.fields)
    const reader = { open: shape.open ?? shape.load, tagBits: row?.tagBits ?? 0 }
    readers.set(key, reader)
    return reader
  }
  return (key) => readers.get(key) ?? compile(key)
}

/** Returns readers of the bodies in a text of the notation (notation.ts). TypeScript derives the types of their fields from the text (typed.ts). */
export const bodiesOf = <const Text extends string>(text: Text): Bodies<Text> => {
  const bodies = text.matchAll(/^(\w+) ([0-9a-f]{8}) (\S+)/gm)
  const opcodes = new Map(Array.from(bodies, ([, kind, opcode, name]) => [`${kind} ${name}`, Number.parseInt(opcode!, 16)]))
  const readerOf = readersOf(text)
  const load = (key: string, cell: Cell): never => {
    const { open, tagBits } = readerOf(key)
    return open(cell.slice().skip(tagBits), { ...BODY_BUDGET }) as never
  }
  return {
    opcode(body) {
      const opcode = opcodes.get(body)
      if (opcode === undefined) throw new Error(`catalogue: no body "${body}"`)
      return opcode
    },
    load,
    loadIf: (key, cell) => (cell && opcodeOf(cell) === opcodes.get(key) ? load(key, cell) : undefined),
  }
}
