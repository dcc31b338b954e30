import { loadVmStack, storeVmStack } from '../../../../server/tlb/vm-stack/vm-stack.ts'
import type { TransactionOutcome } from '../../../../server/tvm/make-transaction.ts'
import type { GetMethodRequest, GetMethodResult, Tvm } from '../../../../server/tvm/tvm.ts'
import { runGetMethod } from './get-method.ts'
import { createHandles, type Handles } from './handles.ts'
import { sameResult } from './same-result.ts'
import { emulateTransaction, holdConfig } from './transaction.ts'
import { compileEmulator } from './wasm.ts'

/* Shadow mode: both engines run everything. Our result is returned, and differences are collected. */

export interface Difference {
  readonly kind: 'get-method' | 'transaction'
  readonly own: string
  readonly emulator: string
}

export interface ComparedTvm extends Tvm {
  /** Number of runs by both engines. */
  compared(): number
  differences(): readonly Difference[]
}

/** Code that is a library cell. The emulator charges for loading it; a lite-server and our machine do not. */
const isLibraryCode = ({ code }: GetMethodRequest): boolean => code.type === 'library'

const textOf = (request: GetMethodRequest, { exitCode, gasUsed, stack }: GetMethodResult): string => {
  // For a continuation on the stack only the kind is compared: the same code can be in another cell.
  const values = loadVmStack(storeVmStack(stack)).map((value) => (value.type === 'cont' ? value.kind : value))
  const told = JSON.stringify(values, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString()
    return typeof value === 'object' && value !== null && 'hashHex' in value ? (value as { hashHex(): string }).hashHex() : value
  })
  return `exit ${exitCode}${isLibraryCode(request) ? '' : ` gas ${gasUsed}`} stack ${told}`
}

const textOfOutcome = (outcome: TransactionOutcome): string =>
  outcome.ok
    ? `${outcome.transaction.hashHex()} ${outcome.shardAccount.accountCell.hashHex()}`
    : `refused with ${outcome.exitCode}: ${outcome.error}`

/** A TVM that compares `own` with the emulator. The emulator knows rules up to version 12. */
export const createComparedTvm = async (own: Tvm): Promise<ComparedTvm> => {
  const handles: Handles = createHandles(await compileEmulator())
  const differences: Difference[] = []
  let compared = 0
  return {
    ...own,
    async runGetMethod(request, signal) {
      const result = await own.runGetMethod(request, signal)
      holdConfig(handles, request.config)
      const theirs = await runGetMethod(handles, request)
      compared++
      const [a, b] = [textOf(request, result), textOf(request, theirs)]
      if (a !== b) differences.push({ kind: 'get-method', own: a, emulator: b })
      return result
    },
    async runTransaction(request, signal, options) {
      const result = await own.runTransaction(request, signal, options)
      const theirs = await emulateTransaction(handles, request)
      compared++
      if (!sameResult(result, theirs))
        differences.push({ kind: 'transaction', own: textOfOutcome(result), emulator: textOfOutcome(theirs) })
      return result
    },
    compared: () => compared,
    differences: () => differences,
  }
}
