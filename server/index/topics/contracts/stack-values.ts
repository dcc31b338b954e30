import { serializeBoc } from '../../../cell/boc.ts'
import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { attempt, CellError } from '../../../cell/error.ts'
import type { Slice } from '../../../cell/slice.ts'
import { accountKey } from '../../../store/row-keys.ts'
import { loadMaybeAddressInt, storeAddressInt } from '../../../tlb/address.ts'
import type { AccountId } from '../../../tlb/ids.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import type { AccountView, MethodAnswer, TopicContext } from '../topic.ts'

/* Readers for results of contracts. The results are not trusted: a value of another type or a malformed cell gives undefined. */

type Value = VmStackValue | undefined

/** Reads one value; undefined if the value has another type or form. */
export type ValueReader<T = unknown> = (value: Value) => T | undefined
type ValuesOf<R> = { readonly [K in keyof R]: R[K] extends ValueReader<infer T> ? T : never }

/** The stack of a run that succeeded and left at least so many values. */
export const stackOf = ({ exitCode, stack }: MethodAnswer, least: number): readonly VmStackValue[] | undefined =>
  (exitCode === 0 || exitCode === 1) && stack.length >= least ? stack : undefined

/** Reads the first values of an answer, in the order of the readers; undefined if the run failed, or if a reader does not accept its value. */
export const readAnswer = <const R extends readonly ValueReader[]>(answer: MethodAnswer, ...readers: R): ValuesOf<R> | undefined => {
  const values = stackOf(answer, readers.length) && readers.map((read, i) => read(answer.stack[i]))
  return values === undefined || values.includes(undefined) ? undefined : (values as ValuesOf<R>)
}

/** Reads stack values in the order of `fields`, into an object with the same names; undefined if a reader does not accept its value. */
export const readFields = <const F extends Readonly<Record<string, ValueReader>>>(
  stack: readonly VmStackValue[],
  fields: F,
): ValuesOf<F> | undefined => {
  const values = Object.entries(fields).map(([name, read], i) => [name, read(stack[i])] as const)
  return values.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(values) as ValuesOf<F>)
}

export const int = (value: Value): bigint | undefined => (value?.type === 'int' ? value.value : undefined)
export const uint = (value: Value): bigint | undefined => (value?.type === 'int' && value.value >= 0n ? value.value : undefined)

/* Numbers from get-methods; undefined if they do not fit their column. */

const atMost = (value: Value, most: bigint): bigint | undefined => {
  const number = uint(value)
  return number !== undefined && number <= most ? number : undefined
}

export const count = (value: Value): number | undefined => {
  const number = atMost(value, 2n ** 31n - 1n)
  return number === undefined ? undefined : Number(number)
}
/** Reads a number for a bigint column; undefined if a JSON number cannot represent the value exactly. */
export const seconds = (value: Value): bigint | undefined => atMost(value, BigInt(Number.MAX_SAFE_INTEGER))

export const cell = (value: Value): Cell | undefined => (value?.type === 'cell' ? value.cell : undefined)
export const cellOrSlice = (value: Value): Cell | undefined => (value?.type === 'cell' || value?.type === 'slice' ? value.cell : undefined)

/** Reads the key (36 bytes) of the address in a slice or cell; null for addr_none. */
export const address = (value: Value): Buffer | null | undefined => {
  if (value?.type === 'null') return null
  const where = cellOrSlice(value)
  return where && attempt(() => (where.exotic ? undefined : loadKey(where.slice())))
}

/** Reads the key of an address that is not addr_none. */
export const someAddress = (value: Value): Buffer | undefined => address(value) ?? undefined

/** Accepts null, for example for a value that is not set yet. */
export const orNull =
  <T>(read: ValueReader<T>): ValueReader<T | null> =>
  (value) =>
    value?.type === 'null' ? null : read(value)

/** Returns whether a get-method of another contract answers with the address of an account. So the other contract confirms what the account claims. */
export const isConfirmed = async (
  { key }: Pick<AccountView, 'key'>,
  by: AccountView | undefined,
  method: string,
  stack: readonly VmStackValue[],
  context: Pick<TopicContext, 'run'>,
): Promise<boolean> => by?.status === 'active' && readAnswer(await context.run(by, method, stack), someAddress)?.[0].equals(key) === true

/** Reads the key of a MsgAddress; null for addr_none and addr_extern. Throws CellError for forms that no account has. */
const loadKey = (s: Slice): Buffer | null => {
  // addr_extern$01: not an account.
  if (s.remainingBits >= 2 && s.preloadUint(2) === 1) {
    s.skip(2)
    s.skip(s.loadUint(9))
    return null
  }
  const found = loadMaybeAddressInt(s)
  if (found === undefined) return null
  if (found.type !== 'std') throw new CellError('range', 'an address that no account has')
  return accountKey(found.workchain, found.hash)
}

export const addressValue = ({ workchain, hash }: AccountId): VmStackValue => ({
  type: 'slice',
  cell: storeAddressInt(beginCell(), { type: 'std', workchain, hash }).end(),
})
export const intValue = (value: bigint): VmStackValue => ({ type: 'int', value })
export const cellValue = (value: Cell): VmStackValue => ({ type: 'cell', cell: value })

export const bocOf = (value: Cell): Uint8Array => serializeBoc(value)
export const maybeBocOf = (value: Cell | undefined): Uint8Array | undefined => value && bocOf(value)
