import { toBase64, toHex } from './bytes.ts'
import type { Handles } from './handles.ts'
import type { WorkerGetMethod, WorkerResult } from './protocol.ts'
import { type ConfigForm, type GetMethodRequest, TvmError } from './tvm.ts'

type Answer =
  | { readonly fail: true; readonly message: string }
  | {
      readonly output:
        | {
            readonly success: true
            readonly stack: string
            readonly gas_used: string
            readonly vm_exit_code: number
            readonly missing_library: string | null
          }
        | { readonly success: false; readonly error: string }
      readonly logs: string
    }

const MAX_BALANCE = (1n << 63n) - 1n

/**
 * The emulator joins `id=amount` pairs without the space that its own reader splits at, so that two currencies are refused. A whole list is
 * therefore given as the amount of the first one.
 */
const currencies = (other: ReadonlyMap<number, bigint>): Record<string, string> => {
  const pairs = [...other].filter(([, amount]) => amount > 0n)
  const [first, ...rest] = pairs
  if (!first) return {}
  return { [first[0]]: [first[1].toString(), ...rest.map(([id, amount]) => `${id}=${amount}`)].join(' ') }
}

/** The emulator's own form of a request. */
export const paramsText = (request: Omit<GetMethodRequest, 'config' | 'configForm'>): string =>
  JSON.stringify({
    code: toBase64(request.code),
    data: toBase64(request.data),
    verbosity: 0,
    libs: request.libraries ? toBase64(request.libraries) : '',
    address: request.address,
    unixtime: request.now,
    // The emulator reads 64 bits and takes them as signed: still more than all coins there are.
    balance: (request.balance < MAX_BALANCE ? request.balance : MAX_BALANCE).toString(),
    ...(request.extraCurrencies?.size ? { extra_currencies: currencies(request.extraCurrencies) } : {}),
    ...(request.prevBlocksInfo ? { prev_blocks_info: toBase64(request.prevBlocksInfo) } : {}),
    rand_seed: toHex(request.randomSeed),
    gas_limit: request.gasLimit.toString(),
    method_id: request.methodId,
    debug_enabled: false,
  })

/** Runs a get-method; again with the full configuration when it stopped at a parameter that the slim one leaves out. */
export const runGetMethod = async (handles: Handles, request: WorkerGetMethod): Promise<WorkerResult> => {
  const emulator = await handles.emulator()
  const { params } = request
  const run = (form: ConfigForm): WorkerResult => {
    const answer = JSON.parse(emulator.runGetMethod(params, request.stack, handles.text(request.configId, form))) as Answer
    if ('fail' in answer) {
      handles.reset()
      throw new TvmError('rejected', answer.message)
    }
    // Code or data that is no BoC leaves a null emulator, on which the run goes on and writes to low memory; only the log tells.
    const bad = /Can't deserialize code boc: ([^\n]*)/.exec(answer.logs.slice(0, 1000))
    if (bad) {
      handles.reset()
      throw new TvmError('rejected', `code or data is not a BoC: ${bad[1]}`)
    }
    if (!answer.output.success) throw new TvmError('rejected', answer.output.error)
    const { stack, gas_used, vm_exit_code, missing_library } = answer.output
    return { exitCode: vm_exit_code, gasUsed: gas_used, stack, missingLibrary: missing_library?.toLowerCase() }
  }
  const result = run(request.configForm)
  // Reported even if the contract caught the exception, so a TRY around a left-out parameter is seen too.
  return result.missingLibrary && handles.slimmed(request.configId, result.missingLibrary) ? run('full') : result
}
