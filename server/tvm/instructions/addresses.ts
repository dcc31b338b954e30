import { Slice } from '../../cell/slice.ts'
import { EMPTY_BUILDER, VmBuilder } from '../machine/builder.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, RANGE_CHECK, TYPE_CHECK, type VmException } from '../machine/exceptions.ts'
import { finishCell } from '../machine/finish-cell.ts'
import type { Instruction } from '../machine/instruction.ts'
import { fromBytes, isNaNInteger, signedBits, unsignedBits } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import type { Tuple, Value } from '../machine/value.ts'
import { V_NO_ANYCAST, V_STOPT_VALUE } from '../versions.ts'
import { takeInteger } from './cells/parse.ts'
import { simple } from './define.ts'

/*
 * 0xFA: amounts and addresses.
 * addr_none$00  addr_extern$01 len:(## 9) external_address:(bits len)
 * anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
 * addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
 * addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
 */

interface VarInt {
  /** Bits of the length field: 4 or 5. */
  readonly size: number
  readonly signed: boolean
}
const loadVar = (vm: Machine, { size, signed }: VarInt): void => {
  const rest = vm.slice().clone()
  if (rest.remainingBits < size) throw CELL_UNDERFLOW
  const bits = rest.loadUint(size) * 8
  if (rest.remainingBits < bits) throw CELL_UNDERFLOW
  vm.stack.push(takeInteger(rest, bits, signed), rest)
}
const storeVar = (vm: Machine, { size, signed }: VarInt): void => {
  vm.need(2)
  const value = vm.int()
  const builder = vm.builder()
  if (isNaNInteger(value) || (!signed && value < 0)) throw RANGE_CHECK
  const length = ((signed ? signedBits(BigInt(value)) : unsignedBits(BigInt(value))) + 7) >>> 3
  if (length >= 1 << size) throw RANGE_CHECK
  if (!builder.fits(size + length * 8, 0)) throw CELL_OVERFLOW
  const sized = builder.storeInteger(length, size)
  vm.stack.push(length === 0 ? sized : sized.storeInteger(value, length * 8))
}

interface Address {
  readonly kind: number
  readonly anycast: Slice | null
  readonly workchain: number
  readonly bits: Slice | undefined
}

const take = (s: Slice, count: number): Slice | undefined => {
  if (s.remainingBits < count) return undefined
  const part = s.part(0, count, 0, 0)
  s.skip(count)
  return part
}

const takeAnycast = (s: Slice, version: number): Slice | null | undefined => {
  if (s.remainingBits === 0) return undefined
  if (!s.loadBit()) return null
  if (version >= V_NO_ANYCAST || s.remainingBits < 5) return undefined
  const depth = s.loadUint(5)
  return depth < 1 || depth > 30 ? undefined : take(s, depth)
}

const takeAddress = (s: Slice, version: number): Address | undefined => {
  if (s.remainingBits < 2) return undefined
  const kind = s.loadUint(2)
  if (kind === 0) return { kind, anycast: null, workchain: 0, bits: undefined }
  if (kind === 1) {
    const bits = s.remainingBits < 9 ? undefined : take(s, s.loadUint(9))
    return bits && { kind, anycast: null, workchain: 0, bits }
  }
  if (kind === 3 && version >= V_NO_ANYCAST) return undefined
  const anycast = takeAnycast(s, version)
  if (anycast === undefined) return undefined
  if (s.remainingBits < (kind === 2 ? 264 : 41)) return undefined
  const length = kind === 2 ? 256 : s.loadUint(9)
  const workchain = s.loadInt(kind === 2 ? 8 : 32)
  const bits = take(s, length)
  return bits && { kind, anycast, workchain, bits }
}

const takeStandard = (s: Slice, version: number): Address | undefined => {
  if (s.remainingBits < 2 || s.preloadUint(2) !== 2) return undefined
  return takeAddress(s, version)
}

type LoadAddress = Readonly<ReturnType<typeof load>>
const ldaddr = (vm: Machine, { standard, optional, quiet }: LoadAddress): void => {
  const slice = vm.slice()
  const rest = slice.clone()
  if (optional && rest.remainingBits >= 2 && rest.preloadUint(2) === 0) {
    vm.stack.push(null, rest.skip(2))
    if (quiet) vm.stack.push(-1)
    return
  }
  const address = standard ? takeStandard(rest, vm.version) : takeAddress(rest, vm.version)
  if (address === undefined) {
    if (!quiet) throw CELL_UNDERFLOW
    vm.stack.push(slice, 0)
    return
  }
  vm.stack.push(slice.part(0, slice.remainingBits - rest.remainingBits, 0, 0), rest)
  if (quiet) vm.stack.push(-1)
}

const parseWhole = (vm: Machine): Address | undefined => {
  const s = vm.slice().clone()
  const address = takeAddress(s, vm.version)
  return s.remainingBits === 0 && s.remainingRefs === 0 ? address : undefined
}
const parse = (vm: Machine, quiet: boolean): void => {
  const address = parseWhole(vm)
  if (address === undefined) {
    if (!quiet) throw CELL_UNDERFLOW
    vm.stack.push(0)
    return
  }
  const { kind, anycast, workchain, bits } = address
  const tuple: Tuple = kind === 0 ? [0] : kind === 1 ? [1, bits!] : [kind, anycast, workchain, bits!]
  vm.stack.push(tuple)
  if (quiet) vm.stack.push(-1)
}

const rewritten = (vm: Machine, bits: Slice, prefix: Slice | null): Slice | undefined => {
  if (prefix === null || prefix.remainingBits === 0) return bits
  if (prefix.remainingBits > bits.remainingBits) return undefined
  if (prefix.remainingBits === bits.remainingBits) return prefix
  const cell = finishCell(vm, EMPTY_BUILDER.storeSlice(prefix).storeSlice(bits.clone().skip(prefix.remainingBits)))
  return vm.open(cell)
}
const rewrite = (vm: Machine, { variable, quiet }: { readonly variable: boolean; readonly quiet: boolean }): void => {
  const address = parseWhole(vm)
  let result: Value | undefined
  if (address !== undefined && address.kind >= 2) {
    const bits = address.bits!
    if (variable) result = rewritten(vm, bits, address.anycast)
    else if (bits.remainingBits === 256) {
      let whole = EMPTY_BUILDER
      if (address.anycast !== null) whole = whole.storeSlice(address.anycast)
      result = fromBytes(whole.storeSlice(bits.clone().skip(whole.bits)).data())
    }
  }
  if (result === undefined) {
    if (!quiet) throw CELL_UNDERFLOW
    vm.stack.push(0)
    return
  }
  vm.stack.push(address!.workchain, result)
  if (quiet) vm.stack.push(-1)
}

const isStandard = (slice: Slice, version: number): boolean => {
  const s = slice.clone()
  return takeStandard(s, version) !== undefined && s.remainingBits === 0 && s.remainingRefs === 0
}
/** The builder after STSTDADDR or a similar instruction, or the exception to throw. */
const storedAddress = (vm: Machine, value: Value, builder: VmBuilder, optional: boolean): VmBuilder | VmException => {
  if (value === null && optional) return builder.fits(2, 0) ? builder.storeSame(0, 2) : CELL_OVERFLOW
  if (!(value instanceof Slice)) return TYPE_CHECK
  const fits = isStandard(value, vm.version) && builder.fits(value.remainingBits, value.remainingRefs)
  return fits ? builder.storeSlice(value) : CELL_OVERFLOW
}
const staddr = (vm: Machine, { optional, quiet }: { readonly optional: boolean; readonly quiet: boolean }): void => {
  vm.need(2)
  const builder = vm.builder()
  const value = vm.pop()
  const stored = storedAddress(vm, value, builder, optional)
  if (stored instanceof VmBuilder) {
    vm.stack.push(stored)
    if (quiet) vm.stack.push(0)
    return
  }
  const isSlice = value instanceof Slice
  if (!quiet || (!optional && !isSlice)) throw stored
  // Before version 14 a value that is not a slice is returned as null.
  vm.stack.push(isSlice || vm.version >= V_STOPT_VALUE ? value : null, builder, -1)
}

const GRAMS: VarInt = { size: 4, signed: false }
const load = (standard: boolean, optional: boolean, quiet: boolean) => ({ standard, optional, quiet })

export const ADDRESSES: readonly Instruction[] = [
  simple(0xfa00, 16, 'LDGRAMS', loadVar, GRAMS),
  simple(0xfa01, 16, 'LDVARINT16', loadVar, { size: 4, signed: true }),
  simple(0xfa02, 16, 'STGRAMS', storeVar, GRAMS),
  simple(0xfa03, 16, 'STVARINT16', storeVar, { size: 4, signed: true }),
  simple(0xfa04, 16, 'LDVARUINT32', loadVar, { size: 5, signed: false }),
  simple(0xfa05, 16, 'LDVARINT32', loadVar, { size: 5, signed: true }),
  simple(0xfa06, 16, 'STVARUINT32', storeVar, { size: 5, signed: false }),
  simple(0xfa07, 16, 'STVARINT32', storeVar, { size: 5, signed: true }),
  simple(0xfa40, 16, 'LDMSGADDR', ldaddr, load(false, false, false)),
  simple(0xfa41, 16, 'LDMSGADDRQ', ldaddr, load(false, false, true)),
  simple(0xfa42, 16, 'PARSEMSGADDR', parse, false),
  simple(0xfa43, 16, 'PARSEMSGADDRQ', parse, true),
  simple(0xfa44, 16, 'REWRITESTDADDR', rewrite, { variable: false, quiet: false }),
  simple(0xfa45, 16, 'REWRITESTDADDRQ', rewrite, { variable: false, quiet: true }),
  simple(0xfa46, 16, 'REWRITEVARADDR', rewrite, { variable: true, quiet: false }),
  simple(0xfa47, 16, 'REWRITEVARADDRQ', rewrite, { variable: true, quiet: true }),
  simple(0xfa48, 16, 'LDSTDADDR', ldaddr, load(true, false, false), 12),
  simple(0xfa49, 16, 'LDSTDADDRQ', ldaddr, load(true, false, true), 12),
  simple(0xfa50, 16, 'LDOPTSTDADDR', ldaddr, load(true, true, false), 12),
  simple(0xfa51, 16, 'LDOPTSTDADDRQ', ldaddr, load(true, true, true), 12),
  simple(0xfa52, 16, 'STSTDADDR', staddr, { optional: false, quiet: false }, 12),
  simple(0xfa53, 16, 'STSTDADDRQ', staddr, { optional: false, quiet: true }, 12),
  simple(0xfa54, 16, 'STOPTSTDADDR', staddr, { optional: true, quiet: false }, 12),
  simple(0xfa55, 16, 'STOPTSTDADDRQ', staddr, { optional: true, quiet: true }, 12),
]
