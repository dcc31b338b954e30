import { createHash } from 'node:crypto'
import { type Builder, beginCell, Cell, Dictionary } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { readContent } from '../../server/tlb/contracts/token-content.ts'
import { own } from './cells.ts'

/* TEP-64 content written with @ton/core. */

const sha256 = (name: string): bigint => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)

/** Data over as many cells as it takes, `first` bytes into the builder given. */
const snake = (b: Builder, data: Buffer, first = 100): Cell => {
  b.storeBuffer(data.subarray(0, first))
  return data.length > first ? b.storeRef(snake(beginCell(), data.subarray(first), 127)).endCell() : b.endCell()
}
const snakeValue = (text: string | Buffer): Cell => snake(beginCell().storeUint(0, 8), Buffer.from(text as string))
const chunkedValue = (chunks: readonly Buffer[]): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
  for (const [i, chunk] of chunks.entries()) dict.set(i, beginCell().storeBuffer(chunk).endCell())
  return beginCell().storeUint(1, 8).storeDict(dict).endCell()
}
const onchain = (values: Readonly<Record<string, Cell>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
  for (const [name, cell] of Object.entries(values)) dict.set(sha256(name), cell)
  return beginCell().storeUint(0, 8).storeDict(dict).endCell()
}
const offchain = (uri: string | Buffer): Cell => snake(beginCell().storeUint(1, 8), Buffer.from(uri as string))
const read = (cell: Cell) => readContent(own(cell))

describe('token content', () => {
  it('off-chain content is the URI, over as many cells as it takes', () => {
    expect(read(offchain('https://example.org/meta.json'))).toEqual({ type: 'offchain', data: 'https://example.org/meta.json' })
    const long = `ipfs://${'a'.repeat(1000)}`
    expect(read(offchain(long))).toEqual({ type: 'offchain', data: long })
    expect(read(offchain(''))).toEqual({ type: 'offchain', data: '' })
  })

  it('off-chain content that is not UTF-8 or has no tag is refused', () => {
    expect(read(offchain(Buffer.from([0xff, 0xfe])))).toBeUndefined()
    expect(read(beginCell().storeBuffer(Buffer.from('https://no.tag/')).endCell())).toBeUndefined()
  })

  it('on-chain content has the known attributes, snake and chunked, and nothing else', () => {
    const content = onchain({
      name: snakeValue('Tether USD'),
      symbol: chunkedValue([Buffer.from('US'), Buffer.from('DT')]),
      decimals: snakeValue('6'),
      description: snakeValue('d'.repeat(3000)),
      image_data: snakeValue(Buffer.from([0xff, 0xd8, 0x00])),
      uri: snakeValue('https://example.org/x.json'),
      render_type: snakeValue('currency'),
      amount_style: snakeValue('n'),
      image: snakeValue('https://example.org/x.png'),
      something: snakeValue('else'),
    })
    expect(read(content)).toEqual({
      type: 'onchain',
      data: {
        name: 'Tether USD',
        symbol: 'USDT',
        decimals: '6',
        description: 'd'.repeat(3000),
        image_data: '/9gA',
        uri: 'https://example.org/x.json',
        render_type: 'currency',
        amount_style: 'n',
        image: 'https://example.org/x.png',
      },
    })
  })

  it('token content on-chain values may stand inline', () => {
    const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (text: string, b: Builder) => b.storeUint(0, 8).storeBuffer(Buffer.from(text)),
      parse: () => '',
    })
    dict.set(sha256('name'), 'Inline')
    expect(read(beginCell().storeUint(0, 8).storeDict(dict).endCell())).toEqual({ type: 'onchain', data: { name: 'Inline' } })
  })

  it('an attribute that cannot be read is left out, and the others stay', () => {
    const content = onchain({
      name: snakeValue('Kept'),
      symbol: snakeValue(Buffer.from([0xc3, 0x28])),
      decimals: beginCell().storeUint(7, 8).endCell(),
      image: beginCell().storeUint(0, 8).storeUint(1, 3).endCell(),
      description: Cell.EMPTY,
    })
    expect(read(content)).toEqual({ type: 'onchain', data: { name: 'Kept' } })
  })

  it('bits that do not end on byte boundaries are joined', () => {
    const text = Buffer.from('split')
    const bits = BigInt(`0x${text.toString('hex')}`)
    const rest = beginCell()
      .storeUint(bits & ((1n << 27n) - 1n), 27)
      .endCell()
    const first = beginCell()
      .storeUint(0, 8)
      .storeUint(bits >> 27n, 13)
      .storeRef(rest)
      .endCell()
    expect(read(onchain({ name: first }))).toEqual({ type: 'onchain', data: { name: 'split' } })
  })

  it('an empty dictionary is an empty object', () => {
    expect(read(onchain({}))).toEqual({ type: 'onchain', data: {} })
  })

  it('a value is cut at 8 KiB, without a partial character', () => {
    const data = read(onchain({ description: snakeValue(`${'x'.repeat(99)}${'я'.repeat(6000)}`) }))?.data as { description: string }
    expect(Buffer.byteLength(data.description)).toBeLessThanOrEqual(8192)
    expect(Buffer.byteLength(data.description)).toBeGreaterThan(8192 - 128)
    expect(data.description).toMatch(/^x{99}я+$/)
  })

  it('chunks end at the first gap and at an empty one', () => {
    const dict = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
    dict.set(0, beginCell().storeBuffer(Buffer.from('a')).endCell())
    dict.set(2, beginCell().storeBuffer(Buffer.from('c')).endCell())
    expect(read(onchain({ name: beginCell().storeUint(1, 8).storeDict(dict).endCell() }))).toEqual({ type: 'onchain', data: { name: 'a' } })
    expect(read(onchain({ name: chunkedValue([Buffer.from('a'), Buffer.alloc(0), Buffer.from('c')]) }))).toEqual({
      type: 'onchain',
      data: { name: 'a' },
    })
  })
})
