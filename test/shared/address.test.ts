import { Address } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { fitsFriendly, formatFriendly, formatRaw, parseAddress, parseFriendly, parseRaw } from '../../shared/fields/address.ts'
import { encodeHex } from '../../shared/fields/hex.ts'
import { fc } from '../kit/property.ts'

const HEX = '83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const RAW = `0:${HEX}`
const EQ = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const UQ = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'

const id = fc.uint8Array({ minLength: 32, maxLength: 32 })
const flags = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() })

describe('addresses: golden vectors of v2.md 2.5', () => {
  it('all three forms of an address are read and written', () => {
    const raw = parseAddress(RAW)!
    expect(raw).toMatchObject({ workchain: 0, form: 'raw', bounceable: true, testOnly: false })
    expect(formatRaw(raw, 'upper')).toBe(RAW)
    expect(formatRaw(raw, 'lower')).toBe(`0:${HEX.toLowerCase()}`)
    expect(formatFriendly(raw)).toBe(EQ)
    expect(formatFriendly(raw, { bounceable: false })).toBe(UQ)
    expect(parseAddress(EQ)).toEqual({ ...raw, form: 'friendly' })
    expect(parseAddress(UQ)).toEqual({ ...raw, form: 'friendly', bounceable: false })
  })

  it('the standard alphabet is read, and a space where a query string lost the plus', () => {
    const odd = { workchain: 0, hash: new Uint8Array(32).fill(0xfb) }
    const standard = formatFriendly(odd, { urlSafe: false })
    expect(standard).toMatch(/\+/)
    expect(parseAddress(standard)?.hash).toEqual(odd.hash)
    expect(parseAddress(standard.replaceAll('+', ' '))?.hash).toEqual(odd.hash)
  })
})

describe('addresses: what is refused', () => {
  it.each([
    ['nothing', ''],
    ['bare hex', HEX],
    ['63 digits', `0:${HEX.slice(1)}`],
    ['65 digits', `0:${HEX}0`],
    ['a foreign digit', `0:${HEX.slice(1)}g`],
    ['no workchain', `:${HEX}`],
    ['a workchain over 10 characters', `-1234567890:${HEX}`],
    ['a workchain beyond int8', `128:${HEX}`],
    ['a workchain below int8', `-129:${HEX}`],
    ['a workchain beyond int32', `2147483648:${HEX}`],
    ['a plus', `+1:${HEX}`],
    ['a fraction', `0.0:${HEX}`],
    ['spaces about', ` ${RAW} `],
    ['a wrong CRC', `${EQ.slice(0, -1)}M`],
    ['a foreign tag', tagged(0x12)],
    ['47 characters', EQ.slice(1)],
    ['49 characters', `${EQ}A`],
    ['padding', `${EQ.slice(0, 47)}=`],
    ['a foreign character', `${EQ.slice(0, 47)}!`],
    ['a character beyond ASCII', `${EQ.slice(0, 47)}é`],
    ['a full-width digit', `0:${HEX.slice(1)}１`],
  ])('an address is refused: %s', (_, text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  it('a friendly form for a workchain beyond int8 is refused', () => {
    const far = { workchain: 128, hash: parseRaw(RAW)!.hash }
    expect(fitsFriendly(far)).toBe(false)
    expect(() => formatFriendly(far)).toThrow(RangeError)
    expect(fitsFriendly(parseRaw(`-128:${HEX}`)!)).toBe(true)
  })
})

describe('addresses: properties', () => {
  it('every form of an address agrees with @ton/core', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: -128, max: 127 }), flags, (hash, workchain, form) => {
        const theirs = new Address(workchain, Buffer.from(hash))
        const text = formatFriendly({ workchain, hash }, form)
        expect(text).toBe(theirs.toString(form))
        expect(parseFriendly(text)).toEqual({
          workchain,
          hash,
          form: 'friendly',
          bounceable: form.bounceable,
          testOnly: form.testOnly,
        })
        expect(formatRaw({ workchain, hash }, 'lower')).toBe(theirs.toRawString())
      }),
    )
  })

  it('a raw address is read in either case', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: -128, max: 127 }), fc.boolean(), (hash, workchain, upper) => {
        const text = formatRaw({ workchain, hash }, upper ? 'upper' : 'lower')
        expect(parseAddress(text)).toEqual({ workchain, hash, form: 'raw', bounceable: true, testOnly: false })
      }),
    )
  })

  it('one changed character is never another address', () => {
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    fc.assert(
      fc.property(id, fc.nat(47), fc.constantFrom(...alphabet), (hash, at, char) => {
        const text = formatFriendly({ workchain: 0, hash })
        fc.pre(text[at] !== char)
        expect(parseFriendly(text.slice(0, at) + char + text.slice(at + 1))).toBeUndefined()
      }),
    )
  })

  it('garbage is refused without a throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(parseAddress(text)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.base64String({ minLength: 48, maxLength: 48 }), (text) => {
        expect(parseAddress(text)).toBeUndefined()
      }),
    )
  })
})

/** A friendly address with a right CRC under another tag. */
function tagged(tag: number): string {
  const bytes = Buffer.from(EQ, 'base64url')
  bytes[0] = tag
  let crc = 0
  for (const byte of bytes.subarray(0, 34)) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  bytes.writeUInt16BE(crc, 34)
  expect(encodeHex(bytes.subarray(2, 34)).toUpperCase()).toBe(HEX)
  return bytes.toString('base64url')
}
