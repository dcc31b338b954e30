import { expect, it } from 'vitest'
import { sendOutcome, v3Form } from '../../server/http/answer-forms.ts'
import type { Context } from '../../server/http/context.ts'
import { registry } from '../../shared/registry.ts'
import { countPerTurn } from '../kit/turns.ts'

/* Answers of many megabytes that are complete in memory, because other callers may have them too. */

it('a very long answer is encoded in several turns, and no character is split', async () => {
  // Each smiley has two UTF-16 units, and the quote before them makes every cut at an even place fall into one.
  const json = `"${'\u{1f600}'.repeat(15 << 20)}"`
  const sent: Buffer[] = []
  const turns = countPerTurn()
  const from = Buffer.from
  Buffer.from = ((...given: [never]) => {
    if (typeof given[0] === 'string' && (given[0] as string).length > 1000) turns.see()
    return from(...given)
  }) as typeof Buffer.from
  try {
    const ctx = {
      req: { method: 'GET' },
      res: { setHeader() {} },
      state: { bodies: { whole: (_: unknown, pieces: readonly Buffer[]) => sent.push(...pieces) } },
    } as unknown as Context
    await sendOutcome(ctx, { ok: true, json, cached: false }, v3Form(registry['v3.traces']))
  } finally {
    Buffer.from = from
  }
  expect(turns.all()).toBe(8)
  expect(turns.most()).toBeLessThan(8)
  expect(Buffer.concat(sent).equals(Buffer.from(json))).toBe(true)
})
