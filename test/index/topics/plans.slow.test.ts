import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { createReader, type Reader } from '../../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { CITUS_URL } from '../../kit/index/citus.ts'
import { loadParser } from '../../kit/index/citus-rules.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { asDistributed, createFaultList } from '../../kit/index/distributed.ts'
import { type Explained, explaining } from '../../kit/index/explaining.ts'
import { fill } from '../../kit/index/filled.ts'
import { fillAssets } from '../../kit/index/filled-assets.ts'
import { resultsOf } from '../../kit/service/results.ts'

/* Every filter of v3.jetton, v3.nft and v3.dns over a filled database: no statement reads a large table from end to end. */

const IS_CLUSTER = CITUS_URL !== undefined

/** Tables that may be read from end to end. On a cluster each shard has only a few dozen of the rows of tokens, so its plan reads them all. */
const SMALL = [
  'published_head',
  'index_checkpoint',
  'actions_progress',
  'contract_codes',
  ...(IS_CLUSTER ? ['token_metadata', 'token_flags'] : []),
]

const addressOf = (name: string) => `select '0:' || encode(sha256('${name}'::bytea), 'hex') as address` as const

describe('plans of tokens', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const samples: Record<string, string> = {}
  const slow: string[] = []
  let statements = 0

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await loadParser()
    await fill(server, database, 6_000)
    await fillAssets(server, database, 20_000)
    reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
    for (const [name, of] of Object.entries({
      rich: 'owner 0',
      poor: 'owner 7',
      wallet: 'wallet 7',
      jetton: 'jetton 7',
      item: 'item 7',
      collection: 'collection 7',
      sale: 'sale 7',
    })) {
      const [row] = await server.run<{ address: string }>(database, addressOf(of))
      samples[name] = row!.address
    }
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  let label = ''
  const look = ({ sql, scanned, scannedForAny = [] }: Explained): void => {
    statements += 1
    const read = [...scanned, ...scannedForAny].filter((table) => !SMALL.includes(table))
    if (read.length > 0) slow.push(`${label} reads all of ${read.join(', ')}: ${sql.slice(0, 300)}`)
  }

  const window = [
    { start_lt: '1050000', end_lt: '1060000' },
    { start_utime: '1700000100', end_utime: '1700000110' },
  ]
  const orders = (owner: string) => [
    { owner_address: owner },
    { owner_address: owner, direction: 'in' },
    { owner_address: owner, direction: 'out' },
    { owner_address: owner, ...window[0] },
    { owner_address: owner, ...window[1] },
  ]
  const cases = (): Partial<Record<MethodName, readonly Record<string, string>[]>> => {
    const { rich, poor, wallet, jetton, item, collection, sale } = samples as Record<string, string>
    return {
      'v3.jetton.masters': [{}, { address: jetton! }, { admin_address: rich! }, { admin_address: poor! }, { offset: '50' }],
      'v3.jetton.wallets': [
        {},
        { address: wallet! },
        { owner_address: rich! },
        { owner_address: poor! },
        { jetton_address: jetton! },
        { owner_address: rich!, jetton_address: jetton! },
        { owner_address: rich!, exclude_zero_balance: 'true' },
      ],
      'v3.jetton.transfers': [{}, ...window, { jetton_wallet: wallet! }, { jetton_master: jetton! }, ...orders(rich!), ...orders(poor!)],
      'v3.jetton.burns': [
        {},
        ...window,
        { jetton_wallet: wallet! },
        { jetton_master: jetton! },
        { owner_address: rich! },
        { address: poor! },
      ],
      'v3.nft.collections': [{}, { collection_address: collection! }, { owner_address: rich! }],
      'v3.nft.items': [
        {},
        { address: item! },
        { owner_address: rich! },
        { owner_address: rich!, include_on_sale: 'true' },
        { collection_address: collection! },
        { collection_address: collection!, index: '57' },
        { owner_address: poor!, collection_address: collection! },
        { sort_by_last_transaction_lt: 'true' },
        { owner_address: poor!, sort_by_last_transaction_lt: 'true' },
      ],
      'v3.nft.transfers': [{}, ...window, { item_address: item! }, { collection_address: collection! }, ...orders(rich!), ...orders(poor!)],
      'v3.nft.sales': [{ address: sale! }],
      'v3.dns.records': [{ wallet: poor! }, { domain: 'name77.ton' }],
      'v3.dns.activeAuctions': [{ bidder: rich! }, { bidder: rich!, state: 'bidding', include_nft_items: 'true' }],
      'v3.metadata': [{ address: wallet! }, { address: item! }],
      'v3.addressBook': [{ address: rich! }],
    }
  }

  it('every filter of tokens has an index, in both directions, and statements that Citus takes', async () => {
    const call = { signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    const citus = createFaultList()
    const distributed = resultsOf(createV3Handlers({ reader: asDistributed(reader, citus.check), v2: {} as never }))
    const handlers = resultsOf(createV3Handlers({ reader: explaining(reader, look), v2: {} as never }))
    for (const [name, sets] of Object.entries(cases()) as [MethodName, readonly Record<string, string>[]][]) {
      const def = registry[name]
      for (const set of sets) {
        for (const sorted of 'sort' in def.params.shape ? [{ sort: 'asc' }, { sort: 'desc' }] : [{}]) {
          const raw = { ...set, ...sorted }
          label = `${name} ${JSON.stringify(raw)}`
          const answer = await handlers[name]!(parseParams(def as never, raw, 'query'), call)
          // A Citus cluster is told more in some statements, and gives the same answer.
          expect(await distributed[name]!(parseParams(def as never, raw, 'query'), call), label).toEqual(answer)
        }
      }
    }
    expect(slow).toEqual([])
    expect(citus.found).toEqual([])
    expect(statements).toBeGreaterThan(200)
  })

  // On a cluster each shard sends the rows that an offset skips (server/store/README.md).
  it.skipIf(IS_CLUSTER).each([
    ['v3.jetton.masters', {}],
    ['v3.jetton.wallets', {}],
    ['v3.jetton.wallets', { owner_address: 'rich' }],
    ['v3.nft.collections', {}],
    ['v3.nft.items', {}],
    ['v3.nft.items', { owner_address: 'rich' }],
    ['v3.dns.records', { wallet: 'rich' }],
    ['v3.dns.activeAuctions', { bidder: 'rich' }],
  ] as const)('%s %j: nothing more is looked up for rows that an offset skips', async (name, named) => {
    const query = Object.fromEntries(Object.entries(named).map(([key, of]) => [key, samples[of]]))
    // What stands beside the list's own table: the accounts, or the items of names.
    const beside = name.startsWith('v3.dns') ? 'nft_items' : 'accounts'
    let page: Explained | undefined
    let looked: Explained | undefined
    const note = (statement: Explained): void => {
      if (/ offset /.test(statement.sql)) page ??= statement
      if (statement.taken.has(beside)) looked ??= statement
    }
    const handlers = createV3Handlers({ reader: explaining(reader, note, { run: true }), v2: {} as never })
    const call = { signal: AbortSignal.timeout(120_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    await handlers[name]!(parseParams(registry[name] as never, { ...query, limit: '10', offset: '3000' }, 'query') as never, call)
    expect(page?.rows).toBe(10)
    expect(looked?.taken.get(beside)).toBe(10)
  })

  it('long lists, and the long maps beside them, are written in turns', async () => {
    const handlers = createV3Handlers({ reader, v2: {} as never })
    const { signal } = new AbortController()
    const call = { signal, requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    const ask = async (name: MethodName, query: object): Promise<string[]> => {
      const { pieces } = await handlers[name]!(parseParams(registry[name] as never, query, 'query') as never, call)
      const texts: string[] = []
      for await (const piece of pieces as AsyncIterable<string>) texts.push(piece)
      return texts
    }
    const items = await ask('v3.nft.items', { limit: '1000' })
    expect(items.length).toBeGreaterThan(3)
    const address = (JSON.parse(items.join('')).nft_items as { address: string }[]).map((item) => item.address)
    expect(address).toHaveLength(1000)
    expect(await ask('v3.nft.items', { limit: '3' })).toHaveLength(1)
    expect((await ask('v3.metadata', { address })).length).toBeGreaterThan(1)
  })
})
