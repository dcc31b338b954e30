import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCESS_MIGRATIONS } from '../../server/access/migrations.ts'
import type { Endpoint } from '../../server/chain/endpoint/server.ts'
import { globalConfig } from '../../server/chain/endpoint/write-global-config.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import { runKeys } from '../../server/cli/keys/keys.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import type { Given } from '../../server/cli/streams.ts'
import { migrate } from '../../server/store/migrate.ts'
import { serve } from '../chain/lite/kit.ts'
import { configOf } from '../cli/kit.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { projectFolder } from '../kit/project.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'

/* The documents' example of a lite-server for those who pay: a network with a server without a group, and one of the group of the example. */

/** The value of `--liteservers` in the example, with its group. */
const [, example, group] = /--network mainnet --liteservers '((\w+)@10\.0\.0\.7:30000\/<key>)'/.exec(
  readFileSync(join(projectFolder, 'server/README.md'), 'utf8'),
)!

/** Calls that are answered by a proof of an account, which the head alone needs none of. */
const COUNTED = 'getAccountState'

describe('lite-servers for those who pay', () => {
  let server: TestServer
  let maker: Tonway
  let paid: Endpoint
  let service: Guarded
  let config: Given['config']
  const folder = mkdtempSync(join(tmpdir(), 'tonway-groups-'))
  const counts = { common: 0, paid: 0 }

  beforeAll(async () => {
    server = await startTestServer()
    maker = await startTonway({ blockTime: 0 })
    const { source, chain } = maker.app.network
    const counting = (who: keyof typeof counts): LiteServer => ({
      ...source,
      query(fn, args, signal) {
        if (fn === COUNTED) counts[who]++
        return source.query(fn, args, signal)
      },
    })
    const common = await serve(counting('common'))
    paid = await serve(counting('paid'))
    const key = (endpoint: Endpoint): string => Buffer.from(endpoint.publicKey).toString('base64')
    const file = await globalConfig(source, { ...common, host: '127.0.0.1' }, AbortSignal.timeout(60_000))
    const path = join(folder, 'global.config.json')
    writeFileSync(path, file)
    const databaseUrl = urlOf(await server.database())
    const given = example!.replace('10.0.0.7:30000/<key>', `127.0.0.1:${paid.port}/${key(paid)}`)
    const { liteservers } = loadConfig({ argv: ['--liteservers', given], env: {}, file: undefined }).config
    config = configOf('--network', 'copy', '--global-config', path, '--database-url', databaseUrl)
    service = await startGuarded(databaseUrl, { network: ['copy'], globalConfig: path, liteservers, anonymousRps: 1_000 })
    const pool = service.app.network.pool!
    await until(() => pool.status().servers.length === 2 && pool.status().servers.every(({ state }) => state === 'ready'))
    await until(() => service.app.network.chain.head().id.seqno === chain.head().id.seqno)
  })
  afterAll(async () => {
    await service?.close()
    await maker?.close()
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  let account = 0
  /** Who answers calls about new accounts with this key. */
  const asked = async (key: string | undefined): Promise<typeof counts> => {
    Object.assign(counts, { common: 0, paid: 0 })
    for (let i = 0; i < 6; i++) {
      const address = `0:${(++account).toString(16).padStart(64, '0')}`
      const { status } = await ask(`${service.url}/api/v2/getAddressInformation?address=${address}`, {
        headers: key === undefined ? {} : { 'X-API-Key': key },
      })
      expect(status).toBe(200)
      service.clock.pass(1_000)
    }
    return { ...counts }
  }
  const keyOf = async (plan: string): Promise<string> => (await service.key({ network: 'copy', plan })).key

  it('the example of the documents gives the server of the group to plus and advanced, and not to free keys or to callers without a key', async () => {
    expect(group).toBe('private')
    for (const plan of ['plus', 'advanced']) expect([plan, await asked(await keyOf(plan))]).toEqual([plan, { common: 0, paid: 6 }])
    expect(await asked(await keyOf('free'))).toEqual({ common: 6, paid: 0 })
    expect(await asked(undefined)).toEqual({ common: 6, paid: 0 })
  })

  it('a new plan has the servers without a group until it names a group', async () => {
    const said: string[] = []
    const output = { print: (text: string) => said.push(text), printError: (text: string) => said.push(text) }
    const set = (name: string, flags: Record<string, string>) =>
      runKeys({ command: 'plans', action: 'set', flags, positionals: [name], config }, output)
    expect(await set('acme', { rps: '100' })).toBe(0)
    expect(said.at(-1)).toContain('lite-servers: those without a group')
    const key = await keyOf('acme')
    expect(await asked(key)).toEqual({ common: 6, paid: 0 })
    expect(await set('acme', { servers: 'private' })).toBe(0)
    expect(said.at(-1)).toContain('lite-servers: the group private first')
    await expect.poll(async () => (await asked(key)).paid).toBe(6)
  })

  it('calls of the group go to the others while its server is away', async () => {
    const key = await keyOf('plus')
    await paid.close()
    await until(() => service.app.network.pool!.status().servers.some(({ state }) => state !== 'ready'))
    expect(await asked(key)).toEqual({ common: 6, paid: 0 })
  })

  it('a database of before has its plan `free` without the group too, unless an operator had chosen another one', async () => {
    const { '0004-free': _, ...earlier } = ACCESS_MIGRATIONS.migrations as Record<string, never>
    const groupAfter = async (before: string): Promise<unknown> => {
      const connection = await server.database()
      await migrate(connection, { ...ACCESS_MIGRATIONS, migrations: earlier })
      const client = new Client(connection)
      await client.connect()
      try {
        await client.query(`update api_plans set servers = $1`, [before])
        await migrate(connection, ACCESS_MIGRATIONS)
        const { rows } = await client.query(`select name, servers from api_plans order by name`)
        return Object.fromEntries(rows.map(({ name, servers }) => [name, servers]))
      } finally {
        await client.end()
      }
    }
    expect(await groupAfter('private')).toEqual({ free: null, plus: 'private', advanced: 'private' })
    expect(await groupAfter('mine')).toEqual({ free: 'mine', plus: 'mine', advanced: 'mine' })
  })
})
