import { ownBytes } from '../base/threads/packed.ts'
import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountId } from '../tlb/ids.ts'
import { loadVmStack, storeVmStack } from '../tlb/vm-stack/vm-stack.ts'
import type { GetMethodRequest, GetMethodResult, TvmConfig, VmLog } from './tvm.ts'

/* The form of a get-method in messages between threads: cells as BoCs, the configuration by its id. */

export interface PackedMethod {
  readonly configId: string
  readonly code: Uint8Array
  readonly data: Uint8Array
  readonly stack: Uint8Array
  readonly libraries: readonly Uint8Array[]
  readonly prevBlocksInfo: Uint8Array | undefined
  readonly address: AccountId
  readonly balance: bigint
  readonly extraCurrencies: ReadonlyMap<number, bigint> | undefined
  readonly methodId: number
  readonly now: number
  readonly randomSeed: Uint8Array
  readonly gasLimit: bigint
  readonly trace: boolean
}

export interface PackedResult {
  readonly exitCode: number
  readonly gasUsed: bigint
  /** VmStack BoC. */
  readonly stack: Uint8Array
  readonly missingLibrary: string | undefined
  readonly log: VmLog | undefined
  readonly debug: readonly string[] | undefined
}

const bocOf = (cell: Cell): Uint8Array => ownBytes(serializeBoc(cell, { crc32c: false }))

/** Throws CellError if the cells cannot be serialized. */
export const packMethod = (request: GetMethodRequest): PackedMethod => {
  const { config, code, data, stack, prevBlocksInfo, libraries = [], address } = request
  return {
    configId: config.id,
    code: bocOf(code),
    data: bocOf(data),
    stack: bocOf(storeVmStack(stack)),
    libraries: libraries.map(bocOf),
    prevBlocksInfo: prevBlocksInfo && bocOf(prevBlocksInfo),
    address: { workchain: address.workchain, hash: ownBytes(address.hash) },
    balance: request.balance,
    extraCurrencies: request.extraCurrencies,
    methodId: request.methodId,
    now: request.now,
    randomSeed: ownBytes(request.randomSeed),
    gasLimit: request.gasLimit,
    trace: request.trace === true,
  }
}

export const unpackMethod = ({ configId: _, ...packed }: PackedMethod, config: TvmConfig): GetMethodRequest => ({
  ...packed,
  config,
  code: parseBocRoot(packed.code),
  data: parseBocRoot(packed.data),
  stack: loadVmStack(parseBocRoot(packed.stack)),
  libraries: packed.libraries.map((library) => parseBocRoot(library)),
  prevBlocksInfo: packed.prevBlocksInfo && parseBocRoot(packed.prevBlocksInfo),
})

export const packResult = ({ exitCode, gasUsed, stack, missingLibrary, log, debug }: GetMethodResult): PackedResult => ({
  exitCode,
  gasUsed,
  stack: bocOf(storeVmStack(stack)),
  missingLibrary,
  log,
  debug,
})

export const unpackResult = ({ stack, ...rest }: PackedResult): GetMethodResult => ({ ...rest, stack: loadVmStack(parseBocRoot(stack)) })
