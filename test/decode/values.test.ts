import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { accountOf, addressOf, cellOf, int, recordOf, text } from '../../server/decode/fields.ts'
import { decodeBody } from '../../server/protocols/index.ts'
import { stdAddress, storeAddressInt } from '../../server/tlb/address.ts'

const someone = stdAddress(0, new Uint8Array(32).fill(7))
const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from('hi')).end()

const transfer = (payload: (b: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>) => {
  const b = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(500n)
  storeAddressInt(b, someone)
  storeAddressInt(b, undefined)
  return payload(b.storeMaybeRef(undefined).storeCoins(1n)).end()
}

describe('values of a decoded body', () => {
  it('a jetton transfer has its numbers, addresses and payload', () => {
    const decoded = decodeBody(transfer((b) => b.storeBit(1).storeRef(comment)))!
    expect(decoded.name).toBe('jetton_transfer')
    expect(decoded.opcode).toBe(0x0f8a7ea5)
    expect(Object.keys(decoded.fields)).toEqual([
      'query_id',
      'amount',
      'destination',
      'response_destination',
      'custom_payload',
      'forward_ton_amount',
      'forward_payload',
    ])
    expect(int(decoded, 'query_id')).toBe(7n)
    expect(int(decoded, 'amount')).toBe(500n)
    expect(accountOf(decoded, 'destination')).toEqual(someone)
    expect(addressOf(decoded, 'response_destination')).toBeNull()
    expect(cellOf(decoded, 'custom_payload')).toBeNull()
    const payload = cellOf(decoded, 'forward_payload')!
    expect(text(decodeBody(payload, 'forward')!, 'text')).toBe('hi')
  })

  it('a payload inline is a cell of what is left', () => {
    const inline = decodeBody(transfer((b) => b.storeBit(0).storeSlice(comment.slice())))!
    expect(cellOf(inline, 'forward_payload')!.equals(comment)).toBe(true)
    expect(cellOf(decodeBody(transfer((b) => b.storeBit(0)))!, 'forward_payload')).toBe(EMPTY_CELL)
  })

  it('asking for a field that is not there or of another type is an error of the code that asks', () => {
    const decoded = decodeBody(transfer((b) => b.storeBit(0)))!
    expect(() => int(decoded, 'price')).toThrow('jetton_transfer: the field "price" is no number')
    expect(() => recordOf(decoded, 'amount')).toThrow('the field "amount" is no record')
  })

  it('a body that the catalogue does not know, or that ends too early, is null', () => {
    expect(decodeBody(EMPTY_CELL)).toBeNull()
    expect(decodeBody(beginCell().storeUint(0x12345678, 32).end())).toBeNull()
    expect(decodeBody(beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).end())).toBeNull()
  })
})
