import { expect, it } from 'vitest'
import { builder } from '../../server/store/postgres/reader.ts'
import { hasKey } from '../../server/store/queries/transactions/transaction-key.ts'

const KEYS = [{ account: Buffer.alloc(36, 1), lt: '5' }]
const textOf = (isDistributed: boolean): string =>
  builder
    .selectFrom('messages')
    .selectAll()
    .where(hasKey({ isDistributed }, KEYS, ['tx_account', 'tx_lt']))
    .compile().sql

it('a cluster is told the accounts of keys, by which it knows the shards; plain PostgreSQL, which would sort them for each key, is not', () => {
  expect(textOf(true)).toContain('"tx_account" = any(')
  expect(textOf(false)).not.toContain('any(')
})
