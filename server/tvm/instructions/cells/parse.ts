import { LIBRARY, ORDINARY, PRUNED, typeOf } from '../../../cell/meta-word.ts'
import type { Slice } from '../../../cell/slice.ts'
import { leading } from '../../machine/bits.ts'
import { CELL_UNDERFLOW, VmFatal } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import { fromBytes, normal } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer } from '../../machine/value.ts'
import { V_LIBRARY_ONCE } from '../../versions.ts'
import { fixed, popped, ranged, simple } from '../define.ts'

/* 0xD0..0xD7: reading cells. Cutting and comparing slices is in slices.ts. */

/** Reads an integer of n bits, n <= 257, and moves the slice. */
export const takeInteger = (slice: Slice, n: number, signed: boolean): Integer => {
  if (n <= 53) return signed ? slice.loadInt(n) : slice.loadUint(n)
  return normal(signed || n > 256 ? slice.loadIntBig(n) : slice.loadUintBig(n))
}

const ctos = (vm: Machine): void => {
  const cell = vm.cell()
  vm.stack.push(vm.open(cell))
}
const xctos = (vm: Machine): void => {
  const cell = vm.cell()
  vm.load(cell)
  if (vm.virtual && typeOf(cell.meta) === PRUNED) throw new VmFatal(14)
  vm.stack.push(cell.sliceExotic(), typeOf(cell.meta) === ORDINARY ? 0 : -1)
}
/** XLOAD and XLOADQ: push the cell itself, or the cell that a library cell refers to. */
const xload = (vm: Machine, quiet: boolean): void => {
  let cell = vm.cell()
  if (vm.version >= V_LIBRARY_ONCE) {
    vm.load(cell)
    if (typeOf(cell.meta) !== ORDINARY) {
      const found = typeOf(cell.meta) === LIBRARY ? vm.libraries.find(cell) : undefined
      if (found === undefined) {
        if (!quiet) throw CELL_UNDERFLOW
        vm.stack.push(0)
        return
      }
      cell = found
    }
  }
  vm.stack.push(cell)
  if (quiet) vm.stack.push(-1)
}
const ends = (vm: Machine): void => {
  const slice = vm.slice()
  if (slice.remainingBits !== 0 || slice.remainingRefs !== 0) throw CELL_UNDERFLOW
}

/** Ends a load from a slice with too few bits. */
const tooShort = (vm: Machine, slice: Slice, preload: boolean, quiet: boolean): void => {
  if (!quiet) throw CELL_UNDERFLOW
  if (!preload) vm.stack.push(slice)
  vm.stack.push(0)
}

type Load = Readonly<ReturnType<typeof loadMode>>
const loadInteger = (vm: Machine, bits: number, { signed, preload, quiet }: Load): void => {
  const slice = vm.slice()
  if (slice.remainingBits < bits) return void tooShort(vm, slice, preload, quiet)
  const rest = slice.clone()
  vm.stack.push(takeInteger(rest, bits, signed))
  if (!preload) vm.stack.push(rest)
  if (quiet) vm.stack.push(-1)
}
const loadFixed = (vm: Machine, how: Load): void => loadInteger(vm, how.bits, how)
const loadVariable = (vm: Machine, how: Load): void => {
  vm.need(2)
  loadInteger(vm, vm.small(how.signed ? 257 : 256), how)
}
const loadMode = (mode: number, bits: number) => ({
  bits,
  signed: (mode & 1) === 0,
  preload: (mode & 2) !== 0,
  quiet: (mode & 4) !== 0,
})

const ldref = (vm: Machine): void => {
  const slice = vm.slice()
  if (slice.remainingRefs === 0) throw CELL_UNDERFLOW
  const rest = slice.clone()
  vm.stack.push(rest.loadRef(), rest)
}
const ldrefrtos = (vm: Machine): void => {
  const slice = vm.slice()
  if (slice.remainingRefs === 0) throw CELL_UNDERFLOW
  const rest = slice.clone()
  const cell = rest.loadRef()
  vm.stack.push(rest)
  vm.stack.push(vm.open(cell))
}
const pldrefidx = (vm: Machine, index: number): void => {
  const slice = vm.slice()
  if (index >= slice.remainingRefs) throw CELL_UNDERFLOW
  vm.stack.push(slice.preloadRef(index))
}

type LoadSlice = Readonly<ReturnType<typeof sliceMode>>
const loadSlice = (vm: Machine, bits: number, { preload, quiet }: LoadSlice): void => {
  const slice = vm.slice()
  if (slice.remainingBits < bits) return void tooShort(vm, slice, preload, quiet)
  vm.stack.push(slice.part(0, bits, 0, 0))
  if (!preload) vm.stack.push(slice.clone().skip(bits))
  if (quiet) vm.stack.push(-1)
}
const loadSliceFixed = (vm: Machine, how: LoadSlice): void => loadSlice(vm, how.bits, how)
const loadSliceVariable = (vm: Machine, how: LoadSlice): void => {
  vm.need(2)
  loadSlice(vm, vm.small(1023), how)
}
const sliceMode = (mode: number, bits: number) => ({ bits, preload: (mode & 1) !== 0, quiet: (mode & 2) !== 0 })

/** Reads a number of `bits` bits without moving the slice. Missing bits count as zero. */
const plduz = (vm: Machine, bits: number): void => {
  const slice = vm.slice()
  const have = Math.min(bits, slice.remainingBits)
  vm.stack.push(slice, normal(slice.preloadUintBig(have) << BigInt(bits - have)))
}

/** Mode bits of the instruction: 1 unsigned, 2 eight bytes, 4 preload, 8 quiet. */
const loadLittle = (vm: Machine, mode: number): void => {
  const bytes = mode & 2 ? 8 : 4
  const quiet = (mode & 8) !== 0
  const slice = vm.slice()
  const preload = (mode & 4) !== 0
  if (slice.remainingBits < bytes * 8) return void tooShort(vm, slice, preload, quiet)
  const rest = slice.clone()
  const value = BigInt(fromBytes(rest.loadBytes(bytes).reverse()))
  vm.stack.push(normal(mode & 1 ? value : BigInt.asIntN(bytes * 8, value)))
  if (!preload) vm.stack.push(rest)
  if (quiet) vm.stack.push(-1)
}
const littleName = (mode: number): string => `${mode & 4 ? 'P' : ''}LD${mode & 1 ? 'U' : 'I'}LE${mode & 2 ? 8 : 4}${mode & 8 ? 'Q' : ''}`

/** `fixedBit` is the bit to skip and count, or -1 if the bit is on the stack. */
const loadSame = (vm: Machine, fixedBit: number): void => {
  vm.need(fixedBit < 0 ? 2 : 1)
  const bit = fixedBit < 0 ? vm.small(1) : fixedBit
  const slice = vm.slice()
  const count = leading(slice, bit === 0 ? 0 : 1)
  vm.stack.push(count, slice.clone().skip(count))
}

const cdepth = (vm: Machine): void => {
  const cell = vm.maybeCell()
  vm.stack.push(cell === null ? 0 : vm.depthOf(cell))
}
const clevel = (vm: Machine): void => {
  const { level } = vm.cell()
  vm.stack.push(vm.virtual ? 0 : level)
}
const clevelmask = (vm: Machine): void => {
  const { levelMask } = vm.cell()
  vm.stack.push(vm.virtual ? 0 : levelMask)
}
const chashi = (vm: Machine, level: number): void => {
  vm.stack.push(fromBytes(vm.cell().hash(vm.virtual ? 0 : level)))
}
const cdepthi = (vm: Machine, level: number): void => {
  vm.stack.push(vm.cell().depth(vm.virtual ? 0 : level))
}
const chashix = (vm: Machine): void => chashi(vm, vm.small(3))
const cdepthix = (vm: Machine): void => cdepthi(vm, vm.small(3))

const MODES = ['IX', 'UX', 'PIX', 'PUX', 'IXQ', 'UXQ', 'PIXQ', 'PUXQ'].map((mode) =>
  mode.startsWith('P') ? `PLD${mode.slice(1)}` : `LD${mode}`,
)
const SLICE_MODES = ['LDSLICEX', 'PLDSLICEX', 'LDSLICEXQ', 'PLDSLICEXQ']
const next = (args: number): string => String(args + 1)

export const CELLS_PARSE: readonly Instruction[] = [
  simple(0xd0, 8, 'CTOS', ctos),
  simple(0xd1, 8, 'ENDS', ends),
  fixed(0xd2, 8, 8, 'LDI', loadFixed, { map: (args) => loadMode(0, args + 1), text: next }),
  fixed(0xd3, 8, 8, 'LDU', loadFixed, { map: (args) => loadMode(1, args + 1), text: next }),
  simple(0xd4, 8, 'LDREF', ldref),
  simple(0xd5, 8, 'LDREFRTOS', ldrefrtos),
  fixed(0xd6, 8, 8, 'LDSLICE', loadSliceFixed, { map: (args) => sliceMode(0, args + 1), text: next }),
  ...MODES.map((name, i) => simple(0xd700 + i, 16, name, loadVariable, loadMode(i, 0))),
  ...MODES.map((name, i) =>
    fixed(0xd708 + i, 16, 8, name.replace('X', ''), loadFixed, { map: (args) => loadMode(i, args + 1), text: next }),
  ),
  ranged(0xd710, 0xd717, 16, 3, 'PLDUZ', plduz, { map: (args) => (args + 1) * 32, text: (args) => String((args + 1) * 32) }),
  ...SLICE_MODES.map((name, i) => simple(0xd718 + i, 16, name, loadSliceVariable, sliceMode(i, 0))),
  ...SLICE_MODES.map((name, i) =>
    fixed(0xd71c + i, 16, 8, name.replace('X', ''), loadSliceFixed, { map: (args) => sliceMode(i, args + 1), text: next }),
  ),
  simple(0xd739, 16, 'XCTOS', xctos),
  simple(0xd73a, 16, 'XLOAD', xload, false),
  simple(0xd73b, 16, 'XLOADQ', xload, true),
  simple(0xd748, 16, 'PLDREFVAR', popped(2, 3, pldrefidx)),
  ranged(0xd74c, 0xd74f, 16, 2, 'PLDREFIDX', pldrefidx),
  ...Array.from({ length: 16 }, (_, mode) => simple(0xd750 + mode, 16, littleName(mode), loadLittle, mode)),
  simple(0xd760, 16, 'LDZEROES', loadSame, 0),
  simple(0xd761, 16, 'LDONES', loadSame, 1),
  simple(0xd762, 16, 'LDSAME', loadSame, -1),
  simple(0xd765, 16, 'CDEPTH', cdepth),
  simple(0xd766, 16, 'CLEVEL', clevel, undefined, 6),
  simple(0xd767, 16, 'CLEVELMASK', clevelmask, undefined, 6),
  ranged(0xd768, 0xd76b, 16, 2, 'CHASHI', chashi, { since: 6 }),
  ranged(0xd76c, 0xd76f, 16, 2, 'CDEPTHI', cdepthi, { since: 6 }),
  simple(0xd770, 16, 'CHASHIX', chashix, undefined, 6),
  simple(0xd771, 16, 'CDEPTHIX', cdepthix, undefined, 6),
]
