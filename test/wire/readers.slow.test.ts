import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import type { Connection } from '../kit/wire/connection.ts'
import { largeBatch, makeLarge } from '../kit/wire/large.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* The bound of all answers that nobody reads, which takes a quarter of a gigabyte. Other bounds are in readers.test.ts. */

const MiB = 1 << 20
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

it('all connections have at most 256 MiB of them: the slowest is cut off for one that reads, and its answer has no valid end', async () => {
  const reader = await askAndLeave(largeBatch(ITEMS))
  const idle: Connection[] = []
  let most = 0
  for (let i = 0; i < 17; i++) {
    idle.push(await askAndLeave(largeBatch(ITEMS)))
    await until(async () => (await unread()) > (i + 1) * BATCH * 0.8 || (await unread()) > 15 * BATCH)
  }
  // The first one reads, slowly.
  const reading = reader.answer()
  const next: number[] = []
  for (let i = 0; i < 6; i++) {
    // It may be refused until those that read nothing have had their second.
    await until(async () => {
      most = Math.max(most, await unread())
      const answer = await service.ask(largeBatch(ITEMS))
      if (answer.status === 200) next.push((answer.json as object[]).length)
      else expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
      return answer.status === 200
    }, 100)
  }
  expect(next).toEqual(Array(6).fill(ITEMS))
  expect((await reading).json).toHaveLength(ITEMS)
  expect(most).toBeGreaterThan(200 * MiB)
  expect(most).toBeLessThanOrEqual(256 * MiB)
  const outcomes = await Promise.all(
    idle.map((connection) =>
      connection.answer().then(
        ({ json }) => (json as object[]).length,
        (error: Error) => error.message.slice(0, 20),
      ),
    ),
  )
  expect(new Set(outcomes)).toEqual(new Set([ITEMS, 'the connection ended']))
  await until(async () => (await unread()) === 0)
})
