import type { Cell } from '../../cell/cell.ts'
import { CellError } from '../../cell/cell.ts'
import { bigOfBytes } from '../../tlb/bytes.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { LT_ALIGN } from '../../tlb/lt.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import type { TransactionDescr } from '../../tlb/transaction/transaction-descr.ts'
import type { Value } from '../machine/value.ts'
import type { VmResult } from '../run-vm.ts'
import { OLDEST_VERSION } from '../versions.ts'
import { finishAccount, NO_ACCOUNT } from './account-after.ts'
import { unpackAccount } from './account-before.ts'
import { actionPhase } from './action-phase/phase.ts'
import { bouncePhase } from './bounce-phase.ts'
import { computePhase } from './compute-phase.ts'
import { unpackConfig } from './config.ts'
import { addMoney, currencyOf } from './currency.ts'
import { equalFrom } from './equal-bits.ts'
import { ExecutorError } from './error.ts'
import { importExternal } from './import-external.ts'
import { loadInMessage } from './in-message.ts'
import { storagePhase } from './storage-phase.ts'
import { describe, transactionCell } from './transaction-cell.ts'
import { type Computed, type Interrupt, type TransactionKind, TransactionRun } from './transaction-run.ts'

/** Input of a transaction, as cells. The executor does not change the input. */
export interface TransactionRequest {
  readonly kind: TransactionKind
  /** Root of the configuration, Hashmap 32 ^Cell. */
  readonly config: Cell
  readonly account: AccountId
  readonly shardAccount: ShardAccount
  /** For kind `message` only: an internal or external-in message to the account. */
  readonly message?: Cell | undefined
  /** Minimum lt of the transaction. It is raised above the lts of the account and the message. */
  readonly lt: bigint
  /** Start lt of the block; by default `lt` rounded down to a multiple of a million. */
  readonly blockLt?: bigint | undefined
  /** Unix seconds. */
  readonly now: number
  /** Seed of the block, 32 bytes. */
  readonly blockSeed: Uint8Array
  /** Root of the masterchain's libraries, Hashmap 256 LibDescr. */
  readonly libraries?: Cell | undefined
  /** Result of PREVBLOCKSINFO as a machine tuple; null or absent if the caller did not give it. */
  readonly prevBlocks?: Value | undefined
  readonly ignoreSignatures?: boolean | undefined
  readonly log?: boolean | undefined
  /** True if only the outcome matters. The account after the transaction is then not made, which takes long for many cells: it is answered as if deleted. */
  readonly isTrial?: boolean | undefined
  /** See VmRequest. Also called before each action, while cells are counted, and, with `slow` and `long`, before an account of many cells is measured. */
  readonly interrupt?: Interrupt
}

/** `actions`: c5 committed by the compute phase. */
export interface Executed extends Pick<Computed, 'actions' | 'exitCode' | 'gasUsed' | 'missingLibrary'> {
  readonly accepted: true
  readonly transaction: Cell
  /** The account after the transaction; its cell is account_none$0 if the account is deleted. */
  readonly shardAccount: ShardAccount
  readonly lt: bigint
  /** lt after the transaction and its messages. */
  readonly endLt: bigint
  /** Out messages in sending order. */
  readonly outMsgs: readonly Cell[]
  readonly description: TransactionDescr
  /** Fees for the validators, nanograms. */
  readonly totalFees: bigint
  readonly log: VmResult['log'] | undefined
  readonly debug: VmResult['debug']
  /** True if the rules of the configuration's version are approximate (below version 4). */
  readonly approximate: boolean
}

/** The account did not accept an external message, so there is no transaction. */
export interface NotAccepted extends Pick<Executed, 'exitCode' | 'gasUsed' | 'missingLibrary' | 'log' | 'debug'> {
  readonly accepted: false
  readonly steps: number
  /** The reason why the compute phase was skipped; undefined if it ran. */
  readonly skipped: 'no_state' | 'bad_state' | 'no_gas' | 'suspended' | undefined
}

const begin = (request: TransactionRequest): TransactionRun => {
  const { kind, account: id } = request
  // The configuration comes first: if it is invalid, the whole call fails, even if the account or the message is invalid too.
  const config = unpackConfig(request.config)
  if ((kind === 'message') !== (request.message !== undefined)) {
    throw new ExecutorError('message', kind === 'message' ? 'there is no message' : `a ${kind} transaction has no message`)
  }
  const special = id.workchain === -1 && config.special.has(bigOfBytes(id.hash))
  const account = unpackAccount(id, request.shardAccount, special)
  return new TransactionRun(
    kind,
    config,
    account,
    request.message === undefined ? undefined : loadInMessage(request.message),
    request.now,
    request.lt,
  )
}

/** Adds the value of an internal message, or collects the import fee of an external message (`unpack_input_msg`). */
const takeMessage = (run: TransactionRun): void => {
  const { message, config, account } = run
  if (message === undefined) return
  if (message.external) {
    importExternal(run)
    return
  }
  const ihrFee = config.rules.extraFlags ? 0n : message.extraFlags
  const burns = run.masterchain && config.blackhole !== undefined && equalFrom(config.blackhole, account.id.hash)
  run.messageBalance = { grams: burns ? 0n : message.value.grams + ihrFee, extra: message.value.extra }
}

/** Adds the message's value to the balance (`prepare_credit_phase`). Due payment is not collected here but in the storage phase. */
const creditPhase = (run: TransactionRun): void => {
  run.credit = { credit: currencyOf(run.messageBalance) }
  run.balance = addMoney(run.balance, run.messageBalance)
}

const settleBefore = (run: TransactionRun): void => {
  const { message } = run
  const credits = message !== undefined && !message.external
  if (message?.bounce) {
    storagePhase(run, false)
    creditPhase(run)
  } else {
    if (credits) creditPhase(run)
    storagePhase(run, credits)
  }
}

const execute = (request: TransactionRequest): Executed | NotAccepted => {
  const run = begin(request)
  run.interrupt = request.interrupt
  takeMessage(run)
  settleBefore(run)
  const block = {
    lt: request.blockLt ?? request.lt - (request.lt % LT_ALIGN),
    randomSeed: request.blockSeed,
    prevBlocks: request.prevBlocks ?? null,
  }
  const { libraries, ignoreSignatures = false, log: logs = false } = request
  const { log, debug } = computePhase(run, { block, libraries, ignoreSignatures, log: logs })
  const { accepted, exitCode, gasUsed, steps, skipped, missingLibrary, success, actions } = run.computed!
  if (!accepted && run.message?.external) return { accepted: false, exitCode, gasUsed, steps, skipped, missingLibrary, log, debug }
  if (!accepted && skipped === undefined)
    throw new ExecutorError('transaction', 'the account did not accept a transaction that needs no accepting')
  if (success) actionPhase(run)
  if (run.message?.bounce && (!success || run.action!.stateExceedsLimits || run.action!.bounce)) bouncePhase(run)
  const after = request.isTrial ? NO_ACCOUNT : finishAccount(run)
  const description = describe(run)
  const transaction = transactionCell(run, after, description)
  return {
    accepted: true,
    transaction,
    shardAccount: { accountCell: after.cell, lastTransHash: transaction.hash(), lastTransLt: run.startLt },
    lt: run.startLt,
    endLt: run.endLt,
    outMsgs: run.outMsgs,
    description,
    totalFees: run.totalFees,
    actions,
    exitCode,
    gasUsed,
    missingLibrary,
    log,
    debug,
    approximate: run.config.version < OLDEST_VERSION,
  }
}

/**
 * Makes one transaction from cells, without state between calls. Throws ExecutorError if no transaction can be made (a malformed account or message, an
 * external message refused before its run), and VmInterrupted if `interrupt` returns true.
 */
export const executeTransaction = (request: TransactionRequest): Executed | NotAccepted => {
  try {
    return execute(request)
  } catch (error) {
    if (error instanceof CellError)
      throw new ExecutorError('transaction', `the transaction cannot be made: ${error.message}`, { cause: error })
    throw error
  }
}
