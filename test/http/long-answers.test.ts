import { expect, it } from 'vitest'
import { sendOutcome, v3Form } from '../../server/http/answer-forms.ts'
import type { Context } from '../../server/http/context.ts'
import { registry } from '../../shared/registry.ts'
import { busy, countPerTurn } from '../kit/turns.ts'

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

const contextOf = (sent: Buffer[]): Context =>
  ({
    req: { method: 'GET' },
    res: { setHeader() {} },
    state: { bodies: { whole: (_: unknown, pieces: readonly Buffer[]) => sent.push(...pieces) } },
  }) as unknown as Context
const FORM = v3Form(registry['v3.traces'])

it('a very long answer is encoded in several turns, and no character is split', async () => {
  // Each smiley has two UTF-16 units, and the quote before them makes every cut at an even place fall into one.
  const json = `"${'\u{1f600}'.repeat(15 << 20)}"`
  const sent: Buffer[] = []
  const { all, most } = await encodedTexts(async () => sendOutcome(contextOf(sent), { ok: true, json, cached: false }, FORM))
  expect(all).toBe(120)
  expect(most).toBeLessThan(60)
  expect(Buffer.concat(sent).equals(Buffer.from(json))).toBe(true)
})

it('callers that get one long answer in the same turn are answered in several', async () => {
  const outcome = { ok: true, json: `"${'x'.repeat(200_000)}"`, cached: false } as const
  const sent: Buffer[] = []
  const answers = Array.from({ length: 100 }, () => Promise.resolve(outcome))
  const { all, most } = await encodedTexts(
    () => Promise.all(answers.map(async (answer) => sendOutcome(contextOf(sent), await answer, FORM))),
    1,
  )
  expect(all).toBe(100)
  expect(most).toBeLessThan(50)
  expect(sent).toHaveLength(100)
})
