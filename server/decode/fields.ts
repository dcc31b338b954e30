import { Cell } from '../cell/cell.ts'
import type { ExternAddress, MsgAddressInt, StdAddress } from '../tlb/address.ts'
import type { Decoded, Value } from './values.ts'

/*
 * Typed access to the fields of a decoded body, by the types of the catalogue. A field that the constructor does not have, or has with another type,
 * is an error of the caller: these functions throw Error.
 */

const mistaken = (decoded: Decoded, name: string, type: string): never => {
  throw new Error(`${decoded.name || 'record'}: the field "${name}" is no ${type}`)
}

const fieldOf = (decoded: Decoded, name: string): Value | undefined => decoded.fields[name]

/** A number or an amount. */
export const int = (decoded: Decoded, name: string): bigint => {
  const value = fieldOf(decoded, name)
  return typeof value === 'bigint' ? value : mistaken(decoded, name, 'number')
}

/** A Bool. */
export const flag = (decoded: Decoded, name: string): boolean => {
  const value = fieldOf(decoded, name)
  return typeof value === 'boolean' ? value : mistaken(decoded, name, 'Bool')
}

/** Text. */
export const text = (decoded: Decoded, name: string): string => {
  const value = fieldOf(decoded, name)
  return typeof value === 'string' ? value : mistaken(decoded, name, 'text')
}

/** An address; null for addr_none and for an absent (Maybe MsgAddress). */
export const addressOf = (decoded: Decoded, name: string): MsgAddressInt | ExternAddress | null => {
  const value = fieldOf(decoded, name)
  if (value === null) return null
  const type = typeof value === 'object' && 'type' in value ? value.type : undefined
  return type === 'std' || type === 'var' || type === 'extern'
    ? (value as MsgAddressInt | ExternAddress)
    : mistaken(decoded, name, 'address')
}

/** The account of an address; null if there is none (addr_none, an external address, one with anycast). */
export const accountOf = (decoded: Decoded, name: string): StdAddress | null => {
  const value = addressOf(decoded, name)
  return value?.type === 'std' ? value : null
}

/** A payload; null for an absent (Maybe ^Cell). */
export const cellOf = (decoded: Decoded, name: string): Cell | null => {
  const value = fieldOf(decoded, name)
  return value === null || value instanceof Cell ? value : mistaken(decoded, name, 'cell')
}

/** A nested record; null if it is absent. */
export const recordOf = (decoded: Decoded, name: string): Decoded | null => {
  const value = fieldOf(decoded, name)
  if (value === null) return null
  return typeof value === 'object' && 'fields' in value ? value : mistaken(decoded, name, 'record')
}
