import { type Builder, beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { stdAddress, storeAddressInt } from '../../server/tlb/address.ts'

/* Bodies made by hand, and how their parts are shown. */

/** A constructor's name, a body of it, and the fields that answers show. */
export type Body = readonly [name: string, body: Cell, fields: Record<string, unknown>]

export const HEX = '11'.repeat(32)
const someone = stdAddress(
  0,
  Uint8Array.from({ length: 32 }, () => 0x11),
)
export const someoneShown = { '@type': 'addr_std', anycast: { '@type': 'nothing_from_maybe' }, workchain_id: '0', address: HEX }
export const nothing = { '@type': 'nothing_from_maybe' }
export const coins = (value: number) => ({ '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '1', value: `${value}` } })
export const vu16 = (value: number) => ({ '@type': 'var_uint', len: '1', value: `${value}` })
export const note = beginCell().storeUint(0, 32).storeBytes(Buffer.from('a')).end()
export const noteShown = { '@type': 'text_comment', text: 'a' }

export const body = (opcode: number, ...parts: ((b: Builder) => unknown)[]): Cell => {
  const b = beginCell().storeUint(opcode, 32)
  for (const part of parts) part(b)
  return b.end()
}
export const query = (b: Builder) => b.storeUint(5, 64)
export const address = (b: Builder) => storeAddressInt(b, someone)
export const amounts =
  (...values: number[]) =>
  (b: Builder) => {
    for (const value of values) b.storeCoins(BigInt(value))
  }
export const ref = (cell: Cell) => (b: Builder) => b.storeRef(cell)
export const uint = (value: number | bigint, bits: number) => (b: Builder) => b.storeUint(value, bits)
export const cell = (...parts: ((b: Builder) => unknown)[]): Cell => {
  const b = beginCell()
  for (const part of parts) part(b)
  return b.end()
}
