import { listTypes } from './builtin-types.ts'
import type { RecordShape } from './combinators.ts'
import { Compiler } from './compile.ts'
import { type BodyKind, type Row, readTable } from './notation.ts'
import type { Constructors, SizedBody } from './shape.ts'

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
