import type { StackArgument } from '../../shared/fields/stack.ts'
import type { Result } from '../../shared/registry.ts'
import type { runs } from '../../shared/v2/run.ts'
import type { Handler, Handlers } from '../base/call.ts'
import type { AccountState, Chain, GetMethodAnswer } from '../chain/chain-port.ts'
import type { AccountId } from '../tlb/ids.ts'
import { actionCodeText, exitCodeText } from '../tvm/exit-codes.ts'
import type { VmStep } from '../tvm/machine/step-log.ts'
import type { VmLog } from '../tvm/tvm.ts'
import { createBudget } from './stack/budget.ts'
import { argumentStack } from './stack/input.ts'
import { toLegacy } from './stack/legacy.ts'
import { toStd } from './stack/std.ts'
import { blockIdExt, transactionId } from './wire.ts'

/** Nesting depth at which a result is refused with status 533; TON Center's settings for the two methods (v2.md 1.7). */
const LEGACY_DEPTH = 100
const STD_DEPTH = 256

interface MethodRun {
  readonly address: AccountId
  readonly method: number
  readonly stack: readonly StackArgument[]
  readonly seqno?: number | undefined
  readonly trace?: boolean | undefined
}

/** The steps of a run as answers show them (schema VmTrace of shared/). `exit` is the text of the exit code. */
const vmTrace = (exit: string | undefined, log: VmLog | undefined) => ({
  exit: exit ?? '',
  steps: (log?.steps ?? []).map((step: VmStep) => ({
    cell: step.cell,
    offset: step.offset,
    instruction: step.instruction,
    gas: step.gas,
    stack: [...step.stack],
    ...(step.registers === undefined ? {} : { registers: { ...step.registers } }),
  })),
  truncated: log?.truncated ?? false,
})

/** The member `trace` of an answer, if the call asked for the steps. */
const traced = (exitCode: number, log: VmLog | undefined) => (log === undefined ? {} : { trace: vmTrace(exitCodeText(exitCode), log) })

/** trace.transaction, and local.traceTransaction. */
export const createTraceHandler =
  (chain: Pick<Chain, 'traceTransaction'>): Handler<'trace.transaction'> =>
  async ({ address, lt }, { signal }) => {
    const { transaction, hash, block, version, log } = await chain.traceTransaction(address, lt, signal)
    const { description } = transaction
    const compute = 'compute' in description && description.compute.type === 'vm' ? description.compute : undefined
    const code = 'action' in description ? description.action?.resultCode : undefined
    return {
      transaction_id: transactionId(transaction.lt, hash),
      block: blockIdExt(block),
      version,
      exit_code: compute?.exitCode ?? null,
      gas_used: compute === undefined ? null : Number(compute.gasUsed),
      result_code: code ?? null,
      result: (code === undefined ? undefined : actionCodeText(code)) ?? '',
      trace: vmTrace(compute && exitCodeText(compute.exitCode), log),
    }
  }

/** Where a run read its account. All runs of an account at one block share the state, and so these records. */
const places = new WeakMap<AccountState, Pick<Result<'runGetMethod'>, 'block_id' | 'last_transaction_id'>>()
const placeOf = (state: AccountState) => {
  const known = places.get(state)
  if (known !== undefined) return known
  const place = { block_id: blockIdExt(state.block), last_transaction_id: transactionId(state.lastTransLt, state.lastTransHash) }
  places.set(state, place)
  return place
}

const legacyAnswer = ({ exitCode, gasUsed, stack, state, log }: GetMethodAnswer): Result<'runGetMethod'> => {
  const { block_id, last_transaction_id } = placeOf(state)
  const answer = {
    '@type': 'smc.runResult',
    gas_used: Number(gasUsed),
    stack: toLegacy(stack, createBudget(), LEGACY_DEPTH),
    exit_code: exitCode,
    block_id,
    last_transaction_id,
  } as const
  return log === undefined ? answer : { ...answer, trace: vmTrace(exitCodeText(exitCode), log) }
}

const stdAnswer = ({ exitCode, gasUsed, stack, log }: GetMethodAnswer): Result<'runGetMethodStd'> => ({
  '@type': 'smc.runResult',
  gas_used: Number(gasUsed),
  stack: toStd(stack, createBudget(), STD_DEPTH),
  exit_code: exitCode,
  ...traced(exitCode, log),
})

/** Get-methods. A failure inside the TVM is an answer with its exit code (v2.md 3.25). */
export const runHandlers = ({ chain }: { readonly chain: Chain }): Pick<Handlers, keyof typeof runs> => {
  const run = ({ address, method, stack, seqno, trace }: MethodRun, signal: AbortSignal) =>
    chain.runGetMethod(address, method, argumentStack(stack), seqno, signal, { trace })
  return {
    runGetMethod(params, { signal }) {
      const ran = run(params, signal)
      return ran instanceof Promise ? ran.then(legacyAnswer) : legacyAnswer(ran)
    },
    runGetMethodStd(params, { signal }) {
      const ran = run(params, signal)
      return ran instanceof Promise ? ran.then(stdAnswer) : stdAnswer(ran)
    },
    'trace.transaction': createTraceHandler(chain),
  }
}
