import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS, TIMES } from '../../server/http/limits.ts'
import { createNodeServer, listen, type NodeDeps } from '../../server/http/node.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { countTurns } from '../kit/turns.ts'
import { sleep } from '../kit/wait.ts'
import { open, rawRequest } from './raw.ts'

const GET = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

/** Everything that comes until the connection ends. */
const readAll = async (url: string, bytes: string): Promise<string> => {
  const socket = await open(url)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise((closed) => socket.once('close', closed))
  return text
}
/** Makes a server read its connections in pieces, as it does from the first pipelined request on. */
const pipelineOnce = (url: string): Promise<string> => readAll(url, GET('/health') + GET('/health', 'Connection: close\r\n'))
const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))

describe('requests of one connection', () => {
  let server: Transport
  beforeAll(async () => {
    server = await startTransport()
  })
  afterAll(() => server.close())

  it('pipelined requests run a few at a time, however many are sent at once, and are answered in order', async () => {
    server.peak.most = 0
    const paths = Array.from({ length: 60 }, (_, i) => `/api/v2/slow?ms=${20 + (i % 3) * 10}`)
    const text = await readAll(server.url, paths.map((path) => GET(path)).join('') + GET('/nothing', 'Connection: close\r\n'))
    expect(statuses(text)).toEqual([...paths.map(() => 200), 404])
    expect([...text.matchAll(/slept (\d+)/g)].map(([, ms]) => Number(ms))).toEqual(paths.map((_, i) => 20 + (i % 3) * 10))
    expect(server.peak.most).toBeGreaterThan(1)
    expect(server.peak.most).toBeLessThanOrEqual(LIMITS.pipelined)
  })

  it('pipelined requests leave the event loop to others in between', async () => {
    const count = 1_500
    let answered = 0
    const socket = await open(server.url)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answered += statuses(chunk).length
    })
    socket.write(GET('/api/v2/echo?size=60000').repeat(count))
    const seen: number[] = []
    while (answered < count && seen.length < 5) {
      expect((await rawRequest(server.url, GET('/health'))).status).toBe(200)
      seen.push(answered)
    }
    // Others are answered long before the flood is.
    expect(seen.length).toBe(5)
    expect(seen[0]).toBeLessThan(count / 2)
    socket.destroy()
  })

  it('pipelined requests with bodies wait too, and are read completely', async () => {
    const post = (size: number): string => {
      const body = JSON.stringify({ size })
      return `POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const sizes = Array.from({ length: 40 }, (_, i) => i + 1)
    const text = await readAll(server.url, sizes.map(post).join('') + GET('/health', 'Connection: close\r\n'))
    expect([...text.matchAll(/"result":"(x+)"/g)].map(([, result]) => result!.length)).toEqual(sizes)
    // The last body comes later than its head, while requests wait.
    const socket = await open(server.url)
    let late = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      late += chunk
    })
    const last = post(77)
    socket.write(GET('/api/v2/slow?ms=30').repeat(20) + last.slice(0, -6))
    await expect.poll(() => statuses(late).length).toBeGreaterThan(3)
    socket.write(last.slice(-6))
    await expect.poll(() => /"result":"(x+)"/.exec(late)?.[1]?.length).toBe(77)
    socket.destroy()
  })

  it('pipelined requests are each aborted with their connection', async () => {
    const aborted = server.aborted.length
    const runs = server.runs.get('slow') ?? 0
    const socket = await open(server.url)
    socket.write(GET('/api/v2/slow?ms=1400').repeat(LIMITS.pipelined))
    await expect.poll(() => server.runs.get('slow')).toBe(runs + LIMITS.pipelined)
    socket.destroy()
    await expect.poll(() => server.aborted.length).toBe(aborted + LIMITS.pipelined)
  })

  it('waiting requests are answered although the time of a request that is still arriving has run out', async () => {
    const hasty = await startTransport({ times: { ...TIMES, headers: 150, request: 200, check: 30 } })
    for (const half of ['GET /health HTT', 'POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{']) {
      const text = await readAll(hasty.url, GET('/api/v2/slow?ms=120').repeat(40) + half)
      expect(statuses(text)).toEqual([...Array(40).fill(200), 408])
    }
    await hasty.close()
  })

  it('a request that was late, but has arrived before the answers of earlier ones, is answered without a refusal', async () => {
    const hasty = await startTransport({ times: { ...TIMES, headers: 150, request: 200, check: 30 } })
    const body = JSON.stringify({ size: 7 })
    const late = `POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = await open(hasty.url)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(GET('/api/v2/slow?ms=1300').repeat(3) + late.slice(0, -3))
    await sleep(900)
    socket.write(late.slice(-3))
    await closed
    expect(statuses(text)).toEqual(Array(4).fill(200))
    expect(text).toContain(`"result":"${'x'.repeat(7)}"`)
    await hasty.close()
  })

  it('a request whose last bytes came in time, but were not read while slow ones ran, is answered without a refusal', async () => {
    const hasty = await startTransport({ times: { ...TIMES, headers: 150, request: 200, check: 30 } })
    await pipelineOnce(hasty.url)
    const body = JSON.stringify({ size: 7 })
    const post = `POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = await open(hasty.url)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    // The first one is the slowest, so all are answered at once.
    const first = GET('/api/v2/slow?ms=900', `Padding: ${'x'.repeat(40)}\r\n`)
    socket.write(first + GET('/api/v2/slow?ms=600').repeat(LIMITS.pipelined - 1) + post.slice(0, -3))
    await sleep(50)
    socket.write(post.slice(-3))
    await closed
    expect(statuses(text)).toEqual(Array(LIMITS.pipelined + 1).fill(200))
    await hasty.close()
  })

  it.each([
    100, 5_000,
  ])('a client that ends its side is answered if that takes 100 ms, and its call is aborted if it takes long: %i ms', async (ms) => {
    const before = server.aborted.length
    const socket = await open(server.url)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.end(GET(`/api/v2/slow?ms=${ms}`))
    await closed
    expect(statuses(text)).toEqual(ms === 100 ? [200] : [])
    if (ms > 100) await expect.poll(() => server.aborted.length).toBe(before + 1)
  })

  it('waiting requests are not begun when their connection has gone', async () => {
    const runs = server.runs.get('slow') ?? 0
    const socket = await open(server.url)
    socket.write(GET('/api/v2/slow?ms=100').repeat(80))
    await expect.poll(() => server.runs.get('slow')).toBeGreaterThan(runs)
    // Nothing is read while requests wait, so that the end of the connection is met when an answer is written.
    socket.destroy()
    await expect.poll(() => server.peak.now).toBe(0)
    expect(server.runs.get('slow')! - runs).toBeLessThan(40)
  })
})

/** Most bytes that node reads at once. */
const CHUNK = 64 << 10

describe('a flood of requests', () => {
  /** A node server whose requests are held. */
  const hold = async (isFirst = false) => {
    const held: ServerResponse[] = []
    const serve = (req: IncomingMessage, res: ServerResponse) => void (req.url === '/health' ? res.end() : held.push(res))
    const { server } = createNodeServer({ serve, times: TIMES, isExempt: () => true } as unknown as NodeDeps)
    const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
    if (!isFirst) await pipelineOnce(url)
    let parsed = 0
    server.prependListener('request', () => void parsed++)
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    return { server, held, parsed: () => parsed, accepted, url }
  }
  const FLOOD = 2_000

  it('a few requests of a connection are parsed at once, the rest stays bytes, and each is answered in order', async () => {
    const { server, held, parsed, url } = await hold()
    const paths = Array.from({ length: FLOOD }, (_, i) => `/${i}`)
    const text = readAll(url, paths.map((path) => GET(path)).join('') + GET('/last', 'Connection: close\r\n'))
    await expect.poll(() => held.length).toBe(LIMITS.pipelined)
    await sleep(50)
    let most = parsed()
    let answered = 0
    while (answered <= FLOOD) {
      for (; answered < held.length; answered++) held[answered]!.end(held[answered]!.req.url)
      most = Math.max(most, parsed() - answered)
      await sleep(0)
    }
    expect([...(await text).matchAll(/\r\n\r\n(\/\w+?)(?=HTTP|$)/g)].map(([, path]) => path)).toEqual([...paths, '/last'])
    expect(most).toBeLessThanOrEqual(LIMITS.pipelined + 4)
    server.close()
  })

  it('nothing is read behind a response that does not end', async () => {
    const { server, parsed, accepted, url } = await hold()
    const socket = await open(url)
    socket.write(GET('/').repeat(FLOOD))
    const there = await accepted
    await expect.poll(() => there.isPaused()).toBe(true)
    for (let i = 0; i < 10; i++) {
      socket.write(GET('/').repeat(FLOOD))
      await sleep(10)
    }
    expect([there.isPaused(), there.destroyed]).toEqual([true, false])
    // What node reads of a paused connection: one chunk of the network, and its own buffer.
    expect(there.bytesRead).toBeLessThan(200_000)
    expect(parsed()).toBeLessThanOrEqual(LIMITS.pipelined + 4)
    socket.destroy()
    server.close()
  })

  it('of the first connection that pipelines one chunk of the network is parsed', async () => {
    const { server, parsed, accepted, url } = await hold(true)
    const socket = await open(url)
    const flood = GET('/').repeat(FLOOD)
    socket.write(flood)
    const there = await accepted
    await expect.poll(() => there.isPaused()).toBe(true)
    socket.write(flood)
    await sleep(100)
    expect(there.isPaused()).toBe(true)
    expect(parsed()).toBeLessThanOrEqual(CHUNK / GET('/').length + 4)
    socket.destroy()
    server.close()
  })

  it('requests behind the last one of a connection are not answered', async () => {
    const { server, held, url } = await hold()
    const text = readAll(url, GET('/a') + GET('/b', 'Connection: close\r\n') + GET('/c').repeat(FLOOD))
    await expect.poll(() => held.length).toBe(2)
    for (const res of held) res.end('ok')
    expect(statuses(await text)).toEqual([200, 200])
    expect(held.length).toBe(2)
    server.close()
  })
})

describe('connections that node reads until somebody pipelines', () => {
  /** More than the buffers of the system take. */
  const BIG = 'x'.repeat(32 << 20)
  const BODY = 'y'.repeat(40_000)
  const POST = `POST /late HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
  const PADDED = `Padding: ${'z'.repeat(80)}\r\n`
  const LONG_HEAD = 'a: b\r\n'.repeat(60)
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === '/big') return void res.end(BIG)
    if (req.url === '/busy') for (const end = performance.now() + 30; performance.now() < end; );
    if (req.url === '/later') return void setTimeout(() => res.end('ok'), 300)
    if (req.url !== '/late') return void res.end('ok')
    let size = 0
    setTimeout(() => {
      req.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      req.on('end', () => res.end(String(size)))
    }, 100)
  }
  const start = async () => {
    const { server } = createNodeServer({ serve: answer, times: TIMES, isExempt: () => true } as unknown as NodeDeps)
    const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
    const connect = async () => {
      const socket = await open(url)
      let text = ''
      const read = () =>
        socket.setEncoding('latin1').on('data', (chunk) => {
          text += chunk
        })
      return {
        socket,
        read,
        answers: () => statuses(text).length,
        text: () => text,
      }
    }
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { url, connect, close }
  }

  it('a connection is read further if its own body was held when it pipelined', async () => {
    const { connect, close } = await start()
    const { socket, read, answers, text } = await connect()
    read()
    socket.write(POST + GET('/'))
    await expect.poll(answers).toBe(2)
    expect(text()).toContain(String(BODY.length))
    socket.write(GET('/'))
    await expect.poll(answers).toBe(3)
    close()
  })

  it('a connection is read further if its body was held while another one pipelined', async () => {
    const { url, connect, close } = await start()
    const { socket, read, answers, text } = await connect()
    read()
    socket.write(POST.slice(0, -100))
    await sleep(30)
    await pipelineOnce(url)
    socket.write(POST.slice(-100))
    await expect.poll(answers).toBe(1)
    expect(text()).toContain(String(BODY.length))
    close()
  })

  it.each([
    true,
    false,
  ])('is read further when its client has read a long answer; read in pieces from the beginning: %s', async (isTaken) => {
    const { url, connect, close } = await start()
    if (isTaken) await pipelineOnce(url)
    const { socket, read, answers } = await connect()
    socket.write(GET('/big'))
    await sleep(100)
    socket.write(GET('/', PADDED).repeat(3))
    await sleep(100)
    read()
    await expect.poll(answers).toBe(4)
    socket.write(GET('/'))
    await expect.poll(answers).toBe(5)
    close()
  })

  it('a connection is read further if a body arrives behind a long answer that its client does not read', async () => {
    const { url, connect, close } = await start()
    await pipelineOnce(url)
    const { socket, read, answers } = await connect()
    socket.write(GET('/later') + GET('/big') + GET('/').repeat(LIMITS.pipelined - 2))
    await sleep(100)
    socket.write(POST.slice(0, -20_000))
    await sleep(50)
    socket.write(POST.slice(-20_000))
    await sleep(500)
    read()
    await expect.poll(answers).toBe(LIMITS.pipelined + 1)
    close()
  })

  it('a connection is answered completely, however slowly it reads and whatever it sends', async () => {
    let state = 7
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
      return (state >> 8) % below
    }
    const EACH = 250
    const SIZES = [10, 500, 5_000, 30_000]
    const serve = (req: IncomingMessage, res: ServerResponse): void => {
      const end = (): void => void res.end('x'.repeat(SIZES[random(SIZES.length)]!))
      if (req.method === 'POST') req.resume().on('end', end)
      else if (random(3) > 0) end()
      else setTimeout(end, random(10))
    }
    const { server } = createNodeServer({ serve, times: TIMES, isExempt: () => true } as unknown as NodeDeps)
    const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
    const post = (length: number): string => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${'y'.repeat(length)}`
    const talk = async (): Promise<number> => {
      const socket = await open(url)
      let answered = 0
      let last = ''
      socket.setEncoding('latin1').on('data', (chunk) => {
        // A status line may come in two pieces.
        const texts = (last + chunk).split('HTTP/1.1 200 ')
        answered += texts.length - 1
        last = texts.at(-1)!.slice(-12)
        socket.pause()
        setTimeout(() => socket.resume(), random(30))
      })
      for (let sent = 0; sent < EACH; sent++) {
        socket.write(random(3) ? GET('/') : post(random(2) ? 60 : random(40_000)))
        if (random(20) === 0) await sleep(5)
      }
      await expect.poll(() => answered, { timeout: 30_000 }).toBe(EACH)
      socket.destroy()
      return answered
    }
    const all = await Promise.all(Array.from({ length: 20 }, talk))
    expect(all).toEqual(Array(20).fill(EACH))
    server.closeAllConnections()
    server.close()
  }, 100_000)

  it('a connection is read further if its client did not read a long answer, and a long turn paused it', async () => {
    const { url, connect, close } = await start()
    await pipelineOnce(url)
    const { socket, read, answers } = await connect()
    socket.write(GET('/big'))
    await sleep(100)
    socket.write(GET('/busy', LONG_HEAD) + GET('/', LONG_HEAD).repeat(20))
    await sleep(200)
    read()
    await expect.poll(answers).toBe(22)
    close()
  })

  it('a connection is read further if a long turn had paused it', async () => {
    const { connect, close } = await start()
    const [idle, other] = [await connect(), await connect()]
    idle.read()
    idle.socket.write(GET('/'))
    await expect.poll(idle.answers).toBe(1)
    other.read()
    other.socket.write(GET('/busy', LONG_HEAD) + GET('/', LONG_HEAD))
    await expect.poll(other.answers).toBe(2)
    idle.socket.write(GET('/'))
    await expect.poll(idle.answers).toBe(2)
    close()
  })

  it('a connection is answered if it ends its half after more requests than run at once', async () => {
    const { connect, close } = await start()
    const { socket, read, answers } = await connect()
    read()
    socket.end(GET('/').repeat(40))
    await expect.poll(answers).toBe(40)
    close()
  })
})

describe('connections that send 60 KB at once', () => {
  const CONNECTIONS = 60
  /** A busy machine takes seconds to send all of it. */
  const times = { ...TIMES, headers: 60_000, request: 60_000 }
  /** A process of its own, which sends while the server is busy. */
  const SENDER = `
    const [port, count, bytes] = process.argv.slice(1)
    const sockets = Array.from({ length: Number(count) }, () => require('node:net').connect(Number(port), '127.0.0.1').on('error', () => {}).resume())
    process.stdin.once('data', () => {
      for (const socket of sockets) socket.write(bytes)
    })`
  for (const [what, bytes, most] of [
    // Of the first connection one chunk is parsed.
    ['requests', GET('/').repeat(1_500), CHUNK / GET('/').length + CONNECTIONS * (LIMITS.pipelined + 4)],
    ['lines of a head', GET('/', 'a:b\r\n'.repeat(10_000)), CONNECTIONS / 2],
  ] as const)
    it(`thousands of ${what} of each connection are not all read in one turn`, async () => {
      const { server } = createNodeServer({ serve: () => {}, times, isExempt: () => true } as unknown as NodeDeps)
      const turns = countTurns()
      const read = new Map<number, number>()
      const all = new Set<Socket>()
      server.prependListener('request', ({ socket }) => {
        all.add(socket)
        read.set(turns.count(), (read.get(turns.count()) ?? 0) + 1)
      })
      let connected = 0
      server.on('connection', () => {
        if (++connected === CONNECTIONS) sender.stdin.write('go', block)
      })
      const block = (): void => {
        const end = performance.now() + 1_000
        while (performance.now() < end);
      }
      const port = await listen(server, '127.0.0.1', 0)
      const sender = spawn(process.execPath, ['-e', SENDER, String(port), String(CONNECTIONS), bytes])
      await expect.poll(() => all.size, { timeout: 60_000 }).toBe(CONNECTIONS)
      turns.stop()
      sender.kill()
      server.closeAllConnections()
      server.close()
      expect(Math.max(...read.values())).toBeLessThan(most)
    }, 100_000)
})
