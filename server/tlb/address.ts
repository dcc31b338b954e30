import type { Builder } from '../cell/builder.ts'
import { CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { badTag } from './common.ts'
import type { AccountId } from './ids.ts'

/*
 * https://github.com/ton-blockchain/ton/blob/ca7d6e45/crypto/block/block.tlb
 * addr_none$00 = MsgAddressExt;
 * addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
 * anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
 * addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
 * addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
 */

/** addr_std$10 with anycast:nothing. Accounts have no other form today. */
export interface StdAddress {
  readonly type: 'std'
  readonly workchain: number
  /** 32 bytes. */
  readonly hash: Uint8Array
}
/** addr_extern$01. `data` is left-aligned, and its last byte is padded with zero bits. */
export interface ExternAddress {
  readonly type: 'extern'
  readonly bits: number
  readonly data: Uint8Array
}
/** addr_var$11, or addr_std$10 with anycast (then `std` is true). Such addresses are read and stored unchanged, but never made here. */
export interface VarAddress {
  readonly type: 'var'
  readonly workchain: number
  readonly bits: number
  readonly data: Uint8Array
  readonly anycast?: { readonly depth: number; readonly prefix: Uint8Array } | undefined
  readonly std?: boolean | undefined
}
export type MsgAddressInt = StdAddress | VarAddress
export type MsgAddressExt = ExternAddress | undefined

export const stdAddress = (workchain: number, hash: Uint8Array): StdAddress => ({ type: 'std', workchain, hash })

const loadAnycast = (s: Slice): NonNullable<VarAddress['anycast']> => {
  const depth = s.loadUint(5)
  if (depth < 1 || depth > 30) throw new CellError('range', `anycast depth ${depth} is not 1 to 30`)
  return { depth, prefix: s.loadBits(depth) }
}

const loadVar = (s: Slice): VarAddress => {
  const anycast = s.loadBit() ? loadAnycast(s) : undefined
  const bits = s.loadUint(9)
  const workchain = s.loadInt(32)
  return { type: 'var', workchain, bits, data: s.loadBits(bits), anycast }
}

const loadStd = (s: Slice): MsgAddressInt => {
  if (!s.loadBit()) {
    const workchain = s.loadInt(8)
    return { type: 'std', workchain, hash: s.loadBytes(32) }
  }
  const anycast = loadAnycast(s)
  const workchain = s.loadInt(8)
  return { type: 'var', workchain, bits: 256, data: s.loadBytes(32), anycast, std: true }
}

export const loadAddressInt = (s: Slice): MsgAddressInt => {
  const tag = s.loadUint(2)
  if (tag === 2) return loadStd(s)
  if (tag === 3) return loadVar(s)
  throw badTag('MsgAddressInt', tag)
}

/** Reads a MsgAddressInt; undefined for addr_none$00, which is the source of a message that was not sent yet. */
export const loadMaybeAddressInt = (s: Slice): MsgAddressInt | undefined => {
  if (s.preloadUint(2) !== 0) return loadAddressInt(s)
  s.skip(2)
  return undefined
}

export const loadAddressExt = (s: Slice): MsgAddressExt => {
  const tag = s.loadUint(2)
  if (tag === 0) return undefined
  if (tag !== 1) throw badTag('MsgAddressExt', tag)
  const bits = s.loadUint(9)
  return { type: 'extern', bits, data: s.loadBits(bits) }
}

export const storeAddressInt = (b: Builder, address: MsgAddressInt | undefined): Builder => {
  if (address === undefined) return b.storeUint(0, 2)
  if (address.type === 'std') {
    if (address.hash.length !== 32) throw new CellError('range', `an account id has 32 bytes, not ${address.hash.length}`)
    return b.storeUint(4, 3).storeInt(address.workchain, 8).storeBytes(address.hash)
  }
  b.storeUint(address.std ? 2 : 3, 2)
  if (address.anycast === undefined) b.storeBit(0)
  else b.storeBit(1).storeUint(address.anycast.depth, 5).storeBits(address.anycast.prefix, address.anycast.depth)
  if (address.std) return b.storeInt(address.workchain, 8).storeBits(address.data, 256)
  return b.storeUint(address.bits, 9).storeInt(address.workchain, 32).storeBits(address.data, address.bits)
}

export const storeAddressExt = (b: Builder, address: MsgAddressExt): Builder =>
  address === undefined ? b.storeUint(0, 2) : b.storeUint(1, 2).storeUint(address.bits, 9).storeBits(address.data, address.bits)

/** The account id (32 bytes) of an address, with an anycast prefix in place of its first bits. Undefined if the address is not 256 bits long. */
export const accountIdOf = (address: MsgAddressInt): Uint8Array | undefined => {
  if (address.type === 'std') return address.hash
  if (address.bits !== 256) return undefined
  const id = address.data.slice()
  const { depth, prefix } = address.anycast ?? { depth: 0, prefix: id }
  for (let i = 0; i < depth; i++) {
    const mask = 0x80 >> (i & 7)
    const byte = i >> 3
    id[byte] = (id[byte]! & ~mask) | (prefix[byte]! & mask)
  }
  return id
}

export const accountOf = (address: StdAddress | { readonly type: 'var' } | undefined): AccountId | undefined =>
  address?.type === 'std' ? address : undefined
