import { CompiledQuery } from 'kysely'
import type { Facts } from '../../actions/facts.ts'
import type { Trace } from '../../actions/trace.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { contentsOfRows, findFacts, sourceOfTables } from '../../index/topics/actions/facts.ts'
import { findAccounts } from '../../store/queries/accounts.ts'
import { readIndex, type View } from '../../store/queries/head.ts'
import { accountOfKey } from '../../store/row-keys.ts'
import { accountsNamed, type WireAction } from '../shapes/action.ts'
import { keyOfNode } from '../shapes/emulated.ts'
import { classifiable, showActions } from '../shapes/emulated-actions.ts'
import type { V3Index } from './answer.ts'
import { createBookAndTokensReader, type Named } from './book-and-tokens.ts'

/* The parts of an answer beside emulated transactions: actions, the address book and metadata. */

/** Facts as the index has them now. */
export const factsOf = async (view: View, trace: Trace): Promise<Facts> => {
  const source = sourceOfTables(
    (text, values) => view.rows(CompiledQuery.raw(text, [...values])),
    async (keys) => (keys.length === 0 ? [] : contentsOfRows(keys, await findAccounts(view, { address: keys.map(accountOfKey) }))),
  )
  const [facts] = await findFacts(source, [trace])
  return facts!
}

/** What the caller wants. */
export interface Wants {
  readonly actions: boolean
  readonly book: boolean
  readonly metadata: boolean
}

interface Place {
  readonly externalHash: string
  readonly types: ReadonlySet<string>
  /** The network's name: without an index it tells whether addresses are those of a test network. */
  readonly network: string
}

/** Reads the parts beside an emulated trace, in one snapshot of the index. */
export const completeEmulated = async (
  index: V3Index | undefined,
  trace: EmulatedTrace,
  { network, ...place }: Place,
  wants: Wants,
  signal: AbortSignal,
): Promise<Named & { readonly actions: WireAction[] }> => {
  const { book, metadata } = wants
  if (!wants.actions && !book && !metadata) return { actions: [] }
  if (index === undefined) {
    const { actions } = showActions(classifiable(trace), new Map(), { ...place, isTestnet: network === 'testnet' })
    return { actions: [...actions] }
  }
  return readIndex(index.reader, signal, async (view) => {
    const classified = classifiable(trace)
    const actions = wants.actions
      ? showActions(classified, await factsOf(view, classified), { ...place, isTestnet: view.testOnly }).actions
      : []
    const bookAndTokens = createBookAndTokensReader(view, { book, metadata, want: index.want })
    const met = [...trace.nodes.map(keyOfNode), ...accountsNamed(actions)]
    const named = await bookAndTokens.both(met)
    return { actions: [...actions], ...(book && { address_book: named.book }), ...(metadata && { metadata: named.tokens }) }
  })
}
