import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../../server/base/call.ts'
import { createDocuments } from '../../../server/http/docs/documents.ts'
import { TonError } from '../../../shared/errors.ts'
import { jsonText } from '../../kit/service/results.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { open } from '../raw.ts'

const DOCUMENTS = ['/openapi.json', '/openrpc.json']
let server: Transport
afterEach(() => server?.close())

const limited = (units: number, taken: number[]): Caller => ({
  keyId: undefined,
  servers: undefined,
  take(weight) {
    taken.push(weight)
    units -= weight
    return units >= 0
  },
  charge: () => {},
  onEnd: () => () => {},
})

describe('documents', () => {
  it('documents are compressed for clients that accept that', async () => {
    server = await startTransport()
    const identity = await fetch(`${server.url}/openapi.json`, { headers: { 'Accept-Encoding': 'identity' } })
    expect(identity.headers.get('vary')).toContain('Accept-Encoding')
    const plain = await identity.text()
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${server.url}/openapi.json`)
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect(await answer.text()).toBe(plain)
    }
    const socket = await open(server.url)
    const head = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n'
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).write(head)
    await new Promise((closed) => socket.once('close', closed))
    const bytes = Buffer.concat(chunks)
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
    expect(Number(/content-length: (\d+)/i.exec(bytes.toString('latin1'))![1])).toBe(body.length)
    expect(gunzipSync(body).toString()).toBe(plain)
  })

  it('answers with a document share its bytes, so that clients who do not read cost no memory', async () => {
    server = await startTransport()
    const sent: unknown[] = []
    server.http.server.prependListener('request', (_req, res) => {
      const end = res.end.bind(res) as (...given: unknown[]) => typeof res
      res.end = (...given: unknown[]) => {
        sent.push(given[0])
        return end(...given)
      }
    })
    for (let i = 0; i < 2; i++) await (await fetch(`${server.url}/openapi.json`, { headers: { 'Accept-Encoding': 'identity' } })).text()
    expect(sent[0]).toBeInstanceOf(Buffer)
    expect(sent[1]).toBe(sent[0])
  })

  it('documents answer HEAD with their length and nothing else', async () => {
    server = await startTransport()
    for (const path of DOCUMENTS) {
      const answer = await fetch(`${server.url}${path}`, { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } })
      const { length } = await (await fetch(`${server.url}${path}`, { headers: { 'Accept-Encoding': 'identity' } })).text()
      expect(Number(answer.headers.get('content-length'))).toBe(length)
      expect(await answer.text()).toBe('')
    }
  })

  it('documents cost a unit of the limit, like a call', async () => {
    const taken: number[] = []
    const caller = limited(DOCUMENTS.length, taken)
    server = await startTransport({ gate: { admit: () => caller } })
    for (const path of DOCUMENTS) expect((await fetch(`${server.url}${path}`)).status).toBe(200)
    expect(taken).toEqual([1, 1])
    for (const path of DOCUMENTS) {
      const refused = await fetch(`${server.url}${path}`)
      expect(refused.status).toBe(429)
      expect(await refused.json()).toMatchObject({ ok: false, code: 429, error: 'Ratelimit exceeded' })
    }
    // What watches the service is free.
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  })

  it('documents are refused for an invalid key', async () => {
    const admit = (): never => {
      throw new TonError('UNAUTHORIZED', 'API key does not exist')
    }
    server = await startTransport({ gate: { admit } })
    for (const path of DOCUMENTS) expect((await fetch(`${server.url}${path}`)).status).toBe(401)
  })
})

describe('rpc.discover', () => {
  it('rpc.discover answers a text that is made once', async () => {
    const documents = createDocuments({ served: ['getMasterchainInfo', 'rpc.discover', 'v3.transactions'], version: '2.2.0' })
    const text = await documents.openrpc()
    expect(await documents.openrpc()).toBe(text)
    expect(JSON.parse(text)).toMatchObject({ openrpc: '1.3.2', methods: [{}, {}, {}] })
    expect(await jsonText({ pieces: [text] }, new AbortController().signal)).toBe(text)
    expect(JSON.parse(await documents.openrpc('/testnet'))).toMatchObject({ servers: [{ url: '/testnet/jsonRPC' }] })
  })
})
