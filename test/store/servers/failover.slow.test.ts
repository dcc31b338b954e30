import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPool } from '../../../server/access/key-database.ts'
import { createKeyStore } from '../../../server/access/key-queries.ts'
import { type Address, startAddress } from '../../kit/index/address.ts'
import { type Replicated, startReplicated } from '../../kit/index/replicated.ts'
import { ask } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { sleep, until } from '../../kit/wait.ts'

/* The primary is killed while blocks are indexed, keys are made and v3 is read. Its standby is synchronous, as operators have it who may lose nothing. */

const signal = AbortSignal.timeout(300_000)
let servers: Replicated
let address: Address
let service: Tonway

/** Runs `work` again and again until `stop`. */
const repeating = (work: () => Promise<void>) => {
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      await work()
      await sleep(5)
    }
  })()
  return async (): Promise<void> => {
    isOver = true
    await running
  }
}

describe('a failover under load', () => {
  beforeAll(async () => {
    servers = await startReplicated(1)
    await servers.primary.run(`alter system set synchronous_standby_names = '*'`)
    await servers.primary.run('select pg_reload_conf()')
    await until(async () => (await servers.primary.run(`select from pg_stat_replication where sync_state = 'sync'`)).length === 1)
    address = await startAddress(servers.primary.port)
    service = await startTonway({
      ...{ index: true, keys: 'on', blockTime: 0 },
      databaseUrl: servers.primary.url.replace(/:\d+\//, `:${address.port}/`),
      databaseReadUrl: servers.standbys.map(({ url }) => url),
    })
    await service.app.network.index!.reached(0, signal)
  })
  afterAll(async () => {
    await service?.close()
    await address?.close()
    await servers?.close()
  })

  it('while the primary is killed under load nothing acknowledged is lost, no head goes back, and the index continues', async () => {
    const [standby] = servers.standbys
    const { control } = service.app.network
    const heads: number[] = []
    const keys: string[] = []
    const pool = createKeyPool({ connectionString: servers.primary.url })
    const store = createKeyStore(pool, () => Date.now())
    let mined = 0
    const headOf = async (): Promise<number> => {
      const { status, body } = await ask<{ last: { seqno: number } }>(`${service.url}/api/v3/masterchainInfo`)
      if (status !== 200) throw new Error(String(status))
      return body.last.seqno
    }
    const stops = [
      repeating(async () => {
        mined = (await control!.mine(1, signal)).seqno
      }),
      repeating(async () => {
        // The answer is the acknowledgement. After the kill there is none.
        const made = await store.create({ network: 'local', plan: 'advanced', owner: 'somebody' }).catch(() => undefined)
        if (made !== undefined) keys.push(made.record.id)
      }),
      repeating(async () => {
        const head = await headOf().catch(() => undefined)
        if (head !== undefined) heads.push(head)
      }),
    ]
    await until(() => keys.length > 20 && (heads.at(-1) ?? 0) > 20)
    const before = mined
    await servers.primary.kill()
    const acknowledged = [...keys]
    await standby!.run('alter system reset synchronous_standby_names')
    await standby!.run('select pg_promote()')
    address.lead(standby!.port)
    await until(async () => (heads.at(-1) ?? 0) > before + 5)
    for (const stop of stops) await stop()
    await pool.end()

    expect(heads).toEqual([...heads].sort((a, b) => a - b))
    const stored = await standby!.run<{ id: string }>('select id from api_keys')
    expect(acknowledged.filter((id) => !stored.some((row) => row.id === id))).toEqual([])
    await until(async () => (await headOf()) === mined)
    const rows = await standby!.run<{ seqno: number }>('select seqno from blocks where workchain = -1 order by seqno')
    expect(rows.map(({ seqno }) => seqno)).toEqual(Array.from({ length: mined }, (_, i) => i + 1))
  })
})
