import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import type { Connection, WireAnswer } from '../kit/wire/connection.ts'
import { largeBatch, makeLarge } from '../kit/wire/large.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* The bound of all answers that nobody reads, which takes a quarter of a gigabyte. Other bounds are in readers.test.ts. */

const MiB = 1 << 20
const MOST = 256 * MiB
/** Characters of one answer about the account, and how many of them a batch has. */
const SIZE = 900_000
const ITEMS = 16
const BATCH = SIZE * ITEMS

let service: WireService
const connections: Connection[] = []
beforeAll(async () => {
  service = await startService()
  await makeLarge(service, SIZE)
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy()
  await until(async () => (await unread()) === 0)
})
afterAll(() => service?.stop())

/** Asks and does not read. */
const askAndLeave = async (bytes: string): Promise<Connection> => {
  const connection = await service.open()
  connections.push(connection)
  await connection.send(bytes)
  return connection
}
const unread = async (): Promise<number> => (await service.status()).unread_bytes.http

it('all connections have at most 256 MiB of them: who reads nothing is cut off for one that reads, and its answer has no valid end', async () => {
  const idle: Connection[] = []
  while ((await unread()) < MOST - 1.1 * BATCH) {
    const before = await unread()
    idle.push(await askAndLeave(largeBatch(ITEMS)))
    await until(async () => (await unread()) > before + BATCH / 2)
  }
  // It takes the rest of the room, or finds none.
  idle.push(await askAndLeave(largeBatch(ITEMS)))
  let most = 0
  for (let i = 0; i < 6; i++) {
    let answer: WireAnswer | undefined
    // Who came within the last second is not cut off, so one that reads may have to ask again.
    await until(async () => {
      most = Math.max(most, await unread())
      answer = await service.ask(largeBatch(ITEMS))
      if (answer.status !== 200) expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
      return answer.status === 200
    }, 100)
    expect(answer!.json).toHaveLength(ITEMS)
  }
  expect(most).toBeGreaterThan(200 * MiB)
  expect(most).toBeLessThanOrEqual(MOST)
  const outcomes = await Promise.all(
    idle.map((connection) =>
      connection.answer().then(
        ({ status, json }) => (status === 200 ? (json as object[]).length : status),
        (error: Error) => error.message.slice(0, 20),
      ),
    ),
  )
  // The last one may have been refused.
  expect(new Set(outcomes.filter((outcome) => outcome !== 503))).toEqual(new Set([ITEMS, 'the connection ended']))
  await until(async () => (await unread()) === 0)
})
