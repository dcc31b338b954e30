import type { Builder } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { badTag, storeHash } from './common.ts'

export interface Field<T> {
  readonly load: (s: Slice) => T
  readonly store: (b: Builder, value: T) => Builder
}

type ValueOf<F> = F extends { readonly load: (s: Slice) => infer T } ? T : never
export type RecordOf<L> = { readonly [K in keyof L]: ValueOf<L[K]> }

const number = (bits: number): Field<number> => ({ load: (s) => s.loadUint(bits), store: (b, v) => b.storeUint(v, bits) })

export const u8 = number(8)
export const u16 = number(16)
export const u32 = number(32)
export const u64: Field<bigint> = { load: (s) => s.loadUintBig(64), store: (b, v) => b.storeUint(v, 64) }
export const i64: Field<bigint> = { load: (s) => s.loadIntBig(64), store: (b, v) => b.storeInt(v, 64) }
export const bool: Field<boolean> = { load: (s) => s.loadBit(), store: (b, v) => b.storeBit(v) }
export const coins: Field<bigint> = { load: (s) => s.loadCoins(), store: (b, v) => b.storeCoins(v) }
export const bytes32: Field<Uint8Array> = { load: (s) => s.loadBytes(32), store: storeHash }
export const ref: Field<Cell> = { load: (s) => s.loadRef(), store: (b, v) => b.storeRef(v) }
export const maybeRef: Field<Cell | undefined> = { load: (s) => s.loadMaybeRef(), store: (b, v) => b.storeMaybeRef(v) }
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  load: (s) => (s.loadBit() ? field.load(s) : undefined),
  store: (b, v) => (v === undefined ? b.storeBit(0) : field.store(b.storeBit(1), v)),
})

/**
 * A flat TL-B record: its fields in order. It is used for configuration parameters and the data of contracts, which are mostly rows of numbers. Loaders for the parts of blocks do not
 * use it, because they run a million times and have to be fast.
 */
export const record = <T extends object>(layout: { readonly [K in keyof T]: Field<T[K]> }): Field<{ readonly [K in keyof T]: T[K] }> => {
  const fields = Object.entries(layout) as [keyof T & string, Field<unknown>][]
  return {
    load: (s) => Object.fromEntries(fields.map(([name, field]) => [name, field.load(s)])) as T,
    store: (b, value) => {
      for (const [name, field] of fields) field.store(b, value[name])
      return b
    },
  }
}

/** Reads the rest of a slice. Throws for data or references after the value. */
export const loadToEnd = <T>(s: Slice, { load }: Pick<Field<T>, 'load'>): T => {
  const value = load(s)
  s.end()
  return value
}

export const tagged = <T>(bits: number, tag: number, type: string, field: Field<T>): Field<T> => ({
  load: (s) => {
    const found = s.loadUint(bits)
    if (found !== tag) throw badTag(type, `0x${found.toString(16)}`)
    return field.load(s)
  },
  store: (b, value) => field.store(b.storeUint(tag, bits), value),
})
