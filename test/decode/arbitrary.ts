import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import type { FieldNode, Row, TypeNode } from '../../server/decode/notation.ts'
import { stdAddress, storeAddressExt, storeAddressInt } from '../../server/tlb/address.ts'
import type { Random } from '../kit/random.ts'

/* Bodies that follow the catalogue, made at random from its lines. */

/** A whole number from 0 to n - 1. */
type Roll = Random['below']

/** Does not fit its cell, or goes too deep: the maker tries again. */
class Unfit extends Error {}

/** What stands where a line has any cell or a dictionary. */
export interface Parts {
  readonly payload: () => Cell
  /** `value` is one that the dictionary can hold. */
  readonly dictionary: (width: number, value: Cell) => Cell
}

/** Makes bodies of the lines of a catalogue. With `parts` everything optional is there, and payloads and dictionaries come from them. */
export const bodyMaker = (rows: readonly Row[], roll: Roll, parts?: Parts): ((row: Row) => Cell | undefined) => {
  const types = new Map<string, Row[]>()
  for (const row of rows) {
    if (typeof row.kind !== 'string') types.set(row.kind.type, [...(types.get(row.kind.type) ?? []), row])
  }
  let depth = 0

  const uint = (bits: number): bigint => {
    let value = 0n
    for (let i = 0; i < bits; i++) value = value * 2n + BigInt(roll(2))
    return value
  }
  const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, () => roll(256))
  const varUint = (b: Builder, lenBits: number): Builder => b.storeVarUint(uint(roll(5) * 8), lenBits)
  const payload = (): Cell => {
    if (parts !== undefined) return parts.payload()
    const kinds = [
      () => EMPTY_CELL,
      () =>
        beginCell()
          .storeUint(roll(2 ** 16), 16)
          .end(),
      () => beginCell().storeUint(0, 32).storeBytes(Buffer.from('hello')).end(),
      () => beginCell().storeUint(0xd53276db, 32).storeUint(uint(64), 64).end(),
      () => beginCell().storeUint(uint(200), 200).storeRef(beginCell().storeUint(1, 1).end()).end(),
    ]
    return kinds[roll(kinds.length)]!()
  }

  const address = (b: Builder, forms: number): Builder => {
    if (forms > 1 && roll(4) === 0) return storeAddressInt(b, undefined)
    if (forms > 1 && roll(8) === 0) return storeAddressExt(b, { type: 'extern', bits: 13, data: Uint8Array.from([roll(256), 8]) })
    return storeAddressInt(b, stdAddress(roll(2) - 1, bytes(32)))
  }

  const inside = <T>(make: () => T): T => {
    if (depth > 40) throw new Unfit()
    depth++
    try {
      return make()
    } finally {
      depth--
    }
  }
  /** Whether something optional is there: the deeper, the rarer. */
  const there = (): boolean => (parts === undefined ? roll(3 + depth * 2) < 2 : depth < 8)

  const cellOf = (type: TypeNode): Cell => inside(() => store(beginCell(), type, new Map()).end())

  const list = (prev: Cell, left: number): Cell =>
    left === 0 ? prev : list(store(beginCell().storeRef(prev), { node: 'named', name: 'OutAction' }, new Map()).end(), left - 1)

  const named = (b: Builder, name: string): Builder => {
    switch (name) {
      case 'bool':
      case 'nat1':
        return b.storeUint(roll(2), 1)
      case 'grams':
      case 'coins':
      case 'vu16':
        return varUint(b, 4)
      case 'vu32':
        return varUint(b, 5)
      case 'address':
        return address(b, 2)
      case 'address_int':
        return address(b, 1)
      case 'address_ext':
        return storeAddressExt(b, undefined)
      case 'cell':
      case 'any':
        return b.storeSlice(payload().sliceExotic())
      case 'snake':
        return b.storeBytes(Buffer.from('Grüße, 世界 \u0000"\\')).storeRef(beginCell().storeBytes(Buffer.from(' ...')).end())
      case 'TelemintText':
        return b.storeUint(3, 8).storeBytes(bytes(3))
      case 'DnsText':
        return b
          .storeUint(2, 8)
          .storeUint(2, 8)
          .storeBytes(bytes(2))
          .storeRef(beginCell().storeUint(1, 8).storeBytes(bytes(1)).end())
      case 'OutActions':
        return inside(() => b.storeSlice(list(EMPTY_CELL, roll(3)).slice()))
      case 'WalletV5Actions':
        return named(b, 'WalletV5Action')
      case 'WalletMessages':
        return roll(2) ? named(b, 'WalletMessage') : b
    }
    const constructors = types.get(name)
    if (!constructors) throw new Error(`no type ${name}`)
    return inside(() => construct(b, constructors[roll(constructors.length)]!))
  }

  const store = (b: Builder, type: TypeNode, numbers: Map<string, bigint>): Builder => {
    switch (type.node) {
      case 'named':
        return named(b, type.name)
      case 'number': {
        if (type.least === undefined && type.most === undefined) return b.storeUint(uint(type.bits), type.bits)
        const least = type.least ?? 0n
        return b.storeUint(least + (uint(32) % ((type.most ?? 2n ** BigInt(type.bits) - 1n) - least + 1n)), type.bits)
      }
      case 'bits':
        return b.storeBits(bytes(Math.ceil(type.bits / 8)), type.bits)
      case 'maybe':
        return there() ? store(b.storeBit(1), type.of, numbers) : b.storeBit(0)
      case 'inverted':
        return there() ? store(b.storeBit(0), type.of, numbers) : b.storeBit(1)
      case 'argument':
        return store(b, type.of, numbers)
      case 'ref': {
        const whole = type.of.node === 'named' && (type.of.name === 'cell' || type.of.name === 'any')
        return b.storeRef(whole ? payload() : cellOf(type.of))
      }
      case 'either': {
        const right = roll(2)
        return store(b.storeBit(right === 1), right ? type.second : type.first, numbers)
      }
      case 'record':
        return fields(b, type.fields)
      case 'dict': {
        const entries = new Map<bigint, Cell>()
        if (parts !== undefined) {
          const root = parts.dictionary(type.bits, cellOf(type.of))
          return type.empty ? b.storeMaybeRef(root) : b.storeSlice(root.slice())
        }
        const count = type.empty && !there() ? 0 : 1 + roll(3)
        for (let i = 0; i < count; i++) entries.set(roll(2) ? uint(type.bits) : BigInt(i), cellOf(type.of))
        const root = dictFromEntries(type.bits, entries)
        return type.empty ? b.storeMaybeRef(root) : b.storeSlice(root!.slice())
      }
      case 'if': {
        const on = numbers.get(type.field)!
        return (type.bit === null ? on : (on >> BigInt(type.bit)) & 1n) ? store(b, type.of, numbers) : b
      }
    }
  }

  const fields = (b: Builder, nodes: readonly FieldNode[]): Builder => {
    const numbers = new Map<string, bigint>()
    for (const { name, type } of nodes) {
      if (type.node !== 'number' || !nodes.some(({ type: other }) => other.node === 'if' && other.field === name)) {
        store(b, type, numbers)
        continue
      }
      const value = BigInt(roll(2))
      numbers.set(name, value)
      b.storeUint(value, type.bits)
    }
    return b
  }
  const construct = (b: Builder, row: Row): Builder => fields(b.storeUint(row.tag, row.tagBits), row.fields)

  return (row) => {
    for (let i = 0; i < 100; i++) {
      try {
        return construct(beginCell(), row).end()
      } catch (error) {
        if (!(error instanceof Unfit) && !(error instanceof Error && error.name === 'CellError')) throw error
      }
    }
    return undefined
  }
}
