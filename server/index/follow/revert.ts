import { inParallel } from '../../base/in-parallel.ts'
import { groupsOf } from '../../base/memory/grouped.ts'
import { portionsOf } from '../../base/memory/portions.ts'
import { createPauses } from '../../base/yield.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { MASTER_KEY, nameOf } from '../../store/row-keys.ts'
import { accountSets, accounts } from '../../store/schema/accounts.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { HEAD_CHANNEL, indexCheckpoint, publishedHead } from '../../store/schema/head.ts'
import { select } from '../../store/schema/select.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { transactions } from '../../store/schema/transactions.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { accountFacts } from '../derive/account-facts.ts'
import type { AccountChange } from '../derive/group-rows.ts'
import { type AccountSource, requestState } from '../derive/request-facts.ts'
import { stateRows } from '../derive/state-rows.ts'
import type { TopicRunner } from '../topics/run-topics.ts'
import { recountTraces } from '../write/recount-traces.ts'
import { createSink } from '../write/sink.ts'
import { assignments, revertStatements, update } from '../write/statements.ts'
import { createCopier } from '../write/writer.ts'
import { type Checkpoint, CheckpointMovedError, changeAlone } from './checkpoint.ts'
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
/** The first transaction of each account ($1) above masterchain block $2. */
const NEXT_TRANSACTIONS = select(
  transactions,
  ['account', 'lt'],
  'where account = any($1::bytea[]) and mc_seqno > $2 order by account, lt',
  'account',
)
const LAST_SETS = select(
  accountSets,
  ['account', 'mc_seqno', 'utime'],
  'where account = any($1::bytea[]) and mc_seqno <= $2 order by account, mc_seqno desc',
  'account',
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

/** Maximum number of accounts or traces whose keys are in one statement. A revert can touch hundreds of thousands. */
const AT_ONCE = 2_000

/**
 * Returns the accounts that changed after a block, in their states at that block, and those that the index did not have then. If the last change of an
 * account is in the removed history, the account counts as changed in the last removed block, also if that change deleted it.
 */
const accountsAt = async (
  connection: Connection,
  source: Source,
  { id, utime }: { readonly id: BlockId; readonly utime: number },
  { firstSeqno, oldestSeqno }: Checkpoint,
  signal: AbortSignal,
) => {
  const { seqno } = id
  const states: AccountSource = {
    async account(...args) {
      const answer = await source.account(...args)
      if (answer === undefined) throw new CorruptBlockError(`the source has no states at masterchain block ${seqno}`)
      return answer
    },
  }
  const hasLeft = oldestSeqno > firstSeqno
  const byKey = <R extends { readonly account: Buffer }>(rows: readonly R[]): ReadonlyMap<string, R> =>
    new Map(rows.map((row) => [nameOf(row.account), row]))
  const changes: AccountChange[] = []
  const gone: Buffer[] = []
  for (const portion of portionsOf(await connection.query(CHANGED_ACCOUNTS, [seqno]), AT_ONCE)) {
    const keys = portion.map(({ account }) => account)
    const lastTransactions = byKey(await connection.query(LAST_TRANSACTIONS, [keys, seqno]))
    const nextTransactions = byKey(await connection.query(NEXT_TRANSACTIONS, [keys, seqno]))
    const lastSets = byKey(await connection.query(LAST_SETS, [keys, seqno]))
    const stored = await inParallel(keys, (key) => requestState(states, id, key, signal))
    for (const [i, { account: key, first_lt }] of portion.entries()) {
      const name = nameOf(key)
      const [last, set, found] = [lastTransactions.get(name), lastSets.get(name), stored[i]]
      const place = set !== undefined && set.mc_seqno >= (last?.mc_seqno ?? 0) ? set : last && { mc_seqno: last.mc_seqno, utime: last.now }
      const next = nextTransactions.get(name)
      // An account that first appeared without a transaction has a first_lt of 0, also if that was above the block. Then the block's state decides.
      const isOlder = Number(first_lt) === 0 ? found !== undefined : next === undefined || BigInt(first_lt) < BigInt(next.lt)
      const isRemoved = hasLeft && isOlder
      if (place === undefined && !isRemoved) {
        gone.push(key)
        continue
      }
      const deleted = {
        key,
        facts: accountFacts(undefined)!,
        master: id,
        lastTransHash: last?.hash,
        lastTransLt: BigInt(last?.lt ?? 0),
        cells: [],
      }
      const at = { mcSeqno: place?.mc_seqno ?? oldestSeqno - 1, utime: Number(place?.utime ?? utime), firstLt: BigInt(first_lt) }
      changes.push({ ...(found ?? deleted), ...at })
    }
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
  const { changes, gone } = await accountsAt(connection, source, to, from, signal)
  runner.forget()
  return await changeAlone(connection, async (at) => {
    if (at === undefined || at.oldestSeqno > seqno) return undefined
    // History was removed after the accounts were read.
    if (at.oldestSeqno !== from.oldestSeqno) throw new CheckpointMovedError()
    const shortened = (await connection.query(SHORTENED_TRACES, [seqno])).map(({ trace_id }) => trace_id)
    await connection.script([...revertStatements(CHAIN_TABLES, seqno)].join(''))
    for (const ids of portionsOf(shortened, AT_ONCE)) await recountTraces(connection, ids)
    const copy = createCopier(connection)
    for await (const rows of stateRows(changes)) await copy([[accounts, rows.accounts, 'added']])
    const undone = [...changes.map(({ key }) => key), ...gone]
    const sink = createSink(connection)
    const pause = createPauses(undefined, signal)
    for (const statement of runner.revert(seqno, undone)) {
      await sink.put(statement)
      await pause()
    }
    await runner.states(to, [], sink, signal, undone)
    // Rows of contracts can depend on other accounts, as these were after the block that last changed the contract. A zerostate is not a block.
    const byBlock = groupsOf(changes, ({ mcSeqno, facts }) => (facts.code === undefined ? seqno : Math.max(mcSeqno, 1)))
    for (const last of [...byBlock.keys()].sort((a, b) => a - b)) {
      const id = await source.masterId(last, signal)
      if (id === undefined) throw new CorruptBlockError(`the source has no masterchain block ${last}`)
      await runner.states({ id }, byBlock.get(last)!, sink, signal)
    }
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
