import { createLru } from '../base/lru.ts'
import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/block-id.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import { loadVmStack, storeVmStack } from '../tlb/vm-stack/vm-stack.ts'
import type { ConfigForm, Tvm } from '../tvm/tvm.ts'
import type { KeptAccount, Runnable } from './account-states.ts'
import { chainError } from './ask.ts'
import { ALL, type Reads, readsOf, searchCode } from './code-reads.ts'
import type { BlockConfig } from './configs.ts'
import type { Library } from './proofs/libraries.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'
import type { Chain } from './types.ts'

/** Gas of a get-method: what TON Center's engine allows (v2.md 3.25). */
const GAS_LIMIT = 4_000_000n
/** What tonlib's TVM ends with where there is no code: ~12, the code of an uninitialized VM. */
const NO_CODE = -13
/** Codes whose needs are remembered, and data. */
const KEPT_CODES = 1_024
/** Data and arguments of more cells are not searched for code. */
const MAX_DATA_CELLS = 64
/** The TVM's type check error: what reading PREVBLOCKSINFO gives where there is none. */
const TYPE_CHECK = 7

interface CodeNeeds {
  /** Hashes of the libraries that its runs asked for. */
  readonly libraries: Map<string, Uint8Array>
  /** Those of them that were searched. */
  readonly searched: Set<string>
  /** What the code and its libraries may read; undefined for code that is itself a library, until that is fetched. */
  found: number | undefined
}

const readsOfCode = ({ found = ALL }: CodeNeeds): Reads => readsOf(found)

/** Looks at libraries of a code that were not seen before. */
const learn = (needs: CodeNeeds, found: readonly Library[]): void => {
  for (const { hash, code } of found) {
    const name = toHex(hash)
    if (needs.searched.has(name)) continue
    needs.searched.add(name)
    needs.found = (needs.found ?? 0) | searchCode(code)
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
    const needs: CodeNeeds = {
      libraries: new Map(own === undefined ? [] : [[toHex(own), own]]),
      searched: new Set(),
      found: own === undefined ? searchCode(code) : undefined,
    }
    known.set(key, needs)
    return needs
  }

  const ofData = createLru<ConfigForm>(KEPT_CODES)
  const dataForm = (data: Cell): ConfigForm => {
    const key = data.hashKey()
    const before = ofData.get(key)
    if (before !== undefined) return before
    const { config } = readsOf(searchCode(data, MAX_DATA_CELLS))
    ofData.set(key, config)
    return config
  }
  /** Code may stand in data and in arguments too. An account's own libraries, which hardly any has, are not searched. */
  const formFor = (needs: CodeNeeds, { dataCell, library }: Runnable, stack: Cell): ConfigForm => {
    if (library !== undefined) return 'full'
    const { config } = readsOfCode(needs)
    if (config !== 'own') return config
    return dataForm(dataCell) === 'own' && readsOf(searchCode(stack, MAX_DATA_CELLS)).config === 'own' ? 'own' : 'slim'
  }

  return async (id, methodId, stack, at, signal) => {
    const block = await pin(at, signal)
    const account = await accountAt(id, block, signal)
    const { state } = account
    const runnable = account.runnable()
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: untouched(stack, methodId), state }
    const config = await configAt(block, signal)
    const needs = needsOf(runnable.codeCell)
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
    const fetch: FetchLibraries = async (hashes, caller) => {
      const found = await librariesAt(block)(hashes, caller)
      learn(needs, found)
      return found
    }
    const run = async (prevBlocks: boolean) => {
      const info = prevBlocks ? await config.prevBlocks(signal) : undefined
      const given = info === undefined ? request : { ...request, prevBlocksInfo: info }
      return runWithLibraries(tvm, given, runnable.library, needs.libraries, fetch, signal, () => formFor(needs, runnable, stack))
    }
    try {
      const { prevBlocks } = readsOfCode(needs)
      const first = await run(prevBlocks)
      // Code that stands in data or in a library may read them too, which fails without them.
      const result = first.exitCode === TYPE_CHECK && !prevBlocks ? await run(true) : first
      return { exitCode: result.exitCode, gasUsed: result.gasUsed, stack: parseBocRoot(result.stack), state }
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
