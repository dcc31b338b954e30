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
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'

/** Gas of a get-method: what TON Center's engine allows. */
const GAS_LIMIT = 4_000_000n
/** Exit code of tonlib's TVM if the account has no code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13
/** Largest number of contract codes whose needs are cached. */
const MAX_CODES = 1_024
/** The TVM's type check error, the result of reading PREVBLOCKSINFO if it is absent. */
const TYPE_CHECK = 7

interface CodeNeeds {
  /** Libraries that runs of the code requested: hash by hex. */
  readonly libraries: Map<string, Uint8Array>
  /** Hex hashes of the libraries already searched for instructions that read previous blocks. */
  readonly searched: Set<string>
  /** Whether the code and its libraries may read previous blocks. True for code that is a library cell, until the library is fetched. */
  prevBlocks: boolean
  /** Whether the code is a library cell. */
  readonly isLibrary: boolean
}

/** Searches those libraries of a code that were not searched before. */
const searchLibraries = (needs: CodeNeeds, found: readonly Library[]): void => {
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
   * Runs a get-method at once; undefined if `run` has not run one of this account at this block while it was one of the newest, if something has to be
   * fetched first, or if the run may be long. A promise if the run has to be repeated with previous blocks. Throws as `run` rejects.
   */
  readonly runHere: (...args: Parameters<RunGetMethod>) => Promise<GetMethodAnswer> | GetMethodAnswer | undefined
}

/** Header texts by configuration: all runs in one block share it. */
const versions = new WeakMap<Cell, string>()
const versionOf = (config: Cell): string => {
  const cached = versions.get(config)
  if (cached !== undefined) return cached
  const text = versionText(configVersion(config).version)
  versions.set(config, text)
  return text
}

/** What all runs of one account at one block have in common. */
interface Prepared {
  readonly config: BlockConfig
  /** X-Tvm-Version. */
  readonly version: string
  /** Root of the account's own libraries. */
  readonly library: Cell | undefined
  readonly needs: CodeNeeds
  /** All of a request but the method and its arguments. */
  readonly request: Omit<GetMethodRequest, 'methodId' | 'stack' | 'client'>
}

/** A whole request. Written out, because a copy of an object takes as long as a short run. */
const withArguments = (
  { config, code, data, address, balance, extraCurrencies, now, randomSeed, gasLimit }: Prepared['request'],
  methodId: number,
  stack: readonly VmStackValue[],
  client: string | undefined,
): GetMethodRequest => ({ config, code, data, address, balance, extraCurrencies, now, randomSeed, gasLimit, methodId, stack, client })

/** Finds out what runs of a code need. Only the list of needed libraries is cached. Each run checks in its own block that they are public. */
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

/** Runs get-methods on this process's TVM with the proven account, configuration and libraries of one block. */
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
      // The same for every run in one block, so that an answer can be repeated, and different for each block.
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
      // Code in data or in a library may read previous blocks too. Such a run fails with a type check error and is repeated with them.
      const isRepeated = first.exitCode === TYPE_CHECK && !prevBlocks
      return answerOf(isRepeated ? await attempt(prepared, block, args, true, signal) : first, state)
    } catch (error) {
      throw chainError(error, signal)
    }
  }

  /** The block that a caller means; undefined if a query has to find it. */
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
      // `run` repeats such runs, with what they lacked.
      if (result === undefined || result.missingLibrary !== undefined) return undefined
      addHeader(call, 'X-Tvm-Version', version)
      const { state } = account!
      if (result.exitCode !== TYPE_CHECK) return answerOf(result, state)
      return attempt(prepared, block, { methodId, stack, client: call?.client }, true, signal).then(
        (repeated) => answerOf(repeated, state),
        // The block may have been undone meanwhile.
        () => run(id, methodId, stack, at, signal, { call }),
      )
    } catch (error) {
      throw chainError(error, signal)
    }
  }
  return { run, runHere }
}
