import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { createReader, type Reader } from '../../../server/store/postgres/pool.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { fill } from '../../kit/index/filled.ts'
import { fillAssets } from '../../kit/index/filled-assets.ts'
import { asSpread, splitTables } from '../../kit/index/spread.ts'
import { resultsOf } from '../../kit/service/results.ts'

/* Answers that are read of nodes in other steps than of one database. */

const IS_CLUSTER = process.env['TONWAY_TEST_CITUS_URL'] !== undefined
const ADJACENT = 'v3.adjacentTransactions'
const ACTIONS = 'v3.actions'
const WALLETS = 'v3.jetton.wallets'
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

// A node of a real cluster has tables in place of the views.
describe.skipIf(IS_CLUSTER)('answers of nodes', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  /** Statements that were refused by a node. */
  const failed: string[] = []

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await fill(server, database, 300)
    await fillAssets(server, database, 60)
    // One that sent nothing.
    await server.run(database, `delete from messages where direction = 1 and msg_hash = '\\x${hash('message 13')}'`)
    await server.run(database, `update tx_by_hash set out_msg_hashes = '' where hash = '\\x${hash('tx 12')}'`)
    await splitTables(server, database)
    reader = createReader(database, { connections: 2 })
  }, 120_000)
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  const askedOf = (of: Reader) => {
    const handlers = resultsOf(createV3Handlers({ reader: of, v2: {} as never }))
    const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' } as const
    return async (method: MethodName, params: object): Promise<unknown> => {
      try {
        return await handlers[method]!(parseParams(registry[method] as never, params, 'body'), call)
      } catch (error) {
        return String(error)
      }
    }
  }
  const bothSides = () => [askedOf(reader), askedOf(asSpread(reader, (why) => void failed.push(why)))] as const

  // Rows of earlier releases lack the hashes of the messages.
  it('what is next to a transaction is found with the hashes of its messages beside its key, and without', async () => {
    const [plain, spread] = bothSides()
    const questions = [0, 1, 2, 12, 13, 30, 298, 299, 301].flatMap((i) =>
      [undefined, 'in', 'out'].map((direction) => ({ hash: hash(`tx ${i}`), ...(direction && { direction }) })),
    )
    for (const change of ['select 1', 'update tx_by_hash set in_msg_hash = null, out_msg_hashes = null']) {
      await server.run(database, change)
      for (const params of questions) expect([params, await spread(ADJACENT, params)]).toEqual([params, await plain(ADJACENT, params)])
    }
    expect(failed).toEqual([])
    const both = (await spread(ADJACENT, { hash: hash('tx 1') })) as { readonly transactions: readonly { readonly hash: string }[] }
    const b64 = (text: string): string => Buffer.from(hash(text), 'hex').toString('base64')
    expect(both.transactions.map((one) => one.hash)).toEqual([b64('tx 0'), b64('tx 2')])
    expect(await spread(ADJACENT, { hash: hash('tx 12'), direction: 'out' })).toContain('adjacent transactions not found')
  })

  // Not all types are known to a caller who says nothing, but each can be asked for.
  it('actions of an account are those of the types that the caller knows or asks for', async () => {
    await server.run(database, `update actions set type = 'tgbtc_mint' where get_byte(trace_id, 0) % 4 = 0`)
    await server.run(database, `update actions set type = 'made_up' where get_byte(trace_id, 0) % 4 = 1`)
    await server.run(database, `update actions set ancestors = '{call_contract}' where get_byte(trace_id, 0) % 4 = 2`)
    // All of them are listed under one account.
    const account = hash('account 7')
    await server.run(
      database,
      `insert into action_accounts (account, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno)
         select distinct '\\x00000000${account}'::bytea, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno from action_accounts
         on conflict do nothing`,
    )
    const [plain, spread] = bothSides()
    const found = new Map<string, number>()
    for (const filter of [
      { limit: 90 },
      { action_type: ['tgbtc_mint'] },
      { action_type: ['ton_transfer'] },
      { exclude_action_type: ['ton_transfer'] },
      { limit: 90, supported_action_types: ['tgbtc'] },
      { limit: 2 },
      { limit: 2, offset: 1, sort: 'asc' },
    ]) {
      const params = { account: `0:${account}`, ...filter }
      const answer = (await spread(ACTIONS, params)) as { readonly actions: readonly unknown[] }
      expect([params, answer]).toEqual([params, await plain(ACTIONS, params)])
      found.set(JSON.stringify(filter), answer.actions.length)
    }
    expect(failed).toEqual([])
    expect(found.get('{"action_type":["tgbtc_mint"]}')).toBeGreaterThan(0)
    expect(found.get('{"limit":90}')).toBeGreaterThan(0)
    expect(found.get('{"limit":90,"supported_action_types":["tgbtc"]}')).toBeGreaterThan(found.get('{"limit":90}')!)
  })

  // Nodes tell codes and tokens in one statement.
  it('accounts of tokens have their codes and names, also those that are remembered, and wallets the metadata of their jettons', async () => {
    const owner = hash('owner 0')
    await server.run(
      database,
      `insert into accounts (account, mc_seqno, state_hash, status, balance, utime, last_trans_hash, last_trans_lt, first_lt, code_hash)
         select '\\x00000000${owner}', 1, sha256('o'), 2, 1, 1700000000, sha256('o'), 1, 1, sha256('sale code')`,
    )
    const [plain, spread] = bothSides()
    const remembered = (await spread('v3.addressBook', { address: [`0:${owner}`] })) as object
    expect(JSON.stringify(remembered)).toContain('"domain":"name2.ton"')
    const answers: string[] = []
    for (const [method, filter] of [
      [WALLETS, { owner_address: [`0:${owner}`], limit: 7 }],
      [WALLETS, { jetton_address: [`0:${hash('jetton 3')}`] }],
      ['v3.nft.items', { owner_address: [`0:${owner}`], limit: 40 }],
      [WALLETS, { owner_address: [`0:${hash('nobody')}`] }],
    ] as const) {
      const answer = await spread(method, filter)
      expect([filter, answer]).toEqual([filter, await plain(method, filter)])
      answers.push(JSON.stringify(answer))
    }
    expect(failed).toEqual([])
    expect(answers[0]).toContain('"domain":"name2.ton"')
    expect(answers[0]).toContain('"symbol":"J"')
    expect(answers[1]).toContain('"name":"J')
  })
})
