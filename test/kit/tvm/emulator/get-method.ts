import { parseBocRoot, serializeBoc } from '../../../../server/cell/boc.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { loadVmStack, storeVmStack } from '../../../../server/tlb/vm-stack/vm-stack.ts'
import { type GetMethodRequest, type GetMethodResult, TvmError } from '../../../../server/tvm/tvm.ts'
import { toBase64, toHex } from './bytes.ts'
import type { ConfigForm } from './forms.ts'
import type { Handles } from './handles.ts'

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
 * The emulator joins `id=amount` pairs without the space that its own reader expects, so it refuses two currencies. Therefore the whole list is
 * passed as the amount of the first currency.
 */
const currencies = (other: ReadonlyMap<number, bigint>): Record<string, string> => {
  const pairs = [...other].filter(([, amount]) => amount > 0n)
  const [first, ...rest] = pairs
  if (!first) return {}
  return { [first[0]]: [first[1].toString(), ...rest.map(([id, amount]) => `${id}=${amount}`)].join(' ') }
}

const base64 = (cell: Cell): string => toBase64(serializeBoc(cell, { crc32c: false }))

/** A request in the emulator's form. */
const paramsText = (request: GetMethodRequest): string =>
  JSON.stringify({
    code: base64(request.code),
    data: base64(request.data),
    verbosity: 0,
    libs: request.libraries?.[0] ? base64(request.libraries[0]) : '',
    address: `${request.address.workchain}:${toHex(request.address.hash)}`,
    unixtime: request.now,
    // The emulator reads a signed 64-bit number, which is still more than all existing coins.
    balance: (request.balance < MAX_BALANCE ? request.balance : MAX_BALANCE).toString(),
    ...(request.extraCurrencies?.size ? { extra_currencies: currencies(request.extraCurrencies) } : {}),
    ...(request.prevBlocksInfo ? { prev_blocks_info: base64(request.prevBlocksInfo) } : {}),
    rand_seed: toHex(request.randomSeed),
    gas_limit: request.gasLimit.toString(),
    method_id: request.methodId,
    debug_enabled: false,
  })

/** Runs a get-method with the whole configuration, which `handles` must hold. Supports at most one root of libraries. */
export const runGetMethod = async (handles: Handles, request: GetMethodRequest): Promise<GetMethodResult> => {
  const emulator = await handles.emulator()
  const text = emulator.runGetMethod(
    paramsText(request),
    base64(storeVmStack(request.stack)),
    handles.text(request.config.hashHex(), 'full' satisfies ConfigForm),
  )
  const answer = JSON.parse(text) as Answer
  if ('fail' in answer) {
    handles.reset()
    throw new TvmError('rejected', answer.message)
  }
  if (!answer.output.success) throw new TvmError('rejected', answer.output.error)
  const { stack, gas_used, vm_exit_code, missing_library } = answer.output
  handles.tidy()
  return {
    exitCode: vm_exit_code,
    gasUsed: BigInt(gas_used),
    stack: loadVmStack(parseBocRoot(Buffer.from(stack, 'base64'))),
    ...(missing_library === null ? {} : { missingLibrary: missing_library.toLowerCase() }),
  }
}
