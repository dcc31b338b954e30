import { expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import type { Page } from '../../../server/store/queries/order.ts'
import { list } from '../../../server/v3/answer/list.ts'
import { readFake } from '../../events/fake-chain.ts'
import { jsonText } from '../../kit/service/results.ts'
import { threadTime, timeTurns } from '../../kit/turns.ts'

/* Calls at the same time wait for one read, and go on in one turn of the event loop. */

const AT_ONCE = 12
/** What the longest row takes to be made, milliseconds. */
const ROW = 15

const spin = (): void => {
  const until = threadTime() + ROW
  while (threadTime() < until);
}

it('the first rows of calls at the same time are made in a turn each', async () => {
  const { reader } = readFake({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() })
  let answer: (page: Page<number>) => void = () => {}
  const page = new Promise<Page<number>>((resolve) => {
    answer = resolve
  })
  let waiting = 0
  const handler = list({ reader }, 'v3.dns.records', {
    find: () => {
      waiting++
      return page
    },
    relate: () => ({
      accounts: [],
      format: () => {
        spin()
        return {} as never
      },
    }),
  })
  const params = { limit: 1, x_no_address_book: true } as unknown as Parameters<typeof handler>[0]
  const answers = Array.from({ length: AT_ONCE }, () => handler(params, { signal: new AbortController().signal } as Call))
  await expect.poll(() => waiting).toBe(AT_ONCE)
  const { longest, all } = await timeTurns(() => {
    answer({ rows: [1], next: undefined })
    return Promise.all(answers.map(async (each) => jsonText(await each, new AbortController().signal)))
  })
  expect(all).toBeGreaterThanOrEqual(AT_ONCE * ROW)
  expect(longest).toBeLessThan(all / 2)
})
