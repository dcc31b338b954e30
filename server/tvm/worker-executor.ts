import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { loadAddressInt } from '../tlb/address.ts'
import { loadMessage } from '../tlb/message/message.ts'
import { loadShardAccount, type ShardAccount, shardAccountCell } from '../tlb/state/shard-account.ts'
import { loadVmStackValue } from '../tlb/vm-stack/load.ts'
import type { VmStackValue } from '../tlb/vm-stack/value.ts'
import { unpackConfig } from './executor/config.ts'
import { ExecutorError } from './executor/error.ts'
import type { ExecuteRequest } from './executor/execute.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { normal } from './machine/integer.ts'
import type { Value } from './machine/value.ts'
import { makeTransaction, type TransactionOutcome } from './make-transaction.ts'
import type { WorkerTransaction } from './protocol.ts'
import { type TransactionResult, type TvmConfig, TvmError } from './tvm.ts'

/* Runs the transactions of a worker's job: BoCs are parsed, executed and serialized. */

/** An account between two transactions of a batch: bytes before the first one, parsed after it. */
export type AccountNow = Uint8Array | ShardAccount

export interface WorkerExecutor {
  /** Runs one transaction. `after` is the account after it, or `before` if no transaction was made. Throws VmInterrupted if it needs curves that are not loaded. */
  run(request: WorkerTransaction, before: AccountNow): { readonly result: TransactionResult; readonly after: AccountNow }
}

/** A value of PREVBLOCKSINFO as a machine value. It holds integers, tuples and nulls only. */
export const machineValue = (value: VmStackValue): Value => {
  if (value.type === 'int') return normal(value.value)
  if (value.type === 'tuple') return value.items.map(machineValue)
  return null
}

/** Keeps the value made of the newest bytes, because requests of a block share their libraries and previous blocks. */
const lastOf = <T>(make: (bytes: Uint8Array) => T): ((bytes: Uint8Array) => T) => {
  let kept: { readonly bytes: Uint8Array; readonly value: T } | undefined
  return (bytes) => {
    if (kept === undefined || Buffer.compare(kept.bytes, bytes) !== 0) kept = { bytes, value: make(bytes) }
    return kept.value
  }
}

/** The account's address; if there is no account, the message's destination. */
const addressOf = (account: ShardAccount, message: Cell | undefined): ExecuteRequest['account'] => {
  const s = account.accountCell.slice()
  const address = s.loadBit() ? loadAddressInt(s) : message === undefined ? undefined : destinationOf(message)
  if (address?.type !== 'std') throw new CellError('range', 'the account has no plain standard address')
  return { workchain: address.workchain, hash: address.hash }
}
const destinationOf = (message: Cell) => {
  const { info } = loadMessage(message)
  return info.type === 'external-out' ? undefined : info.dest
}

const inBytes = (outcome: TransactionOutcome): TransactionResult =>
  outcome.ok
    ? {
        ok: true,
        shardAccount: serializeBoc(shardAccountCell(outcome.shardAccount)),
        transaction: serializeBoc(outcome.transaction),
        ...(outcome.actions === undefined ? {} : { actions: serializeBoc(outcome.actions) }),
        ...(outcome.missingLibrary === undefined ? {} : { missingLibrary: outcome.missingLibrary }),
        ...(outcome.log === undefined ? {} : { steps: outcome.log }),
        ...(outcome.debug === undefined ? {} : { debug: outcome.debug }),
      }
    : outcome

const failed = (error: unknown): TransactionResult => {
  if (error instanceof ExecutorError && error.kind === 'config') throw new TvmError('rejected', error.message, { cause: error })
  if (error instanceof CellError) return { ok: false, error: error.message }
  throw error
}

/** `configOf` returns the configuration with an id, or throws a TvmError. */
export const createWorkerExecutor = (configOf: (id: string) => TvmConfig): WorkerExecutor => {
  const blocksOf = lastOf((bytes) => machineValue(loadVmStackValue(parseBocRoot(bytes).slice())))
  const librariesOf = lastOf(parseBocRoot)
  const execute = (request: WorkerTransaction, before: AccountNow): { result: TransactionResult; after: AccountNow } => {
    // Read first: an invalid configuration fails the whole call, whatever else is wrong.
    const config = unpackConfig(configOf(request.configId).root)
    const shardAccount = before instanceof Uint8Array ? loadShardAccount(parseBocRoot(before).slice()) : before
    const message = request.message === undefined ? undefined : parseBocRoot(request.message)
    const asked: ExecuteRequest = {
      kind: request.kind,
      config,
      account: addressOf(shardAccount, message),
      shardAccount,
      message,
      lt: request.lt,
      blockLt: request.blockLt,
      log: request.trace,
      now: request.now,
      blockSeed: request.randomSeed,
      ignoreSignatures: request.ignoreSignatures,
      libraries: request.libraries === undefined ? undefined : librariesOf(request.libraries),
      prevBlocks: request.prevBlocksInfo === undefined ? null : blocksOf(request.prevBlocksInfo),
    }
    const outcome = makeTransaction(asked)
    // Nothing else interrupts a run here.
    if (!outcome.ok && outcome.interrupted === true) throw new VmInterrupted('the transaction needs curves')
    return { result: inBytes(outcome), after: outcome.ok ? outcome.shardAccount : shardAccount }
  }
  return {
    run: (request, before) => {
      try {
        return execute(request, before)
      } catch (error) {
        return { result: failed(error), after: before }
      }
    },
  }
}
