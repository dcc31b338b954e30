import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { accountKey, MASTER_KEY } from '../../../server/store/row-keys.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { type Address, startAddress } from '../../kit/index/address.ts'
import { CITUS_URL, type CitusNode, citusDatabase, citusNodes, createCitusDatabase, dropCitusDatabases } from '../../kit/index/citus.ts'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import { ask } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { sleep, until } from '../../kit/wait.ts'

/* A worker of a Citus cluster is gone for a minute: the coordinator reaches it at an address that leads nowhere for that time. */

const NAME = `tonway_lost_node_${process.pid}`
const OUTAGE_MS = 60_000
const signal = AbortSignal.timeout(500_000)

/** Skipped without TONWAY_TEST_CITUS_URL: there is no cluster to lose a node of. */
describe.skipIf(CITUS_URL === undefined)('a lost node of a Citus cluster (skipped without TONWAY_TEST_CITUS_URL)', () => {
  const url = CITUS_URL!
  let nodes: readonly CitusNode[]
  let server: TestServer
  let addresses: ReadonlyMap<number, Address>
  let lost: Address
  let service: Tonway
  const tvm = createTestTvm({ workers: 1 })
  const database = () => citusDatabase(url, NAME)
  const account = (i: number) => ({ workchain: 0, hash: Buffer.alloc(32, `account ${i} `) })
  const accounts = Array.from({ length: 16 }, (_, i) => account(i))
  const fund = async (i: number): Promise<number> =>
    (await service.app.network.control!.fund(accounts[i % accounts.length]!, 1_000_000_000n, signal)).seqno
  const get = (path: string) => ask<{ error?: string }>(`${service.url}/api/v3/${path}`)

  beforeAll(async () => {
    nodes = await citusNodes(url)
    const ports = nodes.filter(({ isCoordinator }) => !isCoordinator).map(({ port }) => port)
    addresses = new Map(await Promise.all(ports.map(async (port) => [port, await startAddress(port)] as const)))
    await createCitusDatabase(url, nodes, NAME, ({ port }) => addresses.get(port)!.port)
    server = await startTestServer()
    service = await startTonway({ index: true, blockTime: 0, databaseUrl: urlOf(database()) })
    for (let i = 0; i < accounts.length; i++) await fund(i)
    await service.app.network.index!.reached(service.app.network.chain.head().id.seqno, signal)
  })
  afterAll(async () => {
    await service?.close()
    for (const address of addresses?.values() ?? []) await address.close()
    await server?.close()
    await tvm.close()
    await dropCitusDatabases(url, nodes, [NAME])
  })

  /** The port of the node that has the rows of a key. */
  const portOf = async (table: string, key: Buffer): Promise<number> => {
    const [row] = await server.run<{ port: number }>(
      database(),
      `select nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('${table}', $1::bytea)`,
      [key],
    )
    return row!.port
  }

  it('what needs the lost node says so, the rest answers, and all heals by itself with nothing lost', async () => {
    const { chain, index, source } = service.app.network
    // One without the blocks of the masterchain.
    const master = await portOf('blocks', MASTER_KEY)
    const [of, away] = [...addresses].find(([, { port }]) => port !== master)!
    lost = away
    const place = await Promise.all(
      accounts.map(async ({ workchain, hash }) => (await portOf('accounts', accountKey(workchain, hash))) === lost.port),
    )
    expect(new Set(place).size).toBe(2)
    const bookOf = (isLost: boolean) => get(`addressBook?address=0:${accounts[place.indexOf(isLost)]!.hash.toString('hex')}`)
    const before = index!.status().seqno

    lost.cut()
    const gone = performance.now()
    expect((await get('masterchainInfo')).status).toBe(200)
    expect((await bookOf(false)).status).toBe(200)
    const answers = [await bookOf(true), await get('transactions?limit=10')]
    for (const { status, body } of answers) {
      expect(status).toBe(503)
      expect(body.error).toContain("a node of the database's cluster cannot be reached")
    }
    // The chain goes on, and the index tries again and again.
    let made = 0
    while (performance.now() - gone < OUTAGE_MS) {
      await fund(made++)
      await sleep(500)
    }
    expect((await get('masterchainInfo')).status).toBe(200)
    expect(index!.status().cause).toContain("a node of the database's cluster")
    expect(index!.status().seqno).toBeLessThan(before + made)

    lost.lead(of)
    await index!.reached(chain.head().id.seqno, signal)
    await until(async () => (await get('transactions?limit=10')).status === 200)
    expect((await bookOf(true)).status).toBe(200)
    const { differences } = await verifyIndex({ source, connection: index!.connection()!, tvm }, signal)
    expect(differences.map(formatDifference)).toEqual([])
    expect((await get('transactions?limit=10')).status).toBe(200)
  })
})
