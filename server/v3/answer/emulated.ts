import type { Facts } from '../../actions/facts.ts'
import type { Trace } from '../../actions/trace.ts'
import { runSteps } from '../../base/yield.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { contentsOfRows, findFacts, needsFacts, sourceOfTables } from '../../index/topics/actions/facts.ts'
import type { ReadTables } from '../../index/topics/states/emulated-states.ts'
import { findAccounts, readData } from '../../store/queries/accounts.ts'
import { statement } from '../../store/queries/look-up.ts'
import { TOKEN_KINDS } from '../../store/queries/tokens.ts'
import { readIndex, type View } from '../../store/queries/view.ts'
import { accountOfKey, keyOfRaw } from '../../store/row-keys.ts'
import type { Select } from '../../store/schema/select.ts'
import { accountsNamed, type WireAction } from '../shapes/action.ts'
import type { Wallet } from '../shapes/balance-changes.ts'
import { keyOfNode } from '../shapes/emulated.ts'
import { classifiable, listActions } from '../shapes/emulated-actions.ts'
import type { V3Index } from './answer.ts'
import { type BookMembers, MAX_METADATA, readBookAndTokens } from './book-and-tokens.ts'
import { NO_TABLES, type TraceRecognizer } from './recognize-trace.ts'

/* Reads the parts of an answer that accompany emulated transactions: actions, the address book and metadata. */

/** Reads facts about the accounts of a trace as they are indexed, before the trace. */
export const factsOf = async (view: View, trace: Trace): Promise<Facts> => {
  const source = sourceOfTables(tablesOf(view), async (keys, wants) => {
    if (keys.length === 0) return []
    const rows = await findAccounts(view, { address: keys.map(accountOfKey) })
    return await contentsOfRows(keys, wants === 'data' ? await readData(view, rows) : rows, wants)
  })
  const [facts] = await findFacts(source, [trace])
  return facts!
}

export const tablesOf =
  (view: View): ReadTables =>
  <R>(query: Select<R> | string, values: readonly unknown[]) =>
    view.rows(statement<R>(query, values))

export interface EmulatedOptions {
  readonly index: V3Index | undefined
  readonly recognizer: TraceRecognizer
  /** Which members an answer has. `wallets`: whether to find the jetton wallets among the accounts after the trace. */
  readonly wants: { readonly actions: boolean; readonly book: boolean; readonly metadata: boolean; readonly wallets: boolean }
  readonly types: ReadonlySet<string>
  /** Name of the network. Without an index, it determines whether addresses have the test-only flag. */
  readonly network: string
  /** Client of the call. Runs of the TVM are limited per client. */
  readonly client: string | undefined
}

type Completed = BookMembers & {
  readonly actions: WireAction[]
  /** Jetton wallets by raw address. Undefined if they were not requested, or not recognized in time. */
  readonly wallets?: ReadonlyMap<string, Wallet> | undefined
}

const WALLET = TOKEN_KINDS.indexOf('jetton_wallets')

const walletsIn = (accounts: EmulatedAccounts): ReadonlyMap<string, Wallet> =>
  new Map(
    Object.entries(accounts).flatMap(([address, { tokens = [] }]) =>
      tokens.flatMap(({ kind, owner, jetton }) =>
        kind === WALLET && owner !== null && jetton !== null
          ? [[address, { owner: keyOfRaw(owner), jetton: keyOfRaw(jetton) }] as const]
          : [],
      ),
    ),
  )

/** `maxTime`: milliseconds for the recognition of the accounts. */
export const completeEmulated = async (
  { index, recognizer, wants, types, network, client }: EmulatedOptions,
  trace: EmulatedTrace,
  externalHash: string,
  maxTime: number,
  signal: AbortSignal,
): Promise<Completed> => {
  const { book, metadata } = wants
  if (!wants.actions && !book && !metadata && !wants.wallets) return { actions: [] }
  const classified = classifiable(trace)
  const needed = wants.actions && needsFacts(classified) ? classified : undefined
  const actionsOf = async (facts: Facts, isTestnet: boolean): Promise<WireAction[]> => {
    if (!wants.actions) return []
    const { actions } = await runSteps(listActions(classified, facts, { externalHash, types, isTestnet }), signal)
    return actions.map(({ wire }) => wire)
  }
  return await recognizer.within(trace, { signal, client, maxTime }, async (noticed): Promise<Completed> => {
    const walletsOf = (accounts: EmulatedAccounts | undefined) => wants.wallets && { wallets: accounts && walletsIn(accounts) }
    if (index === undefined) {
      const recognized = await noticed?.recognize(needed, NO_TABLES)
      return { actions: await actionsOf(recognized?.facts ?? new Map(), network === 'testnet'), ...walletsOf(recognized?.accounts) }
    }
    const find = async (view: View) => {
      const recognized = await noticed?.recognize(needed, tablesOf(view))
      const facts = recognized?.facts ?? (needed === undefined ? undefined : await factsOf(view, needed))
      return { recognized, facts, testOnly: view.testOnly }
    }
    const { recognized, facts, testOnly } = await readIndex(index.reader, signal, find, undefined, false, client)
    // Classification can take seconds, and a view has a connection of the pool.
    const actions = await actionsOf(facts ?? new Map(), testOnly)
    const answer = { actions, ...walletsOf(recognized?.accounts) }
    if (!book && !metadata) return answer
    const accounts = [...trace.nodes.map(keyOfNode), ...accountsNamed(actions)]
    const options = { book, metadata, want: index.want, maxBytes: MAX_METADATA }
    const named = await readIndex(index.reader, signal, (view) =>
      readBookAndTokens(view, { accounts, emulated: recognized?.accounts }, options),
    )
    return { ...answer, ...(book && { address_book: named.book }), ...(metadata && { metadata: named.tokens }) }
  })
}
