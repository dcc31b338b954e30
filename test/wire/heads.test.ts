import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* The heads of requests: what is refused, how, and what becomes of the connection. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const MALFORMED = 'malformed HTTP request'
const CALL = rpcText('getMasterchainInfo')

describe('a head that cannot be read', () => {
  it.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['a version that is none', 'GET /health HTTP/1.2\r\nHost: localhost\r\n\r\n'],
    ['a verb in small letters', 'get /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a verb that is none', requestOf('FOO', '/health')],
    ['a NUL in the path', get('/health\0')],
    ['a NUL in a header', get('/health', 'X-A: a\0b')],
    ['a byte beyond ASCII in the path', get('/h\xe9')],
    ['a line that goes on in the next', get('/health', 'X-A: a', ' b')],
    ['a space before a colon', get('/health', 'X-A : a')],
    ['bare newlines', 'GET /health HTTP/1.1\nHost: localhost\n\n'],
    ['two lengths', post('/jsonRPC', '{}', 'Content-Length: 2')],
    ['a length and an encoding', post('/jsonRPC', '2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
    ['a length with a sign', requestOf('POST', '/jsonRPC', 'Content-Length: +2')],
    ['a length beyond numbers', requestOf('POST', '/jsonRPC', 'Content-Length: 18446744073709551617')],
    ['an encoding that is none', requestOf('POST', '/jsonRPC', 'Transfer-Encoding: xchunked')],
    ['an encoding behind chunked', requestOf('POST', '/jsonRPC', 'Transfer-Encoding: chunked, identity')],
    ['an empty encoding', requestOf('POST', '/jsonRPC', 'Transfer-Encoding:')],
    ['an empty encoding and a length', `${requestOf('POST', '/jsonRPC', 'Transfer-Encoding:', 'Content-Length: 2')}{}`],
    [
      'an empty encoding after chunked',
      `${requestOf('POST', '/jsonRPC', 'Transfer-Encoding: chunked', 'Transfer-Encoding:')}2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a chunk without a size', `${requestOf('POST', '/jsonRPC', 'Transfer-Encoding: chunked')}zz\r\n`],
    ['a chunk without its end', `${requestOf('POST', '/jsonRPC', 'Transfer-Encoding: chunked')}2\r\n{}x0\r\n\r\n`],
  ])('%s is refused with 400 as JSON, and the connection ends without a second answer', async (_what, bytes) => {
    const connection = await service.open()
    // What follows could be a smuggled request.
    await connection.send(bytes + get('/health'))
    const [refusal, ...more] = await connection.answers()
    expect(expectRefusal(refusal!, 400)).toBe(MALFORMED)
    expect(refusal!.headers['connection']).toBe('close')
    expect(more).toEqual([])
  })

  it('answers to the requests before it come first, whole and in order', async () => {
    const connection = await service.open()
    await connection.send(`${get('/health')}${get('/api/v2/getMasterchainInfo')}nonsense\r\n\r\n`)
    const answers = await connection.answers()
    // The connection may end before the refusal, and before an answer, but not within one.
    expect([200, 200, 400].slice(0, answers.length)).toEqual(answers.map(({ status }) => status))
    expect(answers.length).toBeGreaterThan(0)
  })
})

describe('a head over its bounds', () => {
  it('64 KiB of headers are read, and more are refused with 431', async () => {
    expect((await service.ask(get('/health', `X-A: ${'a'.repeat(60_000)}`))).status).toBe(200)
    const connection = await service.open()
    void connection.send(get('/health', `X-A: ${'a'.repeat(70_000)}`))
    expect(expectRefusal(await connection.answer(), 431)).toBe('headers are over 65536 bytes')
    await connection.closed
  })

  it('200 header lines are read, and one more is refused with 431; the connection goes on', async () => {
    const lines = Array.from({ length: 199 }, (_, i) => `X-${i}: 1`)
    expect((await service.ask(get('/health', ...lines))).status).toBe(200)
    const connection = await service.open()
    await connection.send(get('/health', ...lines, 'X-A: 1') + get('/health'))
    expect(expectRefusal(await connection.answer(), 431)).toBe('over 200 header lines')
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })

  it('a URL has at most 8 KiB, and one of v3 60 KiB', async () => {
    const ofLength = (path: string, length: number): string => `${path}?x=${'a'.repeat(length - path.length - 3)}`
    expect((await service.ask(get(ofLength('/api/v2/getMasterchainInfo', 8_192)))).status).toBe(200)
    const refused = await service.ask(get(ofLength('/api/v2/getMasterchainInfo', 8_193)))
    expect(expectRefusal(refused, 414)).toBe('URL is over 8192 bytes')
    expect((await service.ask(get(ofLength('/api/v3/decode', 61_440)))).status).toBe(200)
    const ofV3 = await service.ask(get(ofLength('/api/v3/decode', 61_441)))
    expect([ofV3.status, ofV3.json]).toEqual([414, { error: 'URL is over 61440 bytes', code: 414 }])
  })
})

describe('a head that HTTP forbids', () => {
  it.each([
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 'HTTP/1.1 requires a Host header'],
    ['two Hosts', get('/health', 'hOST: localhost'), 'a request has one Host header'],
    ['a Host with a path', 'GET /health HTTP/1.1\r\nHost: localhost/a\r\n\r\n', 'the Host header is not a host with an optional port'],
    ['a Host with a user', 'GET /health HTTP/1.1\r\nHost: me@localhost\r\n\r\n', 'the Host header is not a host with an optional port'],
    ['a target that is no path', get('ftp://localhost/health'), 'the request target is neither a path nor a URL of http or https'],
    ['a target with a user', get('http://me:secret@localhost/health'), 'the request target is neither a path nor a URL of http or https'],
    // 60 KB of other letters take node's parser of URLs 50 ms.
    [
      'a target with an endless host',
      get(`http://${'a.'.repeat(520)}a/health`),
      'the request target is neither a path nor a URL of http or https',
    ],
    ['a target with a host alone', get('http://'), 'the request target is neither a path nor a URL of http or https'],
  ])('%s is refused with 400 and the reason', async (_what, bytes, text) => {
    expect(expectRefusal(await service.ask(bytes), 400)).toBe(text)
  })

  it.each([
    ['HTTP/0.9', 'GET /health\r\n\r\n'],
    ['HTTP/2.0', 'GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n'],
  ])('%s is refused with 505', async (_what, bytes) => {
    expect(expectRefusal(await service.ask(bytes), 505)).toBe('only HTTP/1.1 and HTTP/1.0 are supported')
  })

  it('a compressed body is refused with 415, and an unknown expectation with 417', async () => {
    expect(expectRefusal(await service.ask(post('/jsonRPC', CALL, 'Content-Encoding: gzip')), 415)).toBe('the body must not be compressed')
    expect((await service.ask(post('/jsonRPC', CALL, 'Content-Encoding: identity'))).status).toBe(200)
    expect(expectRefusal(await service.ask(post('/jsonRPC', CALL, 'Expect: 200-ok')), 417)).toBe('only Expect: 100-continue is supported')
  })

  it.each([
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: identity, chunked'],
    ['Transfer-Encoding: deflate', 'Transfer-Encoding: chunked'],
  ])('a transfer with a coding besides chunked (%s) is refused with 501', async (...lines) => {
    const connection = await service.open()
    await connection.send(`${requestOf('POST', '/jsonRPC', ...lines)}${CALL.length.toString(16)}\r\n${CALL}\r\n0\r\n\r\n`)
    expect(expectRefusal(await connection.answer(), 501)).toBe('the only transfer coding that is supported is chunked')
    // The body is skipped.
    await connection.send(get('/health'))
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })

  it('CONNECT is refused with 405 and the verbs that are served', async () => {
    const answer = await service.ask('CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    expect(expectRefusal(answer, 405)).toBe('unsupported http method: CONNECT')
    expect(answer.headers).toMatchObject({ allow: 'GET, HEAD, POST, OPTIONS', connection: 'close' })
  })
})

describe('a head that HTTP allows, and that few send', () => {
  it.each(['localhost', '127.0.0.1:8081', '[::1]:8081', 'my_service.local.', ''])('a Host of %j is served', async (host) => {
    expect((await service.ask(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200)
  })

  it('a target with a scheme and a host means its path, and its host counts', async () => {
    expect((await service.ask(get('http://localhost/health'))).status).toBe(200)
    expect((await service.ask(get('HTTPS://localhost:8081/api/v2/getMasterchainInfo?a=1'))).status).toBe(200)
    expect((await service.ask(get('http://localhost?x=1'))).json).toMatchObject({ ok: true, result: { name: 'tonway' } })
    const local = rpcText('local.wallets')
    expect((await service.ask(post('http://localhost/jsonRPC', local))).json).toMatchObject({ id: 1, result: expect.any(Object) })
    expect((await service.ask(post('http://evil.example/jsonRPC', local))).json).toMatchObject({ error: { code: -32003 } })
  })

  it('HTTP/1.0 needs no Host, gets a length, and its connection ends unless it asks for more', async () => {
    const once = await service.open()
    await once.send('GET /api/v2/getMasterchainInfo HTTP/1.0\r\n\r\n')
    const [answer, ...more] = await once.answers()
    expect([answer!.status, answer!.headers['connection'], more]).toEqual([200, 'close', []])
    expect(answer!.json).toMatchObject({ ok: true })
    const kept = await service.open()
    for (let i = 0; i < 2; i++) {
      await kept.send('GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
      expect((await kept.answer()).headers['connection']).toBe('keep-alive')
    }
    kept.destroy()
  })

  it('a client that expects 100 Continue gets it before it sends its body', async () => {
    const connection = await service.open()
    await connection.send(requestOf('POST', '/jsonRPC', 'Expect: 100-continue', `Content-Length: ${CALL.length}`))
    expect((await connection.answer()).status).toBe(100)
    await connection.send(CALL)
    expect((await connection.answer()).json).toMatchObject({ id: 1, result: { '@type': 'blocks.masterchainInfo' } })
    connection.destroy()
  })

  it('a request that closes its connection is answered, and the connection ends', async () => {
    const connection = await service.open()
    await connection.send(get('/health', 'Connection: close'))
    const answers = await connection.answers()
    expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([[200, 'close']])
  })

  it('a request id of the caller comes back if it is safe in a log, otherwise one of the service', async () => {
    for (const id of ['abc-1.2:3', 'x'.repeat(64)])
      expect((await service.ask(get('/health', `X-Request-Id: ${id}`))).headers['x-request-id']).toBe(id)
    const others = await Promise.all(['a b', 'x'.repeat(65), 'a"b', '<a>'].map((id) => service.ask(get('/health', `X-Request-Id: ${id}`))))
    const ids = others.map(({ headers }) => headers['x-request-id']!)
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,40}$/)
    expect(new Set(ids).size).toBe(4)
  })
})
