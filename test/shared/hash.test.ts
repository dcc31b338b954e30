import { describe, expect, it, vi } from 'vitest'
import { parseAddress } from '../../shared/fields/address.ts'
import { decodeBase64, decodeBase64Any, encodeBase64, encodeBase64Url } from '../../shared/fields/base64.ts'
import { parseHash } from '../../shared/fields/hash.ts'
import { decodeHex, encodeHex } from '../../shared/fields/hex.ts'
import { fc } from '../kit/property.ts'

const B64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
const B64URL = 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM'
const HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('hashes: vectors of v2.md 2.5', () => {
  it.each([
    ['base64', B64],
    ['base64url', B64URL],
    ['base64url, padded', `${B64URL}=`],
    ['base64 whose plus became a space', B64.replace('+', ' ')],
    ['hex', HEX],
    ['hex, upper case', HEX.toUpperCase()],
  ])('a hash is read in the form %s', (_, text) => {
    expect(encodeHex(parseHash(text)!)).toBe(HEX)
  })

  it.each([
    ['nothing', ''],
    ['words', 'not a hash'],
    ['base64 without padding', B64.slice(0, 43)],
    ['44 characters without padding', `${B64.slice(0, 43)}A`],
    ['both alphabets', `${B64URL.slice(0, 42)}+=`],
    ['31 bytes', encodeBase64(new Uint8Array(31))],
    ['33 bytes', encodeBase64(new Uint8Array(33))],
    ['63 digits', HEX.slice(1)],
    ['65 digits', `${HEX}0`],
    ['0x', `0x${HEX.slice(2)}`],
    ['a foreign digit', `${HEX.slice(1)}g`],
    ['two paddings', `${B64.slice(0, 42)}==`],
    ['a newline', `${B64.slice(0, 43)}\n`],
  ])('the hash %s is refused', (_, text) => {
    expect(parseHash(text)).toBeUndefined()
  })
})

it('a megabyte of spaces is no hash and no address by its length: no space of it is replaced', () => {
  const replaceAll = vi.spyOn(String.prototype, 'replaceAll')
  const spaces = ' '.repeat(1 << 20)
  const parsed = [parseHash(spaces), parseAddress(spaces)]
  const replaced = replaceAll.mock.contexts.filter((text) => String(text) === spaces).length
  replaceAll.mockRestore()
  expect([parsed, replaced]).toEqual([[undefined, undefined], 0])
})

describe('hashes: properties', () => {
  it('every form of every hash survives a round trip', () => {
    fc.assert(
      fc.property(hash, (bytes) => {
        const node = Buffer.from(bytes)
        for (const text of [node.toString('base64'), node.toString('base64url'), node.toString('hex')])
          expect(parseHash(text)).toEqual(bytes)
      }),
    )
  })
  it('a hash that is read has 32 bytes', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 40, maxLength: 66 }), (text) => {
        expect(parseHash(text)?.length ?? 32).toBe(32)
      }),
    )
  })
})

describe('base64 and hex', () => {
  it('base64 and hex agree with node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const node = Buffer.from(bytes)
        expect(encodeBase64(bytes)).toBe(node.toString('base64'))
        expect(encodeBase64Url(bytes)).toBe(node.toString('base64url'))
        expect(encodeHex(bytes)).toBe(node.toString('hex'))
        expect(decodeBase64(node.toString('base64'))).toEqual(bytes)
        expect(decodeBase64Any(node.toString('base64url'))).toEqual(bytes)
        expect(decodeHex(node.toString('hex'))).toEqual(bytes)
      }),
    )
  })
  it.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    'A===',
    '====',
    'AA-_',
    'AA==AA==',
    'AAAA ',
    ' AAAA',
    'AA\n=',
    'é===',
  ])('bytes are refused as %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })
  it('the empty text is no bytes', () => {
    expect(decodeBase64('')).toEqual(new Uint8Array(0))
  })
})
