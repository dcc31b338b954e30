import { bocSteps, parseBocRootSteps, parseBocSteps, serializeBoc } from '../cell/boc.ts'
import { Cell } from '../cell/cell.ts'
import type { AccountId } from '../tlb/ids.ts'
import { loadVmStackSteps, storeVmStackSteps } from '../tlb/vm-stack/vm-stack.ts'
import type { TransactionRequest } from './executor/execute.ts'
import type { TransactionOutcome } from './make-transaction.ts'
import type { GetMethodRequest, GetMethodResult } from './tvm.ts'

/*
 * Converts requests and results to messages between threads. Each cell, and each list of cells, becomes a BoC. A message leaves out the configuration if the
 * thread has it from an earlier message. Accounts can have 65,536 cells, so everything is converted in steps.
 */

/** The form of a value in a message between threads. It has the same member names as the value. */
export type Packed<T> = { readonly [K in keyof T]: unknown }

interface PackedCells {
  readonly boc: Uint8Array
  readonly isList: boolean
}

const isCells = (part: object): part is Cell | readonly Cell[] => part instanceof Cell || (Array.isArray(part) && part[0] instanceof Cell)
const isPacked = (part: object): part is PackedCells => 'boc' in part

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Replaces, in steps, each part of a value for which `change` returns a result. Enters plain objects but not lists, because logs are long lists without cells. */
function* mapParts(value: unknown, change: (part: object) => Generator<void, unknown>): Generator<void, unknown> {
  if (typeof value !== 'object' || value === null) return value
  const changed = yield* change(value)
  if (changed !== undefined) return changed
  if (!isPlain(value)) return value
  const mapped: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) mapped[name] = yield* mapParts(member, change)
  return mapped
}

/** Copies a view of a larger buffer, because a message would contain the whole buffer behind it. */
const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

function* packPart(part: object): Generator<void, unknown> {
  if (isCells(part)) return { boc: yield* bocSteps(Array.isArray(part) ? part : [part]), isList: Array.isArray(part) }
  return part instanceof Uint8Array ? ownBytes(part) : undefined
}
function* unpackPart(part: object): Generator<void, unknown> {
  return isPacked(part) ? yield* (part.isList ? parseBocSteps : parseBocRootSteps)(part.boc) : undefined
}

type Steps<T> = Generator<void, T>
const pack = <T extends object>(value: T): Steps<Packed<T>> => mapParts(value, packPart) as Steps<Packed<T>>
const unpack = <T extends object>(packed: Packed<T>): Steps<T> => mapParts(packed, unpackPart) as Steps<T>

export const bocsIn = (packed: object): Uint8Array[] =>
  isPacked(packed) ? [packed.boc] : Object.values(packed).flatMap((member) => (isPlain(member) ? bocsIn(member) : []))

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

export function* packMethod({ config: _, stack, ...rest }: GetMethodRequest): Steps<PackedMethod> {
  return yield* pack({ ...rest, address: idOf(rest.address), stack: yield* storeVmStackSteps(stack) })
}

export function* unpackMethod(packed: PackedMethod, config: Cell): Steps<GetMethodRequest> {
  const { stack, ...rest } = yield* unpack<Omit<GetMethodRequest, 'config' | 'stack'> & { readonly stack: Cell }>(packed)
  return { ...rest, config, stack: yield* loadVmStackSteps(stack) }
}

export function* packResult(result: GetMethodResult): Steps<PackedResult> {
  return yield* pack({ ...result, stack: yield* storeVmStackSteps(result.stack) })
}

export function* unpackResult(packed: PackedResult): Steps<GetMethodResult> {
  const { stack, ...rest } = yield* unpack<Omit<GetMethodResult, 'stack'> & { readonly stack: Cell }>(packed)
  return { ...rest, stack: yield* loadVmStackSteps(stack) }
}

export const packTransaction = ({ config: _, interrupt: __, ...rest }: TransactionRequest): Steps<PackedTransaction> => {
  const { accountCell, lastTransHash, lastTransLt } = rest.shardAccount
  return pack({ ...rest, account: idOf(rest.account), shardAccount: { accountCell, lastTransHash, lastTransLt } })
}

export function* unpackTransaction(packed: PackedTransaction, config: Cell): Steps<TransactionRequest> {
  return { ...(yield* unpack<Omit<TransactionRequest, 'config'>>(packed)), config }
}

export const packOutcome = (outcome: TransactionOutcome): Steps<PackedOutcome> => pack(outcome)
export const unpackOutcome = (packed: PackedOutcome): Steps<TransactionOutcome> => unpack<TransactionOutcome>(packed)
