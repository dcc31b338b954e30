import { mapWithPauses, runSteps } from '../../base/yield.ts'
import { bocSteps } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { EmulatedNode, EmulatedTrace } from '../../emulate/trace.ts'
import { type AccountFacts, accountFacts } from '../../index/derive/account-facts.ts'
import { messageRow } from '../../index/derive/rows/message.ts'
import { transactionRow } from '../../index/derive/rows/transaction.ts'
import { ACCOUNT_STATUSES, DIRECTION_IN, DIRECTION_OUT } from '../../store/codes.ts'
import type { FullMessage } from '../../store/queries/messages.ts'
import { accountKey } from '../../store/row-keys.ts'
import { messages } from '../../store/schema/messages.ts'
import { asRead } from '../../store/schema/table.ts'
import { transactions } from '../../store/schema/transactions.ts'
import type { Message } from '../../tlb/message/message.ts'
import type { WithMessages } from './balance-changes.ts'
import { createMessageFormat } from './message.ts'
import { toTransaction, type WireTransaction } from './transaction.ts'
import { base64, extra, maybeBase64 } from './values.ts'

/* Formats emulated transactions in v3's form: derives their rows as the index would, and formats the rows like rows of the index. */

type StateAt = WireTransaction['account_state_before']

const amounts = (all: ReadonlyMap<number, bigint> | undefined): Record<string, string> =>
  extra(all === undefined ? null : Object.fromEntries([...all].map(([id, amount]) => [String(id), amount.toString()])))

const stateOf = (facts: AccountFacts): StateAt => ({
  hash: base64(facts.stateHash),
  balance: facts.balance.toString(),
  extra_currencies: amounts(facts.extra),
  account_status: ACCOUNT_STATUSES[facts.status]!,
  frozen_hash: maybeBase64(facts.frozenHash),
  data_hash: maybeBase64(facts.dataHash),
  code_hash: maybeBase64(facts.codeHash),
})

/**
 * Maximum length of the BoCs of all codes; the same for all data, and for all bodies and initial states of messages, of which each occurrence counts. A
 * contract could have other large data after each of 256 transactions, and send the same large body in each of 4,096 messages.
 */
const MAX_BYTES = 4 << 20

/** Maximum characters of the JSON of all decoded bodies, of which each occurrence counts. */
const MAX_DECODED = 1 << 21

/** Cells by hash (base64), so that equal cells are serialized once. */
type Cells = Map<string, Cell>

const addCell = (cells: Cells, cell: Cell | undefined): void => {
  if (cell !== undefined) cells.set(base64(cell.hash()), cell)
}

/** BoCs of cells by hash. BoCs beyond MAX_BYTES are omitted. */
const bocsOf = async (cells: Cells, signal: AbortSignal): Promise<ReadonlyMap<string, Buffer>> => {
  const bocs = new Map<string, Buffer>()
  let bytes = 0
  for (const [hash, cell] of cells) {
    const boc = Buffer.from(await runSteps(bocSteps([cell]), signal))
    bytes += boc.length
    if (bytes > MAX_BYTES) break
    bocs.set(hash, boc)
  }
  return bocs
}

const textsOf = async (cells: Cells, signal: AbortSignal): Promise<Record<string, string>> =>
  Object.fromEntries([...(await bocsOf(cells, signal))].map(([hash, boc]) => [hash, base64(boc)]))

export const keyOfNode = ({ account }: EmulatedNode): Buffer => accountKey(account.workchain, account.hash)

/**
 * Returns emulated transactions in v3's form, with the code and data cells that clients look up by hash, and message bodies by hash (base64).
 * `externalOf`: returns the hash (base64) of the external message that began the trace of a transaction; undefined if there is none. `traceId`: hash of the
 * trace's first transaction, if it is already in a block.
 */
export const showEmulated = async (
  { nodes, version }: Pick<EmulatedTrace, 'nodes' | 'version'>,
  { externalOf, traceId }: { readonly externalOf: (node: EmulatedNode) => string | undefined; readonly traceId?: string | undefined },
  signal: AbortSignal,
) => {
  const rows: WithMessages[] = []
  const [messageCells, codes, datas]: [Cells, Cells, Cells] = [new Map(), new Map(), new Map()]
  for (const { transaction } of nodes) {
    for (const message of [transaction.inMsg, ...transaction.outMsgs]) {
      addCell(messageCells, message?.body)
      addCell(messageCells, message?.initCell)
    }
  }
  const bocs = await bocsOf(messageCells, signal)
  let room = MAX_BYTES
  const bocOfHash = (hash: Buffer | null): Buffer | null => {
    const boc = hash && bocs.get(base64(hash))
    if (!boc || boc.length > room) return null
    room -= boc.length
    return boc
  }
  const toMessage = createMessageFormat(MAX_DECODED)
  const show = (node: EmulatedNode): WireTransaction => {
    const { transaction, block, mcSeqno } = node
    const account = keyOfNode(node)
    const withCells = (message: Message, direction: typeof DIRECTION_IN | typeof DIRECTION_OUT, index: number): FullMessage => {
      const place = { account, lt: transaction.lt, direction, index, mcSeqno, listed: true, version }
      const row = asRead(messages, messageRow(message, place))
      return { ...row, body_boc: bocOfHash(row.body_hash), init_boc: bocOfHash(row.init_hash) }
    }
    const [before, after] = [node.before, node.after].map((state) => state && accountFacts(state.accountCell))
    for (const facts of [before, after]) {
      addCell(codes, facts?.code)
      addCell(datas, facts?.data)
    }
    const { workchain, shard, seqno } = block
    const hash = transaction.root.hashKey()
    const row = transactionRow(transaction, { account, hash, traceId: hash, mcSeqno, workchain, shard, blockSeqno: seqno }, after)
    const of = {
      row: asRead(transactions, row),
      received: transaction.inMsg && withCells(transaction.inMsg, DIRECTION_IN, 0),
      sent: transaction.outMsgs.map((message, i) => withCells(message, DIRECTION_OUT, i)),
    }
    rows.push(of)
    const externalHash = externalOf(node)
    const external = externalHash === undefined ? undefined : Buffer.from(externalHash, 'base64')
    const shown = toTransaction({ ...of, before: undefined, external }, toMessage)
    const { trace_id: _, ...rest } = shown
    const isEmulated = node.isCommitted !== true
    return {
      ...rest,
      ...(traceId !== undefined && { trace_id: traceId }),
      account_state_before: before ? stateOf(before) : rest.account_state_before,
      account_state_after: after ? stateOf(after) : rest.account_state_after,
      emulated: isEmulated,
      finality: isEmulated ? 'pending' : 'confirmed',
    }
  }
  return {
    transactions: await mapWithPauses(nodes, show, signal),
    /** The rows of the transactions and their messages, to compute balance changes. */
    rows,
    bodies: bocs,
    /** BoCs of codes and of data by hash. Serialized only when the function is called. */
    codeCells: () => textsOf(codes, signal),
    dataCells: () => textsOf(datas, signal),
  }
}
