import { loadVmStack, storeVmStack } from '../../../../server/tlb/vm-stack/vm-stack.ts'
import type { GetMethodRequest, GetMethodResult, Tvm, TvmConfig } from '../../../../server/tvm/tvm.ts'
import { emulatorConfig } from './forms.ts'
import { runGetMethod } from './get-method.ts'
import { createHandles, type Handles } from './handles.ts'
import { sameResult } from './same-result.ts'
import { runTransaction } from './transaction.ts'
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

/** A TVM that compares `own` with the emulator. The emulator knows rules up to version 12. */
export const createComparedTvm = async (own: Tvm): Promise<ComparedTvm> => {
  const handles: Handles = createHandles(await compileEmulator())
  const known = new Set<string>()
  const differences: Difference[] = []
  let compared = 0
  const hold = ({ id, root }: TvmConfig): string => {
    if (!known.has(id)) handles.add({ ...emulatorConfig(root), id })
    known.add(id)
    return id
  }
  return {
    ...own,
    async runGetMethod(request, signal) {
      const result = await own.runGetMethod(request, signal)
      hold(request.config)
      const theirs = await runGetMethod(handles, request)
      compared++
      const [a, b] = [textOf(request, result), textOf(request, theirs)]
      if (a !== b) differences.push({ kind: 'get-method', own: a, emulator: b })
      return result
    },
    async runTransactions(requests, signal, options) {
      const results = await own.runTransactions(requests, signal, options)
      const accounts = new Map<string, Uint8Array>()
      for (const [i, { config, ...request }] of requests.entries()) {
        const before = request.shardAccount === 'previous' ? accounts.get(request.account)! : request.shardAccount
        const theirs = await runTransaction(handles, { ...request, configId: hold(config) }, before)
        handles.tidy()
        accounts.set(request.account, theirs.ok ? theirs.shardAccount : before)
        compared++
        const result = results[i]!
        if (!sameResult(result, theirs)) {
          differences.push({
            kind: 'transaction',
            own: JSON.stringify(result).slice(0, 500),
            emulator: JSON.stringify(theirs).slice(0, 500),
          })
        }
      }
      return results
    },
    compared: () => compared,
    differences: () => differences,
  }
}
