import { keyOf, keyPath } from '../../../cell/bitpath.ts'
import type { Slice } from '../../../cell/slice.ts'
import { EMPTY_BUILDER } from '../../machine/builder.ts'
import { keyFound } from '../../machine/dictionary.ts'
import { CELL_UNDERFLOW } from '../../machine/exceptions.ts'
import { finishCell } from '../../machine/finish-cell.ts'
import { fitsSigned, fitsUnsigned, normal } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer } from '../../machine/value.ts'

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

/** Pushes the key that a search wrote to `path`. For a slice key this makes a new cell. */
export const pushFoundKey = (vm: Machine, n: number, kind: KeyKind): void => {
  const key = keyFound(n)
  if (kind === 'slice') {
    vm.stack.push(finishCell(vm, n === 0 ? EMPTY_BUILDER : EMPTY_BUILDER.storeBits(key, n, 0)).slice())
    return
  }
  const value = keyOf(key, n)
  vm.stack.push(normal(kind === 'signed' ? BigInt.asIntN(n, value) : value))
}

export const keyLimit = (kind: KeyKind): number => (kind === 'slice' ? 1023 : kind === 'signed' ? 257 : 256)
