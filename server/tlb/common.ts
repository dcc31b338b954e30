import type { Builder } from '../cell/builder.ts'
import { CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'

/*
 * Conventions of this folder. A type that always has its own cell has `loadX(cell): X` and `storeX(x): Cell`. A type inside other cells has `loadX(slice): X`,
 * which moves the slice, and `storeX(builder, x): Builder`. Large members (state update, dictionaries, code) are not parsed: they are returned as cells. A
 * member in a reference that proofs often prune is a getter, so that only the members in use are read. A read of a pruned member throws CellError 'pruned'. A
 * wrong constructor tag throws CellError 'range'.
 */

export const badTag = (type: string, tag: number | bigint | string): CellError =>
  new CellError('range', `${type}: no constructor with tag ${tag.toString()}`)

export const expectTag = (s: Slice, bits: number, tag: number, type: string): void => {
  const found = s.loadUint(bits)
  if (found !== tag) throw badTag(type, `0x${found.toString(16)}`)
}

export const loadMaybe = <T>(s: Slice, load: (s: Slice) => T): T | undefined => (s.loadBit() ? load(s) : undefined)

export const storeMaybe = <T>(b: Builder, value: T | undefined, store: (b: Builder, value: T) => Builder): Builder =>
  value === undefined ? b.storeBit(0) : store(b.storeBit(1), value)

/** Returns a function that computes its result on the first call only. It is for members that a proof may have pruned. */
export const lazy = <T>(compute: () => T): (() => T) => {
  let computed: { readonly value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** Adds members to a record that are all computed when one of them is first read. For a record that is read once a block, because it takes microseconds. */
export const withLazyMembers = <R extends object, L extends object>(
  record: R,
  names: readonly (keyof L & string)[],
  compute: () => L,
): R & L => {
  const computed = lazy(compute)
  for (const name of names) Object.defineProperty(record, name, { get: () => computed()[name], enumerable: true })
  return record as R & L
}

/** Stores exactly 32 bytes, so that a hash of another length cannot shift the fields after it. */
export const storeHash = (b: Builder, hash: Uint8Array): Builder => {
  if (hash.length !== 32) throw new CellError('range', `a hash has 32 bytes, not ${hash.length}`)
  return b.storeBytes(hash)
}
