import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { yieldToEventLoop } from '../../server/base/yield.ts'
import { turnToBegin, turnToRead } from '../../server/http/body.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { open } from './raw.ts'

/* Requests whose last bytes come at the same time: how much of them is parsed in one turn of the event loop. */

const KiB = 1 << 10

let server: Transport
const sockets: Socket[] = []
beforeAll(async () => {
  server = await startTransport()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  vi.restoreAllMocks()
})
afterAll(() => server.close())

/** Counts texts of at least `size`, and the most characters of them in one turn. */
const countTexts = (size: number) => {
  const counted = { largest: 0, texts: 0, add }
  let present = 0
  function add(length: number): void {
    if (length < size) return
    if (present === 0)
      setImmediate(() => {
        present = 0
      })
    present += length
    counted.texts++
    counted.largest = Math.max(counted.largest, present)
  }
  return counted
}

/** Counts the texts that are parsed from now on. */
const countParsed = (size: number) => {
  const parse = JSON.parse
  const counted = countTexts(size)
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    counted.add(text.length)
    return parse(text, reviver)
  })
  return counted
}

/** Counts the bodies that are put together from their pieces from now on. */
const countJoined = (size: number) => {
  const concat = Buffer.concat
  const counted = countTexts(size)
  vi.spyOn(Buffer, 'concat').mockImplementation((pieces, length) => {
    const joined = concat(pieces, length)
    counted.add(joined.length)
    return joined
  })
  return counted
}

/** Counts the messages that `ws` has unmasked and emits in one turn. */
const countUnmasked = (size: number) => {
  const emit = WebSocket.prototype.emit
  const counted = countTexts(size)
  vi.spyOn(WebSocket.prototype, 'emit').mockImplementation(function (this: WebSocket, name, ...rest) {
    if (name === 'message') counted.add(rest[0].length)
    return emit.call(this, name, ...rest)
  })
  return counted
}

const request = (size: number): string => `{"jsonrpc":"2.0","id":1,"method":"count","params":{"key":"${'x'.repeat(size)}"}}`

const post = (text: string): Buffer =>
  Buffer.from(
    `POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )

/** A masked text message. */
const frame = (text: string, mask = 0): Buffer => {
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0x80 | 127
  head.writeUInt32BE(text.length, 6)
  head.fill(mask, 10)
  return Buffer.concat([head, Buffer.from(text).map((byte) => byte ^ mask)])
}

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

/** A connection on which a request has arrived but for its last byte. */
const sendMost = async (path: string | undefined, bytes: Buffer): Promise<Socket> => {
  const socket = await open(server.url)
  sockets.push(socket)
  if (path !== undefined) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
  }
  const before = server.http.answers().unfinished_bytes
  socket.write(bytes.subarray(0, -1))
  await expect.poll(() => server.http.answers().unfinished_bytes, { timeout: 20_000 }).toBeGreaterThan(before)
  return socket
}

/** `count` such connections. */
const sendMostOf = async (count: number, path: string | undefined, bytes: Buffer): Promise<Socket[]> => {
  const all: Socket[] = []
  while (all.length < count) all.push(await sendMost(path, bytes))
  return all
}

/** Sends the last bytes of all at once, and waits for the answers. */
const sendEnds = async (all: readonly Socket[], bytes: Buffer): Promise<void> => {
  const answered = all.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  for (const socket of all) socket.write(bytes.subarray(-1))
  await Promise.all(answered)
}

const WAYS = [
  ['bodies', undefined, post],
  ['messages of WebSockets', '/jsonRPC', frame],
  ['messages of streams', '/api/streaming/v2/ws', frame],
] as const

describe('requests that end at the same time', () => {
  for (const [what, path, form] of WAYS)
    for (const size of [20 * KiB, 200 * KiB])
      it(`${what} of ${size} bytes are not parsed all in one turn`, async () => {
        const bytes = form(request(size))
        const all = await sendMostOf(14, path, bytes)
        const parsed = countParsed(size)
        await sendEnds(all, bytes)
        expect(parsed.texts).toBe(14)
        expect(parsed.largest).toBeLessThan(2 * Math.max(size, 64 * KiB) + KiB)
      })

  it('bodies of 200 KB are not put together all in one turn', async () => {
    const size = 200 * KiB
    const bytes = post(request(size))
    const all = await sendMostOf(14, undefined, bytes)
    const joined = countJoined(size)
    await sendEnds(all, bytes)
    expect(joined.texts).toBe(14)
    expect(joined.largest).toBeLessThan(2 * size + KiB)
  })

  it('messages of a megabyte are not unmasked all in one turn', async () => {
    const size = 1_000_000
    const bytes = frame(request(size), 1)
    const all = await sendMostOf(60, '/jsonRPC', bytes)
    await expect.poll(() => server.http.answers().unfinished_bytes, { timeout: 20_000 }).toBeGreaterThanOrEqual(60 * (bytes.length - 1))
    const unmasked = countUnmasked(size)
    await sendEnds(all, bytes)
    expect(unmasked.texts).toBe(60)
    expect(unmasked.largest).toBeLessThan(30 * size)
  }, 60_000)
})

describe('a long request', () => {
  // What the tests before have sent, and did not wait for, has its turns between these.
  beforeAll(async () => {
    for (let i = 0; i < 200; i++) await yieldToEventLoop()
  })
  const key = 'x'.repeat(70 * KiB)
  const rpc = (name: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'count', params: { key: name + key } })
  const tool = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count', arguments: { key } } })
  const fetched = (path: string, body: string) => async () => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    expect(await (await fetch(server.url + path, { method: 'POST', body, headers })).text()).toMatch(/run/)
  }
  const WAYS = [
    ['/jsonRPC', fetched('/jsonRPC', rpc('a'))],
    ['/api/v2/jsonRPC', fetched('/api/v2/jsonRPC', rpc('b'))],
    ['/api/v2/count', fetched('/api/v2/count', JSON.stringify({ key: `c${key}` }))],
    ['/mcp', fetched('/mcp', tool)],
    ['a WebSocket', async () => void (await sendEnds([await sendMost('/jsonRPC', frame(rpc('d')))], frame(rpc('d'))))],
  ] as const
  it.each(WAYS)('a long request at %s is parsed in one turn, and its parameters are read in another', async (_path, send) => {
    const { parse, stringify } = JSON
    let isTurnOfParsing = false
    const read: boolean[] = []
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      if (text.length > key.length) {
        isTurnOfParsing = true
        setImmediate(() => {
          isTurnOfParsing = false
        })
      }
      return parse(text, reviver)
    })
    // The parameters become a key of the cache.
    vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest: unknown[]) => {
      if (typeof value === 'string' && value.length >= key.length) read.push(isTurnOfParsing)
      return stringify(value, ...(rest as []))
    })
    await send()
    expect(read).toEqual([false])
  })

  it('of long requests that have come together one is parsed when the one before has begun to run', async () => {
    const all: Socket[] = []
    const forms = ['e', 'f', 'g', 'h'].map((name) => post(rpc(name)))
    for (const bytes of forms) all.push(await sendMost(undefined, bytes))
    const parse = JSON.parse
    const runs = (): number => server.runs.get('count') ?? 0
    const before = runs()
    const begun: number[] = []
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      if (text.length > key.length) begun.push(runs() - before)
      return parse(text, reviver)
    })
    await sendEnds(all, forms[0]!)
    expect(begun).toEqual([0, 1, 2, 3])
  })
})

describe('requests of several clients', () => {
  it('a request of a client is read soon, however many requests of another one wait', async () => {
    const read: string[] = []
    const ask = async (client: string): Promise<void> => {
      await turnToRead(KiB, { client })
      read.push(client)
    }
    const crowd = Array.from({ length: 400 }, () => ask('crowd'))
    await ask('other')
    // One turn reads some 40 of them.
    expect(read.length).toBeLessThan(100)
    await Promise.all(crowd)
    expect(read).toHaveLength(401)
  })

  it('of over 10,000 requests that wait, the newest of the client with the most is refused', async () => {
    const begin = (client: string) => turnToBegin({ url: '/', headers: {}, rawHeaders: [] as string[] } as IncomingMessage, { client })
    while (begin('crowd') === undefined);
    const crowd = Array.from({ length: 9_999 }, () => begin('crowd')!)
    expect(await begin('other')).toBe(true)
    const begun = await Promise.all(crowd)
    expect(begun.indexOf(false)).toBe(begun.length - 1)
  })
})

describe('long heads', () => {
  it('heads of 60 KB are read one in a turn, and a short one at once', async () => {
    const begun: string[] = []
    const begin = async (name: string, rawHeaders: string[]): Promise<void> => {
      await turnToBegin({ url: '/', headers: {}, rawHeaders } as IncomingMessage, { client: name })
      begun.push(name)
    }
    const long = ['Accept-Encoding', 'gzip;q=0.1, '.repeat(5_000)]
    const all = ['a', 'b', 'c'].map((name) => begin(name, long))
    await begin('short', ['Accept-Encoding', 'gzip'])
    expect(begun).toEqual(['short'])
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await new Promise(setImmediate)
      expect(begun.slice(1)).toEqual(expected)
    }
    await Promise.all(all)
  })
})
