import { TonError } from '../../../shared/errors.ts'
import type { StackArgument } from '../../../shared/fields/stack.ts'
import { parseAccountBocOr } from '../../cell/boc.ts'
import { type Budget, MAX_ACCOUNT_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { checkVmStack, type VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

type CellArgument = Extract<StackArgument, { readonly boc: Uint8Array }>

/** Recursion is safe, because nesting was limited when the argument was parsed (shared/fields/stack.ts). */
function* cellArguments(stack: readonly StackArgument[]): Generator<CellArgument> {
  for (const argument of stack) {
    if ('boc' in argument) yield argument
    else if ('items' in argument) yield* cellArguments(argument.items)
  }
}

/** Bytes of the BoCs of arguments. */
export const argumentBytes = (stack: readonly StackArgument[]): number => {
  let bytes = 0
  for (const { boc } of cellArguments(stack)) bytes += boc.length
  return bytes
}

const cellOf = (bytes: Uint8Array, budget: Budget): Promise<Cell> =>
  parseAccountBocOr(bytes, (error) => new TonError('CHAIN', `INVALID_BAG_OF_CELLS: ${error.message}`, { cause: error }), budget)

/** Builds a Lisp list: null, or a pair of the first item and the list of the rest. */
const listOf = (items: readonly VmStackValue[]): VmStackValue =>
  items.reduceRight<VmStackValue>((rest, item) => ({ type: 'tuple', items: [item, rest] }), { type: 'null' })

const vmValue = (argument: StackArgument, cells: ReadonlyMap<CellArgument, Cell>): VmStackValue => {
  switch (argument.type) {
    case 'num':
      return { type: 'int', value: argument.value }
    case 'cell':
    case 'slice':
      return { type: argument.type, cell: cells.get(argument)! }
    case 'tuple':
      return { type: 'tuple', items: argument.items.map((item) => vmValue(item, cells)) }
    case 'list':
      return listOf(argument.items.map((item) => vmValue(item, cells)))
  }
}

/** Converts arguments to stack values, bottom of the stack first. Throws CHAIN for a broken BoC and for values that a stack of cells cannot represent. */
export const argumentStack = async (stack: readonly StackArgument[]): Promise<readonly VmStackValue[]> => {
  const budget = { cells: MAX_ACCOUNT_CELLS }
  const cells = new Map<CellArgument, Cell>()
  for (const argument of cellArguments(stack)) cells.set(argument, await cellOf(argument.boc, budget))
  const values = stack.map((argument) => vmValue(argument, cells))
  try {
    checkVmStack(values)
    return values
  } catch (error) {
    // Too many values, too many items in a tuple, or nesting deeper than cells allow.
    if (error instanceof CellError) throw new TonError('CHAIN', `TVM stack input exceeds limit: ${error.message}`, { cause: error })
    throw error
  }
}
