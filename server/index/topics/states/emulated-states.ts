import { Lru } from '../../../base/memory/lru.ts'
import { runSteps } from '../../../base/yield.ts'
import type { Cell } from '../../../cell/cell.ts'
import type { FetchLibraries } from '../../../chain/libraries.ts'
import { nameOf } from '../../../store/row-keys.ts'
import type { Select } from '../../../store/schema/select.ts'
import type { Table } from '../../../store/schema/table.ts'
import type { BlockId } from '../../../tlb/ids.ts'
import type { Tvm } from '../../../tvm/tvm.ts'
import type { AccountFacts } from '../../derive/account-facts.ts'
import type { AccountChange } from '../../derive/group-rows.ts'
import type { AccountSource } from '../../derive/request-facts.ts'
import { createAccountRows, type Reads } from '../account-rows.ts'
import { createAccountViews, viewOf } from '../account-views.ts'
import type { FactSource } from '../actions/facts.ts'
import { sourceOf } from '../actions/topic.ts'
import { CODES, type Detected, detectIn } from '../contracts/detect.ts'
import { TOPICS } from '../registry.ts'
import type { AccountView, Topic } from '../topic.ts'
import { createTopicContext, type TopicConfig } from '../topic-context.ts'

/*
 * Recognizes accounts in states that the index does not have, such as those after an emulation. The topics derive the same rows from these states as from
 * the states after a block.
 */

/** Topics whose rows follow from the state of a single account, in the order of TOPICS. */
const STATE_TOPICS = TOPICS.filter((topic): topic is Topic & Required<Pick<Topic, 'concerns'>> => topic.concerns !== undefined)
const TABLES = STATE_TOPICS.flatMap(({ tables }) => tables)

/** Maximum number of accounts in one recognition: those of a trace, and those to which its facts lead. */
const MAX_ACCOUNTS = 100_000
/** Maximum number of get-methods of all cached codes together. */
const MAX_METHODS = 200_000

export interface GivenState extends Pick<AccountChange, 'key' | 'facts' | 'lastTransLt' | 'utime'> {
  /** The state before the emulation, which the index may have; undefined if it is unknown. */
  readonly before: AccountFacts | undefined
}

export interface StateContext extends AccountSource {
  /** The masterchain block whose states, configuration and libraries are used. */
  readonly at: BlockId
  readonly config: () => Promise<TopicConfig>
  readonly libraries: FetchLibraries
  /** The client that waits for the result; undefined for work of the service itself. */
  readonly client?: string | undefined
}

export type ReadTables = <R>(query: Select<R> | string, values: readonly unknown[]) => Promise<R[]>

/** Facts about accounts. For an account with a new state they come from this state, for any other account from the tables and the chain. */
export interface RecognizedStates {
  readonly facts: FactSource
  /** Returns those accounts with new states that have rows in table `of` of the index. */
  readonly stored: (of: Table) => readonly Buffer[]
}

/** New states whose codes were read. Their rows are not derived yet. */
export interface NoticedStates {
  /** Accounts that can have rows of the topics, in the earlier or in the new state. */
  readonly concerned: readonly Buffer[]
  methodsOf(key: Buffer): readonly number[] | undefined
  /** Derives the rows of the new states. Can be called again with other tables. */
  recognize(read: ReadTables): Promise<RecognizedStates>
}

const changeOf = ({ key, facts, lastTransLt, utime }: GivenState, { at }: StateContext): AccountChange => ({
  key,
  facts,
  mcSeqno: at.seqno,
  master: at,
  utime,
  lastTransHash: undefined,
  lastTransLt,
  firstLt: lastTransLt,
  cells: [],
})

interface Coded {
  readonly view: AccountView
  readonly code: Cell | undefined
}

export const createRecognizer = ({ tvm }: { readonly tvm: Pick<Tvm, 'runGetMethod'> }) => {
  const methods = new Lru<string, ReadonlySet<number>>({
    max: MAX_METHODS,
    maxSize: MAX_METHODS,
    sizeCalculation: ({ size }) => size + 1,
  })

  const entryOf = (name: string): [string, ReadonlySet<number>][] => {
    const ids = methods.get(name)
    return ids === undefined ? [] : [[name, ids]]
  }

  const detectCodes = async (
    accounts: readonly AccountView[],
    codes: (accounts: readonly AccountView[]) => Promise<readonly (Cell | undefined)[]>,
    { libraries }: StateContext,
    signal: AbortSignal,
  ): Promise<Detected> => {
    const detected = await detectIn(accounts, {
      stored: async (hashes) => new Map(hashes.flatMap((hash) => entryOf(nameOf(hash)))),
      codes,
      library: async (hash) => (await libraries([hash], signal))[0]?.code,
    })
    for (const { codeHash, methods: ids } of detected.fresh) methods.set(nameOf(codeHash), new Set(ids))
    return detected
  }

  return {
    async notice(states: readonly GivenState[], context: StateContext, signal: AbortSignal): Promise<NoticedStates> {
      const changes = states.map((state) => changeOf(state, context))
      const after = changes.map((change): Coded => ({ view: viewOf(change), code: change.facts.code }))
      const before = changes.map((change, i): Coded | undefined => {
        const facts = states[i]!.before
        return facts && { view: viewOf({ ...change, facts }), code: facts.code }
      })
      const coded = [...after, ...before.filter((state) => state !== undefined)]
      const codeOf = new Map(coded.map(({ view, code }) => [view, code]))
      const detected = await detectCodes([...codeOf.keys()], async (views) => views.map((view) => codeOf.get(view)), context, signal)
      const isConcerned = (state: Coded | undefined): boolean =>
        state !== undefined && STATE_TOPICS.some((topic) => topic.concerns(state.view, detected.methodsOf(state.view)))
      const concerned = after.filter((state, i) => isConcerned(state) || isConcerned(before[i])).map(({ view }) => view)
      const viewsByKey = new Map(after.map(({ view }) => [nameOf(view.key), view]))

      return {
        concerned: concerned.map(({ key }) => key),
        methodsOf(key) {
          const view = viewsByKey.get(nameOf(key))
          const found = view && detected.methodsOf(view)
          return found && [...found]
        },
        async recognize(read) {
          const views = createAccountViews({ connection: { query: async () => [] }, source: context, partial: true }, signal)
          views.note(changes, context.at)
          // `stored` of the topics reads these tables too, which lack transactions; no topic of STATE_TOPICS calls it.
          const reads: Reads = { read: (query, values = []) => read(query, values) }
          const rows = createAccountRows(TABLES, MAX_ACCOUNTS, Number.POSITIVE_INFINITY)
          const topics = createTopicContext(
            {
              rows: reads.read,
              reads,
              accountRows: rows,
              cachedValues: new Map(),
              failed: () => {},
              leaveOut: () => {},
              put: (made) => runSteps(rows.takeWritten(made), signal),
              views,
              config: context.config,
              libraries: context.libraries,
              tvm: { runGetMethod: (request, stop) => tvm.runGetMethod({ ...request, client: context.client }, stop) },
              present: [[CODES, detected]],
            },
            signal,
          )
          const facts: FactSource = {
            ...sourceOf(topics),
            async havingMethod(accounts, method) {
              const views = await topics.accounts(accounts.map(({ key }) => key))
              const found = views.filter((view) => view !== undefined)
              const codes = async (of: readonly AccountView[]) => (await topics.states(of)).map((state) => state?.code)
              const { methodsOf } = await detectCodes(found, codes, context, signal)
              return accounts.filter((_, i) => views[i] !== undefined && methodsOf(views[i])?.has(method) === true)
            },
          }
          if (concerned.length === 0) return { facts, stored: () => [] }
          const stored = await topics.owners(concerned.map(({ key }) => key))
          const before = new Map(TABLES.map((table) => [table, stored(table)]))
          const { at } = context
          const block = { mcSeqno: at.seqno, groupSeqno: at.seqno, master: at, blocks: [], transactions: [], accounts: concerned }
          for (const topic of STATE_TOPICS) {
            signal.throwIfAborted()
            await runSteps(rows.takeWritten(await topic.derive(block, topics)), signal)
          }
          return { facts, stored: (of) => before.get(of) ?? [] }
        },
      }
    },
  }
}
