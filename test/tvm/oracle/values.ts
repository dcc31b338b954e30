import { beginCell } from '../../../server/cell/builder.ts'
import { Cell } from '../../../server/cell/cell.ts'
import { Slice } from '../../../server/cell/slice.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/value.ts'
import { EMPTY_BUILDER, VmBuilder } from '../../../server/tvm/machine/builder.ts'
import { normal } from '../../../server/tvm/machine/integer.ts'
import { isTuple, type Value } from '../../../server/tvm/machine/value.ts'

/* Stack values of cases: in the wire's form for oracles, in the machine's for the project, and as text to compare. */

/** A value of a case as the machine has it. Continuations are made by the program itself. */
export const machineForm = (value: VmStackValue): Value => {
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
      return value.cell.slice()
    case 'builder':
      return EMPTY_BUILDER.storeSlice(value.cell.slice())
    case 'tuple':
      return value.items.map(machineForm)
    case 'cont':
      throw new Error('a case has no continuation on its stack')
  }
}

const cellOfSlice = (s: Slice): Cell => beginCell().storeSlice(s).end()

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
