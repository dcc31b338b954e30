import type { Cell } from '../cell/cell.ts'
import { listTypes } from './builtin-types.ts'
import type { RecordShape } from './combinators.ts'
import { Compiler } from './compile.ts'
import { type BodyKind, type Row, readTable } from './notation.ts'
import { BODY_BUDGET, type Constructors, type Shape, type SizedBody } from './shape.ts'
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

export interface MessageTable {
  readonly messages?: string
  /** Bodies without a tag, as types of the notation. A type fits only if it reads the body to the end, because no tag identifies the body. */
  readonly untagged?: readonly SizedBody<string>[]
  /** Names of opcodes whose name differs from the name of their first constructor. */
  readonly opcodeNames?: ReadonlyMap<number, string>
}

export interface Catalogue extends Constructors {
  readonly rows: readonly Row[]
  /** Returns the name of an unsigned opcode, from `opcodeNames` or from the first constructor with this tag; null for an unknown opcode. */
  readonly opcodeName: (opcode: number) => string | null
}

/** The order in which constructors with the same tag are tried. */
const ORDER: readonly BodyKind[] = ['internal', 'external', 'forward', 'event']

/** Compiles tables. If several bodies have the same tag, the earlier one is tried first. Throws Error for anything outside the notation. */
export const createCatalogue = (tables: readonly MessageTable[]): Catalogue => {
  const rows = tables.flatMap(({ messages = '' }) => readTable(messages))
  const compiler = new Compiler(rows, listTypes)
  const byTag = new Map<number, RecordShape[]>()
  for (const kind of ORDER)
    for (const row of rows)
      if (row.kind === kind) byTag.set(row.tag, [...(byTag.get(row.tag) ?? []), compiler.record(row.name, row.fields)])
  const names = new Map(tables.flatMap(({ opcodeNames = [] }) => [...opcodeNames]))
  const untagged = tables.flatMap(({ untagged: bodies = [] }) => bodies.map(({ shape, fits }) => ({ shape: compiler.named(shape), fits })))
  return {
    rows,
    untagged,
    bodies: (opcode) => byTag.get(opcode),
    opcodeName: (opcode) => names.get(opcode) ?? byTag.get(opcode)?.[0]?.name ?? null,
  }
}
