import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createDeferred } from '../../server/base/promises/deferred.ts'
import { createFetch } from '../../server/net/fetch.ts'
import { createPost } from '../../server/net/post.ts'
import { timeTurns } from '../kit/turns.ts'

/* A receiver of webhooks, or a host of metadata, whose answers are cheap to send and dear to parse. */

const INTERIM = 'HTTP/1.1 102 P\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
const ASKING = 40
/** About one read of node. */
const READ = 63_000
const post = createPost({ hosts: [], loopback: true })

let server: Server | undefined
afterEach(() => server?.close())

/** Answers with the same bytes once `count` connections have asked. */
const startHost = async (count: number, answer: (socket: Socket) => void): Promise<string> => {
  const asking: Socket[] = []
  server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => asking.push(socket) === count && asking.splice(0).forEach(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const send = (url: string): Promise<unknown> =>
  post.send(url, {}, Buffer.from('{}'), new AbortController().signal).catch((error: Error) => error.message)

it.each([
  ['interim responses', INTERIM.repeat(READ / INTERIM.length)],
  ['chunks of one byte', CHUNKED + '1\r\n \r\n'.repeat(READ / 6)],
])('%s of many receivers at once do not share a turn', async (_, bytes) => {
  const url = await startHost(ASKING, (socket) => socket.end(bytes))
  const { longest, all } = await timeTurns(() => Promise.all(Array.from({ length: ASKING }, () => send(url))))
  expect(longest).toBeLessThan(all / 2)
})

const flood = (socket: Socket, bytes: string): void => {
  const more = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(more))
  }
  more()
}

it('a host that sends interim responses without end is left at once', async () => {
  const url = await startHost(1, (socket) => flood(socket, INTERIM.repeat(1_000)))
  expect(await send(url)).toBe('answered with over 16 interim responses')
  const fetch = createFetch({ isAllowed: () => true })
  await expect(fetch.get(url, new AbortController().signal)).rejects.toMatchObject({
    kind: 'network',
    message: 'answered with over 16 interim responses',
  })
})

it('a body in chunks of one byte is refused before it is large', async () => {
  const url = await startHost(1, (socket) => socket.end(`${CHUNKED}${'1\r\n \r\n'.repeat(150_000)}0\r\n\r\n`))
  const fetch = createFetch({ isAllowed: () => true })
  const refused = fetch.get(url, new AbortController().signal)
  await expect(refused).rejects.toMatchObject({ kind: 'size', message: 'the body is sent in too small chunks' })
})

it('an answer to a webhook in chunks of one byte is a failure, and one in a few chunks is taken', async () => {
  const answer = (chunks: number): string => `${CHUNKED}${'1\r\n \r\n'.repeat(chunks)}0\r\n\r\n`
  expect(await send(await startHost(1, (socket) => socket.end(answer(60_000))))).toBe('the answer is sent in too small chunks')
  expect(await send(await startHost(1, (socket) => socket.end(answer(2_000))))).toBe(200)
})

it('a body in chunks of a hundred bytes is taken', async () => {
  const chunk = `64\r\n${' '.repeat(100)}\r\n`
  const url = await startHost(1, (socket) => socket.end(`${CHUNKED}${chunk.repeat(9_000)}0\r\n\r\n`))
  const fetch = createFetch({ isAllowed: () => true })
  expect((await fetch.get(url, new AbortController().signal)).bytes).toHaveLength(900_000)
})

it('an interim response before the answer is fine', async () => {
  const url = await startHost(1, (socket) => socket.end(`${INTERIM}HTTP/1.1 204 No Content\r\n\r\n`))
  expect(await send(url)).toBe(204)
})

it('a receiver that sends bytes after its answer cannot keep the connection open', async () => {
  const closed = createDeferred()
  const url = await startHost(1, (socket) => {
    socket.on('close', () => closed.resolve()).write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    setTimeout(() => socket.write(' '), 100)
  })
  expect(await send(url)).toBe(200)
  await closed.promise
})

/** Cipher suites and groups that a client offers in its first message of TLS. */
const offersOf = (hello: Buffer): { readonly suites: number[]; readonly groups: number[] } => {
  const numbers = (at: number): number[] => Array.from({ length: hello.readUInt16BE(at) / 2 }, (_, i) => hello.readUInt16BE(at + 2 + 2 * i))
  const suitesAt = 44 + hello[43]!
  let at = suitesAt + 2 + hello.readUInt16BE(suitesAt)
  at += 1 + hello[at]! + 2
  while (hello.readUInt16BE(at) !== SUPPORTED_GROUPS) at += 4 + hello.readUInt16BE(at + 2)
  return { suites: numbers(suitesAt), groups: numbers(at + 4) }
}
const SUPPORTED_GROUPS = 10
/** TLS_DHE_RSA_WITH_AES_128_GCM_SHA256 and its like of node's default list, and ffdhe2048 to ffdhe8192. */
const [DHE, FFDHE] = [
  [0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xccaa],
  [256, 257, 258, 259, 260],
]

it('no host can choose a Diffie-Hellman exchange with a group of thousands of bits', async () => {
  const hellos: Buffer[] = []
  server = createServer((socket) => socket.on('error', () => {}).once('data', (hello) => hellos.push(hello) && socket.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await send(url)
  await createFetch({ isAllowed: () => true })
    .get(url, new AbortController().signal)
    .catch(() => {})
  expect(hellos).toHaveLength(2)
  for (const { suites, groups } of hellos.map(offersOf)) {
    expect(suites.filter((one) => DHE.includes(one))).toEqual([])
    expect(groups.filter((one) => FFDHE.includes(one))).toEqual([])
    expect(groups).toContain(29)
  }
})
