import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '../../../server/base/log.ts'
import { TIMES } from '../../../server/http/limits.ts'
import { createSlowQueries, timed } from '../../../server/store/postgres/slow-statements.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { sleep } from '../../kit/wait.ts'
import { rawRequest } from '../raw.ts'

type Line = Record<string, unknown>
const lines: Line[] = []
let server: Transport
beforeAll(async () => {
  server = await startTransport({ accessLog: true, log: createLog('info', { write: (line) => lines.push(JSON.parse(line)) }) })
})
afterAll(() => server.close())
beforeEach(() => {
  lines.length = 0
})
const of = (event: string): Line[] => lines.filter((line) => line['event'] === event)

describe('the access log', () => {
  it('the access log has a line for each request, with the id that its answer carries', async () => {
    const answer = await fetch(`${server.url}/api/v2/getShards?seqno=1&api_key=SECRET`, {
      headers: { 'User-Agent': 'tester/1', 'X-API-Key': 'SECRET' },
    })
    await fetch(`${server.url}/nowhere/${'x'.repeat(500)}?api_key=SECRET`, { headers: { 'X-Request-Id': 'mine-1' } })
    expect(of('http.request')).toEqual([
      expect.objectContaining({
        requestId: answer.headers.get('x-request-id'),
        client: '127.0.0.1',
        verb: 'GET',
        path: '/api/v2/getShards',
        network: 'local',
        status: 200,
        agent: 'tester/1',
        ms: expect.any(Number),
      }),
      expect.objectContaining({ requestId: 'mine-1', status: 404 }),
    ])
    expect(String(of('http.request')[1]!['path']).length).toBeLessThanOrEqual(256)
    expect(JSON.stringify(lines)).not.toContain('SECRET')
    expect(JSON.stringify(lines)).not.toContain('seqno=1')
  })

  it('the access log names the method of a JSON-RPC call', async () => {
    const post = (path: string, body: string) => fetch(server.url + path, { method: 'POST', body })
    await post('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":1}}')
    await post('/api/v2/jsonRPC', `{"method":"${'m'.repeat(500)}"}`)
    await post('/jsonRPC', '[{"jsonrpc":"2.0","id":1,"method":"count"},{"jsonrpc":"2.0","id":2,"method":"count"}]')
    await post('/jsonRPC', '{')
    await post('/jsonRPC', 'null')
    expect(of('http.request').map((line) => line['asked'])).toEqual(['getShards', 'm'.repeat(64), '2 calls', undefined, 'no call'])
  })

  it('the access log names the methods of calls that the embedding program makes', async () => {
    const { signal } = new AbortController()
    await server.http.ask('{"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":1}}', signal)
    await server.http.ask('[{"jsonrpc":"2.0","id":1,"method":"count"},{"jsonrpc":"2.0","id":2,"method":"count"}]', signal)
    const line = { requestId: expect.any(String), client: 'this process', network: 'local', ms: expect.any(Number) }
    expect(of('http.request')).toEqual(['getShards', '2 calls'].map((asked) => expect.objectContaining({ ...line, asked })))
  })

  it('the access log has a line when a socket opens and when it closes', async () => {
    const socket = new WebSocket(`${server.wsUrl}?api_key=SECRET`)
    await new Promise((resolve) => socket.once('open', resolve))
    socket.close(1000)
    await expect.poll(() => of('socket.closed').length).toBe(1)
    expect(of('socket.opened')).toEqual([expect.objectContaining({ client: '127.0.0.1', network: 'local' })])
    expect(of('socket.closed')).toEqual([expect.objectContaining({ code: 1000, ms: expect.any(Number) })])
    expect(JSON.stringify(lines)).not.toContain('SECRET')
  })

  it('the access log has a line for what reaches no endpoint: heads that cannot be read, requests that take too long, refused WebSockets', async () => {
    // Where times are short, a machine with other work reads a head too late. So only the request that is meant to take too long is sent there.
    const impatient = await startTransport({
      accessLog: true,
      times: { ...TIMES, headers: 1_000, request: 1_000, check: 50 },
      log: createLog('info', { write: (line) => lines.push(JSON.parse(line)) }),
    })
    const heads = [
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
      'no HTTP\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
      'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ]
    const answers = []
    for (const head of heads) answers.push(await rawRequest(server.url, head))
    answers.push(await rawRequest(impatient.url, 'POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'))
    // The body that did not come has a line of its endpoint too.
    await expect.poll(() => of('http.request')).toEqual([expect.objectContaining({ path: '/jsonRPC', status: 499 })])
    await impatient.close()
    expect(answers.map(({ status }) => status)).toEqual([431, 400, 405, 404, 408])
    expect(of('http.refused')).toEqual(
      answers.map(({ status, headers, body }) =>
        expect.objectContaining({ requestId: headers['x-request-id'], peer: '127.0.0.1', status, answer: body }),
      ),
    )
  })

  it('the access log has no probes of balancers and supervisors, on any network', async () => {
    const probes = ['/health', '/healthcheck', '/api/v2/healthcheck', '/ready', '/ready?for=v2', '/local/ready', '/local/health']
    for (const path of [...probes, '/api/streaming/healthz']) await fetch(server.url + path)
    for (const path of ['/status', '/healthy', '/api/v2/ready']) await fetch(server.url + path)
    expect(of('http.request').map((line) => line['path'])).toEqual(['/status', '/healthy', '/api/v2/ready'])
  })

  it('callers cannot write lines into the access log', async () => {
    await rawRequest(
      server.url,
      'GET /a%0a{"event":"forged"}\u007f HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\\n{"event":"forged"}\r\n\r\n',
    )
    expect(of('forged')).toEqual([])
    expect(lines.every((line) => typeof line['event'] === 'string')).toBe(true)
  })

  it('the access log is off by default', async () => {
    const quiet: string[] = []
    const other = await startTransport({ log: createLog('info', { write: (line) => quiet.push(line) }) })
    await fetch(`${other.url}/api/v2/getShards?seqno=1`)
    await rawRequest(other.url, 'no HTTP\r\n\r\n')
    await other.close()
    expect(quiet).toEqual([])
  })
})

describe('the slow-query log', () => {
  const told: Line[] = []
  const log = { warn: (event: string, fields?: object) => told.push({ event, ...fields }) }
  const takes = (ms: number) => async () => {
    await sleep(ms)
    return [1, 2, 3]
  }

  it('the slow-query log has the texts of statements over the time, failed ones too, without values', async () => {
    expect(await timed(createSlowQueries(60_000, log)!, 'select quick', takes(0))).toEqual([1, 2, 3])
    expect(told).toEqual([])
    const slow = createSlowQueries(20, log)!
    await timed(slow, `select ${'x'.repeat(5_000)}`, takes(60))
    await expect(
      timed(slow, 'select $1', async () => {
        await takes(60)()
        throw new Error('statement timeout')
      }),
    ).rejects.toThrow('statement timeout')
    expect(told).toMatchObject([
      { event: 'sql.slow', rows: 3, ms: expect.any(Number) },
      { event: 'sql.slow', sql: 'select $1', rows: null },
    ])
    expect(String(told[0]!['sql'])).toHaveLength(2_000)
  })

  it('the slow-query log is off at 0', () => {
    expect(createSlowQueries(0, log)).toBeUndefined()
  })
})
