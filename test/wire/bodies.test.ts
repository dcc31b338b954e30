import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Bodies of requests: their length, their encoding, their media type, and what JSON they may be. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const MiB = 1 << 20
const HASH = '0'.repeat(64)
const CALL = rpcText('detectHash', { hash: HASH })
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
const chunked = (path: string, ...chunks: readonly string[]): string =>
  requestOf('POST', path, 'Transfer-Encoding: chunked') + chunks.join('')
const END = '0\r\n\r\n'

const TOO_LARGE = 'request body is over 1048576 bytes'
const REFUSALS: readonly (readonly [path: string, answer: object])[] = [
  ['/jsonRPC', { jsonrpc: '2.0', id: null, error: { code: -32013, message: TOO_LARGE, data: { kind: 'TOO_LARGE' } } }],
  ['/api/v2/jsonRPC', { ok: false, error: TOO_LARGE, code: 413, '@extra': '_' }],
  ['/api/v2/detectHash', { ok: false, error: TOO_LARGE, code: 413, '@extra': '_' }],
  ['/api/v3/decode', { error: TOO_LARGE, code: 413 }],
]

describe('the length of a body', () => {
  it.each(REFUSALS)('a body over 1 MiB to %s is refused with 413, and the connection goes on behind it', async (path, refusal) => {
    expect((await service.ask(post(path, ' '.repeat(MiB)))).status).not.toBe(413)
    const connection = await service.open()
    void connection.send(post(path, ' '.repeat(MiB + 1)) + get('/health'))
    const { status, json } = await connection.answer()
    expect([status, json]).toEqual([413, refusal])
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })

  it('a body that is announced as too long is refused before it comes', async () => {
    const connection = await service.open()
    await connection.send(requestOf('POST', '/jsonRPC', 'Content-Length: 99999999999'))
    expect((await connection.answer()).status).toBe(413)
    connection.destroy()
  })

  it('a chunked body over 1 MiB is refused while it comes', async () => {
    const connection = await service.open()
    await connection.send(chunked('/jsonRPC'))
    const refusal = connection.answer()
    for (let i = 0; i < 17; i++) await connection.send(chunk(' '.repeat(1 << 16)))
    expect((await refusal).status).toBe(413)
    await connection.send(END + get('/health'))
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })

  it('a body that ends too early ends its connection without an answer', async () => {
    const connection = await service.open()
    await connection.send(requestOf('POST', '/jsonRPC', 'Content-Length: 100') + CALL.slice(0, 20))
    connection.end()
    const statuses = (await connection.answers()).map(({ status }) => status)
    expect(statuses.filter((status) => status < 400)).toEqual([])
  })
})

describe('the encoding of a body', () => {
  it('a chunked body is read, with extensions and trailers, in pieces of any size', async () => {
    for (const chunks of [
      [chunk(CALL), END],
      [chunk(CALL.slice(0, 10), ';a=b'), chunk(CALL.slice(10), ';c="d"'), END],
      [...[...CALL].map((char) => chunk(char)), END],
      [chunk(CALL), '0\r\nX-Trailer: 1\r\n\r\n'],
    ])
      expect((await service.ask(chunked('/jsonRPC', ...chunks))).json).toMatchObject({ id: 1, result: { hex: expect.any(String) } })
  })

  it('a body that comes byte by byte is read', async () => {
    const connection = await service.open()
    connection.socket.setNoDelay(true)
    for (const byte of post('/jsonRPC', CALL)) await connection.send(byte)
    expect((await connection.answer()).json).toMatchObject({ id: 1, ok: true })
    connection.destroy()
  })

  it('a byte order mark before JSON is skipped, and bytes that are not UTF-8 are no reason to fail', async () => {
    expect((await service.ask(post('/jsonRPC', `\ufeff${CALL}`))).json).toMatchObject({ id: 1, ok: true })
    const broken = `{"jsonrpc":"2.0","id":"\xff","method":"detectHash","params":{"hash":"${HASH}"}}`
    const bytes = requestOf('POST', '/jsonRPC', `Content-Length: ${broken.length}`) + broken
    expect((await service.ask(bytes)).json).toMatchObject({ id: '\ufffd', ok: true })
    const utf16 = `${requestOf('POST', '/jsonRPC', 'Content-Length: 4')}\xff\xfe{\0`
    expect((await service.ask(utf16)).json).toMatchObject({ id: null, error: { code: -32700 } })
  })
})

describe('the media type of a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'nonsense',
    '',
  ])('JSON of the type %j is read all the same', async (type) => {
    const line = type === '' ? [] : [`Content-Type: ${type}`]
    expect((await service.ask(post('/jsonRPC', CALL, ...line))).json).toMatchObject({
      ok: true,
      id: 1,
      result: { hex: expect.any(String) },
    })
    expect((await service.ask(post('/api/v2/jsonRPC', CALL, ...line))).json).toMatchObject({ ok: true, id: 1 })
    expect((await service.ask(post('/api/v2/detectHash', `{"hash":"${HASH}"}`, ...line))).json).toMatchObject({ ok: true })
    expect((await service.ask(post('/api/v3/decode', '{"opcodes":["0x0"]}', ...line))).json).toMatchObject({ opcodes: ['text_comment'] })
  })

  it('a form is not read: the refusal says what was expected', async () => {
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const v2 = await service.ask(post('/api/v2/detectHash', `hash=${HASH}`, form))
    expect([v2.status, v2.json]).toEqual([
      422,
      { ok: false, error: expect.stringMatching(/^failed to parse post request: invalid JSON: .*hash=/), code: 422, '@extra': '_' },
    ])
    const v3 = await service.ask(post('/api/v3/decode', 'opcodes=0x0', form))
    expect([v3.status, v3.json]).toEqual([
      422,
      { error: expect.stringMatching(/^failed to parse post request: invalid JSON: .*opcodes=/), code: 422 },
    ])
  })
})

describe('JSON that attackers send', () => {
  it('JSON that is nested too deep is refused at once, in every place', async () => {
    const deep = '['.repeat(99_000)
    const closed = '['.repeat(50_000) + ']'.repeat(50_000)
    for (const body of [deep, `{"a":${deep}`, `{"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":${closed}}}`]) {
      expect((await service.ask(post('/jsonRPC', body))).json).toMatchObject({
        id: null,
        error: {
          code: -32700,
          message: 'Parse error',
          data: { issues: [{ param: 'body', message: expect.stringContaining('nested deeper') }] },
        },
      })
      for (const path of ['/api/v2/jsonRPC', '/api/v2/detectHash'])
        expect((await service.ask(post(path, body))).json).toMatchObject({ ok: false, code: 422 })
    }
  })

  it.each([
    ['an open text', `{"a":"${'\\u0000'.repeat(80_000)}`],
    ['digits', `{"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"seqno":${'9'.repeat(500_000)}}}`],
    ['an exponent', '{"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"seqno":1e999999999}}'],
    ['members', `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['a text behind it', `${CALL} x`],
    ['a NUL', '\0'],
    ['a comma too many', `${CALL.slice(0, -1)},}`],
  ])('a body of %s is refused with an error', async (_what, body) => {
    const { status, json } = await service.ask(post('/jsonRPC', body))
    expect([status, json]).toMatchObject([200, { error: { code: expect.any(Number) } }])
    expect((await service.ask(post('/api/v2/detectHash', body))).status).toBe(422)
  })

  it('a member __proto__ or constructor is a name like any other', async () => {
    const hidden = `{"__proto__":{"hash":"${HASH}"}}`
    for (const body of [hidden, '{"constructor":{}}', '{"toString":1}']) {
      const refused = await service.ask(post('/api/v2/detectHash', body))
      expect([refused.status, refused.json]).toMatchObject([422, { error: expect.stringContaining('hash required') }])
    }
    const call = `{"jsonrpc":"2.0","id":1,"method":"detectHash","params":${hidden}}`
    expect((await service.ask(post('/jsonRPC', call))).json).toMatchObject({ id: 1, error: { code: -32602 } })
    const whole = `{"__proto__":{"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":"${HASH}"}}}`
    expect((await service.ask(post('/jsonRPC', whole))).json).toMatchObject({ id: null, error: { code: -32600 } })
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])
      expect((await service.ask(post('/jsonRPC', rpcText(method)))).json).toMatchObject({ id: 1, error: { code: -32601 } })
    // Nobody’s objects have changed.
    expect((await service.ask(post('/jsonRPC', rpcText('detectHash')))).json).toMatchObject({ error: { code: -32602 } })
  })

  it('of members with one name the last one counts', async () => {
    const twice = `{"hash":"nothing","hash":"${HASH}"}`
    expect((await service.ask(post('/api/v2/detectHash', twice))).json).toMatchObject({ ok: true, result: { hex: HASH } })
    const call = `{"jsonrpc":"2.0","id":1,"method":"nothing","params":{},"id":2,"method":"detectHash","params":${twice}}`
    expect((await service.ask(post('/jsonRPC', call))).json).toMatchObject({ id: 2, result: { hex: HASH } })
  })
})

describe('POST of the REST mirror', () => {
  it('a body may be an object or nothing, and the query is not read', async () => {
    for (const body of ['{}', '', ' \n'])
      expect((await service.ask(post('/api/v2/getMasterchainInfo?a=1', body))).json).toMatchObject({ ok: true })
    expect((await service.ask(requestOf('POST', '/api/v2/getMasterchainInfo'))).json).toMatchObject({ ok: true })
    expect((await service.ask(post(`/api/v2/detectHash?hash=${HASH}`, '{}'))).status).toBe(422)
  })

  it.each([
    '{',
    'nonsense',
    '[]',
    '[1]',
    'null',
    '1',
    '"text"',
    'true',
    '{"hash":}',
    '{"hash":{}}',
    '{"hash":12}',
    '{"hash":null}',
  ])('a body of %s is refused with 422', async (body) => {
    const { status, json } = await service.ask(post('/api/v2/detectHash', body))
    expect([status, json]).toEqual([
      422,
      { ok: false, error: expect.stringMatching(/^failed to parse post request: ./), code: 422, '@extra': expect.any(String) },
    ])
  })

  it('an unknown member is refused and named, and emulation answers 400', async () => {
    const unknown = await service.ask(post('/api/v2/detectHash', `{"hash":"${HASH}","hush":1}`))
    expect([unknown.status, unknown.json]).toMatchObject([422, { error: expect.stringContaining('hush') }])
    for (const body of ['{}', '{', '[]']) {
      const refused = await service.ask(post('/api/emulate/v1/emulateTrace', body))
      expect([refused.status, refused.json]).toEqual([400, { error: expect.stringMatching(/^invalid request: ./), code: 400 }])
    }
  })
})
