import { hash } from 'node:crypto'
import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { configParam } from '../../tlb/config/config-dictionary.ts'
import { normal } from '../machine/integer.ts'
import type { Tuple, Value } from '../machine/value.ts'
import { addressCell } from './account-before.ts'
import type { ExecutorConfig } from './config.ts'
import type { Money } from './currency.ts'
import type { InMessage } from './in-message.ts'
import type { TransactionRun } from './transaction-run.ts'

export interface BlockView {
  readonly lt: bigint
  /** 32 bytes. */
  readonly randomSeed: Uint8Array
  /** Result of PREVBLOCKSINFO: [last 16, last key block, last 16 with seqno divisible by 100]; null if the caller did not give it. */
  readonly prevBlocks: Value
}

/** First element of SmartContractInfo (`prepare_vm_c7`). */
export const CONTRACT_INFO_MAGIC = 0x076ef1ea

const moneyTuple = (money: Money): Tuple => [normal(money.grams), money.extra ?? null]

const sliceOf = (cell: Cell | undefined): Slice | null => cell?.slice() ?? null

/** Row of parameter 18 that is in force at `now`: rows are in order of time (`get_current_storage_prices`). */
const storageRow = (root: Cell, now: number): Slice | null => {
  let row: Slice | null = null
  const prices = configParam(root, 18)
  if (prices === undefined) return null
  for (const [since, value] of dictEntries(prices, 32, { cells: MAX_CHECKED_CELLS })) {
    if (since > BigInt(now)) break
    row = value
  }
  return row
}

const tuples = new WeakMap<Cell, { readonly now: number; readonly tuple: Tuple }>()

/** Storage prices in force and parameters 19, 20, 21, 24, 25, 43, each as a slice or null (`get_unpacked_config_tuple`). */
export const unpackedConfigTuple = (config: ExecutorConfig, now: number): Tuple => {
  const cached = tuples.get(config.root)
  if (cached?.now === now) return cached.tuple
  const { root } = config
  const tuple = [storageRow(root, now), ...[19, 20, 21, 24, 25, 43].map((param) => sliceOf(configParam(root, param)))]
  tuples.set(root, { now, tuple })
  return tuple
}

/** Random seed of an account. All transactions of the account in a block have the same seed (`prepare_rand_seed`). */
export const accountSeed = (run: TransactionRun, blockSeed: Uint8Array): bigint => {
  const { hash: id } = run.account.id
  // Before version 8 the first 32 bits of the address appear twice, and its last 32 bits are missing.
  const parts = run.config.rules.plainSeed ? [blockSeed, id] : [blockSeed, id.subarray(0, 4), id.subarray(0, 28)]
  return BigInt(`0x${hash('sha256', Buffer.concat(parts), 'hex')}`)
}

const ADDR_NONE = beginCell().storeUint(0, 2).end()

export const noMessageTuple = (): Tuple => [0, 0, ADDR_NONE.slice(), 0, 0, 0, 0, 0, null, null]

/** [bounce, bounced, src, fwd_fee, created_lt, created_at, original value, value, extra, state init] (`prepare_in_msg_params_tuple`). */
const messageTuple = (message: InMessage | undefined, value: Money): Tuple =>
  message === undefined
    ? noMessageTuple()
    : [
        message.bounce ? -1 : 0,
        message.bounced ? -1 : 0,
        message.srcBits,
        normal(message.fwdFee),
        normal(message.createdLt),
        message.createdAt,
        normal(message.value.grams),
        normal(value.grams),
        value.extra ?? null,
        message.init ?? null,
      ]

/** c7 of a transaction: its only element is SmartContractInfo (`prepare_vm_c7`). */
export const transactionC7 = (run: TransactionRun, block: BlockView, precompiledGas: bigint | undefined): Tuple => {
  const { config, messageBalance } = run
  const { version } = config.rules
  const info: Value[] = [
    CONTRACT_INFO_MAGIC,
    0,
    0,
    run.now,
    normal(block.lt),
    normal(run.startLt),
    normal(accountSeed(run, block.randomSeed)),
    moneyTuple(run.balance),
    addressCell(run.address).slice(),
    config.root,
  ]
  if (version >= 4) info.push(run.code ?? null, moneyTuple(messageBalance), normal(run.storage!.feesCollected), block.prevBlocks)
  if (version >= 6) {
    info.push(unpackedConfigTuple(config, run.now), normal(run.duePayment), precompiledGas === undefined ? null : normal(precompiledGas))
  }
  if (version >= 11) info.push(messageTuple(run.message, messageBalance))
  return [info]
}
