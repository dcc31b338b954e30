import type { Cell } from '../../cell/cell.ts'
import { bigOfBytes } from '../../tlb/bytes.ts'
import type { SkippedComputePhase } from '../../tlb/transaction/tr-compute.ts'
import { normal } from '../machine/integer.ts'
import type { Value } from '../machine/value.ts'
import { runVm, type VmResult } from '../run-vm.ts'
import { type BlockView, transactionC7 } from './c7.ts'
import { subMoney } from './currency.ts'
import { ExecutorError } from './error.ts'
import { gasBought, gasFee, raisedGasLimit } from './gas.ts'
import { takeMessageState } from './msg-state.ts'
import type { TransactionRun } from './transaction-run.ts'

export interface VmContext {
  readonly block: BlockView
  /** Root of the masterchain's Hashmap 256 LibDescr, or of a Hashmap 256 SimpleLib. */
  readonly libraries: Cell | undefined
  readonly ignoreSignatures: boolean
  readonly log: boolean
}

/** Gas units. `limit` is the gas limit, `max` the limit after ACCEPT, and `credit` the gas of an external message before ACCEPT. */
type GasLimits = ReturnType<typeof gasLimits>

const OUT_OF_GAS = -14
/** Exit code of a run that does not start because there is no code: `~12`, as in the node. */
const NO_CODE = -13
const NO_HASH = new Uint8Array(32)

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The gas limits of a run (`compute_gas_limits`). */
const gasLimits = (run: TransactionRun) => {
  const { account, config, gasTable, message } = run
  const most = raisedGasLimit(account.id.workchain, account.id.hash, config.rules.version, run.now) ?? gasTable.limit
  const max = account.special ? gasTable.specialLimit : gasBought(gasTable, run.balance.grams, most)
  const all = run.kind !== 'message' || (account.special && config.rules.specialGasFull)
  const limit = all ? max : min(gasBought(gasTable, run.messageBalance.grams, most), max)
  return { limit, max, credit: message?.external ? min(gasTable.credit, max) : 0n }
}

const skipped = (run: TransactionRun, reason: SkippedComputePhase['reason']): void => {
  run.computed = {
    phase: { type: 'skipped', reason },
    skipped: reason,
    accepted: false,
    success: false,
    exitCode: 0,
    gasUsed: 0n,
    gasFees: 0n,
    steps: 0,
    data: undefined,
    actions: undefined,
    missingLibrary: undefined,
  }
}

/** The stack at the start of a run (`prepare_vm_stack`). */
const startStack = (run: TransactionRun): Value[] => {
  const balance = normal(run.balance.grams)
  if (run.kind !== 'message') {
    const address = BigInt.asIntN(256, bigOfBytes(run.account.id.hash))
    return [balance, normal(address), run.kind === 'tock' ? -1 : 0, -2]
  }
  const message = run.message!
  return [balance, normal(run.messageBalance.grams), message.cell, message.body, message.external ? -1 : 0]
}

/** Before version 15 the libraries of the message and of the account are searched before those of the masterchain. */
const librariesOf = (run: TransactionRun, context: VmContext, fromMessage: Cell | undefined): Cell[] => {
  const own = run.config.rules.noPrivateLibraries ? [] : [fromMessage, run.library]
  return [...own, context.libraries].filter((root) => root !== undefined)
}

type Ran = Pick<VmResult, 'exitCode' | 'gasUsed' | 'gasLimit' | 'gasCredit' | 'steps' | 'stack' | 'committed'> & Partial<VmResult>

const start = (
  run: TransactionRun,
  context: VmContext,
  gas: GasLimits,
  precompiled: bigint | undefined,
  library: Cell | undefined,
): Ran => {
  const stack = startStack(run)
  const limits = { limit: Number(gas.limit), max: Number(gas.max), credit: Number(gas.credit) }
  if (run.code === undefined) {
    return { exitCode: NO_CODE, gasUsed: 0, gasLimit: limits.limit, gasCredit: limits.credit, steps: 0, stack, committed: false }
  }
  const { config } = run
  const { maxTransactionLibraryLoads, maxVmDataDepth } = config.limits
  return runVm({
    code: run.code,
    ...(run.data === undefined ? {} : { data: run.data }),
    stack,
    c7: transactionC7(run, context.block, precompiled),
    gas: limits,
    version: config.rules.version,
    libraries: librariesOf(run, context, library),
    ...(maxTransactionLibraryLoads === undefined ? {} : { maxLibraryLoads: maxTransactionLibraryLoads }),
    maxDataDepth: maxVmDataDepth,
    ignoreSignatures: context.ignoreSignatures,
    log: context.log,
    ...(run.interrupt && { interrupt: run.interrupt }),
  })
}

const exitArgument = (stack: readonly Value[]): number | undefined => {
  const top = stack.at(-1)
  return typeof top === 'number' && top === (top | 0) && top !== 0 ? top : undefined
}

const settle = (run: TransactionRun, ran: Ran, gas: GasLimits, precompiled: bigint | undefined, usesState: boolean): void => {
  const accepted = ran.gasCredit === 0
  const success = accepted && ran.committed
  if (accepted && usesState) {
    run.wasActivated = true
    run.status = 'active'
  }
  if (precompiled !== undefined && ran.exitCode === OUT_OF_GAS) {
    throw new ExecutorError('transaction', 'a precompiled contract ran out of gas')
  }
  const gasUsed = precompiled ?? BigInt(Math.min(ran.gasUsed, ran.gasLimit))
  const steps = precompiled === undefined ? ran.steps : 0
  let gasFees = 0n
  if (accepted && !run.account.special) {
    gasFees = gasFee(run.gasTable, gasUsed)
    run.totalFees += gasFees
    run.addGrams(-gasFees)
    if (run.balance.grams < 0n) throw new ExecutorError('transaction', 'the balance cannot pay for gas')
  }
  run.computed = {
    phase: {
      type: 'vm',
      success,
      // The node never sets these two fields.
      msgStateUsed: false,
      accountActivated: false,
      gasFees,
      gasUsed,
      gasLimit: gas.limit,
      gasCredit: gas.credit === 0n ? undefined : Number(gas.credit),
      mode: 0,
      exitCode: ran.exitCode,
      exitArg: success ? undefined : exitArgument(ran.stack),
      vmSteps: steps,
      vmInitStateHash: NO_HASH,
      vmFinalStateHash: NO_HASH,
    },
    skipped: undefined,
    accepted,
    success,
    exitCode: ran.exitCode,
    gasUsed,
    gasFees,
    steps,
    data: success ? ran.data : undefined,
    actions: success ? ran.actions : undefined,
    missingLibrary: ran.missingLibrary,
  }
}

/** Runs the account's code (`prepare_compute_phase`). Returns the log if the caller requested it, and the output of debug instructions. */
export const computePhase = (run: TransactionRun, context: VmContext): Partial<Pick<VmResult, 'log' | 'debug'>> => {
  const { config } = run
  if (config.rules.originalBalanceBeforeCompute) {
    run.originalBalance = subMoney(run.balance, run.messageBalance) ?? {
      grams: run.balance.grams - run.messageBalance.grams,
      extra: undefined,
    }
  } else run.originalBalance = { grams: run.originalBalance.grams - run.totalFees, extra: run.originalBalance.extra }
  if (run.balance.grams <= 0n) {
    skipped(run, 'no_gas')
    return {}
  }
  let gas = gasLimits(run)
  if (gas.limit === 0n && gas.credit === 0n) {
    skipped(run, 'no_gas')
    return {}
  }
  const state = takeMessageState(run)
  if (state.skip !== undefined) {
    skipped(run, state.skip)
    return {}
  }
  if (config.rules.noAnycast) run.address = run.account.exactAddress
  const precompiled = run.code === undefined || run.kind !== 'message' ? undefined : config.precompiled.get(bigOfBytes(run.code.hash()))
  const initialGas = gas
  if (precompiled !== undefined) {
    if (precompiled > gas.limit) {
      skipped(run, 'no_gas')
      return {}
    }
    // Precompiled contracts have no native code here. Their code runs with the full gas limit, but the transaction is charged the gas that parameter 45
    // sets.
    const limit = run.account.special ? run.gasTable.specialLimit : run.gasTable.limit
    gas = { limit, max: limit, credit: gas.credit === 0n ? 0n : limit }
  }
  const ran = start(run, context, gas, precompiled, state.library)
  settle(run, ran, initialGas, precompiled, state.used)
  return ran
}
