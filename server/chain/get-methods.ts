import { addHeader } from '../base/call.ts'
import { Lru } from '../base/memory/lru.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/bytes.ts'
import { configVersion } from '../tlb/config/general.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/vm-stack.ts'
import type { GetMethodRequest, GetMethodResult, Tvm } from '../tvm/tvm.ts'
import { versionText } from '../tvm/versions.ts'
import type { AccountStates, ProvenState, Runnable } from './account-states.ts'
import type { AccountState, Chain, GetMethodAnswer } from './chain-port.ts'
import { chainError } from './checked-query.ts'
import type { BlockConfig } from './configs.ts'
import type { Head } from './liteserver.ts'
import { mayReadPrevBlocks } from './may-read-prev-blocks.ts'
import { createPreparedAccounts } from './prepared-accounts.ts'
import type { Library } from './proofs/libraries.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-with-libraries.ts'

/** Gas limit of a get-method, equal to the limit of TON Center's engine. */
const GAS_LIMIT = 4_000_000n
/** Exit code of tonlib's TVM for an account without code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13
const MAX_CODES = 1_024
/** Exit code of a type check error in the TVM. Code that reads an absent PREVBLOCKSINFO ends with this code. */
const TYPE_CHECK = 7

interface CodeNeeds {
  readonly libraries: Map<string, Uint8Array>
  /** Hex hashes of the libraries that were already searched for instructions that read previous blocks. */
  readonly searched: Set<string>
  /** True if the code or its libraries may read previous blocks. For code that is a library cell, true until that library is fetched. */
  prevBlocks: boolean
  readonly isLibrary: boolean
}

/** Searches libraries for instructions that read previous blocks. Skips libraries that were searched before. */
const searchLibraries = (needs: CodeNeeds, found: readonly Library[]): void => {
  for (const { hash, code } of found) {
    const name = toHex(hash)
    if (needs.searched.has(name)) continue
    const isFirst = needs.searched.size === 0
    needs.searched.add(name)
    const reads = mayReadPrevBlocks(code)
    // A library cell has no instructions of its own, so only the fetched library decides whether previous blocks may be read.
    needs.prevBlocks = isFirst && needs.isLibrary ? reads : needs.prevBlocks || reads
  }
}

/** The stack that an account without code returns: the arguments, with the method id on top. */
const untouched = (stack: readonly VmStackValue[], methodId: number): readonly VmStackValue[] => [
  ...stack,
  { type: 'int', value: BigInt(methodId) },
]

export interface GetMethodsDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod' | 'runHere'>
  readonly head: () => Head
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accounts: AccountStates
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
  readonly gasLimit?: bigint | undefined
}

type RunGetMethod = (...args: Parameters<Chain['runGetMethod']>) => Promise<GetMethodAnswer>

export interface GetMethods {
  readonly run: RunGetMethod
  /**
   * Runs a get-method synchronously. Returns undefined if no earlier `run` has prepared the account at this block, if data have to be fetched, or if the
   * run may be long. Returns a promise if the run has to be repeated with previous blocks. Throws where `run` rejects.
   */
  readonly runHere: (...args: Parameters<RunGetMethod>) => Promise<GetMethodAnswer> | GetMethodAnswer | undefined
}

const versions = new WeakMap<Cell, string>()
const versionOf = (config: Cell): string => {
  const cached = versions.get(config)
  if (cached !== undefined) return cached
  const text = versionText(configVersion(config).version)
  versions.set(config, text)
  return text
}

interface Prepared {
  readonly config: BlockConfig
  readonly version: string
  readonly library: Cell | undefined
  readonly needs: CodeNeeds
  readonly request: Omit<GetMethodRequest, 'methodId' | 'stack' | 'client'>
}

/** Completes a prepared request. Lists the members one by one, because an object spread takes as long as a short run. */
const withArguments = (
  { config, code, data, address, balance, extraCurrencies, now, randomSeed, gasLimit }: Prepared['request'],
  methodId: number,
  stack: readonly VmStackValue[],
  client: string | undefined,
): GetMethodRequest => ({ config, code, data, address, balance, extraCurrencies, now, randomSeed, gasLimit, methodId, stack, client })

/**
 * Finds the libraries that runs of a code need, and whether they need previous blocks. Caches only the hashes of the libraries: each run checks at its own
 * block that they are public.
 */
const createNeeds = (): ((code: Cell) => CodeNeeds) => {
  const cache = new Lru<string, CodeNeeds>({ max: MAX_CODES })
  return (code) => {
    const key = code.hashKey()
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const own = libraryHash(code)
    const needs: CodeNeeds = {
      libraries: new Map(own === undefined ? [] : [[toHex(own), own]]),
      searched: new Set(),
      isLibrary: own !== undefined,
      prevBlocks: own !== undefined || mayReadPrevBlocks(code),
    }
    cache.set(key, needs)
    return needs
  }
}

const answerOf = ({ exitCode, gasUsed, stack, log, debug }: GetMethodResult, state: AccountState): GetMethodAnswer => ({
  exitCode,
  gasUsed,
  stack,
  state,
  log,
  debug,
})

export const createGetMethods = (deps: GetMethodsDeps): GetMethods => {
  const { tvm, head, accounts, gasLimit = GAS_LIMIT } = deps
  const needsOf = createNeeds()
  const preparedAccounts = createPreparedAccounts<Prepared>()
  const prepare = (account: ProvenState, { code, data, library }: Runnable, config: BlockConfig): Prepared => {
    const cached = preparedAccounts.get(account)
    if (cached !== undefined) return cached
    const { state } = account
    const request = {
      config: config.root,
      code,
      data,
      address: state.id,
      balance: state.balance.grams,
      extraCurrencies: state.balance.other,
      now: state.genUtime,
      // Equal for all runs at one block, so that the answer is reproducible; different at each block.
      randomSeed: state.shardBlock.rootHash,
      gasLimit,
    }
    const prepared = { config, version: versionOf(config.root), library, needs: needsOf(code), request }
    preparedAccounts.add(account, prepared, head().id)
    return prepared
  }

  const attempt = async (
    { config, library, needs, request }: Prepared,
    block: BlockId,
    args: Pick<GetMethodRequest, 'methodId' | 'stack' | 'trace' | 'client'>,
    prevBlocks: boolean,
    signal: AbortSignal,
  ): Promise<GetMethodResult> => {
    const fetch: FetchLibraries = async (hashes, caller) => {
      const found = await deps.librariesAt(block)(hashes, caller)
      searchLibraries(needs, found)
      return found
    }
    const prevBlocksInfo = prevBlocks ? await config.prevBlocks(signal) : undefined
    return runWithLibraries(tvm, { ...request, ...args, prevBlocksInfo }, library, needs.libraries, fetch, signal)
  }

  const run: RunGetMethod = async (id, methodId, stack, at, signal, { trace = false, call } = {}) => {
    const block = await deps.pin(at, signal)
    const account = await accounts.at(id, block, signal)
    const { state } = account
    const runnable = account.runnable()
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: untouched(stack, methodId), state }
    const prepared = prepare(account, runnable, await deps.configAt(block, signal))
    addHeader(call, 'X-Tvm-Version', prepared.version)
    const { prevBlocks } = prepared.needs
    const args = { methodId, stack, trace, client: call?.client }
    try {
      const first = await attempt(prepared, block, args, prevBlocks, signal)
      // Only the code and the libraries of earlier runs were searched for instructions that read previous blocks, and not the account's data. A run that
      // lacks the blocks ends with a type check error and is repeated with them.
      const isRepeated = first.exitCode === TYPE_CHECK && !prevBlocks
      return answerOf(isRepeated ? await attempt(prepared, block, args, true, signal) : first, state)
    } catch (error) {
      throw chainError(error, signal)
    }
  }

  /** Returns the block at which a run reads; undefined if finding that block needs a query. */
  const blockWithoutQuery = (at: number | BlockId | undefined): BlockId | undefined => {
    if (typeof at === 'object') return at
    const { id } = head()
    return at === undefined || at === id.seqno ? id : undefined
  }

  const runHere: GetMethods['runHere'] = (id, methodId, stack, at, signal, { trace = false, call } = {}) => {
    const block = blockWithoutQuery(at)
    if (block === undefined || trace || tvm.runHere === undefined) return undefined
    const account = accounts.cached(id, block)
    const prepared = account && preparedAccounts.get(account)
    if (prepared === undefined) return undefined
    const { needs, library, request, version } = prepared
    if (needs.prevBlocks || needs.libraries.size > 0 || library !== undefined) return undefined
    try {
      const result = tvm.runHere(withArguments(request, methodId, stack, call?.client), signal)
      // The run lacks a library: `run` fetches it and repeats the run.
      if (result === undefined || result.missingLibrary !== undefined) return undefined
      addHeader(call, 'X-Tvm-Version', version)
      const { state } = account!
      if (result.exitCode !== TYPE_CHECK) return answerOf(result, state)
      return attempt(prepared, block, { methodId, stack, client: call?.client }, true, signal).then(
        (repeated) => answerOf(repeated, state),
        // The block may have been reverted in the meantime.
        () => run(id, methodId, stack, at, signal, { call }),
      )
    } catch (error) {
      throw chainError(error, signal)
    }
  }
  return { run, runHere }
}
