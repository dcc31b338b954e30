import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { loadParser } from '../kit/index/citus-rules.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { asDistributed, createFaultList } from '../kit/index/distributed.ts'
import { type Explained, explaining } from '../kit/index/explaining.ts'
import { fill } from '../kit/index/filled.ts'
import { fillStaking } from '../kit/index/filled-staking.ts'
import { resultsOf } from '../kit/service/results.ts'

/* Every filter of v3.staking, v3.validators, v3.multisig and v3.vesting over filled tables: no statement reads one of them from end to end. */

/** The tables filled here; those of the address book have tests of their own. */
const FILLED = /^(validator_|nominator_|pool_|multisig|vesting|accounts$)/

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const master = (text: string): string => `-1:${hash(text)}`
const base = (text: string): string => `0:${hash(text)}`

const window = { start_utime: '1700005000', end_utime: '1700006000' }
const ids = [{ stake_holder_address: master('holder 7') }, { adnl_address: hash('adnl 7') }, { validator_pubkey: hash('key 7') }]
const pool = { pool: master('pool 7') }
const nominator = { nominator: base('nominator 7') }
const validator = { validator: master('validator 7') }
const ELECTION = '1700100000'

const CASES: Partial<Record<MethodName, readonly Record<string, string>[]>> = {
  'v3.validators.events': [{}, window, ...ids, { type: 'stake_rejected' }, { ...ids[0], ...window }, { cursor: '' }],
  'v3.validators.elections': [
    {},
    window,
    ...ids,
    { election_id: ELECTION },
    { finished: 'true', return_participants: 'true' },
    { ...ids[1], return_participants: 'true' },
  ],
  'v3.validators.cycles': [
    {},
    window,
    ...ids,
    { cycle_start: ELECTION },
    { election_id: ELECTION, return_validators: 'true' },
    { ...ids[0], return_validators: 'true' },
  ],
  'v3.validators.complaints': [{}, window, ...ids, { cycle_start: ELECTION }, { election_id: ELECTION }],
  'v3.staking.nominatorPools.pool': [pool],
  'v3.staking.nominatorPools.nominator': [nominator],
  'v3.staking.nominatorPools.nominatorEvents': [
    pool,
    { ...pool, ...window },
    { ...pool, ...nominator },
    { ...pool, nominator: base('nominator 13'), ...window },
  ],
  'v3.staking.nominatorPools.nominatorRewards': [{ ...pool, ...nominator }],
  'v3.staking.nominatorPools.validatorEvents': [pool, validator, { ...validator, type: 'penalty' }, { ...validator, ...window }],
  'v3.staking.nominatorPools.validatorRewards': [{ ...pool, ...validator }],
  'v3.multisig.wallets': [
    { address: base('multisig 7') },
    { wallet_address: base('signer 7') },
    { wallet_address: base('signer 7'), include_orders: 'false' },
  ],
  'v3.multisig.orders': [{ address: base('order 7') }, { multisig_address: base('multisig 7'), parse_actions: 'true' }],
  'v3.vesting': [
    { contract_address: base('vesting 7') },
    { wallet_address: base('signer 7') },
    { wallet_address: base('signer 7'), check_whitelist: 'true' },
  ],
}

describe('plans of staking, validators and wallets', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const slow: string[] = []
  let rows = 0

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await loadParser()
    await fill(server, database, 1_500)
    await fillStaking(server, database)
    await server.run(database, 'update published_head set mc_seqno = 1000000')
    reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  let label = ''
  const look = ({ sql, scanned, rows: found }: Explained): void => {
    const read = scanned.filter((table) => FILLED.test(table))
    if (read.length > 0) slow.push(`${label} reads all of ${read.join(', ')}: ${sql.slice(0, 400)}`)
    rows += found
  }

  it.each(Object.entries(CASES) as [MethodName, readonly Record<string, string>[]][])(
    'every filter of %s has an index, and statements that Citus takes',
    async (name, sets) => {
      const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
      const def = registry[name]
      const citus = createFaultList()
      const distributed = resultsOf(createV3Handlers({ reader: asDistributed(reader, citus.check), v2: {} as never }))
      const handlers = resultsOf(createV3Handlers({ reader: explaining(reader, look), v2: {} as never }))
      for (const set of sets) {
        for (const sort of 'sort' in def.params.shape ? ['asc', 'desc'] : ['']) {
          const raw = sort === '' ? set : { ...set, sort }
          label = `${name} ${JSON.stringify(raw)}`
          const answer = (await handlers[name]!(parseParams(def as never, raw, 'query'), call)) as Readonly<Record<string, unknown>>
          expect(await distributed[name]!(parseParams(def as never, raw, 'query'), call)).toEqual(answer)
          // A filter that finds nothing would say nothing of its plan.
          const list = def.page && (answer[def.page.rows] as unknown[])
          expect(list?.length ?? 1, JSON.stringify(raw)).toBeGreaterThan(0)
        }
      }
      expect(slow.splice(0)).toEqual([])
      expect(citus.found).toEqual([])
      expect(rows).toBeGreaterThan(0)
    },
    60_000,
  )
})
