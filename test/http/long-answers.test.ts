import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createUnread } from '../../server/base/writer/unread.ts'
import { createBodyStreams } from '../../server/http/answer-bodies.ts'
import { sendOutcome, strictForm, v3Form } from '../../server/http/answer-forms.ts'
import type { Context } from '../../server/http/context.ts'
import { registry } from '../../shared/registry.ts'
import { busy, countPerTurn, timeTurns } from '../kit/turns.ts'

/* Answers of many megabytes that are complete in memory, because other callers may have them too. */

/** Runs the work, and counts in which turns long texts are encoded. Each takes `ms` milliseconds more. */
const encodedTexts = async (work: () => Promise<unknown>, ms = 0) => {
  const turns = countPerTurn()
  const from = Buffer.from
  Buffer.from = ((...given: [never]) => {
    if (typeof given[0] === 'string' && (given[0] as string).length > 1000) {
      turns.see()
      busy(ms)
    }
    return from(...given)
  }) as typeof Buffer.from
  try {
    await work()
  } finally {
    Buffer.from = from
  }
  return { all: turns.all(), most: turns.most() }
}

/** A request on a connection of its own. */
const newContext = (bodies = createBodyStreams(createUnread())): Context =>
  ({
    req: { method: 'GET' },
    res: { setHeader() {}, once() {}, destroy() {}, req: { socket: {} } },
    set() {},
    state: { bodies, form: 'v3' },
  }) as unknown as Context
const FORM = v3Form(registry['v3.traces'])

const bytesOf = async ({ body }: Context): Promise<Buffer> => Buffer.concat(await (body as Readable).toArray())

it('a very long answer is encoded in several turns, and no character is split', async () => {
  // Each smiley has two UTF-16 units, and the quote before them makes every cut at an even place fall into one.
  const json = `"${'\u{1f600}'.repeat(15 << 20)}"`
  let sent: Buffer = Buffer.alloc(0)
  const ctx = newContext()
  const { all, most } = await encodedTexts(async () => {
    await sendOutcome(ctx, { ok: true, json, cached: false }, FORM)
    sent = await bytesOf(ctx)
  })
  expect(all).toBe(120)
  expect(most).toBeLessThan(60)
  expect(ctx.length).toBe(sent.length)
  expect(sent.equals(Buffer.from(json))).toBe(true)
})

it('callers that get one long answer in the same turn have turns of their own, and it is encoded as each takes it', async () => {
  const outcome = { ok: true, json: `"${'x'.repeat(8 << 20)}"`, cached: false } as const
  const bodies = createBodyStreams(createUnread())
  const answers = Array.from({ length: 100 }, () => ({ ctx: newContext(bodies), answer: Promise.resolve(outcome) }))
  const { all } = await encodedTexts(() => Promise.all(answers.map(async ({ ctx, answer }) => sendOutcome(ctx, await answer, FORM))))
  expect(all).toBe(0)
  // 256 MiB may be unread.
  const [answered, refused] = [200, 503].map((status) => answers.filter(({ ctx }) => ctx.status === status))
  expect([answered!.length, refused!.length]).toEqual([31, 69])
  expect((await bytesOf(answered![0]!.ctx)).length).toBe(outcome.json.length)
})

it('an answer of several texts is not joined, and callers that share it do not copy it in one turn', async () => {
  // Joined strings, which V8 copies when a part of them is read.
  const [json, ...more] = Array.from({ length: 3 }, () => 'x'.repeat(4 << 20) + 'y'.repeat(4 << 20))
  const outcome = { ok: true, json: json!, more, cached: false } as const
  const bodies = createBodyStreams(createUnread())
  const answers = Array.from({ length: 10 }, () => ({ ctx: newContext(bodies), answer: Promise.resolve(outcome) }))
  const send = () => Promise.all(answers.map(async ({ ctx, answer }) => sendOutcome(ctx, await answer, strictForm(1, true))))
  const { longest, all } = await timeTurns(send)
  expect(longest).toBeLessThan(all / 3)
  const [{ ctx }] = answers as [(typeof answers)[0]]
  const sent = await bytesOf(ctx)
  expect([ctx.status, ctx.length, sent.length]).toEqual([200, sent.length, (24 << 20) + 44])
})
