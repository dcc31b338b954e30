import { TRACE_PENDING } from '../../store/codes.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { contractCodes } from '../../store/schema/contracts.ts'
import { messages } from '../../store/schema/messages.ts'
import { type Select, select } from '../../store/schema/select.ts'
import type { ReadRow, Table } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { traces } from '../../store/schema/traces.ts'
import type { transactions } from '../../store/schema/transactions.ts'
import type { Topic } from '../topics/topic.ts'

/* The statements that remove history. Each lists the keys of its rows, so that it reads only rows that it deletes, and Citus can choose the nodes. */

/**
 * Selects traces whose last block is from $1 on and below $2, the oldest first. Pending traces wait for messages and stay, except in an index of some
 * accounts, where these messages never come. Citus cannot lock rows of several shards, so the checkpoint is locked instead.
 */
export const tracesToRemove = (isPartial: boolean): Select<Pick<ReadRow<typeof traces>, 'trace_id' | 'mc_seqno_end' | 'nodes'>> =>
  select(
    traces,
    ['trace_id', 'mc_seqno_end', 'nodes'],
    `where mc_seqno_end >= $1 and mc_seqno_end < $2 ${isPartial ? '' : `and state <> ${TRACE_PENDING}`}
     order by mc_seqno_end, end_lt limit $3`,
  )

export type Left = Pick<ReadRow<typeof transactions>, 'account' | 'lt' | 'hash'>

export const DELETE_TRANSACTIONS = 'delete from transactions where trace_id = any($1::bytea[]) returning account, lt, hash'

const TYPES = { account: 'bytea', lt: 'bigint', hash: 'bytea' } as const

/** `text`: deletes the rows of transactions. `valuesOf` makes its parameters. */
export interface Deletion {
  readonly text: string
  readonly valuesOf: (left: readonly Left[]) => readonly unknown[]
}

const withTransactions = (table: Table): Deletion | undefined => {
  if (table.prunedWith === undefined || typeof table.prunedWith === 'string') return undefined
  const pairs = Object.entries(table.prunedWith)
  const lists = pairs.map(([, its], i) => `$${i + 1}::${TYPES[its]}[]`)
  const own = pairs.map(([column]) => column).join(', ')
  const where = pairs.length === 1 ? `${own} = any(${lists[0]})` : `(${own}) in (select * from unnest(${lists.join(', ')}))`
  // Returns the cell hashes of the deleted messages, because these cells may not be needed any more.
  const returning = table.name === messages.name ? ' returning body_hash, init_hash' : ''
  return {
    text: `delete from ${table.name} where ${where}${returning}`,
    valuesOf: (left) => pairs.map(([, its]) => left.map((each) => each[its])),
  }
}

const tablesOf = (topics: readonly Topic[]): readonly Table[] => [...CHAIN_TABLES, ...topics.flatMap(({ tables }) => tables)]

export type Named = Pick<ReadRow<typeof messages>, 'body_hash' | 'init_hash'>

export const deletionsOf = (topics: readonly Topic[]) => {
  const all = tablesOf(topics)
  const named = (prunedWith: Table['prunedWith']): readonly Table[] => all.filter((each) => each.prunedWith === prunedWith)
  const of = (table: Table): Deletion => withTransactions(table)!
  return {
    tables: all.filter(({ prunedWith, name }) => prunedWith !== undefined || name === 'cells'),
    messages: of(messages),
    /** Statements that delete rows together with their transactions, from all tables except messages. */
    byTransaction: all.filter(({ name }) => name !== messages.name).flatMap((table) => withTransactions(table) ?? []),
    /** Statements that delete rows together with their trace, from all tables except transactions. $1: ids of traces. */
    byTrace: named('trace')
      .filter(({ name }) => name !== 'transactions')
      .map(({ name }) => `delete from ${name} where trace_id = any($1::bytea[])`),
    /** Statements that delete rows together with their masterchain block. $1: the first seqno; $2: the seqno after the last. */
    byBlock: named('block').map(({ name }) => `delete from ${name} where mc_seqno >= $1 and mc_seqno < $2`),
  }
}

export const FIRST_BLOCK = select(blocks, ['mc_seqno'], 'where mc_seqno >= 0 order by mc_seqno limit 1')

/*
 * Select those of the given cells that must stay because some row refers to them. For bodies only rows of messages with `listed` are checked: each message
 * has one such row, and both rows of a message are removed together. Codes of stored states, and codes that topics have read, stay too.
 */
export const STILL_NAMED: readonly string[] = [
  `select distinct body_hash as hash from ${messages.name} where listed and body_hash = any($1::bytea[])`,
  `select distinct init_hash as hash from ${messages.name} where init_hash is not null and init_hash = any($1::bytea[])`,
  `select distinct code_hash as hash from ${accounts.name} where code_hash = any($1::bytea[])`,
  `select code_hash as hash from ${contractCodes.name} where code_hash = any($1::bytea[])`,
]
export const DELETE_CELLS = 'delete from cells where hash = any($1::bytea[])'

/**
 * Selects the bodies of the newest stored messages, each with the block of its last message. $1: the first stored masterchain block; $2: number of
 * messages.
 */
export const NEWEST_BODIES = `select body_hash, max(mc_seqno) as mc_seqno from (select body_hash, mc_seqno from messages where listed and mc_seqno >= $1
  order by coalesce(created_lt, tx_lt) desc limit $2) as newest group by body_hash`
