import type { WorkerTransaction } from '../../../../server/tvm/protocol.ts'
import { type TransactionResult, TvmError } from '../../../../server/tvm/tvm.ts'
import { fromBase64, toHex } from './bytes.ts'
import type { Handles } from './handles.ts'

type Answer =
  | { readonly fail: true; readonly message: string }
  | {
      readonly output:
        | { readonly success: true; readonly transaction: string; readonly shard_account: string; readonly actions: string | null }
        | { readonly success: false; readonly error: string; readonly vm_exit_code?: number; readonly vm_log?: string }
    }

/*
 * If a run does not set seed, libraries or previous blocks, the handle uses those of the last run. So each run sets all three. Absent ones get values
 * that mean nothing to a contract.
 */
/** VmStackValue vm_stk_null#00 */
const NO_BLOCKS = 'te6cckEBAQEAAwAAAgDTZ9xB'
/** A Hashmap 256 SimpleLib with the empty cell under a key that is not the hash of any cell. */
const NO_LIBRARIES = 'te6ccgEBAgEABwABA/ACAQAA'

const NOTHING = Buffer.from(NO_BLOCKS, 'base64')

const paramsText = (request: WorkerTransaction, handles: Handles): string =>
  JSON.stringify({
    utime: request.now,
    lt: request.lt.toString(),
    rand_seed: toHex(request.randomSeed),
    ignore_chksig: request.ignoreSignatures ?? false,
    debug_enabled: false,
    ...blocksParam(request.prevBlocksInfo ?? NOTHING, request, handles),
    ...(request.kind === 'message' ? {} : { is_tick_tock: true, is_tock: request.kind === 'tock' }),
  })

/** Left out if the handle still holds the same blocks. This is the only use of the kept values. */
const blocksParam = (blocks: Uint8Array, request: WorkerTransaction, handles: Handles): { prev_blocks_info?: string } =>
  handles.holdsBlocks(request.configId, blocks) ? {} : { prev_blocks_info: Buffer.from(blocks).toString('base64') }

/** Runs one transaction. An exception of the emulator becomes the result, so that one bad message does not fail the others. */
export const runTransaction = async (handles: Handles, request: WorkerTransaction, account: Uint8Array): Promise<TransactionResult> => {
  const { configId, libraries, message } = request
  let text: string
  try {
    const emulator = await handles.emulator()
    const handle = handles.handle(configId)
    text = emulator.emulate(handle, libraries ?? NO_LIBRARIES, account, message ?? '', paramsText(request, handles))
  } catch (error) {
    handles.reset()
    if (error instanceof TvmError) throw error
    return { ok: false, error: `the emulator failed: ${String(error)}` }
  }
  const answer = JSON.parse(text) as Answer
  if ('fail' in answer) {
    // The C++ side has freed the handle without reporting it.
    handles.reset()
    return { ok: false, error: answer.message }
  }
  const { output } = answer
  if (output.success) {
    return {
      ok: true,
      shardAccount: fromBase64(output.shard_account),
      transaction: fromBase64(output.transaction),
      ...(output.actions === null ? {} : { actions: fromBase64(output.actions) }),
    }
  }
  return {
    ok: false,
    error: output.error,
    ...(output.vm_exit_code === undefined ? {} : { exitCode: output.vm_exit_code }),
    ...(output.vm_log === undefined ? {} : { log: output.vm_log }),
  }
}
