import { serializeBoc } from '../../cell/boc.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { accountOfKey, MASTER_KEY } from '../../store/row-keys.ts'
import { createRows } from '../../store/rows/copy-rows.ts'
import { accountSets, accounts, departedChanges } from '../../store/schema/accounts.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { HEAD_CHANNEL, indexCheckpoint, publishedHead } from '../../store/schema/head.ts'
import { type Row, select } from '../../store/schema/select.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { transactions } from '../../store/schema/transactions.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { accountFacts } from '../derive/account-facts.ts'
import type { AccountChange } from '../derive/group-rows.ts'
import { accountRow } from '../derive/rows/account.ts'
import type { TopicRunner } from '../topics/run-topics.ts'
import { recountTraces } from '../write/recount-traces.ts'
import { createSink } from '../write/sink.ts'
import { assignments, revertScript, update } from '../write/statements.ts'
import { createCopier } from '../write/writer.ts'
import { type Checkpoint, changeAlone } from './checkpoint.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import type { Source } from './source.ts'

/* The embedded chain can be reverted to an earlier block. One SQL transaction removes all rows above that block. */

export const BLOCK = select(blocks, ['root_hash', 'gen_utime'], 'where shard_key = $1 and seqno = $2')
const CHANGED_ACCOUNTS = select(accounts, ['account', 'first_lt'], 'where mc_seqno > $1 order by account')
const SHORTENED_TRACES = select(transactions, ['trace_id'], 'where mc_seqno > $1 order by trace_id', 'trace_id')
/** The last transaction of each account ($1) up to masterchain block $2. */
const LAST_TRANSACTIONS = select(
  transactions,
  ['account', 'mc_seqno', 'hash', 'lt', 'now'],
  'where account = any($1::bytea[]) and mc_seqno <= $2 order by account, lt desc',
  'account',
)
const LAST_SETS = select(
  accountSets,
  ['account', 'mc_seqno', 'utime'],
  'where account = any($1::bytea[]) and mc_seqno <= $2 order by account, mc_seqno desc',
  'account',
)

const LAST_DEPARTED = select(
  departedChanges,
  ['account', 'mc_seqno', 'utime', 'last_trans_hash', 'last_trans_lt'],
  'where account = any($1::bytea[])',
)

/** Returns the newest indexed block that is still in the source's chain; undefined if none is. */
export const commonBlock = async (
  connection: Connection,
  source: Source,
  from: Checkpoint,
  signal: AbortSignal,
): Promise<{ readonly id: BlockId; readonly utime: number } | undefined> => {
  const at = async (seqno: number): Promise<{ readonly id: BlockId; readonly utime: number } | undefined> => {
    const id = await source.masterId(seqno, signal)
    if (id === undefined) return undefined
    const [row] = await connection.query(BLOCK, [MASTER_KEY, seqno])
    return row?.root_hash.equals(id.rootHash) ? { id, utime: Number(row.gen_utime) } : undefined
  }
  const newest = await at(from.seqno)
  if (newest !== undefined) return newest
  // Binary search: two chains agree up to some block and differ in all later ones.
  let low = from.oldestSeqno - 1
  let high = from.seqno - 1
  let found: { readonly id: BlockId; readonly utime: number } | undefined
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const same = await at(middle)
    if (same === undefined) high = middle - 1
    else {
      low = middle
      found = same
    }
  }
  return found
}

interface Touched {
  readonly changes: readonly AccountChange[]
  readonly gone: readonly Buffer[]
}

/**
 * Returns the later of an account's last stored transaction and its last removed transaction. A trace is removed when its last block is old enough, so a
 * stored transaction of a longer trace can be older than a removed one.
 */
const lastTransaction = (
  retained: Row<typeof LAST_TRANSACTIONS> | undefined,
  left: Row<typeof LAST_DEPARTED> | undefined,
): Pick<Row<typeof LAST_TRANSACTIONS>, 'hash' | 'lt'> | undefined =>
  left?.last_trans_hash && BigInt(left.last_trans_lt) > BigInt(retained?.lt ?? 0)
    ? { hash: left.last_trans_hash, lt: left.last_trans_lt }
    : retained

type Change = Pick<Row<typeof LAST_SETS>, 'mc_seqno' | 'utime'>

const laterChange = (a: Change | undefined, b: Change | undefined): Change | undefined => {
  if (a === undefined || b === undefined) return a ?? b
  const blocks = a.mc_seqno - b.mc_seqno
  return (blocks === 0 ? Number(a.utime) - Number(b.utime) : blocks) < 0 ? b : a
}

const accountsAt = async (
  connection: Connection,
  source: Source,
  to: { readonly id: BlockId; readonly utime: number },
  signal: AbortSignal,
): Promise<Touched> => {
  const { seqno } = to.id
  const touched = await connection.query(CHANGED_ACCOUNTS, [seqno])
  const keys = touched.map(({ account }) => account)
  const byKey = <R extends { readonly account: Buffer }>(rows: readonly R[]): ReadonlyMap<string, R> =>
    new Map(rows.map((row) => [row.account.toString('latin1'), row]))
  const lastTransactions = byKey(await connection.query(LAST_TRANSACTIONS, [keys, seqno]))
  const lastSets = byKey(await connection.query(LAST_SETS, [keys, seqno]))
  const departed = byKey(await connection.query(LAST_DEPARTED, [keys]))
  const changes: AccountChange[] = []
  const gone: Buffer[] = []
  for (const { account: key, first_lt } of touched) {
    const name = key.toString('latin1')
    const [retained, set, left] = [lastTransactions.get(name), lastSets.get(name), departed.get(name)]
    const last = lastTransaction(retained, left)
    const change = laterChange(retained && { mc_seqno: retained.mc_seqno, utime: retained.now }, left)
    const place = set !== undefined && set.mc_seqno >= (change?.mc_seqno ?? 0) ? set : change
    if (place === undefined) {
      gone.push(key)
      continue
    }
    const answer = await source.account(to.id, accountOfKey(key), signal)
    const facts = answer && accountFacts(answer.account)
    if (facts === undefined) throw new CorruptBlockError('an account state with pruned parts')
    changes.push({
      key,
      facts,
      mcSeqno: place.mc_seqno,
      master: to.id,
      utime: Number(place.utime),
      lastTransHash: answer?.account === undefined ? last?.hash : answer.lastTransHash,
      lastTransLt: answer?.account === undefined ? BigInt(last?.lt ?? 0) : answer.lastTransLt,
      firstLt: BigInt(first_lt),
      cells: [],
    })
  }
  return { changes, gone }
}

/**
 * Reverts the tables to a block. The lower head, the new epoch and the removal of rows become visible together. Undefined: nothing was changed, because the
 * history of the block is removed.
 */
export const revertTo = async (
  { connection, source, runner }: { readonly connection: Connection; readonly source: Source; readonly runner: TopicRunner },
  from: Checkpoint,
  to: { readonly id: BlockId; readonly utime: number },
  signal: AbortSignal,
): Promise<Checkpoint | undefined> => {
  const { seqno } = to.id
  const { changes, gone } = await accountsAt(connection, source, to, signal)
  runner.forget()
  return await changeAlone(connection, async (at) => {
    if (at === undefined || at.oldestSeqno > seqno) return undefined
    const shortened = await connection.query(SHORTENED_TRACES, [seqno])
    await connection.script(revertScript(CHAIN_TABLES, seqno))
    await recountTraces(
      connection,
      shortened.map(({ trace_id }) => trace_id),
    )
    const rows = createRows(accounts)
    for (const change of changes) rows.add(accountRow(change, change.facts, change.facts.data && serializeBoc(change.facts.data)))
    if (rows.length > 0) await createCopier(connection).copy([[accounts, rows, 'added']])
    const undone = [...changes.map(({ key }) => key), ...gone]
    const sink = createSink(connection)
    await sink.put(runner.revert(seqno, undone))
    await runner.states(to, changes, sink, signal, undone)
    await sink.send()
    const rootHash = Buffer.from(to.id.rootHash)
    const fileHash = Buffer.from(to.id.fileHash)
    const [id, head] = [{ id: 1 }, { mc_seqno: seqno, utime: to.utime }]
    await connection.script(
      `${update(indexCheckpoint, { mc_seqno: seqno, root_hash: rootHash, file_hash: fileHash }, id)};
       update ${publishedHead.name} set ${assignments(publishedHead, head).join(', ')}, epoch = epoch + 1 where ${assignments(publishedHead, id)[0]}; notify ${HEAD_CHANNEL};`,
    )
    return { ...from, seqno, rootHash, fileHash }
  })
}
