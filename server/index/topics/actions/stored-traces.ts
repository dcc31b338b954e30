import type { TraceMessage, TraceTransaction } from '../../../actions/trace.ts'
import { groupedWithPauses } from '../../../base/memory/grouped.ts'
import { mapWithPauses, runSteps } from '../../../base/yield.ts'
import { parseBocRootSteps } from '../../../cell/boc.ts'
import { type Cell, EMPTY_CELL } from '../../../cell/cell.ts'
import { ACCOUNT_STATUSES, DESCR_TYPES, DIRECTION_IN, SKIP_REASONS } from '../../../store/codes.ts'
import { messageCount } from '../../../store/queries/transactions/size.ts'
import { keyOfMessage, keyText } from '../../../store/queries/transactions/transaction-key.ts'
import { distinct, nameOf, rawOfKey } from '../../../store/row-keys.ts'
import { cells, messages } from '../../../store/schema/messages.ts'
import { type Row, type Select, select } from '../../../store/schema/select.ts'
import { transactions } from '../../../store/schema/transactions.ts'
import { rawAddress } from '../../../tlb/raw-address.ts'
import { inPortions, MAX_BYTES, MAX_MESSAGES } from './trace-size.ts'

/* Builds the classifier's traces from stored rows of transactions and messages. */

type Query = <R>(text: Select<R>, values: readonly unknown[]) => Promise<R[]>

const TRANSACTIONS = select(
  transactions,
  [
    ...(['trace_id', 'account', 'lt', 'hash', 'now', 'mc_seqno', 'descr', 'aborted'] as const),
    ...(['compute_skip_reason', 'compute_exit_code', 'orig_status', 'end_status'] as const),
    ...(['action_success', 'action_msgs_created'] as const),
  ],
  'where trace_id = any($1::bytea[]) and mc_seqno < $2 order by lt, account',
)
const MESSAGES = select(
  messages,
  [
    ...(['tx_account', 'tx_lt', 'direction', 'msg_hash', 'source', 'destination', 'value', 'value_extra'] as const),
    ...(['created_lt', 'created_at', 'opcode', 'bounce', 'bounced', 'body_hash', 'init_hash'] as const),
  ],
  'where (tx_account, tx_lt) in (select * from unnest($1::bytea[], $2::bigint[])) order by msg_index',
)
const CELLS = select(cells, ['hash', 'boc'], 'where hash = any($1::bytea[])')

const LENGTHS = `select hash, octet_length(boc) as bytes from ${cells.name} where hash = any($1::bytea[])` as Select<{
  hash: Buffer
  bytes: number
}>

type TransactionRow = Row<typeof TRANSACTIONS>
type MessageRow = Row<typeof MESSAGES>

const TICK_TOCK = DESCR_TYPES.indexOf('tick_tock')
const NO_GAS = SKIP_REASONS.indexOf('no_gas')

const raw = (key: Buffer | null): string | null => key && rawOfKey(key)
const big = (value: string | null): bigint | null => (value === null ? null : BigInt(value))

const messageOf = (row: MessageRow, contents: ReadonlyMap<string, Cell>): TraceMessage => ({
  hash: nameOf(row.msg_hash),
  source: raw(row.source),
  destination: raw(row.destination),
  value: big(row.value),
  extraCurrencies:
    row.value_extra === null ? undefined : new Map(Object.entries(row.value_extra).map(([id, amount]) => [Number(id), BigInt(amount)])),
  createdLt: big(row.created_lt),
  createdAt: row.created_at === null ? null : Number(row.created_at),
  bounce: row.bounce ?? false,
  bounced: row.bounced ?? false,
  opcode: row.opcode === null ? null : row.opcode >>> 0,
  body: contents.get(nameOf(row.body_hash)) ?? EMPTY_CELL,
  init: row.init_hash === null ? undefined : contents.get(nameOf(row.init_hash)),
})

const transactionOf = (row: TransactionRow, own: readonly MessageRow[], contents: ReadonlyMap<string, Cell>): TraceTransaction => {
  const received = own.find(({ direction }) => direction === DIRECTION_IN)
  return {
    hash: nameOf(row.hash),
    account: rawAddress(row.account.readInt32BE(0), row.account.subarray(4)),
    lt: BigInt(row.lt),
    now: Number(row.now),
    mcSeqno: row.mc_seqno,
    tickTock: row.descr === TICK_TOCK,
    aborted: row.aborted ?? false,
    noGas: row.compute_skip_reason === NO_GAS,
    exitCode: row.compute_exit_code,
    before: ACCOUNT_STATUSES[row.orig_status]!,
    after: ACCOUNT_STATUSES[row.end_status]!,
    inMessage: received && messageOf(received, contents),
    outMessages: own.filter(({ direction }) => direction !== DIRECTION_IN).map((message) => messageOf(message, contents)),
  }
}

const hashesIn = (messages: readonly MessageRow[]): readonly Buffer[] =>
  distinct(messages.flatMap(({ body_hash, init_hash }) => [body_hash, init_hash]))

const readCells = async (query: Query, of: readonly MessageRow[]): Promise<ReadonlyMap<string, Cell>> => {
  const rows = await query(CELLS, [hashesIn(of)])
  const cells = new Map<string, Cell>()
  // Each message of a trace can have another body of thousands of cells.
  for (const { hash, boc } of rows) cells.set(nameOf(hash), await runSteps(parseBocRootSteps(boc)))
  return cells
}

/** Returns a function that finds the sum of the sizes of a trace's rows. */
const sumsOfTraces = async <R>(ids: readonly string[], rowsOf: (id: string) => readonly R[], sizeOf: (row: R) => number) => {
  const sums = new Map<string, number>()
  for (const id of ids) {
    const sizes = await mapWithPauses(rowsOf(id), sizeOf)
    const sum = sizes.reduce((before, size) => before + size, 0)
    sums.set(id, sum)
  }
  return (id: string): number => sums.get(id)!
}

/**
 * Reads transactions in blocks below `below`, by trace id, in the order of lt. Yields portions of traces (trace-size.ts), because bodies can fill the memory.
 * Traces of more than MAX_MESSAGES messages, and those whose bodies have more than MAX_BYTES of BoCs, are undefined and come last. A body that occurs twice
 * counts twice. Traces without transactions are left out.
 */
export async function* readTraces(
  query: Query,
  ids: readonly Buffer[],
  below: number,
): AsyncGenerator<ReadonlyMap<string, readonly TraceTransaction[] | undefined>> {
  const names = ids.map(nameOf)
  const rowsOf = await groupedWithPauses(await query(TRANSACTIONS, [ids, below]), ({ trace_id }) => nameOf(trace_id))
  const messagesOf = await sumsOfTraces(names, rowsOf, messageCount)
  const small = names.filter((id) => messagesOf(id) <= MAX_MESSAGES).flatMap(rowsOf)
  const all = await query(MESSAGES, [small.map(({ account }) => account), small.map(({ lt }) => lt)])
  const traceAt = new Map(small.map((row) => [keyText(row), nameOf(row.trace_id)]))
  const ofTrace = await groupedWithPauses(all, (message) => traceAt.get(keyText(keyOfMessage(message)))!)
  const lengths = new Map((await query(LENGTHS, [hashesIn(all)])).map(({ hash, bytes }) => [nameOf(hash), bytes]))
  const lengthOf = (hash: Buffer | null): number => (hash === null ? 0 : (lengths.get(nameOf(hash)) ?? 0))
  const bytesOf = await sumsOfTraces(names, ofTrace, ({ body_hash, init_hash }) => lengthOf(body_hash) + lengthOf(init_hash))
  const large = new Set(names.filter((id) => messagesOf(id) > MAX_MESSAGES || bytesOf(id) > MAX_BYTES))
  const short = names.filter((id) => rowsOf(id).length > 0 && !large.has(id))
  for (const portion of inPortions(short, (id) => ({ messages: messagesOf(id), bytes: bytesOf(id) }))) {
    const own = portion.flatMap(ofTrace)
    const cellsByHash = await readCells(query, own)
    const messagesAt = await groupedWithPauses(own, (message) => keyText(keyOfMessage(message)))
    const traces = new Map<string, readonly TraceTransaction[]>()
    const read = (row: TransactionRow) => transactionOf(row, messagesAt(keyText(row)), cellsByHash)
    for (const id of portion) traces.set(id, await mapWithPauses(rowsOf(id), read))
    yield traces
  }
  if (large.size > 0) yield new Map([...large].map((id) => [id, undefined]))
}
