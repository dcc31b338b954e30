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

it('thousands of requests of each connection wait behind a long one, and all are answered', async () => {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => service.open()))
  const requests = post('/jsonRPC', rpcText('local.mine', { count: 150 })) + get('/health').repeat(EACH)
  for (const connection of connections) void connection.send(requests).catch(() => {})
  for (const answers of await Promise.all(connections.map((connection) => answersOf(connection, EACH + 1)))) {
    expect(answers.length).toBe(EACH + 1)
    expect(answers[0]!.json).toMatchObject({ id: 1, result: { block: expect.any(Object) } })
    expect(new Set(answers.slice(1).map(({ text }) => text))).toEqual(new Set(['{"ok":true,"result":"OK"}']))
  }
  for (const connection of connections) connection.destroy()
}, 300_000)
