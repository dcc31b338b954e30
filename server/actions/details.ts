import type { Action, TypeColumns, Value } from './action.ts'
import { CALL, TRANSFER } from './step.ts'

/* Action types and their details in answers, in the format of TON Center's v3 (https://github.com/toncenter/ton-indexer, commit eb9fbfa). */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export interface ShowOptions {
  readonly isTestnet: boolean
}

/** The stored columns that the details are made from. */
export type Shown = Pick<Action, keyof TypeColumns | 'type'>

type Column = Exclude<keyof TypeColumns, 'extraCurrencies' | 'data'>

/** Returns the value of the field `name`; undefined leaves the field out. */
type Write = (action: Shown, options: ShowOptions, name: string) => Json | undefined

/** What a field shows: a column, or the result of a function. Numbers become text. */
export type Field = Column | Write

/** Fields by name, in the order in which answers show them. */
export interface Fields {
  readonly [name: string]: Field
}

const plain = (value: Value | undefined): Json => {
  if (value === undefined) return null
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value as string | boolean | null
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const writeOf = (field: Field): Write => (typeof field === 'string' ? (action) => plain(action[field]) : field)

/** Shows the value of `data` that has the field's name. */
export const datum: Write = (action, _options, name) => plain(action.data[name])

/** Fields that show the values of `data` with these names. */
export const data = (...names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, datum]))

/** Shows the value of `data` with this name, which differs from the field's name. */
export const datumOf =
  (name: string): Write =>
  (action) =>
    plain(action.data[name])

/** A field that is left out if its value is null. */
export const unlessNull = (field: Field): Write => {
  const write = writeOf(field)
  return (...shown) => write(...shown) ?? undefined
}

/** A JSON number, or its digits as text if JSON would round it. */
export const jsonNumber = (field: Field): Write => {
  const write = writeOf(field)
  return (...shown) => {
    const json = write(...shown) ?? null
    if (json === null) return null
    const whole = BigInt(json as string)
    return whole >= -MAX_SAFE && whole <= MAX_SAFE ? Number(whole) : json
  }
}

/** A field whose value is computed from the action. */
export const computed =
  (read: (action: Shown, options: ShowOptions) => Value | undefined): Write =>
  (action, options) =>
    plain(read(action, options))

export const object = (fields: Fields): Write => {
  const writes = Object.entries(fields).map(([name, field]) => [name, writeOf(field)] as const)
  return (action, options) => {
    const shown: { [name: string]: Json } = {}
    for (const [name, write] of writes) {
      const json = write(action, options, name)
      if (json !== undefined) shown[name] = json
    }
    return shown
  }
}

export interface ActionType {
  /**
   * The first version of `supported_action_types` that contains the type; undefined for a type that only shortcuts select. All clients support the types of
   * version 1, so the parts of such an action are never shown and not listed.
   */
  readonly since?: 1 | 2 | 3 | 4 | 5
  /** Names in `supported_action_types` that select this type together with others. */
  readonly shortcuts?: readonly string[]
  readonly details?: Fields
}

export interface ActionTypes {
  readonly [type: string]: ActionType
}

export type ShowDetails = (action: Shown, options: ShowOptions) => { readonly [name: string]: Json } | undefined

export const createDetails = (types: ActionTypes): ShowDetails => {
  const writes = new Map(Object.entries(types).flatMap(([type, { details }]) => (details === undefined ? [] : [[type, object(details)]])))
  return (action, options) => writes.get(action.type)?.(action, options, '') as ReturnType<ShowDetails>
}

/** The action's type in answers. A message that carries extra currencies has its own type there. */
export const shownType = ({ type, extraCurrencies }: Shown): string =>
  (type === CALL || type === TRANSFER) && extraCurrencies !== undefined && extraCurrencies.size > 0 ? 'extra_currency_transfer' : type
