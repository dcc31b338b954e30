import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import { EMPTY_BUILDER, type VmBuilder } from '../../machine/builder.ts'
import { CELL_OVERFLOW, RANGE_CHECK } from '../../machine/exceptions.ts'
import { CREATE_GAS, finishCell } from '../../machine/finish-cell.ts'
import { INVALID, type Instruction } from '../../machine/instruction.ts'
import { fitsSigned, fitsUnsigned, isNaNInteger } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer, Value } from '../../machine/value.ts'
import { sliceText, takeSlice } from '../constants.ts'
import { extended, fixed, simple } from '../define.ts'

/* 0xC8..0xCF: building cells. */

const newc = (vm: Machine): void => {
  vm.stack.push(EMPTY_BUILDER)
}
const endc = (vm: Machine): void => {
  const builder = vm.builder()
  vm.stack.push(finishCell(vm, builder))
}
const endxc = (vm: Machine): void => {
  vm.need(2)
  const special = vm.bool()
  const builder = vm.builder()
  vm.use(CREATE_GAS)
  if (!special) vm.stack.push(builder.end())
  else {
    try {
      vm.stack.push(builder.endExotic())
    } catch {
      throw CELL_OVERFLOW
    }
  }
}

type StoreInt = Readonly<ReturnType<typeof storeMode>>

/** Pushes the operands back, and then the reason why nothing was stored: -1 for no room, 1 for a value out of range. */
const giveBack = (vm: Machine, reversed: boolean, builder: VmBuilder, value: Value, code: number): void => {
  if (reversed) vm.stack.push(builder, value, code)
  else vm.stack.push(value, builder, code)
}

const storeInteger = (vm: Machine, bits: number, { signed, reversed, quiet }: StoreInt): void => {
  let builder: VmBuilder
  let value: Integer
  if (reversed) {
    value = vm.int()
    builder = vm.builder()
  } else {
    builder = vm.builder()
    value = vm.int()
  }
  if (!builder.fits(bits, 0)) {
    if (!quiet) throw CELL_OVERFLOW
    giveBack(vm, reversed, builder, value, -1)
    return
  }
  if (isNaNInteger(value) || !(signed ? fitsSigned(value, bits) : fitsUnsigned(value, bits))) {
    if (!quiet) throw RANGE_CHECK
    giveBack(vm, reversed, builder, value, 1)
    return
  }
  vm.stack.push(builder.storeInteger(value, bits))
  if (quiet) vm.stack.push(0)
}
const storeFixed = (vm: Machine, how: StoreInt): void => {
  vm.need(2)
  storeInteger(vm, how.bits, how)
}
const storeVariable = (vm: Machine, how: StoreInt): void => {
  vm.need(3)
  storeInteger(vm, vm.small(how.signed ? 257 : 256), how)
}
const storeMode = (mode: number, bits: number) => ({
  bits,
  signed: (mode & 1) === 0,
  /** True if the builder is below the integer on the stack. */
  reversed: (mode & 2) !== 0,
  quiet: (mode & 4) !== 0,
})

interface Store<T extends Value> {
  readonly pop: (vm: Machine) => T
  readonly bits: (value: T) => number
  readonly refs: (value: T) => number
  readonly store: (vm: Machine, builder: VmBuilder, value: T) => VmBuilder
}
interface How {
  readonly reversed: boolean
  readonly quiet: boolean
}
const storing =
  <T extends Value>({ pop, bits, refs, store }: Store<T>) =>
  (vm: Machine, { reversed, quiet }: How): void => {
    vm.need(2)
    let builder: VmBuilder
    let value: T
    if (reversed) {
      value = pop(vm)
      builder = vm.builder()
    } else {
      builder = vm.builder()
      value = pop(vm)
    }
    if (!builder.fits(bits(value), refs(value))) {
      if (!quiet) throw CELL_OVERFLOW
      giveBack(vm, reversed, builder, value, -1)
      return
    }
    vm.stack.push(store(vm, builder, value))
    if (quiet) vm.stack.push(0)
  }

const storeRef = storing<Cell>({
  pop: (vm) => vm.cell(),
  bits: () => 0,
  refs: () => 1,
  store: (_vm, builder, cell) => builder.storeRef(cell),
})
const storeBuilderRef = storing<VmBuilder>({
  pop: (vm) => vm.builder(),
  bits: () => 0,
  refs: () => 1,
  store: (vm, builder, other) => builder.storeRef(finishCell(vm, other)),
})
const storeSlice = storing<Slice>({
  pop: (vm) => vm.slice(),
  bits: (slice) => slice.remainingBits,
  refs: (slice) => slice.remainingRefs,
  store: (_vm, builder, slice) => builder.storeSlice(slice),
})
const storeBuilder = storing<VmBuilder>({
  pop: (vm) => vm.builder(),
  bits: (other) => other.bits,
  refs: (other) => other.refs,
  store: (_vm, builder, other) => builder.storeBuilder(other),
})

const storeConstRefs = (vm: Machine, cells: readonly Cell[]): void => {
  let builder = vm.builder()
  if (!builder.fits(0, cells.length)) throw CELL_OVERFLOW
  for (const cell of cells) builder = builder.storeRef(cell)
  vm.stack.push(builder)
}
const constRefs = (count: number): Instruction =>
  extended(0xcf1f + count, 0xcf1f + count, 16, 0, count === 1 ? 'STREFCONST' : 'STREF2CONST', storeConstRefs, {
    take: (_args, code) => (code.remainingRefs < count ? INVALID : Array.from({ length: count }, () => code.loadRef())),
    text: () => '',
  })

const storeConstSlice = (vm: Machine, slice: Slice): void => {
  const builder = vm.builder()
  if (!builder.fits(slice.remainingBits, slice.remainingRefs)) throw CELL_OVERFLOW
  vm.stack.push(builder.storeSlice(slice))
}

const storeLittle = (vm: Machine, { bits, signed }: { readonly bits: number; readonly signed: boolean }): void => {
  vm.need(2)
  const builder = vm.builder()
  const value = vm.int()
  if (!builder.fits(bits, 0)) throw CELL_OVERFLOW
  if (isNaNInteger(value) || !(signed ? fitsSigned(value, bits) : fitsUnsigned(value, bits))) throw RANGE_CHECK
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
  vm.stack.push(builder.storeBytes(bytes.subarray(0, bits / 8)))
}
const little = (args: number) => ({ bits: args & 2 ? 64 : 32, signed: (args & 1) === 0 })

const measure = (vm: Machine, of: (builder: VmBuilder) => readonly number[]): void => {
  vm.stack.push(...of(vm.builder()))
}
const checkFixed = (vm: Machine, { bits, quiet }: { readonly bits: number; readonly quiet: boolean }): void =>
  checkRoom(vm, vm.builder(), bits, 0, quiet)
const checkRoom = (vm: Machine, builder: VmBuilder, bits: number, refs: number, quiet: boolean): void => {
  const fits = builder.fits(bits, refs)
  if (quiet) vm.stack.push(fits ? -1 : 0)
  else if (!fits) throw CELL_OVERFLOW
}
/** Mode bits: 1 checks bits, 2 checks references, 4 quiet. */
const checkVariable = (vm: Machine, mode: number): void => {
  vm.need(1 + (mode & 1) + ((mode & 2) >> 1))
  const refs = mode & 2 ? vm.small(7) : 0
  const bits = mode & 1 ? vm.small(1023) : 0
  checkRoom(vm, vm.builder(), bits, refs, (mode & 4) !== 0)
}
/** `fixedBit` is the bit to store, or -1 if the bit is on the stack. */
const storeSame = (vm: Machine, fixedBit: number): void => {
  vm.need(fixedBit < 0 ? 3 : 2)
  const bit = fixedBit < 0 ? vm.small(1) : fixedBit
  const bits = vm.small(1023)
  const builder = vm.builder()
  if (!builder.fits(bits, 0)) throw CELL_OVERFLOW
  vm.stack.push(builder.storeSame(bit === 0 ? 0 : 1, bits))
}
const btos = (vm: Machine): void => {
  vm.stack.push(vm.builder().end().slice())
}

const MODES = ['IX', 'UX', 'IXR', 'UXR', 'IXQ', 'UXQ', 'IXRQ', 'UXRQ']
const NAMES = [
  ['STREF', storeRef],
  ['STBREF', storeBuilderRef],
  ['STSLICE', storeSlice],
  ['STB', storeBuilder],
] as const
/** 0xCF10..0xCF1F: four stores, each plain, reversed, quiet, and reversed quiet. */
const stores = NAMES.flatMap(([name, exec], i) =>
  [0, 1, 2, 3].map((form) => {
    const how = { reversed: (form & 1) !== 0, quiet: (form & 2) !== 0 }
    return simple(0xcf10 + form * 4 + i, 16, `${name}${how.reversed ? 'R' : ''}${how.quiet ? 'Q' : ''}`, exec, how)
  }),
)
const next = (args: number): string => String(args + 1)

export const CELLS_BUILD: readonly Instruction[] = [
  simple(0xc8, 8, 'NEWC', newc),
  simple(0xc9, 8, 'ENDC', endc),
  fixed(0xca, 8, 8, 'STI', storeFixed, { map: (args) => storeMode(0, args + 1), text: next }),
  fixed(0xcb, 8, 8, 'STU', storeFixed, { map: (args) => storeMode(1, args + 1), text: next }),
  simple(0xcc, 8, 'STREF', storeRef, { reversed: false, quiet: false }),
  simple(0xcd, 8, 'ENDCST', storeBuilderRef, { reversed: true, quiet: false }),
  simple(0xce, 8, 'STSLICE', storeSlice, { reversed: false, quiet: false }),
  ...MODES.map((mode, i) => simple(0xcf00 + i, 16, `ST${mode}`, storeVariable, storeMode(i, 0))),
  ...MODES.map((mode, i) =>
    fixed(0xcf08 + i, 16, 8, `ST${mode.replace('X', '')}`, storeFixed, { map: (args) => storeMode(i, args + 1), text: next }),
  ),
  ...stores,
  constRefs(1),
  constRefs(2),
  simple(0xcf23, 16, 'ENDXC', endxc),
  ...['STILE4', 'STULE4', 'STILE8', 'STULE8'].map((name, i) => simple(0xcf28 + i, 16, name, storeLittle, little(i))),
  simple(0xcf30, 16, 'BDEPTH', measure, (b: VmBuilder) => [b.depth()]),
  simple(0xcf31, 16, 'BBITS', measure, (b: VmBuilder) => [b.bits]),
  simple(0xcf32, 16, 'BREFS', measure, (b: VmBuilder) => [b.refs]),
  simple(0xcf33, 16, 'BBITREFS', measure, (b: VmBuilder) => [b.bits, b.refs]),
  simple(0xcf35, 16, 'BREMBITS', measure, (b: VmBuilder) => [1023 - b.bits]),
  simple(0xcf36, 16, 'BREMREFS', measure, (b: VmBuilder) => [4 - b.refs]),
  simple(0xcf37, 16, 'BREMBITREFS', measure, (b: VmBuilder) => [1023 - b.bits, 4 - b.refs]),
  fixed(0xcf38, 16, 8, 'BCHKBITS', checkFixed, { map: (args) => ({ bits: args + 1, quiet: false }), text: next }),
  simple(0xcf39, 16, 'BCHKBITS', checkVariable, 1),
  simple(0xcf3a, 16, 'BCHKREFS', checkVariable, 2),
  simple(0xcf3b, 16, 'BCHKBITREFS', checkVariable, 3),
  fixed(0xcf3c, 16, 8, 'BCHKBITSQ', checkFixed, { map: (args) => ({ bits: args + 1, quiet: true }), text: next }),
  simple(0xcf3d, 16, 'BCHKBITSQ', checkVariable, 5),
  simple(0xcf3e, 16, 'BCHKREFSQ', checkVariable, 6),
  simple(0xcf3f, 16, 'BCHKBITREFSQ', checkVariable, 7),
  simple(0xcf40, 16, 'STZEROES', storeSame, 0),
  simple(0xcf41, 16, 'STONES', storeSame, 1),
  simple(0xcf42, 16, 'STSAME', storeSame, -1),
  simple(0xcf50, 16, 'BTOS', btos, undefined, 12),
  extended((0xcf80 >> 7) << 5, (((0xcf80 >> 7) + 1) << 5) - 1, 14, 5, 'STSLICECONST', storeConstSlice, {
    take: (args, code) => takeSlice(code, (args & 7) * 8 + 2, (args >> 3) & 3, true),
    text: (args, code) => sliceText(takeSlice(code.clone(), (args & 7) * 8 + 2, (args >> 3) & 3, true)),
  }),
]
