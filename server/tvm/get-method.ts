import { beginCell } from '../cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../cell/cell.ts'
import { stdAddress, storeAddressInt } from '../tlb/address.ts'
import type { AccountId } from '../tlb/ids.ts'
import { CONTRACT_INFO_MAGIC, noMessageTuple, unpackedConfigTuple } from './executor/c7.ts'
import type { ExecutorConfig } from './executor/config.ts'
import { fromBytes, normal } from './machine/integer.ts'
import type { Tuple, Value } from './machine/value.ts'
import { runVm, type VmRequest, type VmResult } from './run-vm.ts'
import type { GetMethodRequest } from './tvm.ts'
import { NEWEST_VERSION } from './versions.ts'

/** Maximum number of different libraries that a get-method may look up. The configuration can only lower this number. */
const MAX_LIBRARY_LOADS = 8
const NO_MONEY: Tuple = [0, null]

type Run = Pick<VmRequest, 'data' | 'virtual' | 'log' | 'hashed' | 'interrupt'>
type Method = Pick<GetMethodRequest, 'code' | 'address' | 'balance' | 'methodId' | 'now' | 'randomSeed' | 'libraries'>

/** A get-method with the values of the machine in place of cells. */
export interface VmGetMethodRequest extends Run, Method {
  /** Root of Hashmap 32 (VarUInteger 32). */
  readonly extraCurrencies?: Cell | undefined
  /** Without a configuration the newest rules apply, and CONFIGROOT and the prices are null. */
  readonly config?: ExecutorConfig
  /** Arguments from the bottom to the top. The array is not changed. */
  readonly stack: readonly Value[]
  readonly gasLimit: number
  /** Result of PREVBLOCKSINFO. */
  readonly prevBlocks?: Value | undefined
}

/** Seeds as numbers. Runs in one block share the array, so they share the conversion, which takes 3 microseconds (measured). */
const seeds = new WeakMap<Uint8Array, Value>()
const seedOf = (bytes: Uint8Array): Value => {
  const cached = seeds.get(bytes)
  if (cached !== undefined) return cached
  const seed = fromBytes(bytes)
  seeds.set(bytes, seed)
  return seed
}

const precompiledGas = (config: ExecutorConfig | undefined, code: Cell): bigint | undefined =>
  config === undefined || config.precompiled.size === 0 ? undefined : config.precompiled.get(BigInt(`0x${code.hashHex()}`))

/** SmartContractInfo of a get-method: no message, no fees, lt 0. */
const contextOf = (request: VmGetMethodRequest, version: number): Tuple => {
  const { config, code } = request
  const info: Value[] = [
    ...[CONTRACT_INFO_MAGIC, 0, 0, request.now, 0, 0, seedOf(request.randomSeed)],
    [normal(request.balance), request.extraCurrencies ?? null],
    addressSlice(request.address),
    config?.root ?? null,
  ]
  if (version >= 4) info.push(code, NO_MONEY, 0, request.prevBlocks ?? null)
  if (version >= 6) {
    const precompiled = precompiledGas(config, code)
    info.push(
      config === undefined ? null : unpackedConfigTuple(config, request.now),
      0,
      precompiled === undefined ? null : normal(precompiled),
    )
  }
  if (version >= 11) info.push(noMessageTuple())
  return [info]
}

/** MYADDR by account id object. All runs of a cached account share this object. */
const addresses = new WeakMap<AccountId, Value>()
const addressSlice = (id: AccountId): Value => {
  const cached = addresses.get(id)
  if (cached !== undefined) return cached
  const slice = storeAddressInt(beginCell(), stdAddress(id.workchain, id.hash)).end().slice()
  addresses.set(id, slice)
  return slice
}

/** Runs a get-method. Throws VmInterrupted if `interrupt` returns true, and CellError if a cell cannot be loaded. */
export const runVmGetMethod = (request: VmGetMethodRequest): VmResult => {
  const { config } = request
  const version = config === undefined ? NEWEST_VERSION : config.version
  const limits = config?.limits
  return runVm({
    code: request.code,
    data: request.data ?? EMPTY_CELL,
    stack: [...request.stack, request.methodId],
    c7: contextOf(request, version),
    gas: { limit: request.gasLimit },
    version,
    libraries: request.libraries ?? [],
    maxLibraryLoads: Math.min(MAX_LIBRARY_LOADS, limits?.maxTransactionLibraryLoads ?? MAX_LIBRARY_LOADS),
    maxDataDepth: limits?.maxVmDataDepth,
    virtual: request.virtual,
    log: request.log,
    hashed: request.hashed,
    interrupt: request.interrupt,
  })
}
