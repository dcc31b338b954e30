import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import { type Connection, get, post, rpcText } from '../kit/wire/connection.ts'
import { bocOf } from '../kit/wire/large.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Answers that are made while they are sent, and do not come to their end: no client may take them for whole ones. */

const ACCOUNT = `0:${'a'.repeat(64)}`
/** Together their page is larger than what the buffers of the system and of the service take. */
const TRACES = 160
const BODY = 60_000
const PAGE = `/api/v3/traces?account=${ACCOUNT}&limit=${TRACES}`

let service: WireService
beforeAll(async () => {
  service = await startService('--index', 'on', '--log', 'silent')
  const message = { from: `0:${'b'.repeat(64)}`, to: ACCOUNT, amount: '1000000', body: bocOf(BODY), bounce: false }
  const ofTen = post('/jsonRPC', `[${Array.from({ length: 10 }, (_, id) => rpcText('local.sendInternal', message, id)).join(',')}]`)
  for (let i = 0; i < TRACES / 10; i++) expect((await service.ask(ofTen)).status).toBe(200)
  await until(async () => {
    const { status, json } = await service.ask(get(`/api/v3/traces?account=${ACCOUNT}&limit=1&offset=${TRACES - 1}`))
    return status === 200 && (json as { readonly traces: readonly unknown[] }).traces.length === 1
  }, 200)
}, 300_000)
afterAll(async () => {
  service?.started.child.kill('SIGKILL')
  await service?.started.ended
})

/** Asks for the page, reads its beginning, and then nothing. */
const readBeginning = async (encoding: readonly string[] = []): Promise<Connection> => {
  const connection = await service.open()
  await connection.send(get(PAGE, ...encoding))
  const beginning = await connection.take(2_000)
  expect(String(beginning)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  connection.socket.pause()
  await until(async () => (await service.status()).unread_bytes.http > 0)
  return connection
}

/** Reads what is left. The connection has to end within the answer. */
const expectCut = async (connection: Connection): Promise<void> => {
  connection.socket.resume()
  await connection.closed
  const left = connection.left().toString('latin1')
  expect(left.endsWith('0\r\n\r\n')).toBe(false)
  expect(left.slice(-1_000)).not.toMatch(/\]\s*\}\s*$|"error"/)
  expect(left.length).toBeLessThan(TRACES * BODY)
}

it('a page is sent in chunks while it is made, and with its length to a client of HTTP/1.0', async () => {
  const streamed = await service.ask(get(PAGE))
  expect([streamed.status, streamed.headers['transfer-encoding']]).toEqual([200, 'chunked'])
  expect((streamed.json as { readonly traces: readonly unknown[] }).traces).toHaveLength(TRACES)
  const old = await service.ask(get(PAGE).replace('HTTP/1.1', 'HTTP/1.0'))
  expect(old.headers['content-length']).toBe(String(old.body.length))
  expect(old.body.equals(streamed.body)).toBe(true)
})

it('a page is made no further when its client has left', async () => {
  const connection = await readBeginning()
  connection.destroy()
  await until(async () => (await service.status()).unread_bytes.http === 0)
})

it('a page whose client reads nothing for thirty seconds is cut off, not ended', async () => {
  const began = performance.now()
  const connection = await readBeginning()
  await until(async () => (await service.status()).unread_bytes.http === 0, 100)
  expect(performance.now() - began).toBeGreaterThan(25_000)
  await expectCut(connection)
})

it('a page that is under way when the service ends is cut off, not ended, compressed or not', async () => {
  const connections = [await readBeginning(), await readBeginning(['Accept-Encoding: gzip'])]
  service.started.child.kill('SIGTERM')
  await service.started.ended
  for (const connection of connections) await expectCut(connection)
})
