import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createRawServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLine } from './line.ts'

const LARGE = 'abc'.repeat(300_000)
let connections = 0
let server: Server
let url: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://host')
    if (pathname === '/length') response.setHeader('content-length', LARGE.length).end(LARGE)
    else if (pathname === '/empty') response.setHeader('content-length', 0).end()
    else if (pathname === '/chunks') {
      for (let i = 0; i < 20; i++) response.write(`${i},`.repeat(5_000))
      response.end()
    } else if (pathname === '/closed') {
      response.end('last')
      request.socket.destroySoon()
    } else {
      response.statusCode = 503
      response.end('not now')
    }
  })
  server.on('connection', () => {
    connections++
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('answers with a length and in chunks are read one after another on one connection', async () => {
  const line = openLine(url)
  const before = connections
  const chunks = Array.from({ length: 20 }, (_, i) => `${i},`.repeat(5_000)).join('')
  for (let i = 0; i < 3; i++) {
    expect(String(await line.ask('/length')) === LARGE).toBe(true)
    expect(String(await line.ask('/chunks')) === chunks).toBe(true)
    expect((await line.ask('/empty')).length).toBe(0)
  }
  expect(connections - before).toBe(1)
  line.close()
})

test('another status rejects with the status and the text, and the connection is used again', async () => {
  const line = openLine(url)
  const before = connections
  await expect(line.ask('/refused')).rejects.toThrow('/refused: 503 not now')
  expect((await line.ask('/length')).length).toBe(LARGE.length)
  expect(connections - before).toBe(1)
  line.close()
})

test('a connection that the server has closed is opened again', async () => {
  const line = openLine(url)
  expect(String(await line.ask('/closed'))).toBe('last')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await line.ask('/length')).length).toBe(LARGE.length)
  line.close()
})

test('a server that is away rejects', async () => {
  const line = openLine('http://127.0.0.1:1')
  await expect(line.ask('/length')).rejects.toThrow('ECONNREFUSED')
  line.close()
})

test.each([
  ['a chunk without a length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'unexpected length of a chunk: xyz'],
  ['neither a length nor chunks', 'HTTP/1.1 200 OK\r\n\r\n', 'unexpected answer'],
])('an answer with %s rejects', async (_, answer, message) => {
  const raw = createRawServer((socket) => socket.on('error', () => {}).once('data', () => socket.write(answer)))
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const line = openLine(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`)
  await expect(line.ask('/')).rejects.toThrow(message)
  line.close()
  await new Promise((resolve) => raw.close(resolve))
})
