import { portionsOf, portionsWithin } from '../../base/memory/portions.ts'
import { TRACE_PENDING } from '../../store/codes.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { MAX_SIZE_OF_PAGE, MESSAGES_OF_ONE, messageCount, sizeOfTrace } from '../../store/queries/transactions/size.ts'
import { nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { contractCodes } from '../../store/schema/contracts.ts'
import { messages } from '../../store/schema/messages.ts'
import { type Row, select } from '../../store/schema/select.ts'
import type { ReadRow, Table } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { traces } from '../../store/schema/traces.ts'
import { transactions } from '../../store/schema/transactions.ts'
import { CheckpointMovedError, changeAlone } from '../follow/checkpoint.ts'
import type { Topic } from '../topics/topic.ts'

/*
 * Removes old history in steps. A step is one SQL transaction, during which the writer waits: a cell may only be deleted while no new row can refer to it.
 * So steps are small, and a pause follows each of them. Each statement lists the keys of its rows, so that it reads only rows that it deletes, and Citus can
 * choose the nodes.
 */

/**
 * Selects traces whose last block is from $1 on and below $2, the oldest first. Pending traces wait for messages and stay, except in an index of some
 * accounts, where these messages never come. Citus cannot lock rows of several shards, so the checkpoint is locked instead.
 */
const tracesToRemove = (isPartial: boolean) =>
  select(
    traces,
    ['trace_id', 'mc_seqno_end', 'nodes', 'edges', 'pending_edges'],
    `where mc_seqno_end >= $1 and mc_seqno_end < $2 ${isPartial ? '' : `and state <> ${TRACE_PENDING}`}
     order by mc_seqno_end, end_lt limit $3`,
  )

/**
 * Maximum number of transactions that are removed in a step, and of their rows of messages. A larger trace is removed in several steps. No answer shows it
 * with its transactions (transactions/size.ts), and its own row is removed last, so no reader sees a part of a trace as the whole. In an index of some accounts
 * a pending trace can get a transaction between two pieces: what is left of it then stays until its new last block is too old.
 */
const PIECE = { transactions: MAX_SIZE_OF_PAGE, messages: MAX_SIZE_OF_PAGE * (1 + MESSAGES_OF_ONE) } as const

/**
 * Selects the newest transactions of traces. The receiver of a message is newer than its sender, so in pieces the sender's row of the message is removed
 * last: it is the one that keeps the body (STILL_NAMED). `+ 0`: PostgreSQL would otherwise walk down the index on lt, through all newer transactions.
 */
const NEWEST_TRANSACTIONS = select(
  transactions,
  ['account', 'lt', 'hash', 'action_success', 'action_msgs_created'],
  `where trace_id = any($1::bytea[]) order by lt + 0 desc, account limit ${PIECE.transactions + 1}`,
)
type Left = Pick<Row<typeof NEWEST_TRANSACTIONS>, 'account' | 'lt' | 'hash'>

const TYPES = { account: 'bytea', lt: 'bigint', hash: 'bytea' } as const

/** Returns a statement that deletes the rows of transactions, and a function that makes its parameters. */
const withTransactions = (table: Table) => {
  if (table.prunedWith === undefined || typeof table.prunedWith === 'string') return undefined
  const pairs = Object.entries(table.prunedWith)
  const lists = pairs.map(([, its], i) => `$${i + 1}::${TYPES[its]}[]`)
  const own = pairs.map(([column]) => column).join(', ')
  const where = pairs.length === 1 ? `${own} = any(${lists[0]})` : `(${own}) in (select * from unnest(${lists.join(', ')}))`
  // Returns the cell hashes of the deleted messages, because these cells may not be needed any more.
  const returning = table.name === messages.name ? ' returning body_hash, init_hash' : ''
  return {
    text: `delete from ${table.name} where ${where}${returning}`,
    valuesOf: (left: readonly Left[]): readonly unknown[] => pairs.map(([, its]) => left.map((each) => each[its])),
  }
}

type Named = Pick<ReadRow<typeof messages>, 'body_hash' | 'init_hash'>

const deletionsOf = (topics: readonly Topic[]) => {
  const all: readonly Table[] = [...CHAIN_TABLES, ...topics.flatMap(({ tables }) => tables)]
  const named = (prunedWith: Table['prunedWith']): readonly Table[] => all.filter((each) => each.prunedWith === prunedWith)
  return {
    tables: all.filter(({ prunedWith, name }) => prunedWith !== undefined || name === 'cells'),
    messages: withTransactions(messages)!,
    /** Statements that delete rows together with their transactions, from all tables except messages. */
    byTransaction: all.filter(({ name }) => name !== messages.name).flatMap((table) => withTransactions(table) ?? []),
    /** Statements that delete rows together with their trace. $1: ids of traces. */
    byTrace: named('trace').map(({ name }) => `delete from ${name} where trace_id = any($1::bytea[])`),
    /** Statements that delete rows together with their masterchain block. $1: the first seqno; $2: the seqno after the last. */
    byBlock: named('block').map(({ name }) => `delete from ${name} where mc_seqno >= $1 and mc_seqno < $2`),
  }
}

/*
 * Select those of the given cells that must stay because some row refers to them. For bodies only rows of messages with `listed` are checked. A message has
 * one such row: the sender's if it is stored, which is removed last. Codes of stored states, and codes that topics have read, stay too.
 */
const STILL_NAMED: readonly string[] = [
  `select distinct body_hash as hash from ${messages.name} where listed and body_hash = any($1::bytea[])`,
  `select distinct init_hash as hash from ${messages.name} where init_hash is not null and init_hash = any($1::bytea[])`,
  `select distinct code_hash as hash from ${accounts.name} where code_hash = any($1::bytea[])`,
  `select code_hash as hash from ${contractCodes.name} where code_hash = any($1::bytea[])`,
]

/**
 * Selects the bodies of the newest stored messages, each with the block of its last message. $1: the first stored masterchain block; $2: number of
 * messages.
 */
const NEWEST_BODIES = `select body_hash, max(mc_seqno) as mc_seqno from (select body_hash, mc_seqno from messages where listed and mc_seqno >= $1
  order by coalesce(created_lt, tx_lt) desc limit $2) as newest group by body_hash`

/** Maximum number of traces, their size together, and number of blocks in a step. A larger trace is removed in a step of its own. */
const STEP = { traces: 200, size: 1_000, blocks: 500 } as const
/** Maximum number of transactions whose keys are in one statement. */
const AT_ONCE = 2_000
/** Maximum number of the newest messages whose bodies are cached, and number of steps after which these are read again. */
const NEWEST = { messages: 50_000, steps: 500 } as const

export interface RemovalDeps {
  readonly connection: Pick<Connection, 'query'>
  readonly topics: readonly Topic[]
  /** True if only some accounts are indexed. */
  readonly isPartial: boolean
}

export const createRemoval = ({ connection: { query }, topics, isPartial }: RemovalDeps) => {
  const deletions = deletionsOf(topics)
  const leaving = tracesToRemove(isPartial)
  /** Body hashes of the newest messages, each with the block of its message. Most bodies that are still needed are among these, so the cache saves queries. */
  let newest = new Map<string, number>()
  let steps = 0

  /**
   * Runs a step that removes history below `cut`. `work` must return undefined if it removed nothing. Throws CheckpointMovedError if the index was rebuilt
   * meanwhile: the new index stores blocks below `cut`.
   */
  const stepBelow = <T>(cut: number, work: () => Promise<T>): Promise<T> =>
    changeAlone({ query }, async (at) => {
      if (at === undefined || at.oldestSeqno < cut) throw new CheckpointMovedError()
      return await work()
    })

  const cells = async (named: readonly Named[], cut: number): Promise<void> => {
    const found = new Map<string, Buffer>()
    for (const { body_hash, init_hash } of named) {
      if ((newest.get(nameOf(body_hash)) ?? 0) < cut) found.set(nameOf(body_hash), body_hash)
      if (init_hash !== null) found.set(nameOf(init_hash), init_hash)
    }
    for (const statement of STILL_NAMED) {
      if (found.size === 0) return
      for (const { hash } of await query<{ hash: Buffer }>(statement, [[...found.values()]])) found.delete(nameOf(hash))
    }
    await query('delete from cells where hash = any($1::bytea[])', [[...found.values()]])
  }

  /** Removes all that belongs to removed transactions. */
  const rowsOf = async (left: readonly Left[], cut: number): Promise<void> => {
    for (const { text, valuesOf } of deletions.byTransaction) await query(text, valuesOf(left))
    await cells(await query<Named>(deletions.messages.text, deletions.messages.valuesOf(left)), cut)
  }

  return {
    tables: deletions.tables,
    /**
     * Removes traces that ended in a block from `from` up to, but not including, `cut`. The oldest come first. Undefined if there is none. `reached`: seqno of
     * the block in which the last removed trace ended.
     */
    async traces(from: number, cut: number) {
      if (steps++ % NEWEST.steps === 0) {
        const rows = await query<{ body_hash: Buffer; mc_seqno: number }>(NEWEST_BODIES, [cut, NEWEST.messages])
        newest = new Map(rows.map(({ body_hash, mc_seqno }) => [nameOf(body_hash), mc_seqno]))
      }
      return await stepBelow(cut, async () => {
        const [found] = portionsWithin(await query(leaving, [from, cut, STEP.traces]), STEP.size, sizeOfTrace)
        if (found === undefined) return undefined
        const ids = found.map(({ trace_id }) => trace_id)
        const rows = await query(NEWEST_TRANSACTIONS, [ids])
        const [left = []] = portionsWithin(rows.slice(0, PIECE.transactions), PIECE.messages, messageCount)
        for (const some of portionsOf(left, AT_ONCE)) await rowsOf(some, cut)
        const isAll = left.length === rows.length
        if (isAll) for (const text of deletions.byTrace) await query(text, [ids])
        return { traces: isAll ? found.length : 0, transactions: left.length, reached: found.at(-1)!.mc_seqno_end }
      })
    },
    /** Removes the rows of masterchain blocks from `from` up to, but not including, `cut`: at most `STEP.blocks`. Returns the first block that is left. */
    async blocks(from: number, cut: number): Promise<number> {
      const to = Math.min(cut, from + STEP.blocks)
      await stepBelow(cut, async () => {
        for (const text of deletions.byBlock) await query(text, [from, to])
        return to
      })
      return to
    },
  }
}
