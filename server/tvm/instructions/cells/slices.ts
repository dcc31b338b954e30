import type { Slice } from '../../../cell/slice.ts'
import { commonBits, compareBits, isPrefix, isSuffix, leading, trailing } from '../../machine/bits.ts'
import { CELL_UNDERFLOW } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import type { Machine } from '../../machine/machine.ts'
import { sliceText, takeSlice } from '../constants.ts'
import { extended, simple } from '../define.ts'

/* 0xC7 and the parts of 0xD7 that compare and cut slices. */

const one = (vm: Machine, of: (slice: Slice) => number): void => {
  vm.stack.push(of(vm.slice()))
}
const two = (vm: Machine, of: (lower: Slice, upper: Slice) => number): void => {
  vm.need(2)
  const upper = vm.slice()
  const lower = vm.slice()
  vm.stack.push(of(lower, upper))
}
const flag = (value: boolean): number => (value ? -1 : 0)
const shorter = (a: Slice, b: Slice): boolean => a.remainingBits < b.remainingBits

type Cut = (slice: Slice, bits: number, refs: number) => Slice
const cutFirst: Cut = (s, bits, refs) => s.part(0, bits, 0, refs)
const skipFirst: Cut = (s, bits, refs) => s.part(bits, s.remainingBits - bits, refs, s.remainingRefs - refs)
const cutLast: Cut = (s, bits, refs) => s.part(s.remainingBits - bits, bits, s.remainingRefs - refs, refs)
const skipLast: Cut = (s, bits, refs) => s.part(0, s.remainingBits - bits, 0, s.remainingRefs - refs)

const has = (slice: Slice, bits: number, refs: number): boolean => bits <= slice.remainingBits && refs <= slice.remainingRefs

/** Instructions with a number of bits only: cutting drops all references, skipping leaves all of them. */
const cutData = (vm: Machine, cut: Cut): void => {
  vm.need(2)
  const bits = vm.small(1023)
  const slice = vm.slice()
  if (!has(slice, bits, 0)) throw CELL_UNDERFLOW
  vm.stack.push(cut(slice, bits, 0))
}
const cutBoth = (vm: Machine, cut: Cut): void => {
  vm.need(3)
  const refs = vm.small(4)
  const bits = vm.small(1023)
  const slice = vm.slice()
  if (!has(slice, bits, refs)) throw CELL_UNDERFLOW
  vm.stack.push(cut(slice, bits, refs))
}
const substr = (vm: Machine): void => {
  vm.need(3)
  const bits = vm.small(1023)
  const skipped = vm.small(1023)
  const slice = vm.slice()
  if (skipped + bits > slice.remainingBits) throw CELL_UNDERFLOW
  vm.stack.push(slice.part(skipped, bits, 0, 0))
}
const subslice = (vm: Machine): void => {
  vm.need(5)
  const refs = vm.small(4)
  const bits = vm.small(1023)
  const skippedRefs = vm.small(4)
  const skipped = vm.small(1023)
  const slice = vm.slice()
  if (!has(slice, skipped + bits, skippedRefs + refs)) throw CELL_UNDERFLOW
  vm.stack.push(slice.part(skipped, bits, skippedRefs, refs))
}
const split = (vm: Machine, quiet: boolean): void => {
  vm.need(3)
  const refs = vm.small(4)
  const bits = vm.small(1023)
  const slice = vm.slice()
  if (!has(slice, bits, refs)) {
    if (!quiet) throw CELL_UNDERFLOW
    vm.stack.push(slice, 0)
    return
  }
  vm.stack.push(cutFirst(slice, bits, refs), skipFirst(slice, bits, refs))
  if (quiet) vm.stack.push(-1)
}

const begins = (vm: Machine, { prefix, quiet }: { readonly prefix: Slice; readonly quiet: boolean }): void => {
  const slice = vm.slice()
  const bits = prefix.remainingBits
  if (bits > slice.remainingBits || commonBits(prefix, slice) < bits) {
    if (!quiet) throw CELL_UNDERFLOW
    vm.stack.push(slice, 0)
    return
  }
  vm.stack.push(slice.clone().skip(bits))
  if (quiet) vm.stack.push(-1)
}
const beginsx = (vm: Machine, quiet: boolean): void => {
  vm.need(2)
  begins(vm, { prefix: vm.slice(), quiet })
}
const beginsConst = (quiet: boolean): Instruction => {
  // The opcode: 13 bits of 0xD728, the quiet bit, 7 bits of length.
  const first = ((0xd728 >> 3) << 8) | (quiet ? 128 : 0)
  return extended(first, first + 127, 21, 7, quiet ? 'SDBEGINSQ' : 'SDBEGINS', begins, {
    take: (args, code) => {
      const prefix = takeSlice(code, args * 8 + 3, 0, true)
      return typeof prefix === 'symbol' ? prefix : { prefix, quiet }
    },
    text: (args, code) => sliceText(takeSlice(code.clone(), args * 8 + 3, 0, true)),
  })
}

interface Check {
  readonly bits: boolean
  readonly refs: boolean
  readonly quiet: boolean
}
const check = (vm: Machine, { bits, refs, quiet }: Check): void => {
  vm.need(1 + (bits ? 1 : 0) + (refs ? 1 : 0))
  const refCount = refs ? vm.small(bits ? 4 : 1023) : 0
  const bitCount = bits ? vm.small(1023) : 0
  const fits = has(vm.slice(), bitCount, refCount)
  if (quiet) vm.stack.push(flag(fits))
  else if (!fits) throw CELL_UNDERFLOW
}

const depth = (slice: Slice): number => {
  let max = 0
  for (let i = 0; i < slice.remainingRefs; i++) max = Math.max(max, slice.preloadRef(i).depth() + 1)
  return max
}

const both = (vm: Machine): void => {
  const slice = vm.slice()
  vm.stack.push(slice.remainingBits, slice.remainingRefs)
}

export const SLICES: readonly Instruction[] = [
  simple(0xc700, 16, 'SEMPTY', one, (s: Slice) => flag(s.remainingBits === 0 && s.remainingRefs === 0)),
  simple(0xc701, 16, 'SDEMPTY', one, (s: Slice) => flag(s.remainingBits === 0)),
  simple(0xc702, 16, 'SREMPTY', one, (s: Slice) => flag(s.remainingRefs === 0)),
  simple(0xc703, 16, 'SDFIRST', one, (s: Slice) => flag(s.remainingBits > 0 && s.preloadBit())),
  simple(0xc704, 16, 'SDLEXCMP', two, compareBits),
  simple(0xc705, 16, 'SDEQ', two, (a: Slice, b: Slice) => flag(compareBits(a, b) === 0)),
  simple(0xc708, 16, 'SDPFX', two, (a: Slice, b: Slice) => flag(isPrefix(a, b))),
  simple(0xc709, 16, 'SDPFXREV', two, (a: Slice, b: Slice) => flag(isPrefix(b, a))),
  simple(0xc70a, 16, 'SDPPFX', two, (a: Slice, b: Slice) => flag(shorter(a, b) && isPrefix(a, b))),
  simple(0xc70b, 16, 'SDPPFXREV', two, (a: Slice, b: Slice) => flag(shorter(b, a) && isPrefix(b, a))),
  simple(0xc70c, 16, 'SDSFX', two, (a: Slice, b: Slice) => flag(isSuffix(a, b))),
  simple(0xc70d, 16, 'SDSFXREV', two, (a: Slice, b: Slice) => flag(isSuffix(b, a))),
  simple(0xc70e, 16, 'SDPSFX', two, (a: Slice, b: Slice) => flag(shorter(a, b) && isSuffix(a, b))),
  simple(0xc70f, 16, 'SDPSFXREV', two, (a: Slice, b: Slice) => flag(shorter(b, a) && isSuffix(b, a))),
  simple(0xc710, 16, 'SDCNTLEAD0', one, (s: Slice) => leading(s, 0)),
  simple(0xc711, 16, 'SDCNTLEAD1', one, (s: Slice) => leading(s, 1)),
  simple(0xc712, 16, 'SDCNTTRAIL0', one, (s: Slice) => trailing(s, 0)),
  simple(0xc713, 16, 'SDCNTTRAIL1', one, (s: Slice) => trailing(s, 1)),
  simple(0xd720, 16, 'SDCUTFIRST', cutData, cutFirst),
  simple(0xd721, 16, 'SDSKIPFIRST', cutData, skipFirst),
  simple(0xd722, 16, 'SDCUTLAST', cutData, cutLast),
  simple(0xd723, 16, 'SDSKIPLAST', cutData, skipLast),
  simple(0xd724, 16, 'SDSUBSTR', substr),
  simple(0xd726, 16, 'SDBEGINSX', beginsx, false),
  simple(0xd727, 16, 'SDBEGINSXQ', beginsx, true),
  beginsConst(false),
  beginsConst(true),
  simple(0xd730, 16, 'SCUTFIRST', cutBoth, cutFirst),
  simple(0xd731, 16, 'SSKIPFIRST', cutBoth, skipFirst),
  simple(0xd732, 16, 'SCUTLAST', cutBoth, cutLast),
  simple(0xd733, 16, 'SSKIPLAST', cutBoth, skipLast),
  simple(0xd734, 16, 'SUBSLICE', subslice),
  simple(0xd736, 16, 'SPLIT', split, false),
  simple(0xd737, 16, 'SPLITQ', split, true),
  simple(0xd741, 16, 'SCHKBITS', check, { bits: true, refs: false, quiet: false }),
  simple(0xd742, 16, 'SCHKREFS', check, { bits: false, refs: true, quiet: false }),
  simple(0xd743, 16, 'SCHKBITREFS', check, { bits: true, refs: true, quiet: false }),
  simple(0xd745, 16, 'SCHKBITSQ', check, { bits: true, refs: false, quiet: true }),
  simple(0xd746, 16, 'SCHKREFSQ', check, { bits: false, refs: true, quiet: true }),
  simple(0xd747, 16, 'SCHKBITREFSQ', check, { bits: true, refs: true, quiet: true }),
  simple(0xd749, 16, 'SBITS', one, (s: Slice) => s.remainingBits),
  simple(0xd74a, 16, 'SREFS', one, (s: Slice) => s.remainingRefs),
  simple(0xd74b, 16, 'SBITREFS', both),
  simple(0xd764, 16, 'SDEPTH', one, depth),
]
