import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { NumberId, parseRequests } from '../../../server/http/rpc/request-text.ts'
import { fc } from '../../kit/property.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

const post = async (path: string, body: string): Promise<string> => (await fetch(`${server.url}${path}`, { method: 'POST', body })).text()
const request = (id: string, more = ''): string => `{"jsonrpc":"2.0","method":"echo","params":{"size":1}${more},"id":${id}}`

const NUMBERS = [
  ...['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e400', '-1e400', '1E400', '1.0', '-0'],
  ...['9007199254740992', '-9007199254740992', '18014398509481984', '1.00000000000000000001', '0.1e-400', '1e5', '9007199254740992.5'],
]

describe('an id that is a number', () => {
  it.each(NUMBERS)('the id %s comes back as it came, in an answer and in a failure, at every door', async (id) => {
    for (const path of ['/jsonRPC', '/api/v2/jsonRPC']) {
      const answer = await post(path, request(id))
      expect(answer).toContain(`"id":${id},`)
      expect(() => JSON.parse(answer)).not.toThrow()
      const failed = await post(path, `{"jsonrpc":"2.0","method":"nothing","id":${id}}`)
      expect(failed).toMatch(new RegExp(`"id":${id.replace(/[.+]/g, '\\$&')}[,}]`))
      expect(() => JSON.parse(failed)).not.toThrow()
      const batch = await post(path, `[${request('1')},${request(id)},${request('"a"')}]`)
      expect(batch).toContain(`"id":${id},`)
      expect(JSON.parse(batch)).toHaveLength(3)
    }
    const socket = new WebSocket(server.wsUrl)
    await once(socket, 'open')
    const heard = once(socket, 'message')
    socket.send(request(id))
    expect(String((await heard)[0])).toContain(`"id":${id},`)
    socket.close()
  })

  it('the last member named id counts, however it is written', async () => {
    expect(await post('/jsonRPC', request('5', ',"id":1e400'))).toContain('"id":5,')
    expect(await post('/jsonRPC', request('1e400', ',"id":5'))).toContain('"id":1e400,')
    expect(await post('/jsonRPC', request('"1e400"', ',"id":1e400'))).toContain('"id":"1e400",')
    expect(await post('/jsonRPC', '{"jsonrpc":"2.0","method":"echo","\\u0069\\u0064":1e400}')).toContain('"id":1e400,')
  })

  it('an id is not taken from params, nor from a text that looks like one', async () => {
    expect(await post('/jsonRPC', '{"jsonrpc":"2.0","method":"echo","params":{"size":1,"id":1e400},"id":7}')).toContain('"id":7,')
    expect(await post('/jsonRPC', request('"9007199254740993"'))).toContain('"id":"9007199254740993",')
    expect(JSON.parse(await post('/jsonRPC', request('{"token":"1"}')))).toMatchObject({ id: null, error: { code: -32600 } })
  })
})

it('the ids of any JSON are those of JSON.parse, or tokens of the same number', () => {
  const id = fc.oneof(
    fc.constantFrom(...NUMBERS),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  )
  const member = fc.tuple(fc.constantFrom('id', 'params', 'a"b', '\\u0069d'), id)
  const object = fc
    .array(member, { maxLength: 4 })
    .map((members) => `{${members.map(([name, value]) => `"${name.replace('"', '\\"')}" : ${value}`).join(' , ')}}`)
  const text = fc.oneof(
    object,
    fc.array(fc.oneof(object, id), { maxLength: 4 }).map((items) => `[ ${items.join(',')} ]`),
  )
  fc.assert(
    fc.property(text, (json) => {
      const expected: unknown = JSON.parse(json)
      const got = parseRequests(json)
      const pairs = Array.isArray(expected) ? expected.map((each, i) => [each, (got as unknown[])[i]]) : [[expected, got]]
      for (const [plain, parsed] of pairs) {
        if (typeof plain !== 'object' || plain === null || Array.isArray(plain) || !Object.hasOwn(plain, 'id')) continue
        const told = (parsed as { id: unknown }).id
        if (told instanceof NumberId) expect(Object.is(Number(told.token), plain.id)).toBe(true)
        else if (typeof plain.id !== 'object') expect(told).toBe(plain.id)
      }
    }),
    { numRuns: 500 },
  )
})
