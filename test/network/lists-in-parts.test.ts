import { expect, it } from 'vitest'
import { jsonTexts, MAX_JOINED } from '../../server/base/json-text.ts'
import { createHandlers } from '../../server/network/handlers.ts'
import { jsonText } from '../kit/service/results.ts'

/* A transaction can have megabytes of JSON, because a contract can send a body of 256 KB many times. */

const { signal } = new AbortController()

const transactions: unknown[] = []
const list = async () => ({ transactions, next: { lt: 0n, hash: new Uint8Array(32) } })
const id = { workchain: 0, shard: 0n, seqno: 1, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
const chain = { transactions: list, blockTransactions: list, lookupBlock: async () => id }
const answerOf = (name: string) => {
  const deps = { groups: new Map(), chain, local: { 'local.trace': async () => ({ transactions }) } }
  const handlers = createHandlers({ ...deps, now: () => 0, reverts: false, emulateErrors: 422 } as never)
  return handlers[name]!({ address: id, workchain: 0, shard: 0n, seqno: 1, count: 1 } as never, { signal } as never)
}

it.each([
  'getTransactions',
  'getTransactionsStd',
  'getBlockTransactionsExt',
  'local.trace',
])('the answer of %s is written in parts', async (name) => expect((await answerOf(name)).pieces).toBeDefined())

it('the messages of a transaction are written one at a time, not all in one turn of the event loop', async () => {
  const text = 'x'.repeat(1 << 20)
  let written = 0
  const toJSON = (): string => {
    written++
    return text
  }
  transactions.push({ out_msgs: Array.from({ length: 8 }, () => ({ body: { toJSON } })) })
  const answer = await answerOf('local.trace')
  // Two pieces at most are made before the caller asks for more.
  expect(written).toBeLessThanOrEqual(2)
  expect(JSON.parse(await jsonText(answer, signal)).transactions).toEqual([{ out_msgs: Array(8).fill({ body: text }) }])
})

it('an answer that is too long to be joined, because its caller takes no pieces, is refused before the rest of it is made', async () => {
  let made = 0
  const piecesOf = async function* (count: number): AsyncGenerator<string> {
    for (let i = 0; i < count; i++) {
      made++
      yield 'x'.repeat(1 << 20)
    }
  }
  await expect(jsonText({ pieces: piecesOf(90) }, signal)).rejects.toMatchObject({ kind: 'TOO_LARGE' })
  expect(made).toBe(17)
  expect(await jsonText({ pieces: piecesOf(16) }, signal)).toHaveLength(16 << 20)
  expect(await jsonText({ pieces: piecesOf(17) }, signal, MAX_JOINED.single)).toHaveLength(17 << 20)
  const texts = await jsonTexts({ pieces: piecesOf(33) }, signal, MAX_JOINED.single)
  expect(texts.map(({ length }) => length >> 20)).toEqual([16, 16, 1])
})
