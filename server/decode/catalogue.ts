import type { RecordShape } from './combine.ts'
import { Compiler } from './compile.ts'
import { listTypes } from './lists.ts'
import { type BodyKind, type Row, readTable } from './notation.ts'
import { signedBodies } from './signed.ts'
import { bidask } from './tables/bidask.ts'
import { cocoon } from './tables/cocoon.ts'
import { coffee } from './tables/coffee.ts'
import { common } from './tables/common.ts'
import { dedust } from './tables/dedust.ts'
import { evaa } from './tables/evaa.ts'
import { exchanges } from './tables/exchanges.ts'
import { multisig } from './tables/multisig.ts'
import { names } from './tables/names.ts'
import { services } from './tables/services.ts'
import { staking } from './tables/staking.ts'
import { stonfi } from './tables/stonfi.ts'
import { storm } from './tables/storm.ts'
import { tokens } from './tables/tokens.ts'
import { tonco } from './tables/tonco.ts'
import { wallets } from './tables/wallets.ts'

/** The whole catalogue (v3.md 9.4). If several bodies have the same tag, the earlier one is tried first. */
export const rows: readonly Row[] = [
  ...[common, wallets, tokens, names, multisig, staking, services],
  ...[stonfi, dedust, tonco, coffee, bidask, exchanges, evaa, storm, cocoon],
].flatMap(readTable)
const compiler = new Compiler(rows, listTypes)

/** The order in which kinds of bodies are tried if the carrier is not known (v3.md 9.3). */
const ORDER: readonly BodyKind[] = ['internal', 'external', 'forward', 'event']

const compiled = rows.filter((row) => typeof row.kind === 'string').map((row) => compiler.body(row))

/** Constructors by tag. Those of `kind` come first. */
const byTag = (kind: BodyKind): ReadonlyMap<number, readonly RecordShape[]> => {
  const shapes = new Map<number, RecordShape[]>()
  for (const each of [kind, ...ORDER.filter((other) => other !== kind)]) {
    for (const body of compiled) {
      if (body.kind !== each) continue
      const known = shapes.get(body.opcode)
      if (known === undefined) shapes.set(body.opcode, [body.record])
      else known.push(body.record)
    }
  }
  return shapes
}
const maps: Readonly<Record<BodyKind, ReadonlyMap<number, readonly RecordShape[]>>> = {
  internal: byTag('internal'),
  external: byTag('external'),
  forward: byTag('forward'),
  event: byTag('event'),
}

/** The constructors of a 32-bit tag in the order in which they are tried; undefined for an unknown tag. */
export const bodies = (kind: BodyKind, opcode: number): readonly RecordShape[] | undefined => maps[kind].get(opcode)

/** Wallet requests without a tag. */
export const signed = signedBodies(compiler)

/** Opcodes that do not have the name of the constructor tried first. */
const NAMED: ReadonlyMap<number, string> = new Map([[1, 'evaa_supply_master']])

/**
 * The name of an opcode: that of its first constructor (v3.md 9.4). The rest of the body does not matter. `opcode` is unsigned; null for an unknown one.
 */
export const opcodeName = (opcode: number): string | null => NAMED.get(opcode) ?? maps.internal.get(opcode)?.[0]?.name ?? null
