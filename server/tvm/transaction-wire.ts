import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictEntries } from '../cell/dict.ts'
import { loadShardAccount, shardAccountCell } from '../tlb/state/shard-account.ts'
import { loadTransaction } from '../tlb/transaction/transaction.ts'
import { storeVmStackValue } from '../tlb/vm-stack/vm-stack.ts'
import { makeTvmConfig } from './config.ts'
import type { ExecuteRequest } from './executor/execute.ts'
import { toStackValue } from './machine/vm-stack-value.ts'
import type { TransactionOutcome } from './make-transaction.ts'
import type { BatchRequest } from './protocol.ts'
import type { TransactionResult, TvmConfig } from './tvm.ts'

/* Converts transaction requests from cells to bytes for another thread, and results back to cells. */

const bytesOf = (cell: Cell): Uint8Array => new Uint8Array(serializeBoc(cell, { crc32c: false }))

/** Caches the value made of an object, because requests of a block share their configuration, libraries and previous blocks. */
const remembered = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}
const configOf = remembered((root: Cell): TvmConfig => makeTvmConfig(root))
const librariesOf = remembered(bytesOf)

/** PREVBLOCKSINFO (a machine tuple) as the BoC of a VmStackValue. */
export const prevBlocksBoc = remembered((tuple: object) =>
  bytesOf(storeVmStackValue(beginCell(), toStackValue(tuple as Parameters<typeof toStackValue>[0])).end()),
)

/** A request for `Tvm.runTransactions`. */
export const packTransaction = (request: ExecuteRequest): BatchRequest & { readonly shardAccount: Uint8Array } => {
  const { account, libraries, message, prevBlocks, ignoreSignatures } = request
  return {
    kind: request.kind,
    config: configOf(request.config.root),
    account: `${account.workchain}:${Buffer.from(account.hash).toString('hex')}`,
    shardAccount: bytesOf(shardAccountCell(request.shardAccount)),
    now: request.now,
    lt: request.lt,
    ...(request.blockLt === undefined ? {} : { blockLt: request.blockLt }),
    randomSeed: request.blockSeed,
    ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
    ...(message === undefined ? {} : { message: bytesOf(message) }),
    ...(libraries === undefined ? {} : { libraries: librariesOf(libraries) }),
    ...(Array.isArray(prevBlocks) ? { prevBlocksInfo: prevBlocksBoc(prevBlocks) } : {}),
  }
}

/** Out messages of a transaction, in order. */
export const sentBy = (transaction: Cell): Cell[] => {
  const messages = transaction.ref(0).slice()
  messages.loadMaybeRef()
  const root = messages.loadMaybeRef()
  return root === undefined ? [] : Array.from(dictEntries(root, 15, { cells: 1 << 16 }), ([, value]) => value.loadRef())
}

/** A result of `Tvm.runTransactions` as cells. */
export const unpackTransaction = (result: TransactionResult): TransactionOutcome => {
  if (!result.ok) return result
  const transaction = parseBocRoot(result.transaction)
  const { lt, description } = loadTransaction(transaction)
  const outMsgs = sentBy(transaction)
  const compute = 'compute' in description ? description.compute : undefined
  return {
    ok: true,
    transaction,
    shardAccount: loadShardAccount(parseBocRoot(result.shardAccount).slice()),
    lt,
    endLt: lt + 1n + BigInt(outMsgs.length),
    outMsgs,
    gasUsed: compute?.type === 'vm' ? compute.gasUsed : 0n,
    actions: result.actions === undefined ? undefined : parseBocRoot(result.actions),
    missingLibrary: result.missingLibrary,
    debug: result.debug,
  }
}
