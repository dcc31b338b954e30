import { portionsOf } from '../../base/memory/portions.ts'
import { nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import { select } from '../../store/schema/select.ts'
import { requestState } from '../derive/request-facts.ts'
import { stateRows } from '../derive/state-rows.ts'
import { itemsOfSales } from '../topics/nfts/links.ts'
import type { BlockContext, Sink, TopicRunner } from '../topics/run-topics.ts'
import { insert } from '../write/statements.ts'
import type { MasterIds, Source } from './source.ts'
import { readFirst, type Start } from './start-state.ts'
import { topsIn } from './tops.ts'

/*
 * A range of `tonway backfill` begins in the middle of the chain, but must have the rows of the complete index. Before any code reads an account, the
 * tables need the account as it was before the range's first block. Accounts are requested one by one when they are needed, because no lite-server returns
 * the complete state of a long chain.
 */

export type InitialStates = ReturnType<typeof createInitialStates>

interface InitialStatesDeps {
  readonly source: Pick<Source, 'account'>
  readonly runner: Pick<TopicRunner, 'states'>
  /** The block before the range's first block. */
  readonly at: BlockContext
}

const STORED = select(accounts, ['account'], 'where account = any($1::bytea[])')
/** Length of an account's key. Contracts can contain addresses in other forms, which belong to no account. */
const KEY_BYTES = 36
/** Maximum number of accounts that are requested at a time. */
const AT_ONCE = 100

export const createInitialStates = (deps: InitialStatesDeps, signal: AbortSignal) => {
  const { source, runner, at } = deps
  /** Accounts that are in the tables, or will be when `last` resolves. */
  const seen = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  const load = async (keys: readonly Buffer[], { put, read }: Sink): Promise<void> => {
    // If another process began the range, some accounts may be stored.
    const stored = new Set((await read(STORED, [keys])).map(({ account }) => nameOf(account)))
    const missing = keys.filter((key) => !stored.has(nameOf(key)))
    if (missing.length === 0) return
    const found = await Promise.all(missing.map((key) => requestState(source, at.id, key, signal)))
    const changes = found.filter((change) => change !== undefined)
    if (changes.length === 0) return
    for await (const rows of stateRows(changes))
      await put(`${insert(cells, rows.cells.lines())}\n${insert(accounts, rows.accounts.lines())}`)
    await runner.states(at, changes, { put, read }, signal)
    const items = await itemsOfSales(
      read,
      changes.map(({ key }) => key),
    )
    await loadNew(items, { put, read })
  }

  const loadNew = async (keys: readonly Buffer[], sink: Sink): Promise<void> => {
    const fresh: Buffer[] = []
    for (const key of keys) {
      if (key.length !== KEY_BYTES || seen.has(nameOf(key))) continue
      seen.add(nameOf(key))
      fresh.push(key)
    }
    for (const some of portionsOf(fresh, AT_ONCE)) await load(some, sink)
  }

  return {
    /** Records accounts that did not exist before the range's first block, so that they are not requested. */
    absent(keys: readonly Buffer[]): void {
      for (const key of keys) seen.add(nameOf(key))
    },
    /** Stores those of the accounts that the tables lack, as they were before the range's first block, with the rows that topics derive from them. */
    async ensure(keys: readonly Buffer[], sink: Sink): Promise<void> {
      // One call at a time: an account that an earlier call is loading must be in the tables when this call ends.
      const loaded = last.then(() => loadNew(keys, sink))
      last = loaded.catch(() => {})
      await loaded
    },
  }
}

/** Begins a range in the middle of a chain. No account is stored before it is needed (InitialStates). */
export const openRangeStart = async (source: Source, first: number, idOf: MasterIds, signal: AbortSignal) => {
  const { id } = await readFirst(source, first, idOf, signal)
  const block = await source.block(id, signal)
  const { root } = await source.config(id, signal)
  const at: BlockContext = { id, config: root }
  return { at, start: { id, tops: topsIn(block), async *portions() {} } satisfies Start }
}
