import { gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText, type WireAnswer } from '../kit/wire/connection.ts'
import { LARGE, largeBatch, makeLarge } from '../kit/wire/large.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Which encoding an answer has, by what its client accepts and by its length. */

let service: WireService
const MIDDLE = `0:${'2b'.repeat(32)}`
beforeAll(async () => {
  service = await startService()
  await makeLarge(service, 40_000, MIDDLE)
  await makeLarge(service, 300_000)
})
afterAll(() => service?.stop())

const GET_MIDDLE = `/api/v2/getAddressInformation?address=${MIDDLE}`
const GET_LARGE = `/api/v2/getAddressInformation?address=${LARGE}`
const OPCODES = Array.from({ length: 100 }, () => 'opcodes=0x0').join('&')

/** An answer as its client reads it, without what differs between two calls. */
const decoded = ({ headers, body }: WireAnswer): string => {
  const coding = headers['content-encoding']
  const bytes = coding === 'gzip' ? gunzipSync(body) : coding === 'deflate' ? inflateSync(body) : body
  return bytes.toString().replace(/"@extra":"[^"]*"/, '')
}

/** Requests whose answers are short enough to be compressed at once, are compressed as a whole, and are written in parts. */
const ANSWERS: readonly (readonly [what: string, request: (...lines: readonly string[]) => string])[] = [
  ['of 1 KB', (...lines) => get('/', ...lines)],
  ['of 40 KB', (...lines) => get(GET_MIDDLE, ...lines)],
  ['of 300 KB', (...lines) => get(GET_LARGE, ...lines)],
  ['of v3', (...lines) => get(`/api/v3/decode?${OPCODES}`, ...lines)],
  ['of JSON-RPC', (...lines) => post('/jsonRPC', rpcText('getAddressInformation', { address: LARGE }), ...lines)],
  ['of the dialect', (...lines) => post('/api/v2/jsonRPC', rpcText('getAddressInformation', { address: LARGE }), ...lines)],
  ['that is a document', (...lines) => get('/openrpc.json', ...lines)],
]

it.each(ANSWERS)('an answer %s is the same for clients that accept gzip, identity, other encodings, or none', async (_what, request) => {
  const plain = await service.ask(request())
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'gzip'],
    ['identity', undefined],
    ['br', undefined],
    ['*;q=0', undefined],
  ] as const) {
    const answer = await service.ask(request(`Accept-Encoding: ${accepted}`))
    expect([accepted, answer.status, answer.headers['content-encoding']]).toEqual([accepted, 200, encoding])
    if (encoding) expect(answer.headers['vary']).toContain('Accept-Encoding')
    expect(decoded(answer)).toBe(decoded(plain))
    if (encoding) expect(answer.body.length).toBeLessThan(plain.body.length)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-request-id': expect.any(String) })
  }
})

describe.each(['/', GET_MIDDLE])('the encoding of GET %s', (path) => {
  it.each([
    'gzip',
    'GZIP',
    'gzip;q=0.7, deflate;q=0.3',
    '*',
    'gzip;q=0.001, identity;q=0',
    'br, gzip;q=0.5',
  ])('gzip is sent to a client that accepts %s', async (accepted) => {
    const { status, headers } = await service.ask(get(path, `Accept-Encoding: ${accepted}`))
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip'])
  })

  it('deflate is sent to a client that prefers it', async () => {
    const answer = await service.ask(get(path, 'Accept-Encoding: gzip;q=0.5, deflate;q=0.9'))
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'deflate'])
    expect(decoded(answer)).toBe(decoded(await service.ask(get(path))))
  })

  it.each([
    'zstd, br;q=0.9',
    'x-gzip',
    'gzip;q=0',
    'identity;q=1, *;q=0',
    'identity;q=0',
    'gzip;q=0, deflate;q=0, identity;q=0',
    'br;q=1, *;q=0',
    'nonsense;;q=,',
    ',',
    '',
  ])('plain text is sent to a client that accepts %j', async (accepted) => {
    const answer = await service.ask(get(path, `Accept-Encoding: ${accepted}`))
    expect([answer.status, answer.headers['content-encoding'], answer.json]).toEqual([
      200,
      undefined,
      expect.objectContaining({ ok: true }),
    ])
  })
})

it.each([
  '/openapi.json',
  '/openrpc.json',
  '/asyncapi.json',
  '/llms.txt',
])('the document %s is compressed once, by gzip, and plain for all others', async (path) => {
  const coding = async (accepted: string): Promise<string | undefined> =>
    (await service.ask(get(path, `Accept-Encoding: ${accepted}`))).headers['content-encoding']
  expect(await coding('deflate, gzip;q=0.1')).toBe('gzip')
  expect(await coding('deflate')).toBeUndefined()
})

it('an answer under 1 KB is never compressed', async () => {
  for (const bytes of [get('/health', 'Accept-Encoding: gzip'), post('/jsonRPC', rpcText('getMasterchainInfo'), 'Accept-Encoding: gzip')])
    expect((await service.ask(bytes)).headers).not.toHaveProperty('content-encoding')
})

it('a batch of 8 MB is compressed too, and HEAD of a compressed answer has no body', async () => {
  await makeLarge(service, 900_000)
  const batch = largeBatch(9)
  const packed = await service.ask(batch.replace('\r\n', '\r\nAccept-Encoding: gzip\r\n'))
  expect([packed.headers['content-encoding'], packed.body.length < 7 << 20]).toEqual(['gzip', true])
  const answers = JSON.parse(decoded(packed)) as { id: number; result: { data: string } }[]
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(new Set(answers.map(({ result }) => result.data.length)).size).toBe(1)
  const connection = await service.open()
  await connection.send(requestOf('HEAD', GET_LARGE, 'Accept-Encoding: gzip') + get('/health'))
  expect((await connection.answer(true)).status).toBe(200)
  expect((await connection.answer()).json).toEqual({ ok: true, result: 'OK' })
  connection.destroy()
})
