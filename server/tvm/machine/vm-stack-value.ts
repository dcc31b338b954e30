import { type Builder, beginCell } from '../../cell/builder.ts'
import { Cell, CellError } from '../../cell/cell.ts'
import { dictFromEntries } from '../../cell/dict.ts'
import { Slice } from '../../cell/slice.ts'
import { storeVmStack, storeVmStackValue } from '../../tlb/vm-stack/store.ts'
import type { VmContKind, VmStackValue } from '../../tlb/vm-stack/value.ts'
import { EMPTY_BUILDER, VmBuilder } from './builder.ts'
import {
  AGAIN,
  Continuation,
  ENVELOPE,
  ORDINARY,
  PUSH_INT,
  QUIT,
  QUIT_EXCEPTION,
  REPEAT,
  UNTIL,
  WHILE_BODY,
  WHILE_CONDITION,
} from './continuation.ts'
import { isNaNInteger, normal } from './integer.ts'
import { partsOf } from './stack-size.ts'
import { isTuple, type Tuple, type Value } from './value.ts'

/* Converts machine values to VmStackValue and back. A continuation can be converted to VmStackValue but not back. */

/** A machine value from a VmStackValue. Throws CellError `range` for a continuation. */
export const fromStackValue = (value: VmStackValue): Value => {
  switch (value.type) {
    case 'null':
      return null
    case 'int':
      return normal(value.value)
    case 'nan':
      return Number.NaN
    case 'cell':
      return value.cell
    case 'slice':
      return value.cell.sliceExotic()
    case 'builder':
      return EMPTY_BUILDER.storeSlice(value.cell.slice())
    case 'tuple':
      return value.items.map(fromStackValue)
    case 'cont':
      throw new CellError('range', 'a continuation cannot be put on a stack from outside')
  }
}

/** Names of the kinds of continuations. */
export const KINDS: Readonly<Record<number, VmContKind>> = {
  [ORDINARY]: 'std',
  [ENVELOPE]: 'envelope',
  [QUIT]: 'quit',
  [QUIT_EXCEPTION]: 'quit-exc',
  [REPEAT]: 'repeat',
  [UNTIL]: 'until',
  [AGAIN]: 'again',
  [WHILE_CONDITION]: 'while-cond',
  [WHILE_BODY]: 'while-body',
  [PUSH_INT]: 'pushint',
}

/** Slices, builders, tuples and continuations of one stack that are converted. */
type Converted = Map<Value, VmStackValue>

/**
 * VmStackValues from the machine values of a stack. Throws CellError for a continuation that is nested deeper than cells allow. Code can put an object on the
 * stack thousands of times for little gas, so each object is converted once. A list of open values replaces recursion, because values nest deeper than the call
 * stack allows.
 */
export const toStackValues = (values: readonly Value[]): readonly VmStackValue[] => {
  const converted: Converted = new Map()
  const open = values.filter(hasParts)
  for (let value = open.at(-1); value !== undefined; value = open.at(-1)) {
    const before = converted.has(value) ? [] : partsOf(value).filter((part) => hasParts(part) && !converted.has(part))
    for (const part of before) open.push(part)
    if (before.length > 0) continue
    valueToWire(value, converted)
    open.pop()
  }
  return values.map((value) => valueToWire(value, converted))
}

const hasParts = (value: Value): boolean => value instanceof Continuation || isTuple(value)

const valueToWire = (value: Value, converted: Converted): VmStackValue => {
  if (value === null) return { type: 'null' }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isNaNInteger(value) ? { type: 'nan' } : { type: 'int', value: BigInt(value) }
  }
  if (value instanceof Cell) return { type: 'cell', cell: value }
  const wire = converted.get(value) ?? objectToWire(value, converted)
  converted.set(value, wire)
  return wire
}

const objectToWire = (value: Slice | VmBuilder | Tuple | Continuation, converted: Converted): VmStackValue => {
  if (value instanceof Slice) return sliceToWire(value)
  if (value instanceof VmBuilder) return { type: 'builder', cell: value.end() }
  if (isTuple(value)) return { type: 'tuple', items: value.map((item) => valueToWire(item, converted)) }
  return { type: 'cont', kind: KINDS[value.kind]!, cell: storeContinuation(value, converted).end() }
}

const sliceToWire = (slice: Slice): Extract<VmStackValue, { type: 'slice' }> => {
  const { base, bitsBefore: stBits, refsBefore: stRef } = slice
  const endBits = stBits + slice.remainingBits
  const endRef = stRef + slice.remainingRefs
  const whole = stBits === 0 && stRef === 0 && endBits === base.bits && endRef === base.refCount
  if (whole) return { type: 'slice', cell: base }
  return { type: 'slice', cell: beginCell().storeSlice(slice).end(), window: { cell: base, stBits, endBits, stRef, endRef } }
}

/* vm_ctl_data$_ nargs:(Maybe uint13) stack:(Maybe VmStack) save:VmSaveList cp:(Maybe int16) = VmControlData;  _ cregs:(HashmapE 4 VmStackValue) = VmSaveList; */
const storeControl = (b: Builder, { c0, control }: Continuation, page: number | undefined, converted: Converted): Builder => {
  const nargs = control?.nargs ?? -1
  if (nargs >= 0) b.storeBit(1).storeUint(nargs & 8191, 13)
  else b.storeBit(0)
  const stack = control?.stack ?? null
  if (stack === null) b.storeBit(0)
  else b.storeBit(1).storeCell(storeVmStack(stack.map((value) => valueToWire(value, converted))))
  const registers: readonly Value[] = [
    ...[c0, control?.c1, control?.c2, control?.c3, control?.c4, control?.c5].map((value) => value ?? null),
    null,
    control?.c7 ?? null,
  ]
  const entries = registers.flatMap((value, i): [bigint, Builder][] =>
    value === null ? [] : [[BigInt(i), storeVmStackValue(beginCell(), valueToWire(value, converted))]],
  )
  b.storeMaybeRef(dictFromEntries(4, entries))
  return page === undefined ? b.storeBit(0) : b.storeBit(1).storeInt(page, 16)
}

/** VmCont; its constructors are documented in server/tlb/vm-stack/value.ts. */
const storeContinuation = (cont: Continuation, converted: Converted): Builder => {
  const b = beginCell()
  const { kind, n, body, after, condition } = cont
  const inRef = (into: Builder, next: Continuation | null): Builder => {
    const { cell } = valueToWire(next, converted) as Extract<VmStackValue, { type: 'cont' }>
    return into.storeRef(cell)
  }
  if (kind === ORDINARY) {
    const code = sliceToWire(cont.block!.from(n))
    storeControl(b.storeUint(0, 2), cont, 0, converted)
    const { cell, stBits, endBits, stRef, endRef } = code.window ?? {
      cell: code.cell,
      stBits: 0,
      endBits: code.cell.bits,
      stRef: 0,
      endRef: code.cell.refCount,
    }
    return b.storeRef(cell).storeUint(stBits, 10).storeUint(endBits, 10).storeUint(stRef, 3).storeUint(endRef, 3)
  }
  if (kind === ENVELOPE) return inRef(storeControl(b.storeUint(1, 2), cont, undefined, converted), body)
  if (kind === QUIT) return b.storeUint(8, 4).storeInt(n, 32)
  if (kind === QUIT_EXCEPTION) return b.storeUint(9, 4)
  if (kind === REPEAT) return inRef(inRef(b.storeUint(0x14, 5).storeUint(n, 63), body), after)
  if (kind === UNTIL) return inRef(inRef(b.storeUint(0x30, 6), body), after)
  if (kind === AGAIN) return inRef(b.storeUint(0x31, 6), body)
  if (kind === PUSH_INT) return inRef(b.storeUint(15, 4).storeInt(n, 32), body)
  const head = b.storeUint(kind === WHILE_CONDITION ? 0x32 : 0x33, 6)
  return inRef(inRef(inRef(head, condition), body), after)
}
