import type { Action, Value } from './action.ts'
import { CALL, TRANSFER } from './step.ts'

/* The types and details of actions in answers, as TON Center's v3 has them (https://github.com/toncenter/ton-indexer, commit eb9fbfa). */

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What the details depend on, apart from the action. */
export interface ShowOptions {
  readonly isTestnet: boolean
}

/** A column that a field can show as it is. */
type Column =
  | 'source'
  | 'sourceSecondary'
  | 'destination'
  | 'destinationSecondary'
  | 'asset'
  | 'assetSecondary'
  | 'asset2'
  | 'asset2Secondary'
  | 'opcode'
  | 'value'
  | 'amount'

/** The stored columns that the details are made from. */
export type Shown = Pick<Action, Column | 'type' | 'extraCurrencies' | 'data'>

/** Writes the field `name`; undefined if it is left out. */
type Write = (action: Shown, options: ShowOptions, name: string) => Json | undefined

/** How a field is written: a column, or a function that is made with those below. Numbers are shown as text. */
export type Field = Column | Write

/** Fields by their names, in the order of answers. */
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

/** The value in `data` that has the name of the field. */
export const datum: Write = (action, _options, name) => plain(action.data[name])

/** Several such fields. */
export const data = (...names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, datum]))

/** The value in `data` that has another name. */
export const datumOf =
  (name: string): Write =>
  (action) =>
    plain(action.data[name])

/** A field that is left out if it is null. */
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

/** A value that is derived from the action. */
export const computed =
  (read: (action: Shown, options: ShowOptions) => Value | undefined): Write =>
  (action, options) =>
    plain(read(action, options))

/** Fields within an object. */
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

/** What answers say of one type of action. */
export interface ActionType {
  /**
   * The first version of `supported_action_types` that has the type; undefined for a type that only shortcuts name. Every client knows the types of
   * version 1 and never sees the parts of such an action, so these parts are not listed.
   */
  readonly since?: 1 | 2 | 3 | 4 | 5
  /** Other names in `supported_action_types` that stand for this type among others. */
  readonly shortcuts?: readonly string[]
  /** The details; undefined for a type without details. */
  readonly details?: Fields
}

/** Types by their names. */
export interface ActionTypes {
  readonly [type: string]: ActionType
}

/** The details of an action with the field names of answers; undefined for types without details. */
export type ShowDetails = (action: Shown, options: ShowOptions) => { readonly [name: string]: Json } | undefined

/** Shows actions of these types. */
export const createDetails = (types: ActionTypes): ShowDetails => {
  const writes = new Map(Object.entries(types).flatMap(([type, { details }]) => (details === undefined ? [] : [[type, object(details)]])))
  return (action, options) => writes.get(action.type)?.(action, options, '') as ReturnType<ShowDetails>
}

/** The type in answers. A transfer of extra currencies has a type of its own there. */
export const shownType = ({ type, extraCurrencies }: Shown): string =>
  (type === CALL || type === TRANSFER) && extraCurrencies !== undefined && extraCurrencies.size > 0 ? 'extra_currency_transfer' : type
