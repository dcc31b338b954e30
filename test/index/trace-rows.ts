import type { ClientConfig } from 'pg'
import type { GroupRows } from '../../server/index/derive/group-rows.ts'
import { createRecentRows } from '../../server/index/derive/recent-rows.ts'
import { createOpenMessages, createTraceAssembler } from '../../server/index/derive/traces.ts'
import type { Checkpoint } from '../../server/index/follow/checkpoint.ts'
import type { TopicRunner } from '../../server/index/topics/run-topics.ts'
import { createWriter } from '../../server/index/write/writer.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { accountKey } from '../../server/store/row-keys.ts'
import type { RowBytes } from '../../server/store/rows/copy-rows.ts'
import { messages } from '../../server/store/schema/messages.ts'
import { columnNames, type Table } from '../../server/store/schema/table.ts'
import { transactions, txByHash } from '../../server/store/schema/transactions.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { key, type RecordedTransaction, traces, transaction } from './recorded-traces.ts'

/* Recorded traces as rows of transactions and messages: what is not recorded is left out, or zero where a column must have something. */

const { signal } = new AbortController()
const bytea = (latin1: string): string => `\\\\x${Buffer.from(latin1, 'latin1').toString('hex')}`
const ZERO = bytea('\0'.repeat(32))
const lineOf = (table: Table, values: Readonly<Record<string, string | number>>): string =>
  columnNames(table)
    .map((name) => String(values[name] ?? '\\N'))
    .join('\t')

/** Rows that are lines already. */
const asRows = (lines: readonly string[]): RowBytes => {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  return { length: lines.length, size: bytes.length, bytes: () => [bytes], lines: () => lines }
}

const accountOf = (text: string): string => {
  const [workchain, hash] = text.split(':')
  return bytea(accountKey(Number(workchain), Buffer.from(hash!, 'hex')).toString('latin1'))
}

const transactionLine = (recorded: RecordedTransaction, traceId: string): string =>
  lineOf(transactions, {
    account: accountOf(recorded.account),
    lt: recorded.lt,
    hash: bytea(key(recorded.hash)),
    trace_id: bytea(traceId),
    mc_seqno: recorded.mc_block_seqno,
    now: recorded.now,
    ...{ workchain: 0, block_shard: 0, block_seqno: 0, prev_trans_lt: 0, orig_status: 2, end_status: 2, descr: 0, total_fees: 0 },
    ...{ prev_trans_hash: ZERO, state_hash_before: ZERO, state_hash_after: ZERO },
  })

const messageLines = (recorded: RecordedTransaction, hasSender: boolean): string[] => {
  const row = (hash: string, direction: number, index: number, listed: boolean): string =>
    lineOf(messages, {
      tx_account: accountOf(recorded.account),
      tx_lt: recorded.lt,
      direction,
      msg_index: index,
      msg_hash: bytea(key(hash)),
      mc_seqno: recorded.mc_block_seqno,
      listed: listed ? 't' : 'f',
      body_hash: ZERO,
    })
  return [
    ...(recorded.in_msg ? [row(recorded.in_msg.msg_hash, 0, 0, !hasSender)] : []),
    ...recorded.out_msgs.map(({ msg_hash }, i) => row(msg_hash, 1, i, true)),
  ]
}

/** Writes all traces, `size` masterchain blocks in a group, each group over a connection of its own that knows nothing of before. Returns how many groups there were. */
export const writeTraces = async (database: ClientConfig, size: number): Promise<number> => {
  const all = traces.flatMap(({ transactions }) => transactions)
  const blocks = [...new Set(all.map(({ mc_block_seqno }) => mc_block_seqno))].sort((a, b) => a - b)
  const nothing: TopicRunner = { blocks: async () => {}, states: async () => {}, *revert() {}, forget() {} }
  const zero = Buffer.alloc(32)
  let at: Checkpoint = { network: 'test', zeroHash: zero, firstSeqno: 1, oldestSeqno: 1, seqno: 0, rootHash: zero, fileHash: zero }
  let groups = 0
  for (let from = 0; from < blocks.length; from += size) {
    const seqnos = blocks.slice(from, from + size)
    const connection = await connect(database)
    try {
      const writer = await createWriter(connection, nothing)
      if (from === 0) await writer.begin(at, [], (async function* () {})(), signal)
      const open = createOpenMessages()
      const group = all.filter(({ mc_block_seqno }) => seqnos.includes(mc_block_seqno))
      const sent = new Set(group.flatMap(({ out_msgs }) => out_msgs.map(({ msg_hash }) => key(msg_hash))))
      const wanted = group.flatMap(({ in_msg }) => (in_msg?.source ? [key(in_msg.msg_hash)] : [])).filter((hash) => !sent.has(hash))
      for (const [hash, traceId] of await createRecentRows(connection).senders(wanted)) open.set(hash, traceId)
      const assembler = createTraceAssembler(open, false)
      const rows = { transactions: [] as string[], txByHash: [] as string[], messages: [] as string[] }
      for (const seqno of seqnos) {
        const inBlock = group.filter(({ mc_block_seqno }) => mc_block_seqno === seqno)
        for (const recorded of inBlock.sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))) {
          const { traceId, hasSender } = assembler.add(transaction(recorded), key(recorded.hash), seqno)
          rows.transactions.push(transactionLine(recorded, traceId))
          rows.txByHash.push(lineOf(txByHash, { hash: bytea(key(recorded.hash)), account: accountOf(recorded.account), lt: recorded.lt }))
          rows.messages.push(...messageLines(recorded, hasSender))
        }
      }
      const id = {
        workchain: MASTERCHAIN,
        shard: WHOLE_SHARD,
        seqno: seqnos.at(-1)!,
        rootHash: Buffer.alloc(32, groups + 1),
        fileHash: zero,
      }
      const none = asRows([])
      const derived = {
        ...{
          first: seqnos[0]!,
          last: { master: { id, info: { genUtime: 0 } } },
          blocks: none,
          shardTops: none,
          accountSets: none,
          parts: [],
        },
        ...{ transactions: asRows(rows.transactions), txByHash: asRows(rows.txByHash), messages: asRows(rows.messages) },
        ...{ cells: new Map(), accounts: new Map(), traces: [...assembler.changes()] },
      } as unknown as GroupRows
      at = await writer.write(at, derived, async () => none, signal)
      groups += 1
    } finally {
      await connection.close()
    }
  }
  return groups
}
