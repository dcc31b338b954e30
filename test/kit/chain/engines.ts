import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictEntries } from '../../../server/cell/dict.ts'
import { storeWhole } from '../../../server/tlb/config/dict.ts'
import { globalVersion } from '../../../server/tlb/config/general.ts'
import { loadShardAccount, shardAccountCell } from '../../../server/tlb/state/shard-account.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import { storeVmStackValue, type VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'
import { makeTvmConfig } from '../../../server/tvm/config.ts'
import type { ExecuteRequest } from '../../../server/tvm/executor/execute.ts'
import type { Value } from '../../../server/tvm/machine/value.ts'
import { type MakeTransaction, makeTransaction, type TransactionOutcome } from '../../../server/tvm/make-transaction.ts'
import { TVM_VERSION, type Tvm, type TvmConfig } from '../../../server/tvm/tvm.ts'

/* Transactions by the emulator of @ton/sandbox behind the same port as the project's own: the two can make the same chain. */

/** Parameter 8 with the newest version that the emulator knows, and the embedded chain's capabilities. */
export const EMULATOR_CONFIG: ReadonlyMap<number, Cell> = new Map([
  [8, storeWhole(globalVersion, { version: TVM_VERSION, capabilities: 0x6cn })],
])

const bytesOf = (cell: Cell): Uint8Array => new Uint8Array(serializeBoc(cell, { crc32c: false }))

const stackValue = (value: Value): VmStackValue => {
  if (value === null) return { type: 'null' }
  if (typeof value === 'number' || typeof value === 'bigint') return { type: 'int', value: BigInt(value) }
  if (Array.isArray(value)) return { type: 'tuple', items: value.map(stackValue) }
  throw new Error('previous blocks are tuples of integers')
}

const remembered = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}
const configOf = remembered((root: Cell): TvmConfig => makeTvmConfig(root))
/** PREVBLOCKSINFO of the machine as the emulator takes it. */
export const blocksOf = remembered((value: object) => bytesOf(storeVmStackValue(beginCell(), stackValue(value as Value)).end()))
const librariesOf = remembered(bytesOf)

/** What the emulator takes of a request. */
const emulatorRequest = (request: ExecuteRequest) => {
  const { libraries, message, prevBlocks } = request
  return {
    kind: request.kind,
    config: configOf(request.config.root),
    account: `${request.account.workchain}:${Buffer.from(request.account.hash).toString('hex')}`,
    shardAccount: bytesOf(shardAccountCell(request.shardAccount)),
    now: request.now,
    lt: request.lt,
    randomSeed: request.blockSeed,
    ...(message === undefined ? {} : { message: bytesOf(message) }),
    ...(libraries === undefined ? {} : { libraries: librariesOf(libraries) }),
    ...(prevBlocks === null || prevBlocks === undefined ? {} : { prevBlocksInfo: blocksOf(prevBlocks as object) }),
  }
}

/** Message cells that a transaction sent, in their order. */
export const sentBy = (transaction: Cell): Cell[] => {
  const messages = transaction.ref(0).slice()
  messages.loadMaybeRef()
  const root = messages.loadMaybeRef()
  return Array.from(dictEntries(root, 15), ([, value]) => value.loadRef())
}

/** Transactions by the emulator, on a TVM made with `transactions: 'emulator'`. */
export const emulatorTransactions =
  (tvm: Tvm): MakeTransaction =>
  async (request) => {
    const [result] = await tvm.runTransactions([emulatorRequest(request)], new AbortController().signal)
    if (!result!.ok) return result!
    const transaction = parseBocRoot(result!.transaction)
    const { lt, description } = loadTransaction(transaction)
    const outMsgs = sentBy(transaction)
    const compute = 'compute' in description ? description.compute : undefined
    return {
      ok: true,
      transaction,
      shardAccount: loadShardAccount(parseBocRoot(result!.shardAccount).slice()),
      lt,
      endLt: lt + 1n + BigInt(outMsgs.length),
      outMsgs,
      gasUsed: compute?.type === 'vm' ? compute.gasUsed : 0n,
      actions: undefined,
    }
  }

const told = (outcome: TransactionOutcome): string =>
  outcome.ok
    ? `${outcome.transaction.hashHex()} ${outcome.shardAccount.accountCell.hashHex()} ${outcome.gasUsed} ${outcome.outMsgs.length} ${outcome.endLt}`
    : `refused with ${outcome.exitCode}`

/** Both engines on every transaction: the own one's outcome counts, differences are collected. */
export const comparedTransactions = (tvm: Tvm) => {
  const emulated = emulatorTransactions(tvm)
  const differences: string[] = []
  let compared = 0
  const make: MakeTransaction = async (request) => {
    const own = makeTransaction(request)
    const other = await emulated(request)
    compared++
    if (told(own) !== told(other)) differences.push(`${told(own)} here, ${told(other)} by the emulator`)
    return own
  }
  return { make, differences, compared: () => compared }
}
