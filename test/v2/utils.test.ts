import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { utilHandlers } from '../../server/v2/utils.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { parseHash } from '../../shared/fields/hash.ts'

/* Vectors of the reference's own tests (v2.md 2.5). */

const utils = utilHandlers()
const call = {} as Call
const address = (text: string) => ({ address: parseAddress(text)! })

const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const EQ = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const UQ = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'

describe('address utilities', () => {
  it.each([
    [RAW, 'raw_form'],
    [RAW.toLowerCase(), 'raw_form'],
    [EQ, 'friendly_bounceable'],
    [UQ, 'friendly_non_bounceable'],
  ])('detectAddress reads %s', async (text, given_type) => {
    expect(await utils.detectAddress(address(text), call)).toEqual({
      '@type': 'ext.utils.detectedAddress',
      raw_form: RAW.toLowerCase(),
      bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: EQ, b64url: EQ },
      non_bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: UQ, b64url: UQ },
      given_type,
      test_only: false,
    })
  })

  it('detectAddress keeps the test-only flag and shows both alphabets', async () => {
    // A hash whose base64 has both characters in which the alphabets differ.
    const raw = `-1:${'fb'.repeat(31)}ff`
    const kf = await utils.packAddress({ address: { ...parseAddress(raw)!, testOnly: true } }, call)
    expect(kf).toMatch(/^kf/)
    const detected = await utils.detectAddress(address(kf), call)
    expect(detected.test_only).toBe(true)
    expect(detected.bounceable.b64url).toBe(kf)
    expect(detected.bounceable.b64).toBe(kf.replaceAll('-', '+').replaceAll('_', '/'))
    expect(detected.bounceable.b64).not.toBe(kf)
    expect(detected.non_bounceable.b64url).toMatch(/^0f/)
    expect(detected.raw_form).toBe(raw)
  })

  it('packAddress makes a raw address bounceable and keeps the flags of a friendly one', async () => {
    expect(await utils.packAddress(address(RAW), call)).toBe(EQ)
    expect(await utils.packAddress(address(UQ), call)).toBe(UQ)
    expect(await utils.packAddress(address(EQ), call)).toBe(EQ)
  })

  it('unpackAddress is the raw form in upper case', async () => {
    for (const text of [RAW, RAW.toLowerCase(), EQ, UQ]) expect(await utils.unpackAddress(address(text), call)).toBe(RAW)
  })
})

describe('detectHash', () => {
  const expected = {
    '@type': 'ext.utils.detectedHash',
    b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
    b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
    hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
  }
  it.each([
    expected.b64,
    expected.b64url,
    `${expected.b64url}=`,
    expected.hex,
    expected.hex.toUpperCase(),
  ])('detectHash reads %s', async (text) => {
    expect(await utils.detectHash({ hash: parseHash(text)! }, call)).toEqual(expected)
  })
})
