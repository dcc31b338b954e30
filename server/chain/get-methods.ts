import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import { storeVmStack } from '../tlb/vm-stack.ts'
import type { Tvm } from '../tvm/tvm.ts'
import type { KeptAccount } from './account-states.ts'
import { toTonError } from './ask.ts'
import { toHex } from './block-id.ts'
import type { BlockConfig } from './configs.ts'
import type { AccountId, BlockId } from './ids.ts'
import { createLru } from './lru.ts'
import { mayReadPrevBlocks } from './prev-blocks-use.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'
import type { Chain } from './types.ts'

/** Gas of a get-method: what TON Center's engine allows (v2.md 3.25). */
const GAS_LIMIT = 4_000_000n
/** The TVM's own code for "no code". */
const NO_CODE = -13
/** Codes whose needs are remembered. */
const KEPT_CODES = 1_024
/** The TVM's type check error: what reading PREVBLOCKSINFO gives where there is none. */
const TYPE_CHECK = 7

interface CodeNeeds {
  readonly libraries: Map<string, Uint8Array>
  readonly prevBlocks: boolean
}

export interface GetMethodsDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<KeptAccount>
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
  readonly gasLimit?: bigint | undefined
}

/** Get-methods on the TVM of this process, over proven states. */
export const createGetMethods = ({
  tvm,
  pin,
  accountAt,
  configAt,
  librariesAt,
  gasLimit = GAS_LIMIT,
}: GetMethodsDeps): Chain['runGetMethod'] => {
  // Of libraries, only which ones a code needs is remembered; that they are public is asked for the block of each run.
  const known = createLru<CodeNeeds>(KEPT_CODES)
  const needsOf = (code: Cell): CodeNeeds => {
    const key = code.hashKey()
    const before = known.get(key)
    if (before !== undefined) return before
    const own = libraryHash(code)
    // Code that is a library is not here to be searched.
    const needs = {
      libraries: new Map(own === undefined ? [] : [[toHex(own), own]]),
      prevBlocks: own !== undefined || mayReadPrevBlocks(code),
    }
    known.set(key, needs)
    return needs
  }

  return async (id, methodId, stack, at, signal) => {
    const block = await pin(at, signal)
    const account = await accountAt(id, block, signal)
    const { state } = account
    const runnable = account.runnable()
    // What the TVM leaves behind an exception: its argument, zero.
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: storeVmStack([{ type: 'int', value: 0n }]), state }
    const config = await configAt(block, signal)
    const request = {
      config: config.tvm(),
      code: runnable.code,
      data: runnable.data,
      address: `${id.workchain}:${toHex(id.hash)}`,
      balance: state.balance.grams,
      ...(state.balance.other === undefined ? {} : { extraCurrencies: state.balance.other }),
      methodId,
      stack: serializeBoc(stack, { crc32c: false }),
      now: state.genUtime,
      // Never the same for two blocks, always the same for one: an answer can be asked for again.
      randomSeed: state.shardBlock.rootHash,
      gasLimit,
    }
    const needs = needsOf(runnable.codeCell)
    const run = async (prevBlocks: boolean) => {
      const info = prevBlocks ? await config.prevBlocks(signal) : undefined
      const form = info === undefined ? request : { ...request, prevBlocksInfo: info }
      return runWithLibraries(tvm, form, runnable.library, needs.libraries, librariesAt(block), signal)
    }
    try {
      const first = await run(needs.prevBlocks)
      // Code that stands in data or in a library may read them too, which fails without them.
      const result = first.exitCode === TYPE_CHECK && !needs.prevBlocks ? await run(true) : first
      return { exitCode: result.exitCode, gasUsed: result.gasUsed, stack: parseBocRoot(result.stack), state }
    } catch (error) {
      throw toTonError(error, signal)
    }
  }
}
