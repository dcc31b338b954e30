import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { listEntries } from '../../shared/entries.ts'
import { type ErrorKind, TonError } from '../../shared/errors.ts'
import { int32 } from '../../shared/fields/ints.ts'
import { atCommas } from '../../shared/fields/v3/list.ts'
import { parseJson } from '../../shared/json.ts'
import { type ParamSource, parseParams, unknownNames } from '../../shared/params.ts'
import { type MethodName, type Params, registry, resolve } from '../../shared/registry.ts'
import { ELECTOR, EMPTY_CELL, FIRST_BLOCK, FRIENDLY, HASH, RAW } from '../../shared/samples.ts'
import { threadTime } from '../kit/turns.ts'

const read = <M extends MethodName>(name: M, raw: unknown, source: ParamSource = 'body') =>
  parseParams(resolve(name)!.def, raw, source) as Params<M>
const failure = (name: MethodName, raw: unknown, source: ParamSource = 'body'): TonError => {
  try {
    read(name, raw, source)
  } catch (error) {
    if (error instanceof TonError) return error
    throw error
  }
  throw new Error(`${name} accepted ${JSON.stringify(raw)}`)
}

/** The text without what is accepted, which only unlisted texts carry. */
const text = (name: MethodName, raw: unknown, source: ParamSource = 'body', kind: ErrorKind = 'INVALID_PARAMS'): string => {
  const error = failure(name, raw, source)
  expect(error.kind).toBe(kind)
  return error.message.replace(/ \(expected .*\)$/s, '')
}

const address = FRIENDLY
const block = FIRST_BLOCK
const { seqno: _, ...shard } = block
const GET = 'failed to parse get request: '
const POST = 'failed to parse post request: '

it('arguments of `=` that are no padding are refused as quickly as others', () => {
  const given = { seqno: 1, address: FRIENDLY, method: 'seqno' }
  const timeOf = (args: string): number => {
    const began = threadTime()
    failure('v4.runMethod', { ...given, args })
    return threadTime() - began
  }
  timeOf('a')
  expect(timeOf(`${'='.repeat(12_287)}a`)).toBeLessThan(50)
})

describe('texts of refused parameters (v2.md 1.3, 8.1)', () => {
  it.each<[MethodName, unknown, string]>([
    ['getAddressInformation', {}, 'empty address'],
    ['getAddressInformation', { address: '' }, 'empty address'],
    ['getAddressInformation', { address: null }, 'empty address'],
    ['getAddressInformation', { address: 'x' }, `${POST}Failed to parse ton_addr: 'x'`],
    ['getAddressInformation', { address: 5 }, `${POST}Failed to parse ton_addr: '5'`],
    ['getAddressInformation', { address, seqno: 'x' }, 'failed to parse seqno'],
    ['getAddressInformation', { address, seqno: 0 }, 'seqno should be positive'],
    ['getExtendedAddressInformation', { address, seqno: -1 }, 'seqno should be positive'],
    ['getTransactions', { address: 'x' }, 'failed to parse address'],
    ['getTransactions', { address, hash: 'x', lt: 1 }, 'failed to parse hash'],
    ['getTransactions', { address, lt: 'x' }, 'failed to parse lt'],
    ['getTransactions', { address, lt: -1 }, 'lt should be non-negative'],
    ['getTransactions', { address, lt: 1 }, 'lt and hash should be used together'],
    ['getTransactions', { address, hash: HASH }, 'lt and hash should be used together'],
    ['getTransactions', { address, lt: 1, hash: '' }, 'lt and hash should be used together'],
    ['getTransactions', { address, limit: 0 }, 'limit should be positive'],
    ['getTransactions', { address, limit: '1001' }, 'limit should be less or equal 1000'],
    ['getTransactions', { address, limit: 'x' }, `${POST}failed to parse limit`],
    ['getTransactions', { address, to_lt: 'x' }, `${POST}failed to parse to_lt`],
    ['getTransactions', { address, archival: 'maybe' }, `${POST}failed to parse archival`],
    ['getTransactionsStd', { address, lt: 0 }, 'lt and hash should be used together'],
    ['local.deployCollection', { name: 'x', royalty: 5 }, `${POST}royalty: Invalid input: expected object, received number`],
    ['local.deployCollection', { name: 'x', kind: 'art' }, `${POST}kind: Invalid option: expected one of "nft"|"sbt"|"dns"`],
    ['tryLocateTx', { destination: address, created_lt: 1 }, 'empty source address'],
    ['tryLocateTx', { source: address, created_lt: 1 }, 'empty destination address'],
    ['tryLocateTx', { source: address, destination: address }, `${POST}created_lt required`],
    ['tryLocateTx', { source: address, destination: address, created_lt: 'x' }, 'failed to parse created_lt'],
    ['tryLocateSourceTx', { source: address, destination: address, created_lt: -1 }, 'created_lt should be non-negative'],
    ['getShardBlockProof', { ...block, workchain: undefined }, 'workchain required'],
    ['getShardBlockProof', { ...block, shard: null }, 'shard required'],
    ['getShardBlockProof', shard, 'seqno required'],
    ['getShardBlockProof', { ...block, from_seqno: -1 }, 'from_seqno should be non-negative'],
    ['getShardBlockProof', { ...block, from_seqno: 'x' }, `${POST}failed to parse from_seqno`],
    ['getBlockHeader', { ...block, workchain: 'x' }, 'failed to parse workchain'],
    ['getBlockHeader', { ...block, shard: '8000000000000000z' }, 'failed to parse shard'],
    ['getBlockHeader', { ...block, root_hash: 'x' }, 'failed to parse root_hash'],
    ['getBlockHeader', { ...block, file_hash: 'x' }, `${POST}failed to parse file_hash`],
    ['lookupBlock', shard, 'exactly one of seqno, lt, unixtime should be specified'],
    ['lookupBlock', { ...block, lt: 1 }, 'exactly one of seqno, lt, unixtime should be specified'],
    ['lookupBlock', { ...shard, lt: 1, unixtime: 1 }, 'exactly one of seqno, lt, unixtime should be specified'],
    ['lookupBlock', { ...shard, lt: -1 }, 'lt should be non-negative'],
    ['lookupBlock', { ...shard, unixtime: -1 }, 'unixtime should be non-negative'],
    ['lookupBlock', { ...shard, unixtime: 'x' }, `${POST}failed to parse unixtime`],
    ['getBlockTransactions', { ...block, after_lt: 1 }, 'after_lt and after_hash should be used together'],
    ['getBlockTransactions', { ...block, after_hash: HASH }, 'after_lt and after_hash should be used together'],
    ['getBlockTransactions', { ...block, after_lt: -1, after_hash: HASH }, 'after_lt should be non-negative'],
    ['getBlockTransactions', { ...block, after_lt: 1, after_hash: 'x' }, `${POST}failed to parse after_hash`],
    ['getBlockTransactionsExt', { ...block, count: 0 }, 'count should be positive'],
    ['getBlockTransactionsExt', { ...block, count: 10001 }, 'count should be less or equal 10000'],
    ['getConfigParam', {}, 'only one of config_id or param should be specified'],
    ['getConfigParam', { config_id: 1, param: 1 }, 'only one of config_id or param should be specified'],
    ['getConfigParam', { config_id: -1 }, 'param should be non-negative'],
    ['getConfigParam', { config_id: 'x' }, 'failed to parse config_id'],
    ['getConfigParam', { param: 'x' }, 'failed to parse param'],
    ['getLibraries', { libraries: [HASH, 'x'] }, 'failed to parse libraries'],
    ['getLibraries', { libraries: [''] }, 'failed to parse libraries'],
    ['detectHash', { hash: 'not a hash' }, `${POST}invalid hash: 'not a hash'`],
    ['detectHash', {}, `${POST}hash required`],
    ['packAddress', { address: RAW.replace('0:', '1000:') }, `${POST}Failed to parse ton_addr: '1000:${RAW.slice(2)}'`],
    ['sendBoc', {}, 'empty boc'],
    ['sendBoc', { boc: '' }, 'empty boc'],
    ['sendBoc', { boc: '!' }, `${POST}invalid base64 encoded bytes: boc '!'`],
    ['runGetMethod', { address, method: 'x' }, 'Stack should be array'],
    ['runGetMethod', { address, stack: [] }, `${POST}method required`],
    ['runGetMethodStd', { address, method: 'x', stack: [], seqno: '1' }, 'failed to parse seqno'],
    ['estimateFee', { address }, `${POST}body required`],
    ['estimateFee', { address, body: EMPTY_CELL, ignore_chksig: 1 }, `${POST}failed to parse ignore_chksig`],
    ['dnsResolve', { address, ttl: -1 }, 'failed to validate request: ttl should be non-negative'],
    ['local.fund', { address, amount: -1 }, `${POST}failed to parse amount`],
    [
      'local.setAccount',
      { address },
      'failed to validate request: at least one of balance, code, data, library, tick, tock should be specified',
    ],
    ['getMasterchainInfo', { x: 1 }, `${POST}unknown parameter 'x'`],
    ['getMasterchainInfo', [1], 'params must contain an object'],
    ['getMasterchainInfo', 'x', 'params must contain an object'],
  ])('refused parameters have the documented text: %s %j', (name, raw, expected) => expect(text(name, raw)).toBe(expected))

  it('refused parameters of a query string have a prefix of their own', () => {
    expect(text('getAddressBalance', { address: 'x' }, 'query')).toBe(`${GET}Failed to parse ton_addr: 'x'`)
    expect(text('getAddressBalance', { address: '' }, 'query')).toBe('empty address')
    expect(text('getTransactions', { address, to_lt: 'x' }, 'query')).toBe(`${GET}failed to parse to_lt`)
    expect(text('dnsResolve', { address, ttl: '-1' }, 'query')).toBe('failed to validate request: ttl should be non-negative')
  })

  it('the error lists every refused parameter by name, with what is accepted', () => {
    const error = failure('getBlockHeader', { workchain: 'x', shard: {}, seqno: 0 })
    expect(error.issues?.map(({ param, message }) => [param, message])).toEqual([
      ['workchain', 'failed to parse workchain'],
      ['shard', 'failed to parse shard'],
      ['seqno', 'seqno should be positive'],
    ])
    expect(error.issues?.[0]?.expected).toBe('32-bit integer, decimal')
    expect(failure('getAddressState', { address: 'x' }).message).toMatch(/\(expected 48 characters .*64 hex digits>\)$/)
  })

  it.each([
    ['7'.repeat(64), 'the workchain before the hex digits is missing'],
    [`${FRIENDLY.slice(0, 47)}${FRIENDLY.endsWith('A') ? 'B' : 'A'}`, 'the CRC16 of this one is wrong, so a character is mistyped'],
    [`${FRIENDLY}A`, 'this one has 49 characters'],
    [`0:${'7'.repeat(63)}`, 'this one has 63 hex digits'],
    [` ${FRIENDLY}`, 'spaces do not belong to it'],
    ['foundation.ton', 'dnsResolve finds the address of a domain'],
  ])('a text that is nearly an address is told why it is none: %s', (text, why) => {
    for (const refused of [failure('getAddressState', { address: text }), failure('v3.transactions', { account: text })])
      expect(refused.message).toMatch(new RegExp(`<64 hex digits>; ${why}\\)$`))
  })

  it('texts of TON Center’s document are sent as they are; what is accepted stands in the issues', () => {
    const refused = failure('getShards', { seqno: -1 })
    expect(refused.message).toBe('seqno should be positive')
    expect(refused.issues).toEqual([{ param: 'seqno', message: 'seqno should be positive', expected: '32-bit integer, decimal from 1' }])
    const stack = [
      ['num', 1],
      ['tvm.Slice', '*'],
    ]
    const broken = failure('runGetMethod', { address, method: 'x', stack })
    expect(broken.message).toBe('Invalid tvm.Slice, base64 string expected')
    expect(broken.issues?.[0]?.expected).toMatch(/; entry 1 is none$/)
  })

  it.each(['body', 'query'] as const)('a misspelt name is told with the parameter that is missing, in a %s', (source) => {
    const { message, issues } = failure('getAddressBalance', { addres: FRIENDLY }, source)
    expect(message).toMatch(/^empty address; unknown parameter 'addres' \(expected address, seqno\)$/)
    expect(issues?.map(({ param }) => param)).toEqual(['address', 'addres'])
  })

  it('the key in a query is no unknown name, and emulation ignores unknown names', () => {
    expect(failure('getAddressBalance', { api_key: 'x' }, 'query').message).not.toContain('unknown')
    expect(failure('getAddressBalance', { api_key: 'x' }).message).toContain("unknown parameter 'api_key'")
    expect(failure('emulate.trace', { bok: 'x' }).message).not.toContain('unknown')
  })

  it('the caller’s values are cut short in errors', () => {
    expect(failure('getAddressState', { address: 'x'.repeat(100_000) }).message.length).toBeLessThan(500)
    expect(failure('getAddressState', { address, ['y'.repeat(100_000)]: 1 }).message.length).toBeLessThan(500)
    expect(failure('runGetMethod', { address, method: 'x', stack: [['z'.repeat(100_000), 1]] }).message.length).toBeLessThan(500)
  })
})

describe('what counts as absent', () => {
  it('null counts as absent everywhere, the empty text in a query string', () => {
    expect(read('getAddressInformation', { address, seqno: null })).not.toHaveProperty('seqno')
    expect(read('getAddressInformation', { address, seqno: '' }, 'query')).not.toHaveProperty('seqno')
    expect(text('getAddressInformation', { address, seqno: '' })).toBe('failed to parse seqno')
    expect(text('getLibraries', { libraries: '' }, 'query')).toBe('failed to parse libraries')
    expect(read('getTransactions', { address, hash: '', lt: '', archival: '' }, 'query')).toMatchObject({ limit: 10, to_lt: 0n })
    expect(read('getTransactions', { address, lt: 0, hash: '' }).hash).toBeUndefined()
  })
  it('params as a whole may be absent', () => {
    for (const raw of [undefined, null, {}]) expect(read('getMasterchainInfo', raw)).toEqual({})
  })
})

describe('unknown names', () => {
  it('unknown names pass in a query string and are reported; a body refuses them', () => {
    const raw = { address, _: '1', Seqno: '5', имя: 'x' }
    expect(read('getAddressState', raw, 'query')).not.toHaveProperty('Seqno')
    expect([...unknownNames(resolve('getAddressState')!.def, raw, 'query')]).toEqual(['_', 'Seqno', 'имя'])
    expect(failure('getAddressState', raw).message).toContain("unknown parameter '_' (expected address, seqno)")
  })
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('the name %s is an unknown name like any other', (name) => {
    const raw = parseJson(`{"address":"${address}","${name}":{"seqno":5}}`)
    expect(read('getAddressState', raw, 'query')).not.toHaveProperty('seqno')
    expect(failure('getAddressState', raw).message).toContain(`unknown parameter '${name}'`)
  })
  it('an inherited member is not a parameter', () => {
    expect(text('getAddressState', Object.create({ address }))).toBe('empty address')
  })
})

describe('one value, whatever the door', () => {
  it('numbers and texts mean the same in a query and in a body', () => {
    const parsed = read('getBlockTransactions', { ...block, count: 7, after_lt: '5', after_hash: ELECTOR })
    const query = { workchain: '-1', shard: '-9223372036854775808', seqno: '1', count: '7', after_lt: '5', after_hash: ELECTOR, x: '1' }
    expect(read('getBlockTransactions', query, 'query')).toEqual(parsed)
    expect(parsed).toEqual({
      workchain: -1,
      shard: -(2n ** 63n),
      seqno: 1,
      count: 7,
      after_lt: 5n,
      after_hash: new Uint8Array(32).fill(0x33),
    })
    const numbers = parseJson(`{"workchain":-1,"shard":-9223372036854775808,"seqno":1,"count":7,"after_lt":5,"after_hash":"${ELECTOR}"}`)
    expect(read('getBlockTransactions', numbers)).toEqual(parsed)
  })
  it('parameters that are left out get their defaults', () => {
    expect(read('getBlockTransactions', block).count).toBe(40)
    expect(read('getTransactions', { address })).toMatchObject({ limit: 10, to_lt: 0n })
    expect(read('estimateFee', { address, body: '' }).ignore_chksig).toBe(true)
    expect(read('getLibraries', {}).libraries).toEqual([])
    expect(read('local.mine', {}).count).toBe(1)
  })
  it('config_id replaces param in a query string', () => {
    expect(read('getConfigParam', { config_id: '1', param: '2' }, 'query')).toEqual({ config_id: 1 })
    expect(read('getConfigParam', { config_id: '', param: '2' }, 'query')).toEqual({ param: 2 })
  })
  it('one library or several can be asked for', () => {
    const [one] = read('getLibraries', { libraries: [HASH] }).libraries
    expect(read('getLibraries', { libraries: HASH }, 'query').libraries).toEqual([one])
    expect(read('getLibraries', { libraries: [HASH, HASH] }, 'query').libraries).toEqual([one, one])
  })
  it('a name given twice is refused if one value is expected', () => {
    expect(text('getAddressState', { address: [address, address] }, 'query')).toMatch(/address takes one value, not a list$/)
    expect(text('getAddressState', { address, seqno: ['1', '2'] }, 'query')).toMatch(/seqno takes one value, not a list/)
    expect(text('getAddressState', { address: [address] }, 'body')).toMatch(
      /^failed to parse post request: address takes one value, not a list/,
    )
  })
})

describe('parameters that need no rule about several of them', () => {
  it('parameters of every example are read as zod reads them', () => {
    for (const { name, def } of listEntries(registry)) {
      for (const { params } of registry[name as MethodName].examples) {
        const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
        const byZod = def.params.safeParse(given)
        if (byZod.success) expect({ name, read: parseParams(def, given, 'body') }).toEqual({ name, read: byZod.data })
        else expect(() => parseParams(def, given, 'body')).toThrow(TonError)
      }
    }
  })

  it('defaults of absent parameters are those of zod', () => {
    const def = {
      summary: '',
      params: z.object({ a: int32('a').default(3), b: int32('b').optional(), c: int32('c').default(4).optional() }),
      result: z.unknown(),
      effect: 'read',
      needs: 'nothing',
      rest: 'none',
      weight: 1,
      cache: 'never',
    } as const
    for (const given of [{}, { a: 1 }, { b: 2 }, { c: 5, a: 6 }]) expect(parseParams(def, given, 'body')).toEqual(def.params.parse(given))
  })
})

it('a list over its limit is not read to its end', () => {
  const address = new Array<string>(5000).fill('x')
  Object.defineProperty(address, 4000, {
    get() {
      throw new Error('it was read')
    },
  })
  expect(() => parseParams(resolve('v3.accountStates')!.def, { address }, 'body')).toThrow('address list exceeds maximum length of 1000')
})

it('a text of a million commas makes no million parts', () => {
  expect(atCommas('a,'.repeat(500_000)).length).toBeLessThan(10_000)
  expect(failure('v3.actions', { action_type: 'a,'.repeat(500_000) }).message).toContain('list exceeds maximum length of 1000')
  expect(failure('v3.jetton.masters', { address: 'a,'.repeat(500_000) }).message).toContain('list exceeds maximum length of 1024')
  expect(read('v3.actions', { action_type: `${','.repeat(1_000_000)}jetton_mint,` }).action_type).toEqual(['jetton_mint'])
})
