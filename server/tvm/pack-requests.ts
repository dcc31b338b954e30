import { ownBytes } from '../base/threads/own-bytes.ts'
import { parseBoc, parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { Cell } from '../cell/cell.ts'
import type { AccountId } from '../tlb/ids.ts'
import { loadVmStack, storeVmStack } from '../tlb/vm-stack/vm-stack.ts'
import type { TransactionRequest } from './executor/execute.ts'
import type { TransactionOutcome } from './make-transaction.ts'
import type { GetMethodRequest, GetMethodResult } from './tvm.ts'

/*
 * Converts requests and results to messages between threads. Each cell, and each list of cells, becomes a BoC. A message leaves out the configuration if the
 * thread has it from an earlier message.
 */

/** The form of a value in a message between threads. It has the same member names as the value. */
export type Packed<T> = { readonly [K in keyof T]: unknown }

interface PackedCells {
  readonly boc: Uint8Array
  readonly isList: boolean
}

const isCells = (part: object): part is Cell | readonly Cell[] => part instanceof Cell || (Array.isArray(part) && part[0] instanceof Cell)
const isPacked = (part: object): part is PackedCells => 'boc' in part
const packCells = (cells: Cell | readonly Cell[]): PackedCells => ({
  boc: serializeBoc(cells, { crc32c: false }),
  isList: Array.isArray(cells),
})

/** Replaces each part of a value for which `change` returns a result. Enters plain objects but not lists, because logs are long lists without cells. */
const mapParts = (value: unknown, change: (part: object) => unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const changed = change(value)
  if (changed !== undefined) return changed
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapParts(member, change)]))
}

const pack = <T extends object>(value: T): Packed<T> =>
  mapParts(value, (part) => {
    if (isCells(part)) return packCells(part)
    return part instanceof Uint8Array ? ownBytes(part) : undefined
  }) as Packed<T>

const unpack = <T extends object>(packed: Packed<T>): T =>
  mapParts(packed, (part) => (isPacked(part) ? (part.isList ? parseBoc : parseBocRoot)(part.boc) : undefined)) as T

export const bocsIn = (packed: Packed<object>): Uint8Array[] => {
  const bocs: Uint8Array[] = []
  mapParts(packed, (part) => (isPacked(part) ? bocs.push(part.boc) : undefined))
  return bocs
}

/** BoCs of configurations. They are cached, because the same configuration is sent many times. */
const configs = new WeakMap<Cell, Uint8Array>()
export const configBoc = (root: Cell): Uint8Array => {
  const boc = configs.get(root) ?? serializeBoc(root, { crc32c: false })
  configs.set(root, boc)
  return boc
}

export type PackedMethod = Packed<Omit<GetMethodRequest, 'config'>>
export type PackedResult = Packed<GetMethodResult>
export type PackedTransaction = Packed<Omit<TransactionRequest, 'config' | 'interrupt'>>
export type PackedOutcome = Packed<TransactionOutcome>

/** Copies only these members, because a caller's object may have others. */
const idOf = ({ workchain, hash }: AccountId): AccountId => ({ workchain, hash })

export const packMethod = ({ config: _, stack, ...rest }: GetMethodRequest): PackedMethod =>
  pack({ ...rest, address: idOf(rest.address), stack: storeVmStack(stack) })

export const unpackMethod = (packed: PackedMethod, config: Cell): GetMethodRequest => {
  const { stack, ...rest } = unpack<Omit<GetMethodRequest, 'config' | 'stack'> & { readonly stack: Cell }>(packed)
  return { ...rest, config, stack: loadVmStack(stack) }
}

export const packResult = (result: GetMethodResult): PackedResult => pack({ ...result, stack: storeVmStack(result.stack) })

export const unpackResult = (packed: PackedResult): GetMethodResult => {
  const { stack, ...rest } = unpack<Omit<GetMethodResult, 'stack'> & { readonly stack: Cell }>(packed)
  return { ...rest, stack: loadVmStack(stack) }
}

export const packTransaction = ({ config: _, interrupt: __, ...rest }: TransactionRequest): PackedTransaction => {
  const { accountCell, lastTransHash, lastTransLt } = rest.shardAccount
  return pack({ ...rest, account: idOf(rest.account), shardAccount: { accountCell, lastTransHash, lastTransLt } })
}

export const unpackTransaction = (packed: PackedTransaction, config: Cell): TransactionRequest => ({
  ...unpack<Omit<TransactionRequest, 'config'>>(packed),
  config,
})

export const packOutcome = (outcome: TransactionOutcome): PackedOutcome => pack(outcome)
export const unpackOutcome = (packed: PackedOutcome): TransactionOutcome => unpack<TransactionOutcome>(packed)
