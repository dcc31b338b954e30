import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { createAccountRows } from '../../../server/index/topics/account-rows.ts'
import { topicStatements } from '../../../server/index/write/statements.ts'
import { MULTISIG_ROLES } from '../../../server/store/codes.ts'
import { type Connection, connect } from '../../../server/store/postgres/connection.ts'
import { rowsOf, type TableRows } from '../../../server/store/rows/copy-rows.ts'
import { jettonWallets } from '../../../server/store/schema/jettons.ts'
import { type AccountTable, columnList } from '../../../server/store/schema/table.ts'
import { multisigMembers } from '../../../server/store/schema/wallets.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { createRandom, type Random } from '../../kit/random.ts'

const TABLES = [jettonWallets, multisigMembers] as const

let server: TestServer
let connection: Connection
beforeAll(async () => {
  server = await startTestServer()
  connection = await connect(await server.database())
})
afterAll(async () => {
  await connection.close()
  await server.close()
})

const keyOf = (place: number): Buffer => Buffer.alloc(36, place + 1)

/** Counts the queries that go to the database. */
const countingReads = () => {
  let queries = 0
  return {
    queries: () => queries,
    read: <R>(text: string, values: readonly unknown[]): Promise<R[]> => {
      queries++
      return connection.query<R>(text, values)
    },
  }
}

const walletOf = (random: Random, account: Buffer) => ({
  account,
  mc_seqno: random.below(100),
  balance: BigInt(random.below(1_000)) * 10n ** 20n,
  owner: keyOf(random.below(20)),
  jetton: keyOf(random.below(20)).toString('latin1'),
  claimed: random.chance(0.5) ? null : random.chance(0.5),
})

const memberOf = (random: Random, account: Buffer, place: number) => ({
  account,
  role: random.pick(MULTISIG_ROLES),
  place,
  mc_seqno: 1,
  member: keyOf(random.below(20)),
})

/** Rows of some accounts, as a block would write them: an account loses its rows, or gets others, or gets more. */
const blockOf = (random: Random): readonly TableRows[] => {
  const accounts = Array.from({ length: 5 }, () => keyOf(random.below(12)))
  const gone = accounts.filter(() => random.chance(0.6))
  return [
    rowsOf(
      jettonWallets,
      accounts.filter(() => random.chance(0.5)).map((account) => walletOf(random, account)),
      gone,
    ),
    rowsOf(
      multisigMembers,
      accounts.flatMap((account) => (random.chance(0.5) ? [0, 1].map((place) => memberOf(random, account, place)) : [])),
      gone,
    ),
  ]
}

/** The rows in the form of a query, for a comparison that does not depend on their order. */
const sorted = (rows: Iterable<unknown>): string[] => [...rows].map((row) => JSON.stringify(row)).sort()

describe('rows of accounts in memory', () => {
  test('after any writes the rows in memory equal the rows in the tables', async () => {
    const random = createRandom(1)
    const reads = countingReads()
    const memory = createAccountRows(TABLES)
    const all = Array.from({ length: 12 }, (_, place) => keyOf(place))
    const check = async (of: AccountTable, keys: readonly Buffer[]): Promise<void> => {
      const stored = await connection.query(`select ${columnList(of)} from ${of.name} where account = any($1::bytea[])`, [keys])
      const held = await memory.rows(reads, of, keys)
      expect(sorted([...held.values()].flat())).toEqual(sorted(stored))
      const owners = (await memory.owners(reads, keys))(of)
      expect(new Set(owners.map(String))).toEqual(new Set([...held.keys()].map((key) => String(Buffer.from(key, 'latin1')))))
    }
    for (let i = 0; i < 300; i++) {
      const made = blockOf(random)
      await connection.script([...topicStatements(TABLES, made)].join(''))
      endSteps(memory.takeWritten(made))
      await check(random.pick(TABLES), random.chance(0.2) ? all : [random.pick(all)])
      if (random.chance(0.05)) memory.forget()
    }
  })

  test('more accounts than are kept in memory are all answered', async () => {
    const reads = countingReads()
    const memory = createAccountRows(TABLES)
    const key = keyOf(200)
    await connection.script([...topicStatements(TABLES, [rowsOf(jettonWallets, [walletOf(createRandom(2), key)])])].join(''))
    const many = Array.from({ length: 60_000 }, (_, i) => Buffer.alloc(36, `account ${i}`))
    expect((await memory.owners(reads, [key, ...many]))(jettonWallets)).toEqual([key])
    expect((await memory.rows(reads, jettonWallets, [key, ...many])).size).toBe(1)
  })
})
