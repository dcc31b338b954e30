import {
  Address,
  beginCell,
  type Cell,
  comment,
  convertToMerkleProof,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core'
import { describe, expect, it } from 'vitest'
import { messageId } from '../../client/index.ts'
import { parseExact } from '../../client/json.ts'
import { fc } from '../kit/property.ts'

const friend = Address.parseRaw(`0:${'77'.repeat(32)}`)
const cellOf = (text: string, ...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeStringTail(text)).endCell()
const code = cellOf('code')
const data = cellOf('data', cellOf('more'))

describe('messageId', () => {
  /** TEP-467, by @ton/core. */
  const normal = (body: Cell): Cell =>
    beginCell().storeUint(2, 2).storeUint(0, 2).storeAddress(friend).storeCoins(0).storeBit(0).storeBit(1).storeRef(body).endCell()
  const expected = (body: Cell) => ({
    address: friend.toRawString(),
    hash: normal(body).hash().toString('base64'),
    bodyHash: body.hash().toString('base64'),
  })

  it.each([
    ['body in the message', comment('hi')],
    ['an empty body', beginCell().endCell()],
    ['a body too long to be in the message', cellOf('a'.repeat(120), data, code)],
    ['a deep body', Array.from({ length: 300 }).reduce<Cell>((cell) => cellOf('x', cell), data)],
  ])('messageId gives the normalized hash: %s', (_, body) => {
    for (const init of [undefined, { code, data }, { code, data, splitDepth: 3, special: { tick: true, tock: false } }]) {
      const message = beginCell()
        .store(storeMessage(external({ to: friend, init, body })))
        .endCell()
      expect(messageId(message.toBoc().toString('base64'))).toEqual(expected(body))
      expect(messageId(message.toBoc().toString('base64url'))).toEqual(expected(body))
      for (const forceRef of [true, false]) {
        if (!forceRef && (body.bits.length > 300 || init?.special)) continue
        const other = beginCell()
          .store(storeMessage(external({ to: friend, init, body }), { forceRef }))
          .endCell()
        expect(messageId(other.toBoc().toString('base64'))).toEqual(expected(body))
      }
    }
  })

  it('messageId ignores a source, a fee and the workchain of the masterchain', () => {
    const to = Address.parseRaw(`-1:${'00'.repeat(31)}05`)
    const body = comment('x')
    const message = beginCell()
      .storeUint(2, 2)
      .storeUint(1, 2)
      .storeUint(12, 9)
      .storeUint(0xabc, 12)
      .storeAddress(to)
      .storeCoins(12345)
      .storeBit(0)
      .storeBit(1)
      .storeRef(body)
      .endCell()
    expect(messageId(message.toBoc().toString('base64'))).toMatchObject({
      address: to.toRawString(),
      bodyHash: body.hash().toString('base64'),
    })
  })

  it('messageId reads a body with exotic cells, as in a claim of a mintless jetton', () => {
    const body = cellOf('claim', convertToMerkleProof(cellOf('root', cellOf('left', cellOf('leaf')), data)))
    const message = beginCell()
      .store(storeMessage(external({ to: friend, body })))
      .endCell()
    expect(messageId(message.toBoc().toString('base64'))).toEqual(expected(body))
  })

  it('a malformed bag of cells is a TypeError', () => {
    const good = beginCell()
      .store(storeMessage(external({ to: friend, body: cellOf('body', data) })))
      .endCell()
      .toBoc()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(good.length - 1), fc.nat(255), (noise, at, byte) => {
        const bent = Uint8Array.from(good)
        bent[at] = byte
        for (const bytes of [noise, bent, good.subarray(0, at), Uint8Array.from([...good.subarray(0, 4), ...noise])])
          try {
            messageId(Buffer.from(bytes).toString('base64'))
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError)
          }
      }),
      { numRuns: 3000 },
    )
  })

  it('messageId refuses anything but an external message', () => {
    const inner = beginCell()
      .store(storeMessageRelaxed(internal({ to: friend, value: 1n })))
      .endCell()
    for (const boc of [
      '',
      'x',
      '!!!',
      data.toBoc().toString('base64'),
      inner.toBoc().toString('base64'),
      beginCell().storeUint(2, 2).endCell().toBoc().toString('base64'),
    ])
      expect(() => messageId(boc)).toThrow(TypeError)
  })
})

describe('parseExact', () => {
  it('parseExact makes bigints of integers beyond 2^53 and of nothing else', () => {
    const text =
      '{"a":9007199254740993,"b":-9223372036854775808,"c":9007199254740991,"d":1e30,"e":12345678901234567.5,"f":"9007199254740993","g":[18446744073709551615],"h":1234567890123456e3,"i":"a\\"9007199254740993"}'
    expect(parseExact(text)).toEqual({
      ...JSON.parse(text),
      a: 9007199254740993n,
      b: -(2n ** 63n),
      g: [18446744073709551615n],
    })
  })
  it('parseExact gives what JSON.parse gives, except for large integers', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const value = JSON.parse(text)
        const rounded = JSON.parse(JSON.stringify(parseExact(text), (_, v) => (typeof v === 'bigint' ? Number(v) : v)))
        expect(rounded).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 2000 },
    )
  })
  it('any integer survives a round trip through parseExact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.string(), (n, text) => {
        const got = parseExact(`{"n":${n},${JSON.stringify(text)}:[${n},${JSON.stringify(text)}]}`) as { n: unknown }
        if (text !== 'n') expect(BigInt(got.n as bigint)).toBe(n)
      }),
    )
  })
  it('parseExact refuses malformed JSON, and long strings take no time', () => {
    for (const bad of ['', '{"a":12345678901234567890', '[01234567890123456]', '12345678901234567 1', '{12345678901234567890:1}'])
      expect(() => parseExact(bad)).toThrow(SyntaxError)
    const long = JSON.stringify({ a: 'x"\\'.repeat(1_000_000), b: 1 }).replace('1}', '12345678901234567890}')
    expect((parseExact(long) as { b: bigint }).b).toBe(12345678901234567890n)
  })
})
