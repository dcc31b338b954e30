import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Connection, get, post, rpcText, type WireAnswer } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const CONNECTIONS = 8
const EACH = 1_750
const WAITING = 10_000

/** All answers of a connection, at most `most`. */
const answersOf = async (connection: Connection, most: number): Promise<WireAnswer[]> => {
  const answers: WireAnswer[] = []
  while (answers.length < most) {
    const answer = await connection.answer().catch((error: Error) => {
      expect(error.message).toMatch(/^the connection ended after ""|ECONNRESET/)
      return undefined
    })
    if (answer === undefined) break
    answers.push(answer)
  }
  return answers
}

it('10,000 requests of all connections may wait: a connection that sends many more is cut, and the others are answered', async () => {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => service.open()))
  // Each begins with a call that lasts until all others are here.
  const requests = post('/jsonRPC', rpcText('local.mine', { count: 150 })) + 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(EACH)
  for (const connection of connections) void connection.send(requests).catch(() => {})
  const all = await Promise.all(connections.map((connection) => answersOf(connection, EACH + 1)))
  const answered = all.filter(({ length }) => length === EACH + 1)
  for (const answers of answered) {
    expect(answers[0]!.json).toMatchObject({ id: 1, result: { block: expect.any(Object) } })
    expect(new Set(answers.slice(1).map(({ text }) => text))).toEqual(new Set(['{"ok":true,"result":"OK"}']))
  }
  expect(answered.length).toBeLessThan(CONNECTIONS)
  // The connection that came to the limit has lost what waited.
  expect(answered.length * (EACH + 1)).toBeGreaterThan(WAITING - 2 * EACH)
  for (const connection of connections) connection.destroy()
  // There is room again.
  const next = await service.open()
  await next.send(get('/health').repeat(50))
  expect((await answersOf(next, 50)).length).toBe(50)
  next.destroy()
}, 300_000)
