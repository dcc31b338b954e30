import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

/* The global config by URL: from a web server that may be away when a service starts. */

let maker: Tonway
let text: string
let web: Server
let url: string
/** What the web server answers with. */
let told: { readonly status: number; readonly body: string }

beforeAll(async () => {
  maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
  const { tonway: _, ...config } = (await ask(`${maker.url}/global.config.json`)).body as Record<string, unknown>
  text = JSON.stringify(config)
  web = createServer((_req, res) => res.writeHead(told.status).end(told.body)).listen(0, '127.0.0.1')
  await once(web, 'listening')
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/global.config.json`
})
afterAll(async () => {
  await maker?.close()
  web?.close()
})

const start = (dataDir?: string): Promise<Tonway> =>
  startTonway({ network: ['copy'], globalConfig: url, ...(dataDir !== undefined && { dataDir }) })
const phase = ({ app }: Tonway): string => app.networks.supervisor('copy')!.phase()

describe('a global config by URL', () => {
  it('a global config whose URL does not answer is asked for again, and calls are told why', async () => {
    told = { status: 503, body: 'later' }
    await using service = await start()
    const response = await ask(`${service.url}/api/v2/getMasterchainInfo`)
    expect(response.status).toBe(503)
    expect(response.body).toMatchObject({ error: expect.stringContaining('cannot read the global config http://127.0.0.1:') })
    told = { status: 200, body: text }
    await expect.poll(() => phase(service)).toBe('ready')
  })

  it('the start fails if the file of the global config does not exist', async () => {
    told = { status: 404, body: 'no' }
    await expect(start()).rejects.toThrow(/cannot read the global config .*: HTTP status 404/)
  })

  it('a document that is no global config is named with its place, and with the path that a tonway has it at', async () => {
    told = { status: 200, body: '{"ok":true,"result":{"name":"tonway"}}' }
    const globalConfig = new URL('/', url).href
    await expect(startTonway({ network: ['copy'], globalConfig })).rejects.toThrow(
      /http:\/\/127\.0\.0\.1:\d+\/: the global config: liteservers: .*; that of a tonway is at \/global\.config\.json$/,
    )
  })

  it('the global config is kept in the data directory, for starts while its URL does not answer or answers nonsense', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-config-'))
    try {
      told = { status: 200, body: text }
      await (await start(folder)).close()
      expect(readdirSync(folder).filter((name) => name.startsWith('globalconfig-'))).toHaveLength(1)
      for (const answer of [
        { status: 500, body: '' },
        { status: 200, body: '<html>Please sign in</html>' },
      ]) {
        told = answer
        await using service = await start(folder)
        expect(phase(service)).toBe('ready')
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
