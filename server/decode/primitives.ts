import { EMPTY_CELL } from '../cell/cell.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { type ExternAddress, loadAddressExt, loadAddressInt, type MsgAddressInt } from '../tlb/address.ts'
import { loadRawAddress, loadRawAddressInt } from '../tlb/raw-address.ts'
import { type Bits, type Budget, enter, type Json, type Shape, spend } from './shape.ts'

/** Formats a bit string as TON does: upper-case hex. If the length is not a multiple of four, a completion bit and `_` follow. */
export const bitsHex = ({ bits, data }: Bits): string => {
  const hex = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex').toUpperCase()
  const rest = bits & 3
  if (rest === 0) return hex.slice(0, bits >> 2)
  const digits = hex.slice(0, (bits >> 2) + 1)
  const last = Number.parseInt(digits.at(-1)!, 16) | (8 >> rest)
  return `${digits.slice(0, -1)}${last.toString(16).toUpperCase()}_`
}

const numberLoader = (signed: boolean, bits: number): ((s: Slice) => number | bigint) => {
  if (bits <= 53) return signed ? (s) => s.loadInt(bits) : (s) => s.loadUint(bits)
  return signed ? (s) => s.loadIntBig(bits) : (s) => s.loadUintBig(bits)
}

/** A number of up to 257 bits. Answers show it as a string, whatever its width. */
export const number = (signed: boolean, bits: number): Shape => {
  const load = numberLoader(signed, bits)
  return { load, print: (s) => load(s).toString() }
}

export const bounded = (bits: number, least: bigint, most: bigint): Shape => {
  const read = numberLoader(false, bits)
  const load = (s: Slice): number | bigint => {
    const value = read(s)
    if (value < least || value > most) throw new CellError('range', `the number ${value} is not between ${least} and ${most}`)
    return value
  }
  return { load, print: (s) => load(s).toString() }
}

export const bitString = (bits: number): Shape => ({
  load: (s) => ({ bits, data: s.loadBits(bits) }),
  print: (s) => bitsHex({ bits, data: s.loadBits(bits) }),
})

export const bool: Shape = { load: (s) => s.loadBit(), print: (s) => s.loadBit() }

export const varUint = (lenBits: number): Shape => ({
  load: (s) => s.loadVarUint(lenBits),
  print: (s) => {
    const len = s.preloadUint(lenBits)
    return { '@type': 'var_uint', len: `${len}`, value: s.loadVarUint(lenBits).toString() }
  },
})

const amount = varUint(4)
const amountAs = (name: string): Shape => ({
  ...amount,
  print: (s, run) => ({ '@type': name, amount: amount.print(s, run) }),
})
export const grams = amountAs('nanograms')
export const coins = amountAs('nanocoins')

const NOTHING: Json = { '@type': 'nothing_from_maybe' }
const NONE: Json = { '@type': 'addr_none' }

const showAnycast = (address: MsgAddressInt): Json => {
  if (address.type === 'std' || address.anycast === undefined) return NOTHING
  const { depth, prefix } = address.anycast
  const anycast = { '@type': 'anycast_info', depth: `${depth}`, rewrite_pfx: bitsHex({ bits: depth, data: prefix }) }
  return { '@type': 'something_from_maybe', value: anycast }
}

const showInt = (address: MsgAddressInt): Json => {
  const workchain_id = `${address.workchain}`
  if (address.type === 'std') {
    return { '@type': 'addr_std', anycast: NOTHING, workchain_id, address: bitsHex({ bits: 256, data: address.hash }) }
  }
  const anycast = showAnycast(address)
  if (address.std) return { '@type': 'addr_std', anycast, workchain_id, address: bitsHex(address) }
  return { '@type': 'addr_var', anycast, addr_len: `${address.bits}`, workchain_id, address: bitsHex(address) }
}

const showExt = (address: ExternAddress): Json => ({
  '@type': 'addr_external',
  len: `${address.bits}`,
  external_address: bitsHex(address),
})

/** MsgAddress: any of its four forms. */
export const address: Shape = {
  load: loadRawAddress,
  print: (s, run) => (s.preloadUint(2) < 2 ? addressExt : addressInt).print(s, run),
}
export const addressInt: Shape = {
  load: loadRawAddressInt,
  print: (s) => showInt(loadAddressInt(s)),
}
export const addressExt: Shape = {
  load: (s) => {
    loadAddressExt(s)
    return null
  },
  print: (s) => {
    const value = loadAddressExt(s)
    return value === undefined ? NONE : showExt(value)
  },
}

export const rest: Shape = {
  load: (s) => (s.remainingBits === 0 && s.remainingRefs === 0 ? EMPTY_CELL : takeRest(s).asCell()),
  print: (s, run) => run.show(takeRest(s).asCell(), run),
}

const takeRest = (s: Slice): Slice => {
  const left = s.clone()
  s.skip(s.remainingBits).skipRefs(s.remainingRefs)
  return left
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads UTF-8 text from a chain of cells, each with at most one reference. If the bits of a cell are not whole bytes, zero bits complete the last byte. */
const loadSnake = (s: Slice, run: Budget): string => {
  const parts: Uint8Array[] = []
  for (let cell = s; ; cell = enter(cell.loadRef(), run)) {
    if (cell.remainingRefs > 1) throw new CellError('range', 'text in a cell of several references')
    if (cell.remainingBits > 0) parts.push(cell.loadBits(cell.remainingBits))
    if (cell.remainingRefs === 0) break
  }
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  spend(run, bytes.length)
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new CellError('range', 'text that is not UTF-8')
  }
}

export const snake: Shape = {
  load: loadSnake,
  print: loadSnake,
}
