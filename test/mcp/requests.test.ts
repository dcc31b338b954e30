import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TonError } from '../../shared/errors.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { countPerTurn } from '../kit/turns.ts'
import { connectAgent, postMessage, toolCall } from './agent.ts'

/* Requests to /mcp: who calls, what it costs, and what is refused. */

/** Units taken, by key. */
const taken: number[] = []
let server: Transport
beforeAll(async () => {
  server = await startTransport({
    networks: ['local', 'testnet'],
    gate: {
      admit(req, network) {
        const key = req.headers['x-api-key']
        if (key === 'wrong') throw new TonError('UNAUTHORIZED', 'API key does not exist')
        if (key === 'foreign' && network !== 'testnet') throw new TonError('FORBIDDEN', 'Network not allowed')
        const take = (weight: number): boolean => {
          taken.push(weight)
          return key !== 'poor'
        }
        return { keyId: String(key), servers: undefined, take, charge: () => {}, onEnd: () => () => {} }
      },
    },
  })
})
afterAll(() => server.close())

const at = (path = '/mcp'): string => server.url + path
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** What a request costs. */
const costOf = async (body: string, headers: Record<string, string> = {}): Promise<readonly number[]> => {
  taken.length = 0
  await postMessage(at(), body, headers)
  return [...taken]
}

it('few of many messages that are sent at once share a turn', async () => {
  const sendAll = (): Promise<unknown> => Promise.all(Array.from({ length: 100 }, () => postMessage(at(), list)))
  // The connections are open by then.
  await sendAll()
  const answered = countPerTurn()
  const see = (_req: unknown, res: ServerResponse): unknown => res.once('prefinish', answered.see)
  server.http.server.on('request', see)
  await sendAll()
  server.http.server.off('request', see)
  expect(answered.most()).toBeLessThan(20)
})

describe('the caller of /mcp', () => {
  it.each([
    ['X-API-Key', { 'X-API-Key': 'wrong' }, 401],
    ['Bearer', { Authorization: 'Bearer wrong' }, 401],
    ['bearer in lower case', { Authorization: 'bearer wrong' }, 401],
    ['a key of another network', { Authorization: 'Bearer foreign' }, 403],
    ['X-API-Key before Bearer', { 'X-API-Key': 'right', Authorization: 'Bearer wrong' }, 200],
    ['another scheme', { Authorization: 'Basic d3Jvbmc=' }, 200],
  ])('a caller is known by %s', async (_, headers, status) => {
    for (const body of [list, toolCall('echo', { size: 3 })]) expect((await postMessage(at(), body, headers)).status).toBe(status)
  })

  it('a caller has a key for one network, by the official client', async () => {
    await using agent = await connectAgent(at('/testnet/mcp'), '2026-07-28', { Authorization: 'Bearer foreign' })
    expect(await agent.ask('call_method', { method: 'echo', params: { size: 3 } })).toMatchObject({ value: 'xxx' })
    await expect(connectAgent(at(), '2026-07-28', { Authorization: 'Bearer foreign' })).rejects.toThrow()
  })

  it('a caller pays for a call as for any other, once, and one unit for what is no call', async () => {
    expect(await costOf(toolCall('echo', { size: 3 }))).toEqual([1])
    expect(await costOf(toolCall('call_method', { method: 'echo', params: { size: 3 } }))).toEqual([1])
    expect(await costOf(toolCall('find_method', { query: 'echo' }))).toEqual([1])
    expect(await costOf(toolCall('nothing'))).toEqual([1])
    expect(await costOf(toolCall('call_method', { method: 'nothing' }))).toEqual([1])
    expect(await costOf('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}')).toEqual([1])
    for (const body of [list, '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{', '[]', `[${list}]`, '{}'])
      expect([body, await costOf(body)]).toEqual([body, [1]])
  })

  it('a caller over its limit is told so in the answer of a tool, and by 429 for anything else', async () => {
    const called = await postMessage(at(), toolCall('echo', { size: 3 }), { 'X-API-Key': 'poor' })
    expect([called.status, called.text]).toEqual([200, expect.stringMatching(/"isError":true/)])
    expect(called.text).toMatch(/RATE_LIMITED/)
    for (const body of [list, '{', toolCall('find_method', { query: 'echo' })]) {
      const { status, headers } = await postMessage(at(), body, { 'X-API-Key': 'poor' })
      expect([body, status, headers.get('retry-after')]).toEqual([body, 429, '1'])
    }
  })
})

describe('a page of another origin', () => {
  const rebound = { Origin: 'http://evil.example' }
  it('a foreign page gets nothing of a service on the machine of its reader, unless that is behind a proxy', async () => {
    expect(await postMessage(at(), list, rebound)).toMatchObject({ status: 403, text: expect.stringMatching(/TONWAY_ALLOW_LOCAL/) })
    expect((await postMessage(at(), toolCall('echo', {}), { Origin: 'null' })).status).toBe(403)
    for (const headers of [{ ...rebound, 'X-Forwarded-For': '203.0.113.7' }, { Origin: 'http://localhost:6274' }])
      expect((await postMessage(at(), list, headers)).status).toBe(200)
  })

  it('a foreign page gets its preflight answered, with the headers of the protocol', async () => {
    const asked = 'content-type,mcp-protocol-version,mcp-method,mcp-name,authorization'
    const response = await fetch(at(), {
      method: 'OPTIONS',
      headers: { ...rebound, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': asked },
    })
    expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, asked])
  })
})

describe('garbage at /mcp', () => {
  it.each([
    ['no JSON', '{', 400, /Parse error/],
    ['an empty body', '', 400, /Parse error/],
    ['a batch', `[${list}]`, 400, /no batch/],
    ['a number', '7', 400, /no batch/],
    ['null', 'null', 400, /no batch/],
    ['an object that is no message', '{}', 400, /error/],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, /error/],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"nothing"}', 200, /-32601/],
    ['a prototype as a tool', toolCall('__proto__'), 200, /there is no method __proto__/],
    ['a prototype as a method', toolCall('call_method', { method: 'constructor' }), 200, /there is no method constructor/],
    [
      'parameters in a list',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[1]}}',
      200,
      /-3260[23]|isError/,
    ],
    ['a query that is no text', toolCall('find_method', { query: { toString: 1, valueOf: 1 } }), 200, /query must be a text/],
    ['a greeting without members', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 200, /"code":-32602/],
    ['a greeting without parameters', '{"jsonrpc":"2.0","id":1,"method":"initialize"}', 200, /"code":-32602/],
    ['a cursor that is a number', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}', 200, /"code":-32602/],
    ['a listener for changes', '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}', 200, /-32601/],
  ])('garbage as %s gets a clear error', async (_, body, status, text) => {
    const answer = await postMessage(at(), body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)])
  })

  it('a message of a megabyte is read or refused, and the service goes on', async () => {
    const fits = await postMessage(at(), toolCall('getAddressBalance', { address: 'x'.repeat(1_000_000) }))
    expect([fits.status, fits.text.length < 2_000, fits.text]).toEqual([200, true, expect.stringMatching(/INVALID_PARAMS/)])
    const tooLong = await postMessage(at(), toolCall('getAddressBalance', { address: 'x'.repeat(1 << 20) }))
    expect([tooLong.status, tooLong.text]).toEqual([413, expect.stringMatching(/over 1048576 bytes/)])
    const query = await postMessage(at(), toolCall('find_method', { query: 'echo '.repeat(200_000) }))
    expect([query.status, query.text.length < 10_000]).toEqual([200, true])
    const name = await postMessage(at(), toolCall('x'.repeat(1_000_000)))
    expect([name.status, name.text.length < 2_000]).toEqual([200, true])
    const deep = await postMessage(
      at(),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}}`,
    )
    expect(deep.status).toBe(400)
    expect((await postMessage(at(), list)).status).toBe(200)
  })

  it('a message of 90,000 values that do not fit is refused in short, and an argument of as many is the matter of its method', async () => {
    const icons = Array(90_000).fill(1)
    const clientInfo = { name: 'x', version: '1', icons }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const greeting = await postMessage(at(), JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
    expect([greeting.status, greeting.text.slice(0, 300)]).toEqual([400, expect.stringMatching(/over 1000 values/)])
    const call = await postMessage(at(), toolCall('find_method', { query: icons }))
    expect([call.status, call.text]).toEqual([200, expect.stringMatching(/query must be a text/)])
  })

  it('a call with over 1,000 arguments is refused before the MCP SDK reads them', async () => {
    const argumentsOf = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    for (const args of [argumentsOf(1_001), argumentsOf(34_000), Array(90_000).fill(1)]) {
      const refused = await postMessage(at(), toolCall('echo', args))
      expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/over 1000 values; an argument of a tool counts as one/)])
    }
    const read = await postMessage(at(), toolCall('echo', argumentsOf(900)))
    expect([read.status, read.text]).toEqual([200, expect.stringMatching(/unknown parameter 'k0'/)])
  })

  it('a request of another verb, type or version is refused with a status that says why', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(at(), { method, headers: { Accept: 'text/event-stream' } })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, expect.stringMatching(/POST/)])
    }
    expect((await postMessage(at(), list, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await postMessage(at(), list, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400)
    expect((await postMessage(at(), '{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202)
  })

  it('a failure of the service itself is told by its request id alone', async () => {
    const { text } = await postMessage(at(), toolCall('fail', { how: 'secret' }))
    expect(text).toMatch(/internal error, request/)
    expect(text).not.toMatch(/secret/)
  })

  it('an answer that no agent can read is refused with what to do', async () => {
    const { text } = await postMessage(at(), toolCall('echo', { size: 300_000 }))
    expect([text.length < 2_000, text]).toEqual([true, expect.stringMatching(/TOO_LARGE.*ask for fewer rows/)])
    expect((await postMessage(at(), toolCall('pieces', { count: 100, size: 2_000 }))).text.length).toBeGreaterThan(200_000)
  })
})
