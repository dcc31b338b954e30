import { keyOf, keyPath } from '../../../cell/bitpath.ts'
import type { Slice } from '../../../cell/slice.ts'
import { EMPTY_BUILDER } from '../../machine/builder.ts'
import { keyFound } from '../../machine/dictionary.ts'
import { CELL_UNDERFLOW } from '../../machine/exceptions.ts'
import { finishCell } from '../../machine/finish-cell.ts'
import { fitsSigned, fitsUnsigned, normal } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer, Value } from '../../machine/value.ts'

export type KeyKind = 'slice' | 'signed' | 'unsigned'

export const letter = (kind: KeyKind): string => (kind === 'slice' ? '' : kind === 'signed' ? 'I' : 'U')

export const integerKey = (value: Integer, n: number, signed: boolean): Uint8Array | undefined => {
  if (!(signed ? fitsSigned(value, n) : fitsUnsigned(value, n))) return undefined
  return keyPath(BigInt.asUintN(n, BigInt(value)), n)
}

export const sliceKey = (slice: Slice, n: number): Uint8Array | undefined => (slice.remainingBits < n ? undefined : slice.preloadBits(n))

export const popSliceKey = (vm: Machine, n: number): Uint8Array => {
  const key = sliceKey(vm.slice(), n)
  if (key === undefined) throw CELL_UNDERFLOW
  return key
}

/** The key that a search wrote to `path`. For a slice key this makes a new cell. */
const foundKey = (vm: Machine, n: number, kind: KeyKind): Value => {
  const key = keyFound(n)
  if (kind === 'slice') return finishCell(vm, n === 0 ? EMPTY_BUILDER : EMPTY_BUILDER.storeBits(key, n, 0)).slice()
  const value = keyOf(key, n)
  return normal(kind === 'signed' ? BigInt.asIntN(n, value) : value)
}

/** Pushes the value, the found key and -1; only 0 if nothing was found. */
export const pushFound = (vm: Machine, found: Value | undefined, n: number, kind: KeyKind): void => {
  if (found === undefined) vm.stack.push(0)
  else vm.stack.push(found, foundKey(vm, n, kind), -1)
}

export const keyLimit = (kind: KeyKind): number => (kind === 'slice' ? 1023 : kind === 'signed' ? 257 : 256)
