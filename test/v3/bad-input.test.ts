import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../shared/entries.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { fc } from '../kit/property.ts'
import { createSampler } from '../kit/sampler.ts'
import { ask, post, rpcRequest } from '../kit/service/client.ts'
import { type Example, examples } from '../kit/service/examples.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { rawOf, STRANGER } from './scene.ts'

/* Wrong values of every parameter of every v3 method: 422 with a text, in v3's body, and the service goes on. */

let service: V3Service
beforeAll(async () => {
  service = await startV3()
  await service.settle()
})
afterAll(() => service?.close())

const ADDRESS = rawOf(STRANGER)
const HASH = 'A'.repeat(43)
const INJECTIONS = ["'; drop table blocks; --", '" or ""="', '$1', '\\', '%00', "1' or '1'='1", '{"a":1}', '1;select pg_sleep(9)', '\u0000']

/** Texts that no value of a kind is, besides INJECTIONS. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  address: ['x', 'null', '0:11', `0:${'g'.repeat(64)}`, 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M'],
  // Empty elements are dropped (v3.md 1.4).
  addresses: ['x', `${ADDRESS},x`, `${ADDRESS};${ADDRESS}`],
  party: ['', 'x', 'none', 'NULL', '0:11'],
  hash: ['', 'x', 'ab'.repeat(31), `${HASH}==`, '0x', `0x${'ab'.repeat(31)}`],
  hashes: ['x', `${HASH},x`],
  int: ['', 'x', '1.5', '2147483648', '-2147483649', '0x10', '1e3', '99999999999999999999'],
  utime: ['', 'x', '-1', '4294967296', '1e9', '1.x'],
  lt: ['', 'x', '-1', '1.5', '18446744073709551616'],
  shard: ['', 'x', 'g000000000000000', '0x', '9223372036854775808', 'g0', '1.5'],
  opcode: ['', 'x', '0x', '0x123456789', '12345678901', '1.5'],
  bool: ['', 'yes', '2', 'tRUE'],
  direction: ['', 'both', 'IN'],
  sort: ['', 'up', 'ascending'],
  limit: ['x', '1.5', '1001', '99999999999999999999'],
  limit1024: ['x', '1025'],
  offset: ['x', '1.5', '1e3', '99999999999999999999'],
  cursor: ['x', 'AAAA'],
  milliseconds: ['', 'x', '0', '-1', '1.5', '2147483648'],
  words: ["'; drop table blocks; --", 'a b', 'é', '\u0000'],
}

const some = createSampler(3)
/** JSON that no parameter takes. */
const foreignTo = (kind: string): readonly unknown[] => [{}, [[]], { toString: 1 }, [null], kind === 'bool' ? 5 : true]

const WINDOW = { start_utime: 'utime', end_utime: 'utime', start_lt: 'lt', end_lt: 'lt' }
const QUICK = { x_timeout: 'milliseconds' }
const OVER = { ...QUICK, x_no_address_book: 'bool', x_no_metadata: 'bool' }
const PROVEN = { ...OVER, proofs: 'bool' }
const PAGED = { limit: 'limit', offset: 'offset', sort: 'sort' }
const BY_MESSAGE = {
  ...{ msg_hash: 'hashes', body_hash: 'hash', opcode: 'opcode', direction: 'direction', source: 'address', destination: 'address' },
}
const SORTED = { ...PAGED, cursor: 'cursor', as_of: 'int' }

const TRACES: Readonly<Record<string, string>> = {
  ...{ account: 'address', trace_id: 'hashes', tx_hash: 'hashes', msg_hash: 'hashes', mc_seqno: 'int' },
  ...{ include_actions: 'bool', supported_action_types: 'words', x_actions_version: 'words', ...WINDOW, ...SORTED, ...OVER },
}

/** What each parameter of the lists is, and a call that is right. */
const METHODS: Readonly<
  Record<string, { readonly right: Readonly<Record<string, string>>; readonly kinds: Readonly<Record<string, string>> }>
> = {
  masterchainInfo: { right: {}, kinds: QUICK },
  blocks: {
    right: {},
    kinds: {
      workchain: 'int',
      shard: 'shard',
      seqno: 'int',
      root_hash: 'hash',
      file_hash: 'hash',
      mc_seqno: 'int',
      ...WINDOW,
      ...SORTED,
      ...QUICK,
    },
  },
  masterchainBlockShardState: { right: { seqno: '1' }, kinds: { seqno: 'int', ...QUICK } },
  masterchainBlockShards: { right: { seqno: '1' }, kinds: { seqno: 'int', ...PAGED, ...QUICK } },
  transactions: {
    right: {},
    kinds: {
      ...{ workchain: 'int', shard: 'shard', seqno: 'int', mc_seqno: 'int', account: 'addresses', exclude_account: 'addresses' },
      ...{ hash: 'hashes', lt: 'lt', ...BY_MESSAGE, ...WINDOW, ...SORTED, ...PROVEN },
    },
  },
  transactionsByMasterchainBlock: { right: { seqno: '1' }, kinds: { seqno: 'int', ...SORTED, ...PROVEN } },
  transactionsByMessage: {
    right: { msg_hash: HASH },
    kinds: { ...BY_MESSAGE, ...SORTED, ...PROVEN },
  },
  adjacentTransactions: { right: { hash: HASH }, kinds: { hash: 'hash', ...PROVEN } },
  messages: {
    right: {},
    kinds: {
      ...{ msg_hash: 'hashes', hash: 'hash', body_hash: 'hash', source: 'party', destination: 'party', opcode: 'opcode' },
      ...{ direction: 'direction', exclude_externals: 'bool', only_externals: 'bool', ...WINDOW, ...SORTED, ...PROVEN },
    },
  },
  accountStates: { right: { address: ADDRESS }, kinds: { address: 'addresses', code_hash: 'hashes', include_boc: 'bool', ...PROVEN } },
  blockProof: {
    right: { seqno: '0', root_hash: HASH, file_hash: HASH },
    kinds: { seqno: 'int', root_hash: 'hash', file_hash: 'hash', to_seqno: 'int' },
  },
  walletStates: { right: { address: ADDRESS }, kinds: { address: 'addresses', ...OVER } },
  addressBook: { right: { address: ADDRESS }, kinds: QUICK },
  metadata: { right: { address: ADDRESS }, kinds: QUICK },
  topAccountsByBalance: { right: {}, kinds: { ...PAGED, limit: 'limit1024', ...QUICK } },
  traces: { right: {}, kinds: TRACES },
  events: { right: {}, kinds: TRACES },
  balanceChanges: {
    right: { trace_id: HASH },
    kinds: { trace_id: 'hash', action_id: 'hash', tx_hash: 'hash', msg_hash: 'hash', ...QUICK },
  },
  actions: {
    right: {},
    kinds: {
      ...{ account: 'address', tx_hash: 'hashes', msg_hash: 'hashes', action_id: 'hashes', trace_id: 'hashes', mc_seqno: 'int' },
      ...{ action_type: 'words', exclude_action_type: 'words', supported_action_types: 'words', x_actions_version: 'words' },
      ...{ initiated_by_account: 'bool', include_accounts: 'bool', include_transactions: 'bool', ...WINDOW, ...SORTED, ...OVER },
    },
  },
  pendingTransactions: { right: { account: ADDRESS }, kinds: { account: 'addresses', trace_id: 'hashes', ...OVER } },
  pendingTraces: {
    right: { account: ADDRESS },
    kinds: { account: 'address', ext_msg_hash: 'hashes', supported_action_types: 'words', x_actions_version: 'words', ...OVER },
  },
  pendingActions: {
    right: { account: ADDRESS },
    kinds: {
      account: 'address',
      ext_msg_hash: 'hashes',
      supported_action_types: 'words',
      x_actions_version: 'words',
      include_transactions: 'bool',
      ...OVER,
    },
  },
}

const refusal = async (path: string, query: Record<string, string>) => {
  const { status, headers, body } = await service.get<{ error: string; code: number }>(`${path}?${new URLSearchParams(query)}`)
  expect(headers.get('content-type')).toContain('application/json')
  return { status, ...body }
}
const text = async (path: string): Promise<[number, string]> => {
  const { status, body } = await service.get<{ error: string }>(path)
  return [status, body.error]
}

/** Lists of tokens and other contracts: what is wrong with their values is tested where they are. */
const contractLists = methodNames.filter((name) => /^v3\.(vesting$|[a-z]+\.)/.test(name) && registry[name].rest.includes('GET'))

describe('lists of contracts', () => {
  it.each(contractLists)('%s: no text in any parameter causes an internal error', async (name) => {
    const [example] = examples[name] as readonly Example<MethodName>[]
    for (const [i, param] of Object.keys(registry[name].params.shape).entries()) {
      // Each third of them, another third for the next parameter.
      for (const text of INJECTIONS.filter((_, place) => (place + i) % 3 === 0)) {
        const query = new URLSearchParams()
        for (const [key, value] of Object.entries({ ...example!.params, [param]: text }))
          for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one))
        const response = await ask(`${service.url}${pathOf(name)}?${query}`)
        const shown = `${name} ${param}=${JSON.stringify(text)}: ${response.text}`
        expect([200, 404, 422], shown).toContain(response.status)
      }
    }
  })
})

describe('wrong values', () => {
  it('the table has every list and every parameter that can be wrong', () => {
    const ofContracts = new Set(contractLists)
    const lists = methodNames.filter(
      (name) =>
        name.startsWith('v3.') &&
        ['never', 'index'].includes(registry[name].cache) &&
        registry[name].rest === 'GET' &&
        !ofContracts.has(name),
    )
    expect(lists.map((name) => name.slice(3)).sort()).toEqual(Object.keys(METHODS).sort())
    // Any text is a spelling of an address, and a direction other than in and out is none.
    const free = new Set(['adjacentTransactions direction', 'addressBook address', 'metadata address'])
    for (const [path, { kinds }] of Object.entries(METHODS)) {
      const known = Object.keys(registry[`v3.${path}` as MethodName].params.shape).filter((name) => !free.has(`${path} ${name}`))
      expect(Object.keys(kinds).sort(), path).toEqual(known.sort())
    }
  })

  describe.each(Object.entries(METHODS).filter(([, { kinds }]) => Object.keys(kinds).length > 0))('%s', (path, { right, kinds }) => {
    it.each(Object.entries(kinds))('the method refuses bad values of %s', async (param, kind) => {
      for (const value of some(kind, [...BAD[kind]!, ...(kind === 'words' ? [] : INJECTIONS)])) {
        const { status, error, code } = await refusal(path, { ...right, [param]: value })
        const shown = `${path}?${param}=${JSON.stringify(value)}: ${status} ${error}`
        expect([status, code], shown).toEqual([422, 422])
        expect(error.length, shown).toBeGreaterThan(5)
        expect(error, shown).not.toMatch(/undefined|\[object|TypeError|internal error|syntax|SQL/)
      }
      for (const value of some(`JSON for ${kind}`, foreignTo(kind))) {
        const response = await post(`${service.url}/jsonRPC`, rpcRequest(`v3.${path}`, { ...right, [param]: value }))
        const answer = response.body as { error?: { code: number; data: { kind: string } } }
        expect(answer.error?.data.kind, `${path} ${param} ${JSON.stringify(value)}`).toBe('INVALID_PARAMS')
      }
    })
  })

  it.each([
    ['transactions?limit=5000', 'limit is not allowed: 5000 > 1000'],
    ['topAccountsByBalance?limit=2000', 'limit is not allowed: 2000 > 1024'],
    ['transactions?sort=up', 'wrong value for sort parameter'],
    ['transactions?acount=x&limit=5000', "1000; unknown parameter 'acount' (expected workchain, shard, "],
    ['masterchainBlockShards?seqno=1&sort=up', 'wrong value for sort parameter'],
    ['messages?direction=both', 'direction should be one of: in, out'],
    ['transactions?direction=in', 'direction can be specified only with msg_hash or opcode'],
    [`transactions?direction=out&body_hash=${HASH}`, 'direction can be specified only with msg_hash or opcode'],
    ['messages?msg_hash=x', 'failed to decode: schema: error converting value for index 0 of "msg_hash"'],
    ['transactions?lt=x', 'failed to decode: schema: error converting value for "lt"'],
    [`transactions?account=${ADDRESS}&account=x`, 'failed to decode: schema: error converting value for index 1 of "account"'],
    ['transactionsByMessage', 'at least one of msg_hash, body_hash, opcode should be specified'],
    ['transactionsByMessage?msg_hash=', 'at least one of msg_hash, body_hash, opcode should be specified'],
    ['transactionsByMessage?direction=in', 'at least one of msg_hash, body_hash, opcode should be specified'],
    [`messages?msg_hash=${HASH}&hash=${HASH}`, 'cannot use both legacy and new message hashes'],
    ['addressBook', 'at least 1 address required'],
    ['metadata', 'at least 1 address required'],
    ['metadata?address=', 'at least 1 address required'],
    ['accountStates', 'address of account is required'],
    ['accountStates?address=', 'address of account is required'],
    ['accountStates?address=&code_hash=', 'address of account is required'],
    ['walletStates', 'address of account is required'],
    ['walletStates?address=&address=', 'address of account is required'],
    [`traces?account=${ADDRESS}&tx_hash=${HASH}`, 'only one of account, trace_id, tx_hash, msg_hash should be specified'],
    ['pendingTransactions', 'at least 1 account address required'],
    ['pendingTransactions?account=', 'at least 1 account address required'],
    ['pendingTraces', 'account or ext_msg_hash should be specified'],
    ['pendingTraces?ext_msg_hash=', 'account or ext_msg_hash should be specified'],
    ['pendingActions?supported_action_types=latest', 'account or ext_msg_hash should be specified'],
    ['masterchainBlockShards', 'seqno required'],
    ['transactionsByMasterchainBlock?seqno=x', 'failed to decode: schema: error converting value for "seqno"'],
    ['adjacentTransactions', 'hash required'],
  ])('%s: %s', async (path, expected) => {
    const [status, error] = await text(path)
    expect(status).toBe(422)
    expect(error).toContain(expected)
  })

  it.each([
    ['GET', 'addressInformation', {}, 401, 'address of account is required'],
    ['GET', 'walletInformation', { address: '' }, 401, 'address of account is required'],
    ['GET', 'addressInformation', { address: 'x' }, 422, 'failed to decode: schema: error converting value for "address"'],
    [
      'GET',
      'addressInformation',
      { address: ADDRESS, use_v2: 'maybe' },
      422,
      'failed to decode: schema: error converting value for "use_v2"',
    ],
    ['POST', 'message', {}, 401, 'boc is required'],
    ['POST', 'message', { boc: '' }, 401, 'boc is required'],
    ['POST', 'message', { boc: '*' }, 422, 'failed to decode: schema: error converting value for "boc"'],
    ['POST', 'estimateFee', {}, 401, 'address is required'],
    ['POST', 'estimateFee', { address: ADDRESS }, 401, 'body is required'],
    [
      'POST',
      'estimateFee',
      { address: ADDRESS, body: 'AA==', ignore_chksig: 'true' },
      422,
      'failed to decode: schema: error converting value for "ignore_chksig"',
    ],
    ['POST', 'runGetMethod', { method: 'seqno' }, 401, 'address is required'],
    ['POST', 'runGetMethod', { address: ADDRESS }, 401, 'method is required'],
    ['POST', 'runGetMethod', { address: ADDRESS, method: 'seqno', stack: 'x' }, 422, 'error converting value for "stack"'],
    ['POST', 'runGetMethod', { address: ADDRESS, method: 'seqno', stack: [5] }, 422, 'stack entry 0: an object with type and value'],
    [
      'POST',
      'runGetMethod',
      { address: ADDRESS, method: 'x', stack: [{ type: 'num', value: 'x' }] },
      422,
      "stack entry 0: invalid number 'x'",
    ],
    ['POST', 'runGetMethod', { address: ADDRESS, method: 'x', stack: [{ type: 'cell', value: '' }] }, 422, 'stack entry 0: invalid cell'],
    ['POST', 'message', { boc: 'AAAA', extra: 1 }, 422, "unknown parameter 'extra'"],
  ] as const)('the wrong value %s %s %j is answered with %i %s', async (verb, path, params, status, expected) => {
    const response =
      verb === 'GET'
        ? await service.get(`${path}?${new URLSearchParams(params as Record<string, string>)}`)
        : await service.post(path, params)
    const body = response.body as { error: string; code: number }
    expect([response.status, body.code]).toEqual([status, status])
    expect(body.error).toContain(expected)
  })

  it.each([
    ['transactions?account=', 'transactions'],
    ['transactions?account=,&hash=&limit=3', 'transactions?limit=3'],
    ['transactionsByMessage?msg_hash=&opcode=0', 'transactionsByMessage?opcode=0'],
    [`traces?trace_id=&account=${ADDRESS}`, `traces?account=${ADDRESS}`],
    [`accountStates?address=&address=${ADDRESS}`, `accountStates?address=${ADDRESS}`],
    [`accountStates?address=&code_hash=${HASH}`, `accountStates?code_hash=${HASH}`],
  ])('%s: empty elements of a list are dropped, as %s', async (path, same) => {
    const [given, expected] = [await service.get(path), await service.get(same)]
    expect([given.status, given.text]).toEqual([200, expected.text])
  })

  it('a name without its prefix is told with it', async () => {
    await expect(service.call('transactions' as string as 'v3.transactions', {})).rejects.toThrow(
      'Method not found; did you mean v3.transactions?',
    )
    await expect(service.call('jetton.masters' as string as 'v3.transactions', {})).rejects.toThrow('did you mean v3.jetton.masters?')
  })

  it('a list of no element is no list', async () => {
    await expect(service.call('v3.transactions', { account: [] })).rejects.toThrow('index 0 of "account"')
  })

  it('every list that has a maximum says so', () => {
    for (const name of methodNames.filter((one) => one.startsWith('v3.'))) {
      const def: MethodDef = registry[name]
      if ('limit' in def.params.shape) expect(def.page, name).toBeDefined()
    }
  })
})

describe('anything at all', () => {
  const seeds: unknown[] = [
    ...[
      null,
      0,
      -1,
      1.5,
      2 ** 53,
      '',
      'x',
      true,
      false,
      [],
      [''],
      {},
      ADDRESS,
      [ADDRESS],
      HASH,
      [HASH, ADDRESS],
      'asc',
      'in',
      '8000000000000000',
    ],
    ...INJECTIONS,
  ]
  const names = methodNames.filter((name) => name.startsWith('v3.') && registry[name].effect === 'read')
  const call = fc.constantFrom(...names).chain((method) => {
    const params = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(registry[method].params.shape), 'other')),
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...seeds) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) }),
      { maxKeys: 5, noNullPrototype: true },
    )
    return fc.record({ method: fc.constant(method), params })
  })

  it('random requests are answered, and never by an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 50, maxLength: 50 }), async (calls) => {
        const response = await post(
          `${service.url}/jsonRPC`,
          calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one })),
        )
        const replies = response.body as { id: number; error?: { data: { kind: string } } }[]
        expect(replies.length).toBe(calls.length)
        expect(replies.filter(({ error }) => error?.data.kind === 'INTERNAL').map(({ id }) => calls[id])).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})

describe('large questions', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`).join(',')

  it('a body can name 1,000 addresses', async () => {
    const account = many(1000).split(',')
    expect(await service.call('v3.transactions', { account })).toEqual({ transactions: [], address_book: {} })
    expect((await service.call('v3.accountStates', { address: account })).accounts).toEqual([])
    expect(Object.keys(await service.call('v3.addressBook', { address: account })).length).toBe(1000)
    expect((await service.call('v3.transactions', { exclude_account: account, limit: 1 })).transactions.length).toBeLessThanOrEqual(1)
    await expect(service.call('v3.accountStates', { address: many(1001).split(',') })).rejects.toThrow(
      'address list exceeds maximum length of 1000',
    )
    await expect(service.call('v3.addressBook', { address: many(1025).split(',') })).rejects.toThrow(
      'address list exceeds maximum length of 1024',
    )
    await expect(service.call('v3.nft.sales', { address: many(1001).split(',') })).rejects.toThrow('maximum 1000 addresses allowed')
  })

  it.each(INJECTIONS)('%j is read as a text in a text parameter', async (text) => {
    const empty = { user_friendly: null, domain: null, interfaces: [] }
    expect(await service.call('v3.addressBook', { address: [text] })).toEqual({ [text]: empty })
    expect(await service.call('v3.metadata', { address: [text] })).toEqual({})
    expect((await refusal('adjacentTransactions', { hash: HASH, direction: text })).error).toBe('adjacent transactions not found')
    const run = await service.post('runGetMethod', { address: ADDRESS, method: text })
    expect([run.status, (run.body as { exit_code?: number }).exit_code]).toEqual([200, -13])
    const unknown = await service.get(`blocks?limit=1&${encodeURIComponent(text)}=1`)
    expect(unknown.status).toBe(200)
  })

  it('a URL can name 1,000 friendly addresses', async () => {
    const friendly = many(1000)
      .split(',')
      .map((raw) => formatFriendly({ workchain: 0, hash: Buffer.from(raw.slice(2), 'hex') }, { bounceable: true }))
    const book = (await service.get(`addressBook?${friendly.map((address) => `address=${address}`).join('&')}`)).body as object
    expect(new Set(Object.keys(book))).toEqual(new Set(friendly))
  })

  it('a URL that is too long is refused in the same form', async () => {
    const response = await service.get(`transactions?account=${many(940)}`)
    expect([response.status, Object.keys(response.body as object)]).toEqual([414, ['error', 'code']])
  })

  it('after all bad input everything is still there', async () => {
    expect((await service.call('v3.blocks', { limit: 1000 })).blocks.length).toBeGreaterThan(3)
  })
})

describe('unknown paths', () => {
  it.each([
    'nothing',
    'Transactions',
    'transactions/',
    'jetton',
    'jetton/unknown',
    '__proto__',
    'v3.transactions',
  ])('the unknown path %s is 404 in the same form', async (path) => {
    expect(await text(path)).toEqual([404, expect.stringMatching(/^not found(; did you mean \/api\/v3\/\S+\?)?$/)])
  })
})
