import { parseBocRoot, serializeBoc } from '../../../../server/cell/boc.ts'
import { beginCell } from '../../../../server/cell/builder.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { dictEntries } from '../../../../server/cell/dict.ts'
import { loadShardAccount, shardAccountCell } from '../../../../server/tlb/state/shard-account.ts'
import { loadTransaction } from '../../../../server/tlb/transaction/transaction.ts'
import { storeVmStackValue } from '../../../../server/tlb/vm-stack/vm-stack.ts'
import type { TransactionRequest } from '../../../../server/tvm/executor/execute.ts'
import type { Value } from '../../../../server/tvm/machine/value.ts'
import { toStackValues } from '../../../../server/tvm/machine/vm-stack-value.ts'
import type { TransactionOutcome } from '../../../../server/tvm/make-transaction.ts'
import { TvmError } from '../../../../server/tvm/tvm.ts'
import { fromBase64, toHex } from './bytes.ts'
import { emulatorConfig } from './forms.ts'
import type { Handles } from './handles.ts'

/** A transaction in the emulator's form: BoCs, and a configuration that `handles` must hold. */
export interface EmulatorRequest {
  readonly kind: TransactionRequest['kind']
  readonly configId: string
  readonly shardAccount: Uint8Array
  readonly message?: Uint8Array | undefined
  readonly now: number
  readonly lt: bigint
  readonly randomSeed: Uint8Array
  readonly ignoreSignatures?: boolean | undefined
  readonly libraries?: Uint8Array | undefined
  readonly prevBlocksInfo?: Uint8Array | undefined
}

type EmulatorResult =
  | { readonly ok: true; readonly shardAccount: Uint8Array; readonly transaction: Uint8Array; readonly actions?: Uint8Array }
  | Extract<TransactionOutcome, { readonly ok: false }>

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

const paramsText = (request: EmulatorRequest, handles: Handles): string =>
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
const blocksParam = (blocks: Uint8Array, request: EmulatorRequest, handles: Handles): { prev_blocks_info?: string } =>
  handles.holdsBlocks(request.configId, blocks) ? {} : { prev_blocks_info: Buffer.from(blocks).toString('base64') }

/** Runs one transaction. An exception of the emulator becomes the result, so that one bad message does not fail the others. */
export const emulateBytes = async (handles: Handles, request: EmulatorRequest): Promise<EmulatorResult> => {
  const { configId, shardAccount, libraries, message } = request
  let text: string
  try {
    const emulator = await handles.emulator()
    const handle = handles.handle(configId)
    text = emulator.emulate(handle, libraries ?? NO_LIBRARIES, shardAccount, message ?? '', paramsText(request, handles))
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
  handles.tidy()
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

const bytesOf = (cell: Cell): Uint8Array => serializeBoc(cell, { crc32c: false })

const blocks = new WeakMap<object, Uint8Array>()
/** PREVBLOCKSINFO (a machine tuple) as the BoC of a VmStackValue. The requests of a block share it. */
export const prevBlocksBoc = (tuple: object): Uint8Array => {
  const boc = blocks.get(tuple) ?? bytesOf(storeVmStackValue(beginCell(), toStackValues([tuple as Value])[0]!).end())
  blocks.set(tuple, boc)
  return boc
}

/** Out messages of a transaction, in order. */
export const sentBy = (transaction: Cell): Cell[] => {
  const messages = transaction.ref(0).slice()
  messages.loadMaybeRef()
  const root = messages.loadMaybeRef()
  return root === undefined ? [] : Array.from(dictEntries(root, 15, { cells: 1 << 16 }), ([, value]) => value.loadRef())
}

const known = new WeakMap<Handles, Set<string>>()
/** Id of a configuration that the handles hold from then on. */
export const holdConfig = (handles: Handles, root: Cell): string => {
  const held = known.get(handles) ?? new Set()
  known.set(handles, held)
  const id = root.hashHex()
  if (!held.has(id)) handles.add(emulatorConfig(root))
  held.add(id)
  return id
}

/** Makes a transaction with the emulator. */
export const emulateTransaction = async (handles: Handles, request: TransactionRequest): Promise<TransactionOutcome> => {
  const { kind, config, shardAccount, message, now, lt, blockSeed, ignoreSignatures, libraries, prevBlocks } = request
  const result = await emulateBytes(handles, {
    kind,
    configId: holdConfig(handles, config),
    shardAccount: bytesOf(shardAccountCell(shardAccount)),
    message: message && bytesOf(message),
    now,
    lt,
    randomSeed: blockSeed,
    ignoreSignatures,
    libraries: libraries && bytesOf(libraries),
    prevBlocksInfo: Array.isArray(prevBlocks) ? prevBlocksBoc(prevBlocks) : undefined,
  })
  if (!result.ok) return result
  const transaction = parseBocRoot(result.transaction)
  const { lt: madeLt, description } = loadTransaction(transaction)
  const outMsgs = sentBy(transaction)
  const compute = 'compute' in description ? description.compute : undefined
  return {
    ok: true,
    transaction,
    shardAccount: loadShardAccount(parseBocRoot(result.shardAccount).slice()),
    lt: madeLt,
    endLt: madeLt + 1n + BigInt(outMsgs.length),
    outMsgs,
    gasUsed: compute?.type === 'vm' ? compute.gasUsed : 0n,
    actions: result.actions && parseBocRoot(result.actions),
  }
}
