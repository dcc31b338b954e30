import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { post } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Ids of JSON-RPC. An answer repeats the id as the text that it came as: a client compares it with its own, and not every client has JavaScript's numbers. */

let service: WireService
let socket: WebSocket
beforeAll(async () => {
  service = await startService()
  socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
})
afterAll(async () => {
  socket?.close()
  await service?.stop()
})

const HASH = '0'.repeat(64)
const callOf = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"detectHash","params":{"hash":"${HASH}"}}`
const refusedOf = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"nothing"}`
const textOf = async (path: string, body: string): Promise<string> => (await service.ask(post(path, body))).text
const overSocket = (body: string): Promise<string> =>
  new Promise((resolve) => {
    socket.once('message', (data) => resolve(String(data)))
    socket.send(body)
  })
/** The token of the id, which stands before the result or the error, or at the end of an answer in the dialect. */
const idIn = (text: string): string | undefined => /"id":(.*?),"(?:result|error|@extra)":/s.exec(text)?.[1]

const TOKENS = [
  ...['0', '1', '-1', '-0', '1.0', '1.50', '-0.0', '0.1e1', '1e2', '1E+2', '1E400', '-1e-400'],
  ...['9007199254740993', '-9007199254740993', '18446744073709551615', '9'.repeat(400)],
  ...['""', '"text"', '"1"', '"null"', '"\\n"', '"a\\"b"', '"я𝄞"', '"\\ud800"', '"{}"', `"${'x'.repeat(100_000)}"`],
]
const titled = TOKENS.map((token) => [token.length > 40 ? `${token.slice(0, 5)}… of ${token.length} characters` : token, token])

describe('ids that are echoed', () => {
  it.each(titled)('the id %s comes back as its token: over HTTP, in a batch, in the dialect, over a WebSocket', async (_title, token) => {
    for (const text of [
      await textOf('/jsonRPC', callOf(token)),
      await textOf('/jsonRPC', refusedOf(token)),
      await textOf('/jsonRPC', `[${callOf(token)}]`),
      await textOf('/api/v2/jsonRPC', callOf(token)),
      await textOf('/api/v2/jsonRPC', refusedOf(token)),
      await textOf('/api/v2/jsonRPC', `[${callOf(token)}]`),
      await overSocket(callOf(token)),
      await overSocket(refusedOf(token)),
      await overSocket(`[${callOf(token)}]`),
    ])
      expect(idIn(text)).toBe(token)
  })

  it('an id is the same text after escapes are resolved', async () => {
    expect(idIn(await textOf('/jsonRPC', callOf('"\\u0041\\u00e9"')))).toBe('"Aé"')
    // A member name may have escapes too.
    expect(idIn(await textOf('/jsonRPC', callOf('7').replace('"id"', '"\\u0069d"').replace('7', '7.00')))).toBe('7.00')
  })

  it('in a batch each answer has the id of its own call, also where ids repeat or hide in parameters', async () => {
    const tokens = ['1.0', '"a"', '1.0', '12345678901234567890', 'null', '3', '1e5']
    const hiding = `{"jsonrpc":"2.0","params":{"hash":"${HASH}","id":9.50},"method":"detectHash","id":2.50}`
    const text = await textOf('/jsonRPC', `[${[...tokens.map(callOf), hiding, '[{"id":8.0}]', callOf('4.0')].join(',')}]`)
    const ids = [...text.matchAll(/"id":([^,]*),"(?:result|error)":/g)].map(([, token]) => token)
    expect(ids).toEqual([...tokens, '2.50', 'null', '4.0'])
  })

  it('of two ids in a call the last one counts', async () => {
    expect(idIn(await textOf('/jsonRPC', callOf('1.0').replace('"method"', '"id":"b","method"')))).toBe('"b"')
    expect(idIn(await textOf('/jsonRPC', callOf('"b"').replace('"method"', '"id":1.0,"method"')))).toBe('1.0')
  })
})

describe('null and no id', () => {
  it('null is an id like any other in strict JSON-RPC, and none in the dialect', async () => {
    expect(JSON.parse(await textOf('/jsonRPC', callOf('null')))).toMatchObject({ ok: true, id: null, result: { hex: HASH } })
    expect(JSON.parse(await overSocket(callOf('null')))).toMatchObject({ id: null, result: { hex: HASH } })
    const dialect = JSON.parse(await textOf('/api/v2/jsonRPC', callOf('null'))) as object
    expect(dialect).toMatchObject({ ok: true, result: { hex: HASH } })
    expect(dialect).not.toHaveProperty('id')
    expect(dialect).not.toHaveProperty('jsonrpc')
  })

  it('a call without an id is run and gets 204, and in the dialect its answer without an id', async () => {
    const notification = callOf('1').replace('"id":1,', '')
    const strict = await service.ask(post('/jsonRPC', notification))
    expect([strict.status, strict.text]).toEqual([204, ''])
    const before = (await service.status()).head.seqno
    expect((await service.ask(post('/jsonRPC', '{"jsonrpc":"2.0","method":"local.mine"}'))).status).toBe(204)
    expect((await service.status()).head.seqno).toBe(before + 1)
    for (const refused of ['{"jsonrpc":"2.0","method":"nothing"}', '{"jsonrpc":"2.0","method":"detectHash","params":{}}'])
      expect((await service.ask(post('/jsonRPC', refused))).status).toBe(204)
    const dialect = JSON.parse(await textOf('/api/v2/jsonRPC', notification)) as object
    expect(dialect).toMatchObject({ ok: true, result: { hex: HASH } })
    expect(dialect).not.toHaveProperty('id')
    // Over a socket nothing comes: the next answer is that of the next call.
    socket.send(notification)
    expect(idIn(await overSocket(callOf('"next"')))).toBe('"next"')
  })
})

describe('ids that are none', () => {
  it.each([
    '{}',
    '{"a":1}',
    '[]',
    '[1]',
    'true',
    'false',
  ])('an id of %s is refused with the id null, and no echo in the dialect', async (token) => {
    for (const text of [await textOf('/jsonRPC', callOf(token)), await overSocket(callOf(token))])
      expect(JSON.parse(text)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Invalid Request: id must be a string, a number or null',
          data: { kind: 'INVALID_REQUEST' },
        },
      })
    const dialect = JSON.parse(await textOf('/api/v2/jsonRPC', callOf(token))) as object
    expect(dialect).toMatchObject({ ok: true, result: { hex: HASH } })
    expect(dialect).not.toHaveProperty('id')
  })

  it.each(['01', '+1', '.5', '1.', '0x1', 'NaN', 'undefined', "'a'"])('an id of %s is no JSON', async (token) => {
    for (const text of [await textOf('/jsonRPC', callOf(token)), await overSocket(callOf(token))])
      expect(JSON.parse(text)).toMatchObject({ id: null, error: { code: -32700, message: 'Parse error' } })
  })
})
