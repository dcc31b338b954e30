import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createCache } from '../../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../../server/dispatch/types.ts'
import { createIndexReader } from '../../../server/index/service/replica-or-primary.ts'
import { createReader } from '../../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { registry } from '../../../shared/registry.ts'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { until } from '../../kit/wait.ts'

/* Kept answers whose head is in memory, over a chain that makes blocks and is reverted: in the process that writes the index, and in another one. */

let server: TestServer
let database: ClientConfig
let service: V3Service
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  service = await startV3({ databaseUrl: urlOf(database) })
  await service.settle()
})
afterAll(async () => {
  await service?.close()
  await server?.close()
})

interface Info {
  readonly last: { readonly seqno: number; readonly root_hash: string }
}
const info = async (): Promise<Info['last']> => (await service.get<Info>('masterchainInfo')).body.last
/** Asks until the answer is kept. */
const often = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) await info()
}
const seqnoOf = (): number => service.tonway.app.network.index!.status().seqno

/** What another process of this database answers. It knows of the index only what the database tells. */
const openOther = () => {
  const own = createReader(database, { connections: 2 })
  const index = createIndexReader({
    primary: () => ({ connection: database, reader: own }),
    status: () => ({ seqno: 1, error: '', cause: '' }),
    replicaUrls: [],
    suffix: undefined,
    connections: 2,
    slowQuery: 0,
    log: silentLog,
  })
  const cache = () => createCache<Outcome>({ entries: 10, bytes: 1 << 20 })
  const dispatch = createDispatch({
    methods: registry,
    handlers: createV3Handlers({ reader: index.reader, v2: {} as never }),
    head: () => undefined,
    headCache: cache(),
    finalCache: cache(),
    indexed: { cache: cache(), head: () => index.reader.head?.now() },
  })
  return {
    reader: index.reader,
    async info(): Promise<Info['last']> {
      const { signal } = new AbortController()
      const call: Call = { network: 'local', signal, requestId: 'other', log: silentLog, localAllowed: true }
      const outcome = await dispatch('v3.masterchainInfo', {}, call)
      if (!outcome.ok) throw outcome.error
      return (JSON.parse(outcome.json) as Info).last
    },
    async close() {
      await index.close()
      await own.close()
    },
  }
}

describe('kept answers while the head is in memory', () => {
  it('the process that publishes a block answers with it at once, and after a revert with the block that is left', async () => {
    for (let round = 0; round < 5; round++) {
      const { snapshot } = await service.call('local.snapshot', {})
      const kept = service.tonway.app.network.chain.head().id.seqno
      await service.indexed()
      const before = await info()
      for (let i = 0; i < 4; i++) {
        await often()
        await service.call('local.mine', {})
        await service.indexed()
        expect((await info()).seqno).toBe(service.tonway.app.network.chain.head().id.seqno)
      }
      await often()
      await service.call('local.revert', { snapshot })
      await until(() => seqnoOf() === kept, 1)
      expect(await info()).toEqual(before)
    }
  })

  it('another process follows the head without asking for it, and never goes back but in a revert', async () => {
    const other = openOther()
    let last = 0
    const fresh = async (seqno: number) => {
      await until(async () => {
        const answered = await other.info()
        expect(answered.seqno).toBeGreaterThanOrEqual(last)
        last = answered.seqno
        return last === seqno
      }, 1)
    }
    const { snapshot } = await service.call('local.snapshot', {})
    const start = service.tonway.app.network.chain.head().id.seqno
    await service.indexed()
    await fresh(start)
    for (let i = 1; i <= 10; i++) {
      await service.call('local.mine', {})
      await fresh(start + i)
    }
    await until(async () => {
      await other.info()
      return other.reader.head!.now()?.head === start + 10
    }, 1)
    await service.call('local.revert', { snapshot })
    await until(async () => (await other.info()).seqno === start, 1)
    last = start
    await service.call('local.mine', { count: 2 })
    await fresh(start + 2)
    await service.indexed()
    expect(await other.info()).toEqual(await info())
    await other.close()
  })
})
