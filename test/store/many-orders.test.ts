import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { builder, type Query } from '../../server/store/postgres/reader.ts'
import { domainsOf } from '../../server/store/queries/account-kinds.ts'
import { type ActionRow, accountsOfActions } from '../../server/store/queries/actions/of-traces.ts'
import type { View } from '../../server/store/queries/view.ts'
import { membersOf, ordersOf, whitelistsOf } from '../../server/store/queries/wallets.ts'

/*
 * Anybody can make multisigs with a thousand orders each, orders with 256 signers each, and names that resolve to any wallet. So a limit counts before such
 * rows are read.
 */

const viewOf = (answers: readonly (readonly object[])[]) => {
  const sent: string[] = []
  let bytes = 0
  const view = {
    rows: async (query: Query<unknown>) => {
      const { sql, parameters } = 'compile' in query ? query.compile(builder) : (query as CompiledQuery)
      sent.push(sql.replace(/\$(\d+)/g, (_, place: string) => String(parameters[Number(place) - 1])))
      return answers[sent.length - 1] ?? []
    },
    expectBytes(expected: number) {
      bytes += expected
    },
  } as unknown as View
  return { view, sent, bytes: () => bytes }
}
const key = Buffer.alloc(36)
const isTooMany = /more than \d+ rows.*with limit$/

it('signers of an answer are read up to a limit, and refused beyond it', async () => {
  const { view, sent } = viewOf([Array(300_001).fill({})])
  await expect(membersOf(view, [key])).rejects.toThrow(isTooMany)
  expect(sent).toEqual([expect.stringMatching(/limit 300001$/)])
})

it('accounts of the actions of large traces, and whitelists, are read up to a limit', async () => {
  const action = { trace_id: Buffer.alloc(32), action_id: Buffer.alloc(32) } as ActionRow
  for (const read of [(view: View) => accountsOfActions(view, [action]), (view: View) => whitelistsOf(view, [key])]) {
    const { view, sent } = viewOf([Array(300_001).fill(action)])
    await expect(read(view)).rejects.toThrow(isTooMany)
    expect(sent).toEqual([expect.stringMatching(/limit 300001$/)])
  }
  // Of a trace of mass payouts, only the actions of the page.
  const { view, sent } = viewOf([[{ ...action, account: key }]])
  expect((await accountsOfActions(view, [action]))(action)).toEqual([key])
  expect(sent[0]).toContain('action_id in (select unnest(')
})

it('orders of an answer are counted before they are read, and their bytes too', async () => {
  const many = viewOf([Array(20_001).fill({ account: key, bytes: 1 })])
  await expect(ordersOf(many.view, [key])).rejects.toThrow(isTooMany)
  expect(many.sent).toEqual([expect.stringMatching(/limit 20001$/)])
  const few = viewOf([[{ account: key, bytes: 60_000 }], [{ account: key }]])
  expect(await ordersOf(few.view, [key])).toEqual([{ account: key }])
  expect(few.bytes()).toBe(60_200)
  expect(few.sent[0]).toContain('octet_length(order_boc)')
})

it('names of strangers that resolve to a wallet are read up to a limit', async () => {
  const names = (count: number) => Array(count).fill({ account: Buffer.alloc(36, 1), wallet: key, domain: 'a.ton' })
  const { view, sent } = viewOf([names(4), [], names(64), [], names(1_024), [], names(16_384), []])
  expect(await domainsOf(view, [key])).toEqual(new Map())
  expect(sent.filter((sql) => sql.includes('dns_entries'))).toEqual([
    expect.stringContaining('limit 4)'),
    expect.stringContaining('limit 1024)'),
  ])
})
