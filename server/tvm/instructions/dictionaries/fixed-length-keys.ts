import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import {
  deleteKey,
  lookup,
  minmax,
  nearest,
  type SetMode,
  type StoreValue,
  setKey,
  storeBuilderValue,
  storeRefValue,
  storeSliceValue,
  subdictionary,
} from '../../machine/dictionary.ts'
import { path } from '../../machine/dictionary-edges.ts'
import { CELL_UNDERFLOW, DICT_ERROR, RANGE_CHECK } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import type { Machine } from '../../machine/machine.ts'
import { simple } from '../define.ts'
import { integerKey, type KeyKind, keyLimit, letter, popSliceKey, pushFound, sliceKey } from './keys.ts'

/* 0xF40A..0xF49F, 0xF4B1..: dictionaries with keys of one length. Prefix dictionaries and jumps into code are in code-dictionaries.ts. */

type ValueKind = 'slice' | 'ref' | 'builder'

interface How {
  readonly key: KeyKind
  readonly value: ValueKind
}

const refOf = (value: Slice): Cell => {
  if (value.remainingBits !== 0 || value.remainingRefs !== 1) throw DICT_ERROR
  return value.preloadRef()
}
const pushValue = (vm: Machine, value: Slice, kind: ValueKind): void => {
  vm.stack.push(kind === 'ref' ? refOf(value) : value)
}

const popKey = (vm: Machine, n: number, kind: KeyKind): Uint8Array | undefined =>
  kind === 'slice' ? popSliceKey(vm, n) : integerKey(vm.finite(), n, kind === 'signed')

/**
 * Pops a key to set; exception 5 for an integer that does not fit the key. For a slice that is too short it returns undefined instead of throwing, because the
 * value must be popped before the exception.
 */
const popNewKey = (vm: Machine, n: number, kind: KeyKind): Uint8Array | undefined => {
  if (kind === 'slice') return sliceKey(vm.slice(), n)
  const key = integerKey(vm.int(), n, kind === 'signed')
  if (key === undefined) throw RANGE_CHECK
  return key
}

const popNewValue = (vm: Machine, kind: ValueKind): StoreValue => {
  if (kind === 'builder') return storeBuilderValue(vm.builder())
  return kind === 'ref' ? storeRefValue(vm.cell()) : storeSliceValue(vm.slice())
}

const get = (vm: Machine, { key: kind, value }: How): void => {
  vm.need(3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = popKey(vm, n, kind)
  const found = key === undefined ? undefined : lookup(vm, root, n, key)
  if (found === undefined) vm.stack.push(0)
  else {
    pushValue(vm, found, value)
    vm.stack.push(-1)
  }
}

const getOptRef = (vm: Machine, { key: kind }: How): void => {
  vm.need(3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = popKey(vm, n, kind)
  const found = key === undefined ? undefined : lookup(vm, root, n, key)
  vm.stack.push(found === undefined ? null : refOf(found))
}

const set = (vm: Machine, { key: kind, value, mode, gets }: How & { readonly mode: SetMode; readonly gets: boolean }): void => {
  vm.need(4)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = popNewKey(vm, n, kind)
  const stored = popNewValue(vm, value)
  if (key === undefined) throw CELL_UNDERFLOW
  const { old, cell } = setKey(vm, root, n, key, stored, mode)
  if (!gets) {
    vm.stack.push(cell ?? root)
    if (mode !== 'set') vm.stack.push(cell === undefined ? 0 : -1)
    return
  }
  // The flag says whether the key had a value. For ADD it says whether the new value was stored.
  const found = old !== undefined
  const given = found && value === 'ref' ? refOf(old) : old
  vm.stack.push(cell ?? root)
  if (given !== undefined) vm.stack.push(given)
  vm.stack.push(found === (mode !== 'add') ? -1 : 0)
}

const remove = (vm: Machine, { key: kind, value, gets }: How & { readonly gets: boolean }): void => {
  vm.need(3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = popKey(vm, n, kind)
  if (key === undefined) throw RANGE_CHECK
  const { old, root: rest } = deleteKey(vm, root, n, key)
  const given = old !== undefined && gets && value === 'ref' ? refOf(old) : old
  vm.stack.push(rest)
  if (given !== undefined && gets) vm.stack.push(given)
  vm.stack.push(old === undefined ? 0 : -1)
}

const setGetOptRef = (vm: Machine, { key: kind }: How): void => {
  vm.need(4)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = popNewKey(vm, n, kind)
  const value = vm.maybeCell()
  if (key === undefined) throw CELL_UNDERFLOW
  if (value === null) {
    const { old, root: rest } = deleteKey(vm, root, n, key)
    const given = old === undefined ? null : refOf(old)
    vm.stack.push(rest, given)
  } else {
    const { old, cell } = setKey(vm, root, n, key, storeRefValue(value), 'set')
    const given = old === undefined ? null : refOf(old)
    vm.stack.push(cell ?? root, given)
  }
}

const getMinMax = (vm: Machine, { key: kind, value, max, removes }: How & { readonly max: boolean; readonly removes: boolean }): void => {
  vm.need(2)
  const n = vm.small(keyLimit(kind))
  const root = vm.maybeCell()
  const others = max ? 1 : 0
  const found = minmax(vm, root, n, kind === 'signed' ? 1 - others : others, others)
  let rest = root
  let key: Uint8Array | undefined
  if (found !== undefined && removes) {
    key = path.slice(0, (n + 7) >>> 3)
    rest = deleteKey(vm, root, n, key).root
    path.set(key)
  }
  const given = found !== undefined && value === 'ref' ? refOf(found) : found
  if (removes) vm.stack.push(rest)
  pushFound(vm, given, n, kind)
}

const getNear = (vm: Machine, { key: kind, up, equal }: How & { readonly up: boolean; readonly equal: boolean }): void => {
  vm.need(3)
  const n = vm.small(keyLimit(kind))
  const root = vm.maybeCell()
  const signed = kind === 'signed'
  let found: Slice | undefined
  if (kind === 'slice') found = nearest(vm, root, n, popSliceKey(vm, n), up, equal, false)
  else {
    const value = vm.finite()
    const key = integerKey(value, n, signed)
    if (key !== undefined) found = nearest(vm, root, n, key, up, equal, signed)
    else if (value >= 0 !== up) {
      // The integer is below or above all keys, so the nearest key is the first or last one.
      const others = up ? 0 : 1
      found = minmax(vm, root, n, signed ? 1 - others : others, others)
    }
  }
  pushFound(vm, found, n, kind)
}

const getSub = (vm: Machine, { key: kind, removes }: How & { readonly removes: boolean }): void => {
  vm.need(4)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const length = vm.small(Math.min(keyLimit(kind), n))
  const prefix = popKey(vm, length, kind)
  if (prefix === undefined) throw CELL_UNDERFLOW
  vm.stack.push(subdictionary(vm, root, n, prefix, length, removes))
}

const KINDS: readonly KeyKind[] = ['slice', 'signed', 'unsigned']

/** Six instructions starting at `opcode`: three kinds of keys, each with slice values and reference values. */
const six = <T extends object>(opcode: number, name: string, exec: (vm: Machine, how: How & T) => void, more: T): Instruction[] =>
  KINDS.flatMap((key, i) =>
    (['slice', 'ref'] as const).map((value, j) =>
      simple(opcode + 2 * i + j, 16, `DICT${letter(key)}${name}${value === 'ref' ? 'REF' : ''}`, exec, { key, value, ...more }),
    ),
  )
const three = <T extends object>(
  opcode: number,
  name: string,
  exec: (vm: Machine, how: How & T) => void,
  more: T,
  value: ValueKind,
  prefix = 'DICT',
): Instruction[] => KINDS.map((key, i) => simple(opcode + i, 16, `${prefix}${letter(key)}${name}`, exec, { key, value, ...more }))

export const DICTIONARIES: readonly Instruction[] = [
  ...six(0xf40a, 'GET', get, {}),
  ...six(0xf412, 'SET', set, { mode: 'set', gets: false }),
  ...six(0xf41a, 'SETGET', set, { mode: 'set', gets: true }),
  ...six(0xf422, 'REPLACE', set, { mode: 'replace', gets: false }),
  ...six(0xf42a, 'REPLACEGET', set, { mode: 'replace', gets: true }),
  ...six(0xf432, 'ADD', set, { mode: 'add', gets: false }),
  ...six(0xf43a, 'ADDGET', set, { mode: 'add', gets: true }),
  ...three(0xf441, 'SETB', set, { mode: 'set', gets: false }, 'builder'),
  ...three(0xf445, 'SETGETB', set, { mode: 'set', gets: true }, 'builder'),
  ...three(0xf449, 'REPLACEB', set, { mode: 'replace', gets: false }, 'builder'),
  ...three(0xf44d, 'REPLACEGETB', set, { mode: 'replace', gets: true }, 'builder'),
  ...three(0xf451, 'ADDB', set, { mode: 'add', gets: false }, 'builder'),
  ...three(0xf455, 'ADDGETB', set, { mode: 'add', gets: true }, 'builder'),
  ...three(0xf459, 'DEL', remove, { gets: false }, 'slice'),
  ...six(0xf462, 'DELGET', remove, { gets: true }),
  ...three(0xf469, 'GETOPTREF', getOptRef, {}, 'ref'),
  ...three(0xf46d, 'SETGETOPTREF', setGetOptRef, {}, 'ref'),
  ...KINDS.flatMap((key, i) =>
    ['NEXT', 'NEXTEQ', 'PREV', 'PREVEQ'].map((name, j) =>
      simple(0xf474 + 4 * i + j, 16, `DICT${letter(key)}GET${name}`, getNear, {
        key,
        value: 'slice',
        up: j < 2,
        equal: j % 2 === 1,
      }),
    ),
  ),
  ...six(0xf482, 'MIN', getMinMax, { max: false, removes: false }),
  ...six(0xf48a, 'MAX', getMinMax, { max: true, removes: false }),
  ...six(0xf492, 'REMMIN', getMinMax, { max: false, removes: true }),
  ...six(0xf49a, 'REMMAX', getMinMax, { max: true, removes: true }),
  ...three(0xf4b1, 'GET', getSub, { removes: false }, 'slice', 'SUBDICT'),
  ...three(0xf4b5, 'RPGET', getSub, { removes: true }, 'slice', 'SUBDICT'),
]
