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

/** The order in which constructors of other kinds are tried, after those of the kind that the caller names. */
const ORDER: readonly BodyKind[] = ['internal', 'external', 'forward', 'event']

/** Among the constructors with the same tag, those of `kind` come first. */
const byTag = (compiled: ReturnType<Compiler['body']>[], kind: BodyKind): ReadonlyMap<number, readonly RecordShape[]> => {
  const shapes = new Map<number, RecordShape[]>()
  for (const each of [kind, ...ORDER.filter((other) => other !== kind)]) {
    for (const body of compiled) {
      if (body.kind !== each) continue
      const existing = shapes.get(body.opcode)
      if (existing === undefined) shapes.set(body.opcode, [body.record])
      else existing.push(body.record)
    }
  }
  return shapes
}

/** Compiles tables. If several bodies have the same tag, the earlier one is tried first. Throws Error for anything outside the notation. */
export const createCatalogue = (tables: readonly MessageTable[]): Catalogue => {
  const rows = tables.flatMap(({ messages = '' }) => readTable(messages))
  const compiler = new Compiler(rows, listTypes)
  const compiled = rows.filter((row) => typeof row.kind === 'string').map((row) => compiler.body(row))
  const maps: Readonly<Record<BodyKind, ReadonlyMap<number, readonly RecordShape[]>>> = {
    internal: byTag(compiled, 'internal'),
    external: byTag(compiled, 'external'),
    forward: byTag(compiled, 'forward'),
    event: byTag(compiled, 'event'),
  }
  const names = new Map(tables.flatMap(({ opcodeNames = [] }) => [...opcodeNames]))
  const untagged = tables.flatMap(({ untagged: bodies = [] }) => bodies.map(({ shape, fits }) => ({ shape: compiler.named(shape), fits })))
  return {
    rows,
    untagged,
    bodies: (kind, opcode) => maps[kind].get(opcode),
    opcodeName: (opcode) => names.get(opcode) ?? maps.internal.get(opcode)?.[0]?.name ?? null,
  }
}
