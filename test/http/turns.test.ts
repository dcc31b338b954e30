import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createPauses, yieldToEventLoop } from '../../server/base/yield.ts'
import { createReadBody, turnToRead } from '../../server/http/body.ts'
import { LIMITS, TIMES } from '../../server/http/limits.ts'
import { startTransport, type Transport, type TransportOptions } from '../kit/service/test-transports.ts'
import { busy, countPerTurn, countTurns } from '../kit/turns.ts'
import { open, portOf, rawRequest, readAnswer } from './raw.ts'

/* How many requests begin in a turn of the event loop, each of which accepts at most one connection. */

const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ASKING = 48
const ARRIVING = 400
/** Requests that begin in one turn if no connection comes. */
const AT_ONCE = 16

let server: Transport
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

const askAll = async (count: number, options: TransportOptions = {}): Promise<Socket[]> => {
  server = await startTransport(options)
  // Koa is loaded by then.
  await rawRequest(server.url, HEALTH)
  for (let i = 0; i < count; i++) sockets.push(await open(server.url))
  return [...sockets]
}
const ask = async (asking: readonly Socket[]): Promise<void> => {
  const answers = asking.map((socket) => {
    socket.write(HEALTH)
    return readAnswer(socket)
  })
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
}

it('connections that wait are accepted before requests begin that wait', async () => {
  const asking = await askAll(ASKING)
  let arrived = 0
  server.http.server.on('connection', () => arrived++)
  const before: number[] = []
  server.http.server.on('request', (_req, res) => res.once('prefinish', () => before.push(arrived)))
  const accepted = once(server.http.server, 'connection')
  sockets.push(...Array.from({ length: ARRIVING }, () => connect(portOf(server.url), '127.0.0.1')))
  await accepted
  await ask(asking)
  // Those of the first turn find no line, and do not wait. If requests did not wait, four connections would be accepted before these; how many are depends on
  // the machine, because requests wait for 120 ms at most.
  expect(before[AT_ONCE * 2]).toBeGreaterThan(ARRIVING / 25)
})

/** Tasks that have begun, and that wait when requests come. */
const TASKS = 60

it.each([
  ['for the first time', () => createPauses(0)()],
  ['again', yieldToEventLoop],
])('requests of a client with many begin one by one while many tasks wait %s', async (_, wait) => {
  const asking = await askAll(ASKING)
  let left = TASKS
  const seen: number[] = []
  server.http.server.on('request', (_req, res) => res.once('prefinish', () => seen.push(left)))
  const tasks = Array.from({ length: TASKS }, async () => {
    await wait()
    busy(6)
    left--
  })
  await ask(asking)
  await Promise.all(tasks)
  // Those of the first turn find no line, and do not wait. With the last ones it is a client with few.
  const meanwhile = seen.slice(AT_ONCE, -AT_ONCE).filter((each) => each > AT_ONCE)
  expect(meanwhile.length).toBeGreaterThan(0)
  expect(new Set(meanwhile).size).toBe(meanwhile.length)
})

it('a client does not wait for all requests of hundreds of clients that each have few', async () => {
  const [CLIENTS, EACH] = [100, 12]
  let [begun, ended] = [0, 0]
  let goOn = (): void => {}
  const half = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const work = async (client: string): Promise<void> => {
    await turnToRead(1, { client })
    if (++begun === (CLIENTS * EACH) / 2) goOn()
    await createPauses(0)()
    busy(1)
    ended++
  }
  const all = Array.from({ length: CLIENTS * EACH }, (_, i) => work(`client ${i % CLIENTS}`))
  await half
  const before = ended
  await work('another')
  expect(ended - before).toBeLessThan(200)
  await Promise.all(all)
})

it.each([
  ['preflights', 'OPTIONS /jsonRPC HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nAccess-Control-Request-Method: POST\r\n\r\n', 204],
  ['malformed requests', 'GET\r\n\r\n', 400],
])('hundreds of %s that come together are not answered in one turn', async (_, request, expected) => {
  const COUNT = 600
  const written = countPerTurn()
  // Both write a line for each of their answers, in the turn that writes the answer.
  const log = {
    ...silentLog,
    info: () => {
      busy(0.2)
      written.see()
    },
  }
  const asking = await askAll(COUNT, { log, accessLog: true })
  const answers = Promise.all(
    asking.map((socket) => {
      socket.on('error', () => {})
      socket.write(request)
      return readAnswer(socket)
    }),
  )
  for (const { status } of await answers) expect(status).toBe(expected)
  expect(written.all()).toBeGreaterThan(COUNT / 2)
  expect(written.most()).toBeLessThan(COUNT / 3)
})

it('of a head with thousands of lines few are kept', async () => {
  server = await startTransport()
  const socket = await open(server.url)
  sockets.push(socket)
  let lines = 0
  server.http.server.on('request', ({ rawHeaders }) => {
    lines = rawHeaders.length / 2
  })
  socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n${'a:b\r\n'.repeat(10_000)}\r\n`)
  expect((await readAnswer(socket)).status).toBe(431)
  expect(lines).toBeGreaterThan(LIMITS.headerLines)
  expect(lines).toBeLessThan(LIMITS.headerLines * 2)
})

/** Connections with an unfinished body, and the time (ms) that is added to what follows the end of each. */
const UNFINISHED = 200
const ADDED = 0.5
/** Memory of each body, bytes. */
const OF_BODY = 512

const sendUnfinished = async (): Promise<void> => {
  for (let i = 0; i < UNFINISHED; i++) {
    const socket = await open(server.url)
    socket.on('error', () => {}).resume()
    socket.write(
      `POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${1 << 20}\r\n\r\n${' '.repeat(256)}`,
    )
    sockets.push(socket)
  }
  await expect.poll(() => server.http.answers().unfinished_bytes).toBe(UNFINISHED * OF_BODY)
}

it('clients that leave together in the middle of their bodies do not share a turn', async () => {
  server = await startTransport()
  await sendUnfinished()
  const left = countPerTurn()
  server.http.server.on('clientError', () => {
    busy(ADDED)
    left.see()
  })
  for (const socket of sockets) socket.end()
  await expect.poll(left.all).toBe(UNFINISHED)
  expect(left.most()).toBeLessThan(UNFINISHED / 2)
})

it('connections with unanswered requests that close together do not share a turn', async () => {
  server = await startTransport()
  const closed = countPerTurn()
  const aborted = countPerTurn()
  const slow = (counts: typeof closed) => (): void => {
    busy(ADDED / LIMITS.pipelined)
    counts.see()
  }
  server.http.server.on('request', (req, res) => {
    req.once('close', slow(closed))
    res.once('close', slow(aborted))
  })
  for (let i = 0; i < UNFINISHED; i++) sockets.push(await open(server.url))
  for (const socket of sockets)
    socket.on('error', () => {}).write('GET /api/v2/slow?ms=1400 HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(LIMITS.pipelined))
  const all = UNFINISHED * LIMITS.pipelined
  await expect.poll(() => server.runs.get('slow')).toBe(all)
  for (const socket of sockets) socket.resetAndDestroy()
  await expect.poll(() => [closed.all(), aborted.all()]).toEqual([all, all])
  expect(closed.most()).toBeLessThan(all / 2)
  expect(aborted.most()).toBeLessThan(all / 2)
})

it('bodies that are cut off together are not answered in one turn', async () => {
  const cuts: (() => void)[] = []
  const readBody = createReadBody({ open: (cut) => () => void (cuts.includes(cut) || cuts.push(cut)), waiting: () => 0 })
  const answered = countPerTurn()
  const read = Array.from({ length: UNFINISHED }, async () => {
    const req = Object.assign(new PassThrough(), { headers: {}, complete: false })
    const body = readBody({ req, state: { call: {} } } as never)
    req.write('{')
    await expect(body).rejects.toThrow('too many request bodies are arriving')
    busy(ADDED)
    answered.see()
  })
  await expect.poll(() => cuts.length).toBe(UNFINISHED)
  for (const cut of cuts) cut()
  await Promise.all(read)
  expect(answered.most()).toBeLessThan(UNFINISHED / 2)
})

it('a body that waits for its turn counts as one that is arriving, and can be cut off', async () => {
  let held = 0
  let cut = (): void => {}
  const open = (refuse: () => void) => {
    cut = refuse
    return (bytes: number): void => {
      held = bytes
    }
  }
  const readBody = createReadBody({ open, waiting: () => held })
  const req = Object.assign(new PassThrough(), { headers: {}, complete: true })
  const body = readBody({ req, state: { call: {} } } as never, true)
  const ended = once(req, 'end')
  req.end(Buffer.alloc(100_000, 0x20))
  await ended
  expect(held).toBeGreaterThanOrEqual(100_000)
  cut()
  await expect(body).rejects.toThrow('too many request bodies are arriving')
  expect(held).toBe(0)
})

const CHUNKED = 'POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
/** Connections that send 63 KB each, which is one read of node. */
const SENDING = 60

it('connections that send chunks of one byte do not share a turn, and others are answered', async () => {
  server = await startTransport()
  await rawRequest(server.url, HEALTH)
  for (let i = 0; i < SENDING; i++) sockets.push(await open(server.url))
  const others = await Promise.all([open(server.url), open(server.url)])
  sockets.push(...others)
  const body = '{"jsonrpc":"2.0","id":1,"method":"none"}'
  const began = new Set<number>()
  const turns = countTurns()
  server.http.server.prependListener('request', () => began.add(turns.count()))
  const closed = sockets.slice(0, SENDING).map((socket) => {
    socket.on('error', () => {}).resume()
    socket.write(CHUNKED + '1\r\n \r\n'.repeat(10_500))
    return new Promise((resolve) => socket.once('close', resolve))
  })
  others[0]!.write(HEALTH)
  others[1]!.write(`${CHUNKED}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  const answers = await Promise.all(others.map((socket) => readAnswer(socket)))
  expect(answers.map(({ body }) => body.length > 0)).toEqual([true, true])
  await Promise.all(closed)
  turns.stop()
  expect(began.size).toBeGreaterThan(5)
})

it('a body of chunks of one byte that nobody reads ends its connection soon after the answer', { timeout: 12_000 }, async () => {
  server = await startTransport({ times: { ...TIMES, linger: 100 } })
  const socket = await open(server.url)
  socket.on('error', () => {})
  sockets.push(socket)
  const closed = once(socket, 'close')
  socket.write(CHUNKED.replace('/jsonRPC', '/nowhere') + '1\r\n \r\n'.repeat(10_500))
  expect((await readAnswer(socket)).status).toBe(404)
  // What follows would be read as well, for the 15 seconds that a request may last.
  await closed
})

it('chunks of one byte that follow their requests later do not share a turn', async () => {
  server = await startTransport()
  await rawRequest(server.url, HEALTH)
  const arrived = new Map<number, Set<unknown>>()
  const turns = countTurns()
  server.http.server.on('request', (req) =>
    req.on('data', () => {
      const now = turns.count()
      arrived.set(now, (arrived.get(now) ?? new Set()).add(req))
    }),
  )
  for (let i = 0; i < SENDING; i++) {
    const socket = await open(server.url)
    socket.on('error', () => {}).resume()
    socket.write(`${CHUNKED}1\r\n \r\n`)
    sockets.push(socket)
  }
  await expect.poll(() => [...arrived.values()].reduce((sum, { size }) => sum + size, 0)).toBe(SENDING)
  arrived.clear()
  const closed = sockets.map((socket) => {
    socket.write('1\r\n \r\n'.repeat(10_500))
    return new Promise((resolve) => socket.once('close', resolve))
  })
  await Promise.all(closed)
  turns.stop()
  expect(Math.max(...[...arrived.values()].map(({ size }) => size))).toBeLessThan(SENDING / 2)
})
