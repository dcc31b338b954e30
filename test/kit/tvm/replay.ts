import type { Cell } from '../../../server/cell/cell.ts'
import { loadBlock, loadBlockExtra } from '../../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../../server/tlb/block/block-transactions.ts'
import { loadShardAccount, type ShardAccount } from '../../../server/tlb/state/shard-account.ts'
import { loadTransaction, type Transaction } from '../../../server/tlb/transaction/transaction.ts'
import { loadVmStackValue } from '../../../server/tlb/vm-stack/load.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/value.ts'
import { executeTransaction, type TransactionRequest } from '../../../server/tvm/executor/execute.ts'
import type { TransactionKind } from '../../../server/tvm/executor/transaction-run.ts'
import { normal } from '../../../server/tvm/machine/integer.ts'
import type { Value } from '../../../server/tvm/machine/value.ts'
import './curves.ts'

/* Repeats recorded transactions in the executor. The results must be identical to the last bit. */

/** Inputs that all transactions of a block share. */
export type Surroundings = Pick<TransactionRequest, 'libraries' | 'prevBlocks' | 'blockSeed' | 'blockLt'> & {
  readonly config: Cell
  readonly workchain: number
}

/** Converts a value of a recorded stack to the machine's form. Supports only the types in PREVBLOCKSINFO. */
export const machineValue = (value: VmStackValue): Value => {
  switch (value.type) {
    case 'null':
      return null
    case 'int':
      return normal(value.value)
    case 'tuple':
      return value.items.map(machineValue)
    case 'cell':
      return value.cell
    case 'slice':
      return value.cell.slice()
    default:
      throw new Error(`a ${value.type} among recorded values`)
  }
}
export const machineValueOf = (cell: Cell): Value => machineValue(loadVmStackValue(cell.slice()))

const kindOf = ({ description }: Transaction): TransactionKind =>
  description.type === 'tick-tock' ? (description.isTock ? 'tock' : 'tick') : 'message'

/** The difference from the record; undefined if there is none. `after` is the account to continue with. */
export interface Replayed {
  readonly difference: string | undefined
  readonly after: ShardAccount
}

/** Executes a recorded transaction again, from the account before it. */
export const replayTransaction = (root: Cell, before: ShardAccount, around: Surroundings): Replayed => {
  const recorded = loadTransaction(root)
  const name = `${Buffer.from(recorded.account).toString('hex')} at ${recorded.lt}`
  try {
    const made = executeTransaction({
      kind: kindOf(recorded),
      config: around.config,
      account: { workchain: around.workchain, hash: recorded.account },
      shardAccount: before,
      message: recorded.inMsg?.root,
      lt: recorded.lt,
      blockLt: around.blockLt,
      now: recorded.now,
      blockSeed: around.blockSeed,
      libraries: around.libraries,
      prevBlocks: around.prevBlocks,
    })
    if (!made.accepted) return { difference: `${name}: not accepted, exit code ${made.exitCode}`, after: before }
    if (made.transaction.equals(root)) return { difference: undefined, after: made.shardAccount }
    return { difference: `${name}: ${unlike(recorded, loadTransaction(made.transaction))}`, after: made.shardAccount }
  } catch (error) {
    return { difference: `${name}: ${error instanceof Error ? error.message : JSON.stringify(error)}`, after: before }
  }
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

/** The first phase or field that differs between two transactions, with both values. */
const unlike = (recorded: Transaction, made: Transaction): string => {
  const parts = (t: Transaction): readonly (readonly [string, unknown])[] => [
    ...Object.entries(t.description),
    ['out messages', t.outMsgs.map((message) => [message.root.hashHex(), message.info])],
    ['status', [t.origStatus, t.endStatus]],
    ['total fees', t.totalFees.grams],
    ['state', t.stateUpdate],
    ['previous', [t.prevTransHash, t.prevTransLt, t.lt, t.now]],
  ]
  const mine = new Map(parts(made))
  for (const [name, value] of parts(recorded)) {
    const [a, b] = [JSON.stringify(value, plain), JSON.stringify(mine.get(name), plain)]
    if (a !== b) return `${name}: recorded ${a}, made ${b}`
  }
  return 'another hash'
}

/** Executes all transactions of a block again. `accounts`: ShardAccounts before the block, by id (hex). */
export const replayBlock = (
  block: Cell,
  accounts: ReadonlyMap<string, ShardAccount>,
  around: Omit<Surroundings, 'blockSeed' | 'blockLt' | 'workchain'>,
): { readonly transactions: number; readonly differences: readonly string[] } => {
  const parts = loadBlock(block)
  const info = loadBlockInfo(parts.info)
  const surroundings = {
    ...around,
    blockSeed: loadBlockExtra(parts.extra).randSeed,
    blockLt: info.startLt,
    workchain: info.workchain,
  }
  const now = new Map(accounts)
  const differences: string[] = []
  let transactions = 0
  visitTransactionCells(block, (root) => {
    transactions++
    const id = Buffer.from(loadTransaction(root).account).toString('hex')
    const before = now.get(id)
    if (before === undefined) {
      differences.push(`${id}: no account before the block`)
      return
    }
    const { difference, after } = replayTransaction(root, before, surroundings)
    if (difference !== undefined) differences.push(difference)
    now.set(id, after)
  })
  return { transactions, differences }
}

/** Reads a ShardAccount from a cell. */
export const shardAccountOf = (cell: Cell): ShardAccount => loadShardAccount(cell.slice())
