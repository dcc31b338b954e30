import { TonError } from '../../../shared/errors.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { loadVmStack, type VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

/** The values a run left, bottom first. Throws CHAIN, with tonlib's text, where they are more than can be told. */
export const resultValues = (stack: Cell): readonly VmStackValue[] => {
  try {
    return loadVmStack(stack)
  } catch (error) {
    if (error instanceof CellError && error.kind === 'range') throw new TonError('CHAIN', 'TVM stack size exceeds limit', { cause: error })
    throw error
  }
}
