import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import { storeVmStack } from '../tlb/vm-stack.ts'
import type { ConfigForm, Tvm } from '../tvm/tvm.ts'
import type { KeptAccount, Runnable } from './account-states.ts'
import { toTonError } from './ask.ts'
import { toHex } from './block-id.ts'
import { codeReads, type Reads, UNKNOWN_CODE } from './code-reads.ts'
import type { BlockConfig } from './configs.ts'
import type { AccountId, BlockId } from './ids.ts'
import { createLru } from './lru.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from './run-method.ts'
import type { Chain } from './types.ts'

/** Gas of a get-method: what TON Center's engine allows (v2.md 3.25). */
const GAS_LIMIT = 4_000_000n
/** The TVM's own code for "no code". */
const NO_CODE = -13
/** Codes whose needs are remembered, and data. */
const KEPT_CODES = 1_024
/** Data and arguments of more cells are not searched for code. */
const MAX_DATA_CELLS = 64
/** The TVM's type check error: what reading PREVBLOCKSINFO gives where there is none. */
const TYPE_CHECK = 7

interface CodeNeeds {
  readonly libraries: Map<string, Uint8Array>
  readonly reads: Reads
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
      reads: own === undefined ? codeReads(code) : UNKNOWN_CODE,
    }
    known.set(key, needs)
    return needs
  }

  const ofData = createLru<ConfigForm>(KEPT_CODES)
  const dataForm = (data: Cell): ConfigForm => {
    const key = data.hashKey()
    const before = ofData.get(key)
    if (before !== undefined) return before
    const form = codeReads(data, MAX_DATA_CELLS).config
    ofData.set(key, form)
    return form
  }
  /** Code may stand in data and in arguments too, and in libraries, which are not here to be searched. */
  const formFor = ({ reads, libraries }: CodeNeeds, { dataCell, library }: Runnable, stack: Cell): ConfigForm => {
    if (reads.config !== 'own') return reads.config
    if (library !== undefined || libraries.size > 0) return 'slim'
    return dataForm(dataCell) === 'own' && codeReads(stack, MAX_DATA_CELLS).config === 'own' ? 'own' : 'slim'
  }

  return async (id, methodId, stack, at, signal) => {
    const block = await pin(at, signal)
    const account = await accountAt(id, block, signal)
    const { state } = account
    const runnable = account.runnable()
    // What the TVM leaves behind an exception: its argument, zero.
    if (runnable === undefined) return { exitCode: NO_CODE, gasUsed: 0n, stack: storeVmStack([{ type: 'int', value: 0n }]), state }
    const config = await configAt(block, signal)
    const needs = needsOf(runnable.codeCell)
    const request = {
      config: config.tvm(),
      configForm: formFor(needs, runnable, stack),
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
    const run = async (prevBlocks: boolean) => {
      const info = prevBlocks ? await config.prevBlocks(signal) : undefined
      const form = info === undefined ? request : { ...request, prevBlocksInfo: info }
      return runWithLibraries(tvm, form, runnable.library, needs.libraries, librariesAt(block), signal)
    }
    try {
      const first = await run(needs.reads.prevBlocks)
      // Code that stands in data or in a library may read them too, which fails without them.
      const result = first.exitCode === TYPE_CHECK && !needs.reads.prevBlocks ? await run(true) : first
      return { exitCode: result.exitCode, gasUsed: result.gasUsed, stack: parseBocRoot(result.stack), state }
    } catch (error) {
      throw toTonError(error, signal)
    }
  }
}
