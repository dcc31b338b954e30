import { beginCell } from '../../../server/cell/builder.ts'
import { Cell } from '../../../server/cell/cell.ts'
import { Slice } from '../../../server/cell/slice.ts'
import { VmBuilder } from '../../../server/tvm/machine/builder.ts'
import { isTuple, type Value } from '../../../server/tvm/machine/value.ts'

/* Stack values of cases: as text to compare. */

/** A whole exotic cell stays exotic. */
const cellOfSlice = (s: Slice): Cell => {
  const { base } = s
  if (base.exotic && s.remainingBits === base.bits && s.remainingRefs === base.refCount) return base
  return beginCell().storeSlice(s).end()
}

/** The text of a value; valueText of go/main.go writes the same. */
export const valueText = (value: Value): string => {
  if (value === null) return 'N'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : String(value)
  if (value instanceof Cell) return `C${value.hashHex()}`
  if (value instanceof Slice) return `S${cellOfSlice(value).hashHex()}`
  if (value instanceof VmBuilder) return `B${value.end().hashHex()}`
  return isTuple(value) ? `[${value.map(valueText).join(',')}]` : 'K'
}

/** From the bottom to the top. */
export const stackText = (stack: readonly Value[]): string => stack.map(valueText).join(' ')
