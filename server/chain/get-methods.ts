import { tellHeader } from '../base/answer-headers.ts'
import { Lru } from '../base/memory/lru.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/bytes.ts'
import { configVersion } from '../tlb/config/general.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import { loadVmStack, storeVmStack } from '../tlb/vm-stack/vm-stack.ts'
import type { GetMethodResult, Tvm } from '../tvm/tvm.ts'
import { versionText } from '../tvm/versions.ts'
import type { KeptAccount } from './account-states.ts'
import { chainError } from './ask.ts'
import type { Chain } from './chain-port.ts'
import type { BlockConfig } from './configs.ts'
import { mayReadPrevBlocks } from './may-read-prev-blocks.ts'
import type { Library } from './proofs/libraries.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'

/** Gas of a get-method: what TON Center's engine allows (v2.md 3.25). */
const GAS_LIMIT = 4_000_000n
/** Exit code of tonlib's TVM if the account has no code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13
/** Largest number of contract codes whose needs are kept. */
const KEPT_CODES = 1_024
/** The TVM's type check error, the result of reading PREVBLOCKSINFO if it is absent. */
const TYPE_CHECK = 7

interface CodeNeeds {
  /** Libraries that runs of the code asked for: hash by hex. */
  readonly libraries: Map<string, Uint8Array>
  /** Hex hashes of the libraries already searched for instructions that read previous blocks. */
  readonly searched: Set<string>
  /** Whether the code and its libraries may read previous blocks. True for code that is a library cell, until the library is fetched. */
  prevBlocks: boolean
  /** Whether the code is a library cell. */
  readonly isLibrary: boolean
}

/** Searches those libraries of a code that were not searched before. */
const learn = (needs: CodeNeeds, found: readonly Library[]): void => {
  for (const { hash, code } of found) {
    const name = toHex(hash)
    if (needs.searched.has(name)) continue
    const isFirst = needs.searched.size === 0
    needs.searched.add(name)
    const reads = mayReadPrevBlocks(code)
    // If the code is a library cell, its needs are those of the library.
    needs.prevBlocks = isFirst && needs.isLibrary ? reads : needs.prevBlocks || reads
  }
}

/** The stack before a run: the arguments, with the method id on top. */
const untouched = (stack: Cell, methodId: number): Cell => storeVmStack([...loadVmStack(stack), { type: 'int', value: BigInt(methodId) }])

export interface GetMethodsDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<KeptAccount>
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
  readonly gasLimit?: bigint | undefined
}

/** Header texts by configuration: all runs in one block share it. */
const versions = new WeakMap<Cell, string>()
const versionOf = (config: Cell): string => {
  const known = versions.get(config)
  if (known !== undefined) return known
  const text = versionText(configVersion(config).version)
  versions.set(config, text)
  return text
}

/** Runs get-methods on this process's TVM with the proven account, configuration and libraries of one block. */
export const createGetMethods = ({
  tvm,
  pin,
  accountAt,
  configAt,
  librariesAt,
  gasLimit = GAS_LIMIT,
}: GetMethodsDeps): Chain['runGetMethod'] => {
  // Only the list of needed libraries is kept. Each run checks in its own block that they are public.
  const known = new Lru<string, CodeNeeds>({ max: KEPT_CODES })
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
    tellHeader(signal, 'X-Tvm-Version', versionOf(config.root))
    const needs = needsOf(runnable.code)
    const requestOf = (prevBlocksInfo: Cell | undefined) => ({
      config: config.tvm(),
      code: runnable.code,
      data: runnable.data,
      address: id,
      balance: state.balance.grams,
      extraCurrencies: state.balance.other,
      methodId,
      stack,
      now: state.genUtime,
      // The same for every run in one block, so that an answer can be repeated, and different for each block.
      randomSeed: state.shardBlock.rootHash,
      gasLimit,
      trace,
      prevBlocksInfo,
    })
    const fetch: FetchLibraries = async (hashes, caller) => {
      const found = await librariesAt(block)(hashes, caller)
      learn(needs, found)
      return found
    }
    const run = async (prevBlocks: boolean): Promise<GetMethodResult> => {
      const prevBlocksInfo = prevBlocks ? await config.prevBlocks(signal) : undefined
      return runWithLibraries(tvm, requestOf(prevBlocksInfo), runnable.library, needs.libraries, fetch, signal)
    }
    try {
      const { prevBlocks } = needs
      const first = await run(prevBlocks)
      // Code in data or in a library may read previous blocks too. Such a run fails with a type check error and is repeated with them.
      const { missingLibrary: _, ...result } = first.exitCode === TYPE_CHECK && !prevBlocks ? await run(true) : first
      return { ...result, state }
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
