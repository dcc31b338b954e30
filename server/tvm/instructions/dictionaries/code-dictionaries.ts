import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import { ordinary } from '../../machine/continuation.ts'
import { Block } from '../../machine/decoded-code.ts'
import { lookup, type SetMode, storeSliceValue } from '../../machine/dictionary.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW } from '../../machine/exceptions.ts'
import { INVALID, type Instruction } from '../../machine/instruction.ts'
import { call, jump } from '../../machine/jump.ts'
import type { Machine } from '../../machine/machine.ts'
import { methodOf } from '../../machine/method-cache.ts'
import { deletePrefix, lookupPrefix, setPrefix } from '../../machine/prefix-dictionary.ts'
import { V_EARLY_UNDERFLOW } from '../../versions.ts'
import { extended, simple } from '../define.ts'
import { integerKey } from './keys.ts'

/* 0xF400..0xF407, 0xF470..0xF473, 0xF4A0..0xF4AF, 0xF4BC..: dictionaries in slices, jumps into dictionaries of code, prefix dictionaries. */

const stdict = (vm: Machine): void => {
  vm.need(2)
  const builder = vm.builder()
  const root = vm.maybeCell()
  if (!builder.fits(1, root === null ? 0 : 1)) throw CELL_OVERFLOW
  vm.stack.push(root === null ? builder.storeSame(0, 1) : builder.storeSame(1, 1).storeRef(root))
}

/** Number of references of the HashmapE at the start of a slice; -1 if there is none. */
const dictRefs = (slice: Slice): number => {
  if (slice.remainingBits === 0) return -1
  const refs = slice.preloadBit() ? 1 : 0
  return refs > slice.remainingRefs ? -1 : refs
}
const skipdict = (vm: Machine): void => {
  const slice = vm.slice()
  const refs = dictRefs(slice)
  if (refs < 0) throw CELL_UNDERFLOW
  vm.stack.push(slice.clone().skip(1).skipRefs(refs))
}

interface LoadDict {
  readonly preload: boolean
  readonly quiet: boolean
  /** True to push the part of the slice, false to push the root. */
  readonly asSlice: boolean
}
const lddict = (vm: Machine, { preload, quiet, asSlice }: LoadDict): void => {
  const slice = vm.slice()
  const refs = dictRefs(slice)
  if (refs < 0) {
    if (!quiet) throw CELL_UNDERFLOW
    if (!preload) vm.stack.push(slice)
  } else {
    if (asSlice) vm.stack.push(slice.part(0, 1, 0, refs))
    else vm.stack.push(refs === 0 ? null : slice.preloadRef())
    if (!preload) vm.stack.push(slice.clone().skip(1).skipRefs(refs))
  }
  if (quiet) vm.stack.push(refs < 0 ? 0 : -1)
}

interface Get {
  readonly signed: boolean
  readonly calls: boolean
  /** True to leave the key on the stack if it is not found. */
  readonly keeps: boolean
}
const getJump = (vm: Machine, { signed, calls, keeps }: Get): void => {
  vm.need(3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const index = vm.finite()
  const block = root === null ? undefined : methodOf(vm, root, n, index, signed, find)
  if (block !== undefined) {
    const cont = ordinary(block)
    if (calls) call(vm, cont)
    else jump(vm, cont)
  } else if (keeps) vm.stack.push(index)
}
const find = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean): Block | undefined => {
  const key = integerKey(index, n, signed)
  const value = key === undefined ? undefined : lookup(vm, root, n, key)
  return value === undefined ? undefined : new Block(value, vm.version)
}

const pushConst = (vm: Machine, { root, n }: Constant): void => {
  vm.stack.push(root, n)
}
interface Constant {
  readonly root: Cell
  readonly n: number
}
const takeConstant = (args: number, code: Slice): Constant | typeof INVALID =>
  code.remainingRefs === 0 ? INVALID : { root: code.loadRef(), n: args & 1023 }
const constantText = (args: number, code: Slice): string =>
  code.remainingRefs === 0 ? '' : `${args & 1023} (${code.preloadRef().hashHex()})`

const keyBits = (slice: Slice): Uint8Array => slice.preloadBits(slice.remainingBits)

const pfxSet = (vm: Machine, mode: SetMode): void => {
  vm.need(vm.version >= V_EARLY_UNDERFLOW ? 4 : 3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = vm.slice()
  const value = vm.slice()
  const changed = setPrefix(vm, root, n, keyBits(key), key.remainingBits, storeSliceValue(value), mode)
  vm.stack.push(changed ?? root, changed === undefined ? 0 : -1)
}
const pfxDelete = (vm: Machine): void => {
  vm.need(vm.version >= V_EARLY_UNDERFLOW ? 3 : 2)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const key = vm.slice()
  const rest = deletePrefix(vm, root, n, keyBits(key), key.remainingBits)
  vm.stack.push(rest === undefined ? root : rest, rest === undefined ? 0 : -1)
}

/** Use of the found value: `quiet` pushes it with a flag, `get` pushes it, `jump` jumps to it, `call` calls it. */
type Found = 'quiet' | 'get' | 'jump' | 'call'
const pfxGet = (vm: Machine, then: Found): void => {
  vm.need(3)
  const n = vm.small(1023)
  const root = vm.maybeCell()
  const slice = vm.slice()
  const found = lookupPrefix(vm, root, n, keyBits(slice), slice.remainingBits)
  if (found === undefined) {
    if (then === 'get' || then === 'call') throw CELL_UNDERFLOW
    vm.stack.push(slice)
    if (then === 'quiet') vm.stack.push(0)
    return
  }
  vm.stack.push(slice.part(0, found.length, 0, 0))
  if (then === 'quiet' || then === 'get') vm.stack.push(found.value)
  vm.stack.push(slice.clone().skip(found.length))
  if (then === 'quiet') vm.stack.push(-1)
  else if (then === 'jump') jump(vm, ordinary(new Block(found.value, vm.version)))
  else if (then === 'call') call(vm, ordinary(new Block(found.value, vm.version)))
}
const pfxSwitch = (vm: Machine, { root, n }: Constant): void => {
  const slice = vm.slice()
  const found = lookupPrefix(vm, root, n, keyBits(slice), slice.remainingBits)
  if (found === undefined) {
    vm.stack.push(slice)
    return
  }
  vm.stack.push(slice.part(0, found.length, 0, 0), slice.clone().skip(found.length))
  jump(vm, ordinary(new Block(found.value, vm.version)))
}

const jumps = (opcode: number, keeps: boolean): Instruction[] =>
  [0, 1, 2, 3].map((args) => {
    const signed = (args & 1) === 0
    const calls = (args & 2) !== 0
    const name = `DICT${signed ? 'I' : 'U'}GET${calls ? 'EXEC' : 'JMP'}${keeps ? 'Z' : ''}`
    return simple(opcode + args, 16, name, getJump, { signed, calls, keeps })
  })

/** LDDICT and PLDDICT are also LDOPTREF and PLDOPTREF. */
const loads = ['LDDICT', 'PLDDICT', 'LDDICTQ', 'PLDDICTQ']

export const DICTIONARY_JUMPS: readonly Instruction[] = [
  simple(0xf400, 16, 'STDICT', stdict),
  simple(0xf401, 16, 'SKIPDICT', skipdict),
  simple(0xf402, 16, 'LDDICTS', lddict, { preload: false, quiet: false, asSlice: true }),
  simple(0xf403, 16, 'PLDDICTS', lddict, { preload: true, quiet: false, asSlice: true }),
  ...loads.map((name, i) => simple(0xf404 + i, 16, name, lddict, { preload: (i & 1) === 1, quiet: i > 1, asSlice: false })),
  simple<SetMode>(0xf470, 16, 'PFXDICTSET', pfxSet, 'set'),
  simple<SetMode>(0xf471, 16, 'PFXDICTREPLACE', pfxSet, 'replace'),
  simple<SetMode>(0xf472, 16, 'PFXDICTADD', pfxSet, 'add'),
  simple(0xf473, 16, 'PFXDICTDEL', pfxDelete),
  ...jumps(0xf4a0, false),
  extended(0xf4a400, 0xf4a7ff, 24, 11, 'DICTPUSHCONST', pushConst, { take: takeConstant, text: constantText }),
  simple<Found>(0xf4a8, 16, 'PFXDICTGETQ', pfxGet, 'quiet'),
  simple<Found>(0xf4a9, 16, 'PFXDICTGET', pfxGet, 'get'),
  simple<Found>(0xf4aa, 16, 'PFXDICTGETJMP', pfxGet, 'jump'),
  simple<Found>(0xf4ab, 16, 'PFXDICTGETEXEC', pfxGet, 'call'),
  extended(0xf4ac00, 0xf4afff, 24, 11, 'PFXDICTSWITCH', pfxSwitch, { take: takeConstant, text: constantText }),
  ...jumps(0xf4bc, true),
]
