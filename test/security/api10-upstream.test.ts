import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, seed } from '../kit/random.ts'
import { type Answer, ask, post } from '../kit/service/client.ts'
import { startTransport } from '../kit/service/test-transports.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { LEAKS } from './wire.ts'

const random = createRandom(seed)
const noise = (length: number): Buffer => Buffer.from(random.bytes(length))

/*
 * OWASP API10:2023, unsafe consumption of APIs. The upstreams are lite-servers: what they say is proven or refused (test/chain/liar.test.ts, test/lite);
 * here they do not even speak the protocol, and nothing may come of it but an error.
 */

/** Bytes that were taken of the one that sends without end. */
let poured = 0

const HOSTILE: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => {},
  'hangs up at once': (socket) => socket.destroy(),
  'sends noise': (socket) => {
    socket.write(noise(4096))
  },
  'sends without end': (socket) => {
    const chunk = noise(1 << 16)
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk)) poured += chunk.length
    }
    socket.on('drain', pour)
    pour()
  },
  'speaks HTTP': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  },
  'sends what it hears': (socket) => {
    socket.pipe(socket)
  },
}

const listen = (serve: (socket: Socket) => void): Promise<{ server: Server; port: number }> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      serve(socket)
    })
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }))
  })

let folder: string
const servers: Server[] = []
let tonway: Tonway
let calls: Promise<Answer[]>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-hostile-'))
  const liteservers = []
  for (const serve of Object.values(HOSTILE)) {
    const { server, port } = await listen(serve)
    servers.push(server)
    liteservers.push({ ip: 2130706433, port, id: { '@type': 'pub.ed25519', key: noise(32).toString('base64') } })
  }
  const block = {
    workchain: -1,
    shard: '-9223372036854775808',
    seqno: 0,
    root_hash: noise(32).toString('base64'),
    file_hash: noise(32).toString('base64'),
  }
  const file = join(folder, 'global.json')
  writeFileSync(
    file,
    JSON.stringify({
      '@type': 'config.global',
      liteservers,
      validator: { '@type': 'validator.config.global', zero_state: block, init_block: block },
    }),
  )
  tonway = await startTonway({ network: ['local', 'hostile'], networks: { hostile: { globalConfig: file } }, blockTime: 0 })
  // They wait for a network that never comes, as long as calls wait: meanwhile the rest is looked at.
  calls = Promise.all(
    ['getMasterchainInfo', `getAddressBalance?address=0:${'00'.repeat(32)}`, 'getConfigAll'].map((path) =>
      ask(`${tonway.url}/hostile/api/v2/${path}`),
    ),
  )
})
afterAll(async () => {
  await tonway?.close()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('API10: upstreams that are no friends', () => {
  it('with a hostile upstream the process lives, says what is wrong, and serves its other network', async () => {
    expect((await ask(`${tonway.url}/health`)).status).toBe(200)
    const ready = await ask(`${tonway.url}/hostile/ready`)
    expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ ok: false })])
    const other = await Promise.all(Array.from({ length: 20 }, () => ask(`${tonway.url}/api/v2/getMasterchainInfo`)))
    expect(other.map(({ status }) => status)).toEqual(other.map(() => 200))
  })

  it('texts of an upstream stay texts: no markup, no header and no line of the log is made of them', async () => {
    const lines: string[] = []
    const { createLog } = await import('../../server/base/log.ts')
    const server = await startTransport({ log: createLog('debug', { write: (line) => lines.push(line) }) })
    try {
      const answer = await post(`${server.url}/api/v2/fail`, { how: '</script>\r\nSet-Cookie: a=1\n{"level":"error"}' })
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      answer.body
      for (const line of lines) expect(line.trimEnd().split('\n')).toHaveLength(1)
      expect(lines.length).toBeGreaterThan(0)
    } finally {
      await server.close()
    }
  })

  it(
    'calls to a hostile upstream end with an error that says to try again, and a flood of data is cut off',
    { timeout: 60_000 },
    async () => {
      const before = process.memoryUsage().rss
      for (const { status, body } of await calls) {
        expect([503, 504, 542]).toContain(status)
        expect(body).toMatchObject({ ok: false, error: expect.any(String) })
        expect(JSON.stringify(body)).not.toMatch(LEAKS)
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
      expect(poured).toBeLessThan(64 << 20)
    },
  )
})
