import { Address } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { readQuery, withoutBrackets } from '../../server/http/rest/query.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'

/* Every accepted spelling of every kind of parameter (v3.md 1.4, 1.5), as a query says it and as JSON says it. */

const ofQuery = (method: MethodName, query: string): Record<string, unknown> =>
  parseParams(registry[method], withoutBrackets(readQuery(query)), 'query') as Record<string, unknown>
const ofBody = (method: MethodName, params: object): Record<string, unknown> =>
  parseParams(registry[method], params, 'body') as Record<string, unknown>
const refusal = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it was taken')
}

const HEX = 'fbf1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddee0f'
const BYTES = Buffer.from(HEX, 'hex')
const BASE64 = BYTES.toString('base64')
const q = encodeURIComponent
const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex')

describe('hashes', () => {
  it('hashes are read as hex, 0x hex, base64 and base64url, with a + that a query has lost', () => {
    expect(BASE64).toContain('+')
    for (const text of [HEX, HEX.toUpperCase(), `0x${HEX}`, `0X${HEX}`, q(BASE64), BASE64, BYTES.toString('base64url')])
      expect(hex(ofQuery('v3.adjacentTransactions', `hash=${text}`)['hash']), text).toBe(HEX)
    expect(hex(ofBody('v3.adjacentTransactions', { hash: BASE64 })['hash'])).toBe(HEX)
  })

  it('lists of hashes are read repeated, with commas, in brackets, as an array, alone; empty pieces are dropped', () => {
    const other = '11'.repeat(32)
    for (const query of [
      `hash=${HEX}&hash=${other}`,
      `hash=${HEX},${other}`,
      `hash[]=${HEX}&hash[]=${other}`,
      `hash=${HEX}&hash[]=${other}`,
      `hash=${HEX}&hash=&hash=${other}`,
      `hash=,${q(BASE64)},,${other},`,
    ])
      expect((ofQuery('v3.transactions', query)['hash'] as unknown[]).map(hex), query).toEqual([HEX, other])
    for (const hash of [[HEX, other], `${HEX},${other}`, [`${HEX},${other}`], [HEX, '', other]])
      expect((ofBody('v3.transactions', { hash })['hash'] as unknown[]).map(hex)).toEqual([HEX, other])
  })
})

describe('addresses', () => {
  const address = new Address(0, BYTES)
  const raw = `0:${HEX}`
  it('addresses are read raw in any case, and friendly with any flag in both alphabets', () => {
    const forms = [true, false].flatMap((bounceable) =>
      [true, false].flatMap((testOnly) => [true, false].map((urlSafe) => address.toString({ bounceable, testOnly, urlSafe }))),
    )
    for (const text of [raw, raw.toUpperCase(), ...forms, ...forms.map(q)]) {
      const { account } = ofQuery('v3.traces', `account=${text}`) as { account: { workchain: number; hash: Uint8Array } }
      expect(formatRaw(account, 'lower'), text).toBe(raw)
    }
    expect(ofQuery('v3.traces', `account=-1:${HEX}`)['account']).toMatchObject({ workchain: -1 })
  })

  it('source and destination of messages may be null; of transactions they may not', () => {
    expect(ofQuery('v3.messages', `source=null&destination=${raw}`)).toMatchObject({ source: 'none', destination: { workchain: 0 } })
    expect(refusal(() => ofQuery('v3.transactions', 'source=null'))).toContain('error converting value for "source"')
  })

  it('addresses for addressBook and metadata keep their spelling, and are split if every piece is an address', () => {
    for (const method of ['v3.addressBook', 'v3.metadata'] as const) {
      const told = (query: string) => ofQuery(method, query)['address']
      expect(told(`address=${q(`${raw},${raw.toUpperCase()}`)}&address=&address=nonsense`)).toEqual([raw, raw.toUpperCase(), 'nonsense'])
      expect(told(`address=${q(`${raw},nonsense`)}`)).toEqual([`${raw},nonsense`])
      expect(told(`address=${q(',')}`)).toEqual([','])
    }
  })

  it('as many names as a URL holds are read, and none is lost at its end', () => {
    const noise = 'x&'.repeat(1500)
    expect(ofQuery('v3.traces', `${noise}account=${raw}`)['account']).toMatchObject({ workchain: 0 })
    const many = Array.from({ length: 1000 }, (_, i) => `index=${i}`).join('&')
    expect(ofQuery('v3.nft.items', `collection_address=${raw}&${many}`)['index']).toHaveLength(1000)
  })
})

describe('numbers', () => {
  it.each([
    ['8000000000000000', -(2n ** 63n)],
    ['0x8000000000000000', -(2n ** 63n)],
    ['-9223372036854775808', -(2n ** 63n)],
    ['4000000000000000', 2n ** 62n],
    ['c000000000000000', -(2n ** 62n)],
    ['C000000000000000', -(2n ** 62n)],
    // Hex is tried first.
    ['10', 16n],
    ['4611686018427387904', 2n ** 62n],
  ])('shard is read as %s', (text, expected) => expect(ofQuery('v3.blocks', `shard=${text}`)['shard']).toBe(expected))

  it.each([
    ['0x7362d09c', 0x7362d09c],
    ['7362d09c', 0x7362d09c],
    ['7362D09C', 0x7362d09c],
    ['10', 0x10],
    ['0', 0],
    ['ffffffff', -1],
    ['0xFFFFFFFF', -1],
    ['-1', -1],
    ['1935855772', 0x7362d09c],
    ['4294967295', -1],
    ['-2147483648', -(2 ** 31)],
  ])('opcode is read as %s', (text, expected) => {
    expect(ofQuery('v3.messages', `opcode=${text}`)['opcode']).toBe(expected)
    expect(ofBody('v3.messages', { opcode: text })['opcode']).toBe(expected)
  })
  it('an opcode that is a JSON number is that number', () => {
    expect(ofBody('v3.messages', { opcode: 10 })['opcode']).toBe(10)
    expect(ofBody('v3.messages', { opcode: 0xffffffff })['opcode']).toBe(-1)
  })

  it.each([
    ['1700000000', 1_700_000_000],
    ['1700000000.9', 1_700_000_000],
    ['0', 0],
    ['4294967295', 4_294_967_295],
  ])('utime is read as %s', (text, expected) => {
    expect(ofQuery('v3.transactions', `start_utime=${text}`)['start_utime']).toBe(expected)
    expect(ofBody('v3.transactions', { end_utime: Number(text) })['end_utime']).toBe(expected)
  })

  it('lt is an unsigned 64-bit decimal; above the range of the columns there are no rows', () => {
    expect(ofQuery('v3.transactions', 'lt=0')['lt']).toBe(0n)
    expect(ofQuery('v3.transactions', 'start_lt=9223372036854775807')['start_lt']).toBe(2n ** 63n - 1n)
    expect(ofQuery('v3.transactions', 'end_lt=18446744073709551615')['end_lt']).toBe(2n ** 63n - 1n)
    expect(ofBody('v3.transactions', { lt: '5' })['lt']).toBe(5n)
    expect(ofBody('v3.transactions', { lt: 5 })['lt']).toBe(5n)
  })

  it('seqnos and workchains are 32-bit numbers', () => {
    expect(ofQuery('v3.blocks', 'workchain=-1&seqno=2147483647&mc_seqno=0')).toMatchObject({
      workchain: -1,
      seqno: 2147483647,
      mc_seqno: 0,
    })
    expect(ofBody('v3.blocks', { workchain: '-1', seqno: 1 })).toMatchObject({ workchain: -1, seqno: 1 })
  })
})

describe('words', () => {
  it.each([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
  ])('a boolean is read as %s', (text, expected) => {
    expect(ofQuery('v3.traces', `include_actions=${text}`)['include_actions']).toBe(expected)
    expect(ofBody('v3.traces', { include_actions: expected })['include_actions']).toBe(expected)
  })

  it.each([
    ...['asc', 'ASC', 'Asc', 'a', 'A'].map((text) => [text, 'asc'] as const),
    ...['desc', 'DESC', 'd', 'D'].map((text) => [text, 'desc'] as const),
  ])('sort is read as %s', (text, expected) => expect(ofQuery('v3.blocks', `sort=${text}`)['sort']).toBe(expected))

  it('supported_action_types takes any well-formed words, and has defaults for the rest', () => {
    expect(ofQuery('v3.traces', 'supported_action_types=latest&supported_action_types=ton_transfer')).toMatchObject({
      supported_action_types: ['latest', 'ton_transfer'],
      include_actions: false,
      limit: 10,
      offset: 0,
      sort: 'desc',
    })
    expect(ofQuery('v3.accountStates', `address=0:${HEX}`)).toMatchObject({ include_boc: true })
    expect(ofQuery('v3.addressInformation', `address=0:${HEX}`)).toMatchObject({ use_v2: false })
  })
})

describe('pages', () => {
  const LISTS = {
    1000: [
      'v3.blocks',
      'v3.masterchainBlockShards',
      'v3.transactions',
      'v3.transactionsByMasterchainBlock',
      'v3.transactionsByMessage',
      'v3.messages',
      'v3.traces',
    ],
    1024: ['v3.topAccountsByBalance'],
  } as const satisfies Record<number, readonly MethodName[]>
  const NEEDED: Partial<Record<MethodName, string>> = {
    'v3.masterchainBlockShards': 'seqno=1&',
    'v3.transactionsByMasterchainBlock': 'seqno=1&',
    'v3.transactionsByMessage': 'opcode=0&',
  }
  for (const [text, methods] of Object.entries(LISTS))
    it.each(methods)(`%s has pages of 10 rows by default, and of 1 to ${text}`, (method) => {
      const max = Number(text)
      const limit = (value: string) => ofQuery(method, `${NEEDED[method] ?? ''}limit=${value}`)['limit']
      expect(ofQuery(method, NEEDED[method] ?? '')).toMatchObject({ limit: 10, offset: 0 })
      expect(['0', '-1', '', '-9223372036854775808'].map(limit)).toEqual([1, 1, 1, 1])
      expect(['1', '%2B7', String(max)].map(limit)).toEqual([1, 7, max])
      for (const over of [max + 1, 1_000_000]) expect(refusal(() => limit(String(over)))).toBe(`limit is not allowed: ${over} > ${max}`)
      const offset = (value: string) => ofQuery(method, `${NEEDED[method] ?? ''}offset=${value}`)['offset']
      expect(['-5', '', '3', '9223372036854775807'].map(offset)).toEqual([0, 0, 3, Number.MAX_SAFE_INTEGER])
      expect(refusal(() => ofQuery(method, `${NEEDED[method] ?? ''}sort=up`))).toBe('wrong value for sort parameter')
    })
})

describe('names', () => {
  it('names are case-sensitive, unknown ones of a query pass, and of a repeated name the last value counts', () => {
    expect(ofQuery('v3.blocks', 'Workchain=5&api_key=x&workchain=0&workchain=-1')).toEqual({
      workchain: -1,
      limit: 10,
      offset: 0,
      sort: 'desc',
    })
    expect(ofQuery('v3.blocks', 'limit=x&limit=3')['limit']).toBe(3)
  })

  it('of several unreadable values the first is named and the others are counted', () => {
    expect(refusal(() => ofQuery('v3.blocks', 'seqno=x'))).toMatch(
      /^failed to decode: schema: error converting value for "seqno" \(expected [^()]*\)$/,
    )
    expect(refusal(() => ofQuery('v3.blocks', 'workchain=x&seqno=y'))).toMatch(/"workchain".* \(and 1 other error\)$/)
    expect(refusal(() => ofQuery('v3.blocks', 'workchain=x&seqno=y&start_lt=z&limit=5000'))).toMatch(
      /"workchain".* \(and 2 other errors\)$/,
    )
  })
})
