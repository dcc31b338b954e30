import { LRUCache } from 'lru-cache'
import { tellHeader } from '../base/told.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/block-id.ts'
import { configVersion } from '../tlb/config/general.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import { loadVmStack, storeVmStack } from '../tlb/vm-stack/vm-stack.ts'
import type { GetMethodResult, Tvm } from '../tvm/tvm.ts'
import { versionText } from '../tvm/versions.ts'
import type { KeptAccount } from './account-states.ts'
import { chainError } from './ask.ts'
import { mayReadPrevBlocks } from './code-reads.ts'
import type { BlockConfig } from './configs.ts'
import type { Library } from './proofs/libraries.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'
import type { Chain } from './types.ts'

/** Gas of a get-method: what TON Center's engine allows (v2.md 3.25). */
const GAS_LIMIT = 4_000_000n
/** What tonlib's TVM ends with where there is no code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13
/** Codes whose needs are remembered. */
const KEPT_CODES = 1_024
/** The TVM's type check error: what reading PREVBLOCKSINFO gives where there is none. */
const TYPE_CHECK = 7

interface CodeNeeds {
  /** Hashes of the libraries that its runs asked for. */
  readonly libraries: Map<string, Uint8Array>
  /** Those of them that were searched. */
  readonly searched: Set<string>
  /** Whether the code and its libraries may read the blocks before; true for code that is itself a library, until that is fetched. */
  prevBlocks: boolean
  /** The code is a library cell. */
  readonly isLibrary: boolean
}

/** Looks at libraries of a code that were not seen before. */
const learn = (needs: CodeNeeds, found: readonly Library[]): void => {
  for (const { hash, code } of found) {
    const name = toHex(hash)
    if (needs.searched.has(name)) continue
    const isFirst = needs.searched.size === 0
    needs.searched.add(name)
    const reads = mayReadPrevBlocks(code)
    // Code that is a library reads what the library reads.
    needs.prevBlocks = isFirst && needs.isLibrary ? reads : needs.prevBlocks || reads
  }
}

/** The stack of a TVM that has run nothing: the arguments, and the method id on top. */
const untouched = (stack: Cell, methodId: number): Cell => storeVmStack([...loadVmStack(stack), { type: 'int', value: BigInt(methodId) }])

export interface GetMethodsDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<KeptAccount>
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
  readonly gasLimit?: bigint | undefined
}

/** Get-methods on the TVM of this process, over proven states: the account, the configuration and the libraries of one block. */
export const createGetMethods = ({
  tvm,
  pin,
  accountAt,
  configAt,
  librariesAt,
  gasLimit = GAS_LIMIT,
}: GetMethodsDeps): Chain['runGetMethod'] => {
  // Of libraries, only which ones a code needs is remembered; that they are public is asked for the block of each run.
  const known = new LRUCache<string, CodeNeeds>({ max: KEPT_CODES })
  const needsOf = (code: Cell): CodeNeeds => {
    const key = code.hashKey()
    const before = known.get(key)
    if (before !== undefined) return before
    const own = libraryHash(code)
    const needs: CodeNeeds = {
      libraries: new Map(own === undefined ? [] : [[toHex(own), own]]),
      searched: new Set(),
      isLibrary: own !== undefined,
      prevBlocks: own !== undefined || mayReadPrevBlocks(code),
    }
    known.set(key, needs)
    return needs
  }

  return async (id, methodId, stack, at, signal, { trace = false } = {}) => {
    const block = await pin(at, signal)
    const account = await accountAt(id, block, signal)
    const { state } = account
    const runnable = account.runnable()
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: untouched(stack, methodId), state }
    const config = await configAt(block, signal)
    tellHeader(signal, 'X-Tvm-Version', versionText(configVersion(config.root).version))
    const needs = needsOf(runnable.code)
    const request = {
      config: config.tvm(),
      code: runnable.code,
      data: runnable.data,
      address: id,
      balance: state.balance.grams,
      extraCurrencies: state.balance.other,
      methodId,
      stack,
      now: state.genUtime,
      // Never the same for two blocks, always the same for one: an answer can be asked for again.
      randomSeed: state.shardBlock.rootHash,
      gasLimit,
      trace,
    }
    const fetch: FetchLibraries = async (hashes, caller) => {
      const found = await librariesAt(block)(hashes, caller)
      learn(needs, found)
      return found
    }
    const run = async (prevBlocks: boolean): Promise<GetMethodResult> => {
      const prevBlocksInfo = prevBlocks ? await config.prevBlocks(signal) : undefined
      return runWithLibraries(tvm, { ...request, prevBlocksInfo }, runnable.library, needs.libraries, fetch, signal)
    }
    try {
      const { prevBlocks } = needs
      const first = await run(prevBlocks)
      // Code that stands in data or in a library may read them too, which fails without them.
      const { missingLibrary: _, ...result } = first.exitCode === TYPE_CHECK && !prevBlocks ? await run(true) : first
      return { ...result, state }
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
