import { beginCell } from '../cell/builder.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { storeExtraCurrencies } from '../tlb/currency.ts'
import { checkVmStack } from '../tlb/vm-stack/fits-cells.ts'
import { loadVmStackValue } from '../tlb/vm-stack/load.ts'
import { MAX_VALUES, type VmStackValue } from '../tlb/vm-stack/value.ts'
import { unpackConfig } from './executor/config.ts'
import { ExecutorError } from './executor/error.ts'
import { runVmGetMethod } from './get-method.ts'
import { hasAtMost } from './machine/stack-size.ts'
import type { Value } from './machine/value.ts'
import { fromStackValue, toStackValues } from './machine/vm-stack-value.ts'
import { type GetMethodRequest, type GetMethodResult, TvmError } from './tvm.ts'

/** A get-method returned more values than the caller accepts (`most` of runGetMethodRequest). Thrown before the values are converted. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues'
}

/** Values of PREVBLOCKSINFO by cell. All runs in one block share the value. */
const blocks = new WeakMap<Cell, Value>()
export const prevBlocksValue = (cell: Cell): Value => {
  const cached = blocks.get(cell)
  if (cached !== undefined) return cached
  const value = fromStackValue(loadVmStackValue(cell.slice()))
  blocks.set(cell, value)
  return value
}

const currenciesOf = (other: ReadonlyMap<number, bigint>): Cell | undefined =>
  storeExtraCurrencies(beginCell(), other).end().slice().loadMaybeRef()

/** Returns the result of `read`. Converts CellError and ExecutorError to TvmError `rejected`, with `what` before the message. */
const reading = <T>(what: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellError || error instanceof ExecutorError) {
      throw new TvmError('rejected', `${what}: ${error.message}`, { cause: error })
    }
    throw error
  }
}

/** Converts the stack at the end of a run. Throws CellError if cells cannot hold the values. */
const resultOf = (left: readonly Value[]): readonly VmStackValue[] => {
  const values = toStackValues(left)
  checkVmStack(values)
  return values
}

/**
 * Runs a get-method to its end. VmRequest describes `interrupt`. `most` is the maximum number of values in the result. Throws TvmError `rejected` if the
 * request cannot be read or the result cannot be serialized. Also throws VmInterrupted and TooManyValues.
 */
export const runGetMethodRequest = (
  request: GetMethodRequest,
  interrupt?: (slow: boolean) => boolean,
  most: number = MAX_VALUES,
): GetMethodResult => {
  const { extraCurrencies, prevBlocksInfo } = request
  const config = reading('the configuration cannot be used', () => unpackConfig(request.config))
  const stack = reading('the stack cannot be read', () => request.stack.map(fromStackValue))
  const currencies = extraCurrencies === undefined ? undefined : currenciesOf(extraCurrencies)
  const { maxSlow } = request
  let slow = 0
  const countSlow = (isSlow: boolean): boolean => {
    if (isSlow && ++slow > maxSlow!) throw new TvmError('rejected', `the run needs more than ${maxSlow} operations on curves`)
    return interrupt?.(isSlow) === true
  }
  const left = reading('a cell cannot be read', () =>
    runVmGetMethod({
      ...request,
      config,
      stack,
      gasLimit: Number(request.gasLimit),
      extraCurrencies: currencies,
      prevBlocks: prevBlocksInfo && prevBlocksValue(prevBlocksInfo),
      log: request.trace,
      interrupt: maxSlow === undefined ? interrupt : countSlow,
    }),
  )
  const limit = request.maxValues ?? MAX_VALUES
  if (!hasAtMost(Math.min(most, limit), left.stack)) {
    if (most < limit) throw new TooManyValues()
    throw new TvmError('rejected', 'TVM stack size exceeds limit')
  }
  return {
    exitCode: left.exitCode,
    gasUsed: BigInt(left.gasUsed),
    stack: reading('the result cannot be written', () => resultOf(left.stack)),
    missingLibrary: left.missingLibrary,
    log: left.log,
    debug: left.debug,
  }
}
