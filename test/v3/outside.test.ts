import { request } from 'node:http'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { loadConfig } from '../../server/cli/load-config.ts'
import { startEmbedded } from '../../server/store/postgres/embedded/server.ts'
import { ask } from '../kit/service/client.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { playScene, rawOf, type Scene, STRANGER } from './scene.ts'

/* The service on a PostgreSQL that is not its own, given by DATABASE_URL: the server of the tests if there is one, otherwise one started beside. */

/** A connection as the URL that people write. */
const urlOf = ({ host, user, password, database }: ClientConfig): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@${encodeURIComponent(String(host))}/${database}`

let url: string
let closeServer = async (): Promise<void> => {}
let watcher: Client
let service: V3Service
let scene: Scene
beforeAll(async () => {
  const given = process.env['DATABASE_URL']
  const server = given === undefined ? await startEmbedded({}) : undefined
  closeServer = async () => server?.close()
  const base = given ?? urlOf(server!.connection)
  watcher = new Client({ connectionString: base })
  await watcher.connect()
  await watcher.query(`create database outside_${process.pid}`)
  const place = new URL(base)
  place.pathname = `/outside_${process.pid}`
  const { config } = loadConfig({ argv: [], env: { DATABASE_URL: place.href }, file: undefined })
  url = config.databaseUrl!
  service = await startV3({ databaseUrl: url })
  scene = await playScene(service)
})
afterAll(async () => {
  await service?.close()
  await watcher?.query(`drop database if exists outside_${process.pid} with (force)`)
  await watcher?.end()
  await closeServer()
})

/** What the service's readers are at, as the server sees it. */
const active = async (): Promise<readonly { readonly state: string; readonly query: string }[]> => {
  const { rows } = await watcher.query(
    `select wait_event_type as state, query from pg_stat_activity where datname = 'outside_${process.pid}' and application_name = 'tonway' and state = 'active'`,
  )
  return rows
}

describe('a PostgreSQL given by DATABASE_URL', () => {
  it('an index on DATABASE_URL has transfers and whole traces', async () => {
    const me = rawOf(scene.wallet.address)
    const { transactions } = await service.call('v3.transactions', { account: [me], limit: 100 })
    expect(transactions.length).toBeGreaterThan(5)
    const { traces } = await service.call('v3.traces', { account: rawOf(STRANGER), limit: 100 })
    expect(traces.map((trace) => trace.trace_info.trace_state)).toEqual(traces.map(() => 'complete'))
    const status = (await ask(`${service.url}/status`)).body as object
    expect(JSON.stringify(status)).not.toContain(new URL(url).password || 'no password was given')
  })

  it('a client that hangs up cancels its statement on the server', async () => {
    const blocker = new Client({ connectionString: url })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table transactions in access exclusive mode')
    try {
      for (const path of ['/api/v3/transactions?limit=1', `/api/v3/traces?account=${rawOf(STRANGER)}`]) {
        const asked = request(`${service.url}${path}`)
        asked.on('error', () => {})
        asked.end()
        await expect.poll(async () => (await active()).map(({ state }) => state), { message: path }).toEqual(['Lock'])
        asked.destroy()
        await expect.poll(active, { message: path }).toEqual([])
      }
    } finally {
      await blocker.query('rollback')
      await blocker.end()
    }
    expect((await service.get('transactions?limit=1')).status).toBe(200)
  })

  it('a call of a batch over a WebSocket that closes is cancelled as well', async () => {
    const blocker = new Client({ connectionString: url })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table messages in access exclusive mode')
    try {
      const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'v3.messages', params: {} }]))
      await expect.poll(async () => (await active()).map(({ state }) => state)).toEqual(['Lock'])
      socket.close()
      await expect.poll(active).toEqual([])
    } finally {
      await blocker.query('rollback')
      await blocker.end()
    }
  })

  it('connections cut by the server are replaced', async () => {
    const { rows } = await watcher.query(
      `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where datname = 'outside_${process.pid}'`,
    )
    expect(rows[0].n).toBeGreaterThan(0)
    await expect.poll(async () => (await service.get('transactions?limit=1')).status).toBe(200)
    const { message_hash: hash } = await service.call('v3.message', { boc: scene.order([]).toBoc().toString('base64') })
    await service.settle()
    await expect.poll(async () => (await service.call('v3.transactionsByMessage', { msg_hash: [hash] })).transactions.length).toBe(1)
  })
})
