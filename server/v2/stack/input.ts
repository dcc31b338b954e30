import { TonError } from '../../../shared/errors.ts'
import type { StackArgument } from '../../../shared/fields/stack.ts'
import { parseBocRootOr } from '../../cell/boc.ts'
import { type Budget, MAX_ACCOUNT_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { checkVmStack, type VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

const cellOf = (bytes: Uint8Array, budget: Budget): Cell =>
  parseBocRootOr(bytes, (error) => new TonError('CHAIN', `INVALID_BAG_OF_CELLS: ${error.message}`, { cause: error }), budget)

/** Builds a Lisp list: null, or a pair of the first item and the list of the rest. */
const listOf = (items: readonly VmStackValue[]): VmStackValue =>
  items.reduceRight<VmStackValue>((rest, item) => ({ type: 'tuple', items: [item, rest] }), { type: 'null' })

/** Recursion is safe, because nesting was limited when the argument was parsed (shared/fields/stack.ts). */
const vmValue = (argument: StackArgument, budget: Budget): VmStackValue => {
  switch (argument.type) {
    case 'num':
      return { type: 'int', value: argument.value }
    case 'cell':
    case 'slice':
      return { type: argument.type, cell: cellOf(argument.boc, budget) }
    case 'tuple':
      return { type: 'tuple', items: argument.items.map((item) => vmValue(item, budget)) }
    case 'list':
      return listOf(argument.items.map((item) => vmValue(item, budget)))
  }
}

/** Converts arguments to stack values, bottom of the stack first. Throws CHAIN for a broken BoC and for values that a stack of cells cannot represent. */
export const argumentStack = (stack: readonly StackArgument[]): readonly VmStackValue[] => {
  const budget = { cells: MAX_ACCOUNT_CELLS }
  const values = stack.map((argument) => vmValue(argument, budget))
  try {
    checkVmStack(values)
    return values
  } catch (error) {
    // Too many values, too many items in a tuple, or nesting deeper than cells allow.
    if (error instanceof CellError) throw new TonError('CHAIN', `TVM stack input exceeds limit: ${error.message}`, { cause: error })
    throw error
  }
}
