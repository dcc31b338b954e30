import { addHeader } from '../base/call.ts'
import { configVersion } from '../tlb/config/general.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/vm-stack.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { versionText } from '../tvm/versions.ts'
import { type AccountStates, runnableOf } from './account-states.ts'
import type { Chain } from './chain-port.ts'
import { chainError } from './checked-query.ts'
import type { BlockConfig } from './configs.ts'
import { type FetchLibraries, runWithLibraries } from './libraries.ts'

/** Gas limit of a get-method, equal to the limit of TON Center's engine. */
const GAS_LIMIT = 4_000_000n
/** Exit code of tonlib's TVM for an account without code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13

/** The stack that an account without code returns: the arguments, with the method id on top. */
const untouched = (stack: readonly VmStackValue[], methodId: number): readonly VmStackValue[] => [
  ...stack,
  { type: 'int', value: BigInt(methodId) },
]

export interface GetMethodsDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: AccountStates
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
}

export const createGetMethods = (deps: GetMethodsDeps): Chain['runGetMethod'] => {
  return async (id, methodId, stack, at, signal, { trace = false, call } = {}) => {
    const block = await deps.pin(at, signal)
    const [state, config] = await Promise.all([deps.accountAt(id, block, signal), deps.configAt(block, signal)])
    const runnable = runnableOf(state.account)
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: untouched(stack, methodId), state }
    addHeader(call, 'X-Tvm-Version', versionText(configVersion(config.root).version))
    const { code, data, library } = runnable
    const request = {
      config: config.root,
      code,
      data,
      address: id,
      balance: state.balance.grams,
      extraCurrencies: state.balance.other,
      now: state.genUtime,
      // Equal for all runs at one block, so that the answer is reproducible; different at each block.
      randomSeed: state.shardBlock.rootHash,
      gasLimit: GAS_LIMIT,
      methodId,
      stack,
      prevBlocksInfo: config.prevBlocks,
      trace,
      client: call?.client,
    }
    try {
      const { missingLibrary: _, ...result } = await runWithLibraries(deps.tvm, request, library, deps.librariesAt(block), signal)
      return { ...result, state }
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
