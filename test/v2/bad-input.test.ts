import { beginCell, Cell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { createSampler } from '../kit/sampler.ts'
import { post } from '../kit/service/client.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { answering } from './answering-contract.ts'
import { b64 } from './cells.ts'

/* Bad values of every parameter of every v2 method: always JSON, 422 with a text that helps, and the service goes on. */

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const RAW = `0:${'01'.repeat(32)}`
const SHARD = '-9223372036854775808'
const HASH = 'A'.repeat(43)
const ok = b64(Cell.EMPTY)

/** What no parameter takes, whatever it is. */
const ANYTHING = [{}, [], [[]], { toString: 1 }, true] as const

const BAD = {
  address: [
    '',
    'nonsense',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2',
    `${'01'.repeat(32)}`,
    `0:${'01'.repeat(31)}`,
    `0:${'01'.repeat(32)}00`,
    `0:${'0g'.repeat(32)}`,
    `99999999999:${'01'.repeat(32)}`,
    `x:${'01'.repeat(32)}`,
    `0x0:${'01'.repeat(32)}`,
    `:${'01'.repeat(32)}`,
    '__proto__',
    'адрес',
    '\u0000',
    5,
    null,
    ...ANYTHING,
  ],
  seqno: [0, -1, '0', 'x', '1.5', 1.5, 2147483648, '99999999999999999999', '0x10', ' 1', '1e3', ...ANYTHING],
  workchain: ['x', '2147483648', -2147483649, 0.5, ...ANYTHING],
  shard: ['c000000000000000', '0x8000000000000000', '9223372036854775808', 'x', 1.5, ...ANYTHING],
  lt: ['x', '-1', -1, '9223372036854775808', 1.5, '1e5', ...ANYTHING],
  hash: ['x', HASH.slice(1), `${HASH}==`, '+'.repeat(43), 'g'.repeat(64), 'ab'.repeat(31), 'A'.repeat(44), 5, ...ANYTHING],
  limit: [0, -1, 1001, 'x', 1.5, '99999999999999999999', ...ANYTHING],
  count: [0, -1, 10_001, 'x', 1.5, ...ANYTHING],
  unixtime: ['x', -1, 2147483648, 1.5, ...ANYTHING],
  bool: ['maybe', '2', 'TRUE!', {}, []],
  jsonBool: ['true', 1, 'yes', {}, []],
  param: ['x', -1, 2147483648, 1.5, ...ANYTHING],
  boc: ['', '*', 'AAA', 'A-_A', 'te6cck=', 5, null, ...ANYTHING],
  bytes: ['*', 'AAA', 'A-_A', 5, ...ANYTHING],
  ttl: [-1, 'x', 1.5, 2147483648, ...ANYTHING],
  name: [5, {}, [], true, 'a'.repeat(1025)],
  method: ['', '99999999999', 2147483648, 1.5, 'x'.repeat(256), null, {}, [], true],
  legacyStack: [
    'x',
    5,
    {},
    null,
    [5],
    ['num'],
    [['num']],
    [['num', '1', '2']],
    [[1, 2]],
    [['num', 'x']],
    [['num', 1.5]],
    [['num', {}]],
    [['num', `0x${'f'.repeat(65)}`]],
    [['num', '--1']],
    [['tvm.Cell', '']],
    [['tvm.Cell', 5]],
    [['tvm.Cell', '*']],
    [['tvm.Slice', '']],
    [['tvm.Slice', {}]],
    [['cell', 'te6cck']],
    [['cell', { bytes: '' }]],
    [['cell', {}]],
    [['slice', { bytes: 5 }]],
    [['tuple', []]],
    [['tuple', { '@type': 'tvm.list', elements: [] }]],
    [['tuple', { '@type': 'tvm.tuple', elements: [['num', '1']] }]],
    [['list', { '@type': 'tvm.list' }]],
    [['list', { '@type': 'tvm.list', elements: [{ '@type': '__proto__' }] }]],
  ],
  stdStack: [
    'x',
    5,
    {},
    null,
    [5],
    [['num', '1']],
    [{}],
    [{ '@type': 'tvm.stackEntryNumber' }],
    [{ '@type': 'tvm.stackEntryNumber', number: '1' }],
    [{ '@type': 'tvm.stackEntryNumber', number: { number: '1' } }],
    [{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: 'x' } }],
    [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: '' } }],
    [{ '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.cell', bytes: ok } }],
    [{ '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: {} } }],
    [{ '@type': 'tvm.stackEntryList', list: {} }],
    [{ '@type': 'constructor' }],
  ],
  libraries: ['x', [5], [HASH, 'x'], [''], {}],
} satisfies Record<string, readonly unknown[]>
type Kind = keyof typeof BAD
const some = createSampler(4)

/** Of each method: right params, and which kind each of its parameters is. Parameters of a pair are given together. */
const METHODS: Partial<
  Record<MethodName, { readonly right: Readonly<Record<string, unknown>>; readonly kinds: Readonly<Record<string, Kind>> }>
> = {
  ...Object.fromEntries(
    (
      [
        'getAddressInformation',
        'getExtendedAddressInformation',
        'getWalletInformation',
        'getAddressBalance',
        'getAddressState',
        'getTokenData',
        'getShardAccountCell',
      ] as const
    ).map((name) => [name, { right: { address: RAW }, kinds: { address: 'address', seqno: 'seqno' } }]),
  ),
  dnsResolve: { right: { address: RAW }, kinds: { address: 'address', seqno: 'seqno', ttl: 'ttl', name: 'name' } },
  getMasterchainInfo: { right: {}, kinds: {} },
  getMasterchainBlockSignatures: { right: { seqno: 1 }, kinds: { seqno: 'seqno' } },
  getShardBlockProof: {
    right: { workchain: 0, shard: SHARD, seqno: 1 },
    kinds: { workchain: 'workchain', shard: 'shard', seqno: 'seqno', from_seqno: 'unixtime' },
  },
  getConsensusBlock: { right: {}, kinds: {} },
  lookupBlock: {
    right: { workchain: 0, shard: SHARD, seqno: 1 },
    kinds: { workchain: 'workchain', shard: 'shard', seqno: 'seqno', lt: 'lt', unixtime: 'unixtime' },
  },
  getShards: { right: { seqno: 1 }, kinds: { seqno: 'seqno' } },
  getBlockHeader: {
    right: { workchain: 0, shard: SHARD, seqno: 1 },
    kinds: { workchain: 'workchain', shard: 'shard', seqno: 'seqno', root_hash: 'hash', file_hash: 'hash' },
  },
  getOutMsgQueueSize: { right: {}, kinds: {} },
  ...Object.fromEntries(
    (['getBlockTransactions', 'getBlockTransactionsExt'] as const).map((name) => [
      name,
      {
        right: { workchain: 0, shard: SHARD, seqno: 1, after_lt: 0, after_hash: RAW },
        kinds: {
          workchain: 'workchain',
          shard: 'shard',
          seqno: 'seqno',
          count: 'count',
          after_lt: 'lt',
          root_hash: 'hash',
          file_hash: 'hash',
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    (['getTransactions', 'getTransactionsStd'] as const).map((name) => [
      name,
      {
        right: { address: RAW, lt: 1, hash: `${HASH}=` },
        kinds: { address: 'address', limit: 'limit', lt: 'lt', hash: 'hash', archival: 'bool' },
      },
    ]),
  ),
  ...Object.fromEntries(
    (['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'] as const).map((name) => [
      name,
      { right: { source: RAW, destination: RAW, created_lt: 1 }, kinds: { source: 'address', destination: 'address', created_lt: 'lt' } },
    ]),
  ),
  runGetMethod: {
    right: { address: RAW, method: 'seqno', stack: [] },
    kinds: { address: 'address', method: 'method', stack: 'legacyStack', seqno: 'seqno', trace: 'jsonBool' },
  },
  runGetMethodStd: {
    right: { address: RAW, method: 'seqno', stack: [] },
    kinds: { address: 'address', method: 'method', stack: 'stdStack', seqno: 'seqno', trace: 'jsonBool' },
  },
  ...Object.fromEntries(
    (['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError'] as const).map((name) => [
      name,
      { right: { boc: ok }, kinds: { boc: 'boc' } },
    ]),
  ),
  estimateFee: {
    right: { address: RAW, body: ok },
    kinds: { address: 'address', body: 'bytes', init_code: 'bytes', init_data: 'bytes', ignore_chksig: 'jsonBool' },
  },
  detectAddress: { right: { address: RAW }, kinds: { address: 'address' } },
  detectHash: { right: { hash: `${HASH}=` }, kinds: { hash: 'hash' } },
  packAddress: { right: { address: RAW }, kinds: { address: 'address' } },
  unpackAddress: { right: { address: RAW }, kinds: { address: 'address' } },
  getConfigParam: { right: { param: 0 }, kinds: { param: 'param', seqno: 'seqno' } },
  getConfigAll: { right: {}, kinds: { seqno: 'seqno' } },
  inspectConfig: { right: {}, kinds: { seqno: 'seqno' } },
  getLibraries: { right: {}, kinds: { libraries: 'libraries' } },
  inspectCode: { right: { code: ok }, kinds: { code: 'bytes' } },
  inspectBody: { right: { body: ok }, kinds: { body: 'bytes' } },
}

interface Refusal {
  readonly ok: boolean
  readonly error?: string
  readonly code?: number
}
const ask = async (method: string, params: unknown): Promise<Refusal & { status: number }> => {
  const response = await service.raw(`/api/v2/${method}`, params)
  expect(response.headers.get('content-type')).toContain('application/json')
  return { status: response.status, ...(response.body as Refusal) }
}

describe('bad input', () => {
  it('the table has every v2 method and every parameter that can be wrong', () => {
    const v2 = methodNames.filter((name) => registry[name].rest !== 'none' && registry[name].api === undefined)
    expect(Object.keys(METHODS).sort()).toEqual([...v2].sort())
    const free = new Set(['category', 'after_hash', 'to_lt', 'config_id'])
    for (const name of v2) {
      const known = Object.keys(registry[name].params.shape).filter((param) => !free.has(param))
      expect(Object.keys(METHODS[name]!.kinds).sort(), name).toEqual(known.sort())
    }
  })

  describe.each(Object.entries(METHODS))('%s', (name, method) => {
    const { right, kinds } = method!
    it.each(Object.entries(kinds))(`the method refuses bad values of %s`, async (param, kind) => {
      for (const value of some<unknown>(kind, BAD[kind])) {
        // null is the same as nothing, where nothing is allowed.
        if (value === null && !(param in right)) continue
        const { status, ok: accepted, code, error } = await ask(name, { ...right, [param]: value })
        const shown = `${name} ${param}=${JSON.stringify(value)}: ${status} ${error}`
        expect([accepted, code], shown).toEqual([false, status])
        expect([422, 542], shown).toContain(status)
        expect(error!.length, shown).toBeGreaterThan(5)
        expect(error, shown).not.toMatch(/undefined|\[object|TypeError|internal error/)
      }
    })

    it('the method refuses to go without required parameters, and unknown names', async () => {
      for (const param of Object.keys(kinds)) {
        if (!(param in right)) continue
        const { [param]: _, ...rest } = right
        const { status, error } = await ask(name, rest)
        expect([status, error], `${name} without ${param}`).toEqual([422, expect.any(String)])
      }
      for (const unknown of some('a name', ['nonsense', '__proto__', 'constructor', 'toString', 'имя'])) {
        const { status, error } = await ask(
          name,
          JSON.parse(JSON.stringify({ ...right }).replace(/\}$/, `${Object.keys(right).length ? ',' : ''}"${unknown}":1}`)),
        )
        expect([status, error], `${name} with ${unknown}`).toEqual([422, expect.stringContaining(unknown)])
      }
      const notObjects = await Promise.all(
        some('a body', ['[]', '5', '"x"', '{', '{"address":', '', 'null', `${'['.repeat(5000)}`]).map(async (text) => {
          const response = await post(`${service.url}/api/v2/${name}`, text)
          return [text.slice(0, 10), response.status, (response.body as Refusal).ok] as const
        }),
      )
      for (const [text, status, accepted] of notObjects) {
        // Nothing at all is the same as no parameters (v2.md 8.22).
        if (accepted) expect([text, Object.keys(right)], name).toEqual([expect.stringMatching(/^(null)?$/), []])
        else expect([400, 422], `${name} ${text}`).toContain(status)
      }
    })
  })

  it('parameters of a pair must be given together', async () => {
    const block = { workchain: 0, shard: SHARD, seqno: 1 }
    for (const [name, params, text] of [
      ['getTransactions', { address: RAW, lt: 5 }, 'lt and hash should be used together'],
      ['getTransactions', { address: RAW, hash: `${HASH}=` }, 'lt and hash should be used together'],
      ['getTransactionsStd', { address: RAW, lt: 0 }, 'lt and hash should be used together'],
      ['getBlockTransactions', { ...block, after_lt: 5 }, 'after_lt and after_hash should be used together'],
      ['getBlockTransactionsExt', { ...block, after_hash: RAW }, 'after_lt and after_hash should be used together'],
      ['lookupBlock', { workchain: 0, shard: SHARD }, 'exactly one of seqno, lt, unixtime should be specified'],
      ['lookupBlock', { ...block, lt: 5 }, 'exactly one of seqno, lt, unixtime should be specified'],
      ['lookupBlock', { workchain: 0, shard: SHARD, lt: 5, unixtime: 5 }, 'exactly one of seqno, lt, unixtime should be specified'],
      ['getConfigParam', {}, 'only one of config_id or param should be specified'],
      ['getConfigParam', { config_id: 1, param: 1 }, 'only one of config_id or param should be specified'],
    ] as const) {
      expect(await ask(name, params), name).toMatchObject({ status: 422, error: text })
    }
  })

  it('unsupported stack entries are 542, or the engine’s 500 in the typed form', async () => {
    for (const type of ['tvm.Builder', 'null', 'nan', '__proto__', 'constructor']) {
      expect(await ask('runGetMethod', { address: RAW, method: 'x', stack: [[type, '']] })).toMatchObject({
        status: 542,
        error: `Unsupported stack entry type: ${type}`,
      })
    }
    expect(await ask('runGetMethodStd', { address: RAW, method: 'x', stack: [{ '@type': 'tvm.stackEntryUnsupported' }] })).toMatchObject({
      status: 500,
    })
  })

  it('cells of arguments that are no bags of cells give the engine’s error', async () => {
    let deep = Cell.EMPTY
    for (let i = 0; i < 1000; i++) deep = beginCell().storeRef(deep).endCell()
    const bocs = ['AAAA', 'te6ccg==', b64(Cell.EMPTY).slice(0, 8), Buffer.alloc(60_000, 0xb5).toString('base64')]
    for (const boc of bocs) {
      if (Buffer.from(boc, 'base64').toString('base64') !== boc) continue
      expect(await ask('runGetMethod', { address: RAW, method: 'x', stack: [['tvm.Cell', boc]] })).toMatchObject({
        status: 500,
        error: expect.stringMatching(/^INVALID_BAG_OF_CELLS/),
      })
      expect(await ask('sendBoc', { boc })).toMatchObject({ status: 500, error: expect.stringMatching(/^INVALID_BAG_OF_CELLS/) })
      expect(await ask('estimateFee', { address: RAW, body: boc })).toMatchObject({ status: 500, error: 'INVALID_BAG_OF_CELLS: body' })
    }
    expect(await ask('sendBoc', { boc: b64(deep) })).toMatchObject({
      status: 500,
      error: expect.stringMatching(/^Failed to unpack Message: /),
    })
    expect(await ask('runGetMethod', { address: RAW, method: 'x', stack: [['tvm.Cell', b64(deep)]] })).toMatchObject({ status: 200 })
  })

  it('stacks that are too deep or too long are refused', async () => {
    const number = '{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"1"}}'
    const deep = (levels: number): string =>
      `${'{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":['.repeat(levels)}${number}${']}}'.repeat(levels)}`
    const run = async (method: string, stack: string) => {
      const body = `{"address":"${RAW}","method":"x","stack":[${stack}]}`
      const response = await post(`${service.url}/api/v2/${method}`, body)
      return { status: response.status, ...(response.body as Refusal) }
    }
    const pairs = (count: number): string => Array.from({ length: count }, () => '["num","1"]').join()
    expect(await run('runGetMethodStd', deep(1500))).toMatchObject({ status: 422 })
    expect(await run('runGetMethod', `["tuple",{"@type":"tvm.tuple","elements":[${deep(1500)}]}]`)).toMatchObject({ status: 422 })
    expect(await run('runGetMethod', pairs(8001))).toMatchObject({ status: 422 })
    expect(await run('runGetMethod', pairs(5000))).toMatchObject({ status: 500 })
    // The account has no code, so the arguments are the result, and a result has its own bound.
    expect(await run('runGetMethodStd', deep(600))).toMatchObject({ status: 533 })
    expect(await run('runGetMethodStd', deep(50))).toMatchObject({ status: 200, ok: true })
    expect(await run('runGetMethod', pairs(1000))).toMatchObject({ status: 200, ok: true })
  })

  it('get-methods that loop, throw or leave huge stacks do not affect others', async () => {
    const code = answering({ loop: [{ code: '90ea' }], fails: [{ code: 'f228' }], deep: [{ code: '708103e8926f01e4' }], fine: [1n] })
    await service.call('local.setAccount', { address: RAW, balance: '1', code: b64(code), data: b64(Cell.EMPTY) })
    const run = (method: string) => ask('runGetMethod', { address: RAW, method, stack: [] })
    const [loop, fails, deep, fine] = await Promise.all([run('loop'), run('fails'), run('deep'), run('fine')])
    expect([200, 504]).toContain(loop!.status)
    expect(fails).toMatchObject({ status: 200, result: { exit_code: 40 } })
    expect(deep).toMatchObject({ status: 533, error: 'Result stack depth >= 100' })
    expect(fine).toMatchObject({ status: 200, result: { exit_code: 0 } })
  })

  it('after all bad input the service still answers', async () => {
    expect(await ask('getAddressBalance', { address: RAW })).toMatchObject({ ok: true })
  })
})
