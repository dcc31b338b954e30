import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { blockOfCell, CodePart } from '../machine/code-cache.ts'
import { ordinary } from '../machine/continuation.ts'
import { INTEGER_OVERFLOW } from '../machine/exceptions.ts'
import { INVALID, type Instruction } from '../machine/instruction.ts'
import { isNaNInteger, normal } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import { hexOf } from '../machine/step-log.ts'
import type { Integer } from '../machine/value.ts'
import { extended, fixed, ranged, simple } from './define.ts'

/* 0x70..0x9F: constants. */

const pushInt = (vm: Machine, value: Integer): void => {
  vm.stack.push(value)
}

const signed = (value: number, bits: number): number => (value >= 2 ** (bits - 1) ? value - 2 ** bits : value)
const tiny = (args: number): number => (args < 11 ? args : args - 16)

/** The integer after 0x82, up to 259 bits. NaN if it does not fit 257 bits. */
const longInt = (args: number, code: Slice): Integer | typeof INVALID => {
  const bits = 8 * (args + 2) + 3
  if (code.remainingBits < bits) return INVALID
  if (bits <= 256) return normal(code.loadIntBig(bits))
  const top = code.loadIntBig(bits - 256)
  const low = code.loadUintBig(256)
  return top === 0n || top === -1n ? normal((top << 256n) | low) : Number.NaN
}
const pushLong = (vm: Machine, value: Integer): void => {
  if (isNaNInteger(value)) throw INTEGER_OVERFLOW
  vm.stack.push(value)
}

export const takeRef = (_args: number, code: Slice): Cell | typeof INVALID => (code.remainingRefs === 0 ? INVALID : code.loadRef())
export const refText = (_args: number, code: Slice): string => (code.remainingRefs === 0 ? '' : `(${code.preloadRef().hashHex()})`)

/** Reads `bits` of data and `refs` references of the code and moves past them. `trim` removes the completion tag. */
export const takeSlice = (code: Slice, bits: number, refs: number, trim: boolean): Slice | typeof INVALID => {
  if (code.remainingBits < bits || code.remainingRefs < refs) return INVALID
  let length = bits
  if (trim) {
    const data = code.preloadBits(bits)
    while (length > 0 && ((data[(length - 1) >>> 3]! >>> (7 - ((length - 1) & 7))) & 1) === 0) length--
    if (length > 0) length--
  }
  const slice = code.part(0, length, 0, refs)
  code.skip(bits).skipRefs(refs)
  return slice
}

export const sliceText = (slice: Slice | typeof INVALID): string => {
  if (slice === INVALID) return ''
  const refs = slice.remainingRefs
  return `x{${hexOf(slice.preloadBits(slice.remainingBits), slice.remainingBits)}}${refs === 0 ? '' : `,${refs}`}`
}

const pushSlice = (vm: Machine, slice: Slice): void => {
  vm.stack.push(slice)
}

const sliceOf = (name: string, first: number, last: number, bits: number, argBits: number, size: (args: number) => [number, number]) =>
  extended(first, last, bits, argBits, name, pushSlice, {
    take: (args, code) => takeSlice(code, ...size(args), true),
    text: (args, code) => sliceText(takeSlice(code.clone(), ...size(args), true)),
  })

const pushPart = (vm: Machine, part: CodePart): void => {
  vm.stack.push(ordinary(part.block))
}

const partOf = (first: number, last: number, bits: number, argBits: number, size: (args: number) => [number, number]): Instruction =>
  extended(first, last, bits, argBits, 'PUSHCONT', pushPart, {
    take: (args, code, version) => {
      const slice = takeSlice(code, ...size(args), false)
      return slice === INVALID ? INVALID : new CodePart(slice, version)
    },
    text: (args, code) => sliceText(takeSlice(code.clone(), ...size(args), false)),
  })

const pushRef = (vm: Machine, cell: Cell): void => {
  vm.stack.push(cell)
}
const pushRefSlice = (vm: Machine, cell: Cell): void => {
  vm.stack.push(vm.open(cell))
}

export const refContinuation = (vm: Machine, cell: Cell) => {
  const slice = vm.open(cell)
  return ordinary(blockOfCell(slice.base, slice, vm.version))
}
const pushRefCont = (vm: Machine, cell: Cell): void => {
  vm.stack.push(refContinuation(vm, cell))
}

export const CONSTANTS: readonly Instruction[] = [
  fixed(0x7, 4, 4, 'PUSHINT', pushInt, { map: tiny, text: (args) => String(tiny(args)) }),
  fixed(0x80, 8, 8, 'PUSHINT', pushInt, { map: (args) => signed(args, 8), text: (args) => String(signed(args, 8)) }),
  fixed(0x81, 8, 16, 'PUSHINT', pushInt, { map: (args) => signed(args, 16), text: (args) => String(signed(args, 16)) }),
  extended(0x82 << 5, (0x82 << 5) + 30, 13, 5, 'PUSHINT', pushLong, {
    take: longInt,
    text: (args, code) => {
      const value = longInt(args, code.clone())
      return value === INVALID ? '' : String(value)
    },
  }),
  ranged(0x8300, 0x83fe, 16, 8, 'PUSHPOW2', pushInt, {
    map: (args) => normal(1n << BigInt(args + 1)),
    text: (args) => String(args + 1),
  }),
  simple(0x83ff, 16, 'PUSHNAN', pushInt, Number.NaN),
  fixed(0x84, 8, 8, 'PUSHPOW2DEC', pushInt, {
    map: (args) => normal((1n << BigInt(args + 1)) - 1n),
    text: (args) => String(args + 1),
  }),
  fixed(0x85, 8, 8, 'PUSHNEGPOW2', pushInt, {
    map: (args) => normal(-(1n << BigInt(args + 1))),
    text: (args) => String(args + 1),
  }),
  extended(0x88, 0x88, 8, 0, 'PUSHREF', pushRef, { take: takeRef, text: refText }),
  extended(0x89, 0x89, 8, 0, 'PUSHREFSLICE', pushRefSlice, { take: takeRef, text: refText }),
  extended(0x8a, 0x8a, 8, 0, 'PUSHREFCONT', pushRefCont, { take: takeRef, text: refText }),
  sliceOf('PUSHSLICE', 0x8b0, 0x8bf, 12, 4, (args) => [args * 8 + 4, 0]),
  sliceOf('PUSHSLICE', 0x8c << 7, (0x8d << 7) - 1, 15, 7, (args) => [(args & 31) * 8 + 1, (args >> 5) + 1]),
  sliceOf('PUSHSLICE', (0x8d * 8) << 7, ((0x8d * 8 + 5) << 7) - 1, 18, 10, (args) => [(args & 127) * 8 + 6, args >> 7]),
  partOf(0x8e00, 0x8fff, 16, 9, (args) => [(args & 127) * 8, args >> 7]),
  partOf(0x90, 0x9f, 8, 4, (args) => [args * 8, 0]),
]
