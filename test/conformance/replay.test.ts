import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from '../../server/start/tonway.ts'
import { CASES } from './case-file.ts'
import { type Outcome, replay, tableOf } from './replay.ts'

/* The cases that hold on every server of TON Center's interfaces, against a chain that has nothing but its first block. */

let tonway: Tonway
let outcomes: readonly Outcome[]
beforeAll(async () => {
  tonway = await startTonway({ index: true })
  await tonway.indexed()
  outcomes = await replay({ url: tonway.url, folder: CASES })
}, 300_000)
afterAll(() => tonway?.close())

describe('the cases that hold on every server', () => {
  it('all of them hold on a new chain', () => {
    expect(outcomes.length).toBeGreaterThan(300)
    expect(tableOf(outcomes.filter(({ differences }) => differences.length > 0))).toContain('0 passed, 0 differ')
  })

  it('the table has a row for each method, and says how an answer differs', () => {
    const [first] = outcomes as [Outcome]
    const table = tableOf([first, { ...first, differences: ['result.seqno: 5 in place of 4'] }])
    expect(table.split('\n')).toEqual([
      expect.stringMatching(/^method +runs +passed$/),
      expect.stringMatching(new RegExp(`^${first.given.method} +2 +1$`)),
      `  ${first.given.path} over ${first.transport}: result.seqno: 5 in place of 4`,
      '',
      '1 passed, 1 differ',
    ])
  })
})
