import type { Builder } from '../cell/builder.ts'
import { CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'

/*
 * How this room is built. A type that always has a cell of its own is `loadX(cell): X` and `storeX(x): Cell`; one that stands inside other
 * cells is `loadX(slice): X`, which moves the slice, and `storeX(builder, x): Builder`. Heavy members (state update, dictionaries, code) stay
 * cells, and members behind a reference that proofs commonly prune are getters, so a loader reads no more than it is asked for; what is
 * pruned throws CellError 'pruned' at that moment. A wrong constructor tag is CellError 'range'.
 */

/** The error for a constructor tag that the schema does not have. */
export const badTag = (type: string, tag: number | bigint | string): CellError =>
  new CellError('range', `${type}: no constructor with tag ${tag.toString()}`)

/** Throws unless a record's tag is the only one its type has. */
export const expectTag = (s: Slice, bits: number, tag: number, type: string): void => {
  const found = s.loadUint(bits)
  if (found !== tag) throw badTag(type, `0x${found.toString(16)}`)
}

/** Maybe X: undefined for nothing$0. */
export const loadMaybe = <T>(s: Slice, load: (s: Slice) => T): T | undefined => (s.loadBit() ? load(s) : undefined)

/** Maybe X from an optional value. */
export const storeMaybe = <T>(b: Builder, value: T | undefined, store: (b: Builder, value: T) => Builder): Builder =>
  value === undefined ? b.storeBit(0) : store(b.storeBit(1), value)

/** Computes once, on the first call; for members that a proof may have pruned. */
export const lazy = <T>(compute: () => T): (() => T) => {
  let known: { readonly value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

/** Stores exactly 32 bytes, so that a hash of another length cannot shift the fields after it. */
export const storeHash = (b: Builder, hash: Uint8Array): Builder => {
  if (hash.length !== 32) throw new CellError('range', `a hash has 32 bytes, not ${hash.length}`)
  return b.storeBytes(hash)
}
