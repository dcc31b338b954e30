import type { StackArgument } from '../../shared/fields/stack.ts'
import type { Result } from '../../shared/registry.ts'
import type { runs } from '../../shared/v2/run.ts'
import type { Call, Handler, Handlers } from '../base/call.ts'
import { createPermits } from '../base/permits.ts'
import { runSteps } from '../base/yield.ts'
import type { Chain, GetMethodAnswer } from '../chain/chain-port.ts'
import type { AccountId } from '../tlb/ids.ts'
import { actionCodeText, exitCodeText } from '../tvm/exit-codes.ts'
import type { VmLog } from '../tvm/tvm.ts'
import { createBudget } from './stack/budget.ts'
import { argumentBytes, argumentStack } from './stack/input.ts'
import { toLegacy } from './stack/legacy.ts'
import { toStd } from './stack/std.ts'
import { blockIdExt, transactionId } from './wire.ts'

/** Nesting depth at which a result is refused with status 533, as in TON Center: runGetMethod and runGetMethodStd. */
const LEGACY_DEPTH = 100
const STD_DEPTH = 256

/** Arguments with more bytes of BoCs are large: a run holds ten times as many bytes until it ends, so only a few of them begin at once. */
const LARGE = 96 << 10
const LARGE_AT_ONCE = { atOnce: 32, waiting: 128, patience: 8_000, text: 'too many get-methods with large arguments wait; try again' }

interface MethodRun {
  readonly address: AccountId
  readonly method: number
  readonly stack: readonly StackArgument[]
  readonly seqno?: number | undefined
  readonly trace?: boolean | undefined
}

type Trace = Result<'trace.transaction'>['trace']

/** The VM steps of a run in the form of answers. `exit`: text of the exit code. */
const vmTrace = (exit: string | undefined, log: VmLog | undefined, debug: readonly string[] = []): Trace => ({
  exit: exit ?? '',
  steps: (log?.steps ?? []) as Trace['steps'],
  truncated: log?.truncated ?? false,
  debug: [...debug],
})

/** Optional fields of an answer: `trace` if the request asks for VM steps, `debug` if the code printed something on an embedded chain. */
const further = ({ exitCode, log, debug }: GetMethodAnswer, isEmbedded: boolean) => ({
  ...(log !== undefined && { trace: vmTrace(exitCodeText(exitCode), log, debug) }),
  ...(isEmbedded && debug !== undefined && { debug: [...debug] }),
})

/** Handler of trace.transaction and local.traceTransaction. */
export const createTraceHandler =
  (chain: Pick<Chain, 'traceTransaction'>): Handler<'trace.transaction'> =>
  async ({ address, lt }, { signal, client }) => {
    const { transaction, hash, block, version, log, debug } = await chain.traceTransaction(address, lt, signal, client)
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
      trace: vmTrace(compute && exitCodeText(compute.exitCode), log, debug),
    }
  }

const legacyAnswer = async (run: GetMethodAnswer, isEmbedded: boolean, signal: AbortSignal): Promise<Result<'runGetMethod'>> => ({
  '@type': 'smc.runResult',
  gas_used: Number(run.gasUsed),
  stack: await runSteps(toLegacy(run.stack, createBudget(), LEGACY_DEPTH), signal),
  exit_code: run.exitCode,
  block_id: blockIdExt(run.state.block),
  last_transaction_id: transactionId(run.state.lastTransLt, run.state.lastTransHash),
  ...further(run, isEmbedded),
})

const stdAnswer = async (run: GetMethodAnswer, isEmbedded: boolean, signal: AbortSignal): Promise<Result<'runGetMethodStd'>> => ({
  '@type': 'smc.runResult',
  gas_used: Number(run.gasUsed),
  stack: await runSteps(toStd(run.stack, createBudget(), STD_DEPTH), signal),
  exit_code: run.exitCode,
  ...further(run, isEmbedded),
})

/** A failure inside the TVM is a normal answer with its exit code. */
export const runHandlers = ({
  chain,
  isEmbedded,
}: {
  readonly chain: Chain
  readonly isEmbedded: boolean
}): Pick<Handlers, keyof typeof runs> => {
  const permits = createPermits(LARGE_AT_ONCE)
  const run = async ({ address, method, stack, seqno, trace }: MethodRun, call: Call): Promise<GetMethodAnswer> => {
    using _permit = argumentBytes(stack) > LARGE ? await permits.take(call.signal, call.client) : undefined
    return await chain.runGetMethod(address, method, await argumentStack(stack), seqno, call.signal, { trace, call })
  }
  return {
    runGetMethod: async (params, call) => legacyAnswer(await run(params, call), isEmbedded, call.signal),
    runGetMethodStd: async (params, call) => stdAnswer(await run(params, call), isEmbedded, call.signal),
    'trace.transaction': createTraceHandler(chain),
  }
}
