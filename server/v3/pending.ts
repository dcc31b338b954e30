import { TonError } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { Params } from '../../shared/registry.ts'
import type { pending } from '../../shared/v3/pending.ts'
import { isVisible } from '../actions/supported-types.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { mapWithPauses } from '../base/yield.ts'
import type { EmulatedAccounts } from '../book/emulated-accounts.ts'
import type { EventAction, EventTransaction } from '../live/events.ts'
import type { PendingBoard, Posted } from '../live/pending/board.ts'
import { type PublishedTrace, unpack } from '../live/pending/published-trace.ts'
import type { View } from '../store/queries/view.ts'
import { keyOfRaw } from '../store/row-keys.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { V3Index } from './answer/answer.ts'
import type { NamedAccounts } from './answer/book-and-tokens.ts'
import { lookup } from './answer/lookup.ts'
import { accountsNamed, type WireAction } from './shapes/action.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'
import type { WireTrace } from './shapes/trace.ts'
import type { WireTransaction } from './shapes/transaction.ts'
import { base64 } from './shapes/values.ts'

/* Pending traces: the emulated results of messages that are not yet in an indexed block. */

/** Maximum number of traces of an account in one answer, and of characters of their JSON for all its accounts. The newest come first. */
const OF_ACCOUNTS = { traces: 100, chars: 32 << 20 } as const

interface Shown {
  readonly of: Pick<PublishedTrace, 'hash' | 'isExternal' | 'isIncomplete' | 'tree' | 'state' | 'accounts'>
  readonly transactions: readonly WireTransaction[]
  readonly actions: readonly WireAction[]
}

type ActionTypeParams = Parameters<typeof actionTypesOf>[0]

const rawOf = (id: AccountId): string => formatRaw(id, 'upper')

/** Whether the trace's last block is not indexed yet. If it is indexed, the ordinary lists have the trace. */
const isNew = ({ head }: View, { committedAt }: Posted): boolean => committedAt === undefined || committedAt > head

/** Events set `trace_external_hash` to null if no external message began the trace. Answers omit it. */
const withoutHash = ({ trace_external_hash: _, ...rest }: WireTransaction): WireTransaction => rest

const show = (posted: Posted, types: ReadonlySet<string>): Shown => {
  const of = unpack(posted.packed) as Omit<PublishedTrace, 'transactions' | 'actions'> & {
    readonly transactions: readonly (EventTransaction & { readonly wire: WireTransaction })[]
    readonly actions: readonly (EventAction & { readonly wire: WireAction })[]
  }
  const actions = of.actions.filter((action) => isVisible(action, types)).map(({ wire }) => wire)
  return { of, transactions: of.transactions.map(({ wire }) => (of.isExternal ? wire : withoutHash(wire))), actions }
}

/** Unpacks traces with pauses for the event loop, because a page of traces is some megabytes of JSON. Throws if they are too long for one answer. */
const showAll = (found: readonly Posted[], typeParams: ActionTypeParams, view: View): Promise<readonly Shown[]> => {
  view.expectBytes(found.reduce((sum, { chars }) => sum + chars, 0))
  const types = new Set(actionTypesOf(typeParams))
  return mapWithPauses(found, (each) => show(each, types), view.signal)
}

const toTrace = ({ of, transactions, actions }: Shown): WireTrace => {
  const utimes = transactions.map(({ now }) => now)
  const seqnos = transactions.map(({ mc_block_seqno }) => mc_block_seqno)
  const ordered = [...transactions].sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  // The message that began the trace, and all sent messages.
  const messages = 1 + transactions.reduce((sum, { out_msgs }) => sum + out_msgs.length, 0)
  const emulated = transactions.filter((transaction) => transaction.emulated)
  const sent = new Set(emulated.flatMap(({ out_msgs }) => out_msgs.map(({ hash }) => hash)))
  const received = emulated.filter(({ in_msg }) => in_msg !== null && !sent.has(in_msg.hash)).length
  return {
    trace_id: transactions[0]!.trace_id ?? null,
    external_hash: of.isExternal ? of.hash : null,
    mc_seqno_start: String(seqnos[0]),
    mc_seqno_end: String(Math.max(...seqnos)),
    start_lt: ordered[0]!.lt,
    start_utime: Math.min(...utimes),
    end_lt: ordered.at(-1)!.lt,
    end_utime: Math.max(...utimes),
    trace_info: {
      trace_state: 'pending',
      messages,
      transactions: transactions.length,
      pending_messages: sent.size + received,
      classification_state: of.state,
    },
    is_incomplete: of.isIncomplete,
    actions: [...actions],
    ...(of.tree !== null && { trace: of.tree as NonNullable<WireTrace['trace']> }),
    transactions_order: ordered.map(({ hash }) => hash),
    transactions: Object.fromEntries(ordered.map((transaction) => [transaction.hash, transaction])),
  }
}

function* accountsOf(shown: readonly Shown[]): Generator<Buffer | null> {
  for (const { transactions, actions } of shown) {
    for (const { account } of transactions) yield keyOfRaw(account)
    yield* accountsNamed(actions)
  }
}

/** Accounts that the traces name, with their states after the traces. If several traces change an account, the newest trace wins. The list starts with the newest. */
const namedBy = (shown: readonly Shown[]): NamedAccounts => ({
  accounts: accountsOf(shown),
  emulated: Object.assign({}, ...shown.map(({ of }) => of.accounts).reverse()) as EmulatedAccounts,
})

const byLt = (a: WireTransaction, b: WireTransaction): number => (BigInt(a.lt) > BigInt(b.lt) ? -1 : 1)
const byEnd = (a: WireAction, b: WireAction): number => (BigInt(a.end_lt) > BigInt(b.end_lt) ? -1 : 1)

export interface PendingSource {
  readonly board: Pick<PendingBoard, 'ofAccount' | 'ofMessage'>
  /**
   * Registers interest in pending traces of these accounts (raw addresses) or messages (base64). Resolves when `board` has the traces in signed blocks, at
   * the latest after 750 ms.
   */
  ask(accounts: readonly string[], hashes: readonly string[]): Promise<void>
}

/** `source`: undefined if the service does not follow pending messages. */
export const pendingHandlers = (index: V3Index, source: PendingSource | undefined): AnswerHandlers<keyof typeof pending> => {
  const board = source?.board
  type TraceQuery = {
    readonly account?: AccountId | readonly AccountId[] | undefined
    readonly ext_msg_hash?: readonly Uint8Array[] | undefined
  }
  /** Makes `answer` request its traces first, before it takes the snapshot of the index. */
  const withDemand =
    <P extends TraceQuery, C, R>(answer: (params: P, call: C) => R | Promise<R>): ((params: P, call: C) => Promise<R>) =>
    async (params, call) => {
      await source?.ask([params.account ?? []].flat().map(rawOf), (params.ext_msg_hash ?? []).map(base64))
      return await answer(params, call)
    }

  const ofAccounts = (view: View, ids: readonly AccountId[]): readonly Posted[] => {
    const found = new Set(ids.flatMap((id) => board?.ofAccount(rawOf(id)).slice(0, OF_ACCOUNTS.traces) ?? []))
    let chars = 0
    return [...found].filter((each) => {
      if (!isNew(view, each)) return false
      chars += each.chars
      return chars <= OF_ACCOUNTS.chars
    })
  }
  const find = (view: View, params: Params<'v3.pendingTraces'>): Promise<readonly Shown[]> => {
    const { account, ext_msg_hash: hashes = [] } = params
    const named = hashes.flatMap((hash) => board?.ofMessage(base64(hash)) ?? [])
    const found = account === undefined ? [...new Set(named)].filter((each) => isNew(view, each)) : ofAccounts(view, [account])
    return showAll(found, params, view)
  }

  return {
    'v3.pendingTransactions': withDemand(
      lookup(index, 'v3.pendingTransactions', async (view, { account = [] }) => {
        const found = await showAll(ofAccounts(view, account), {}, view)
        if (found.length === 0) throw new TonError('NOT_FOUND', 'emulated traces not found')
        const requested = new Set(account.map(rawOf))
        const matching = found.flatMap(({ transactions }) => transactions.filter((each) => requested.has(each.account)))
        return { ...namedBy(found), body: { transactions: matching.sort(byLt) } }
      }),
    ),

    'v3.pendingTraces': withDemand(
      lookup(index, 'v3.pendingTraces', async (view, params) => {
        const found = await find(view, params)
        return { ...namedBy(found), body: { traces: found.map(toTrace) } }
      }),
    ),

    'v3.pendingActions': withDemand(
      lookup(index, 'v3.pendingActions', async (view, params) => {
        const { account, include_transactions: isWhole } = params
        const found = await find(view, params)
        const key = account && rawOf(account)
        const actions = found.flatMap(({ transactions, actions: own }) => {
          const byHash = new Map(transactions.map((each) => [each.hash, each]))
          const listed = key === undefined ? own : own.filter(({ accounts }) => accounts?.includes(key))
          return listed.map((action) =>
            isWhole ? { ...action, transactions_full: action.transactions.flatMap((hash) => byHash.get(hash) ?? []) } : action,
          )
        })
        return { ...namedBy(found), body: { actions: actions.sort(byEnd) } }
      }),
    ),
  }
}
