import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import type { pending } from '../../shared/v3/pending.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { accountText, type PendingTrace } from '../live/pending/kept-traces.ts'
import type { PendingTraces } from '../live/pending/pending-traces.ts'
import type { View } from '../store/queries/head.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { V3Index } from './answer/answer.ts'
import { lookup } from './answer/lookup.ts'
import { factsOf } from './emulated-beside.ts'
import { accountsNamed, knownTypes, type WireAction } from './shapes/action.ts'
import { keyOfNode, showEmulated } from './shapes/emulated.ts'
import { classifiable, showActions } from './shapes/emulated-actions.ts'
import { treeOf, type WireTrace } from './shapes/trace.ts'
import type { WireTransaction } from './shapes/transaction.ts'

/* What this process has sent and what is in no block of the index yet. */

/** Most traces of an account in one answer. */
const MOST = 100

/** A pending trace with its transactions and actions. */
interface Shown {
  readonly of: PendingTrace
  readonly transactions: readonly WireTransaction[]
  readonly actions: readonly WireAction[]
  readonly state: 'ok' | 'failed' | 'broken'
}

type Known = Parameters<typeof knownTypes>[0]

const base64 = (hash: string): string => Buffer.from(hash, 'latin1').toString('base64')

/** A trace whose block is indexed is told by the lists of what is in blocks. */
const isNew = ({ head }: View, { committedAt }: PendingTrace): boolean => committedAt === undefined || committedAt > head

const show = async (view: View, of: PendingTrace, known: Known): Promise<Shown> => {
  const externalHash = base64(of.hash)
  const { transactions } = showEmulated(of.trace, { externalHash })
  const classified = classifiable(of.trace)
  const place = {
    externalHash,
    externalHashNorm: base64(of.hashNorm),
    types: new Set(knownTypes(known)),
    isTestnet: view.testOnly,
  }
  return { of, transactions, ...showActions(classified, await factsOf(view, classified), place) }
}

const toTrace = ({ of, transactions, actions, state }: Shown): WireTrace => {
  const tree = treeOf(transactions[0]!.hash, transactions)
  const lts = transactions.map(({ lt }) => BigInt(lt)).sort((a, b) => (a < b ? -1 : 1))
  const utimes = transactions.map(({ now }) => now)
  const seqnos = transactions.map(({ mc_block_seqno }) => mc_block_seqno)
  const ordered = [...transactions].sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  // Every transaction received one message, the first one that from outside.
  const messages = 1 + transactions.reduce((sum, { out_msgs }) => sum + out_msgs.length, 0)
  return {
    trace_id: null,
    external_hash: base64(of.hash),
    mc_seqno_start: String(seqnos[0]),
    mc_seqno_end: String(Math.max(...seqnos)),
    start_lt: String(lts[0]),
    start_utime: Math.min(...utimes),
    end_lt: String(lts.at(-1)),
    end_utime: Math.max(...utimes),
    trace_info: {
      trace_state: 'pending',
      messages,
      transactions: transactions.length,
      pending_messages: messages,
      classification_state: state,
    },
    is_incomplete: of.trace.isIncomplete || typeof tree === 'string',
    actions: [...actions],
    ...(typeof tree !== 'string' && { trace: tree }),
    transactions_order: ordered.map(({ hash }) => hash),
    transactions: Object.fromEntries(ordered.map((transaction) => [transaction.hash, transaction])),
  }
}

function* accountsOf(shown: readonly Shown[]): Generator<Buffer | null> {
  for (const { of, actions } of shown) {
    for (const node of of.trace.nodes) yield keyOfNode(node)
    yield* accountsNamed(actions)
  }
}

const byLt = (a: WireTransaction, b: WireTransaction): number => (BigInt(a.lt) > BigInt(b.lt) ? -1 : 1)
const byEnd = (a: WireAction, b: WireAction): number => (BigInt(a.end_lt) > BigInt(b.end_lt) ? -1 : 1)

/** `traces`: what this process has sent; undefined where it sends nothing. */
export const pendingHandlers = (index: V3Index, traces: PendingTraces | undefined): AnswerHandlers<keyof typeof pending> => {
  const ofAccounts = (view: View, ids: readonly AccountId[]): readonly PendingTrace[] => {
    const found = new Set(ids.flatMap((id) => traces?.ofAccount(accountText(id)).slice(0, MOST) ?? []))
    return [...found].filter((each) => isNew(view, each))
  }
  const find = async (view: View, params: Params<'v3.pendingTraces'>): Promise<readonly Shown[]> => {
    const { account, ext_msg_hash: hashes = [] } = params
    const named = hashes.flatMap((hash) => traces?.ofMessage(Buffer.from(hash).toString('latin1')) ?? [])
    const found = account === undefined ? [...new Set(named)].filter((each) => isNew(view, each)) : ofAccounts(view, [account])
    return Promise.all(found.map((each) => show(view, each, params)))
  }

  return {
    'v3.pendingTransactions': lookup(index, 'v3.pendingTransactions', {
      async find(view, { account = [] }) {
        const found = await Promise.all(ofAccounts(view, account).map((each) => show(view, each, {})))
        if (found.length === 0) throw new TonError('NOT_FOUND', 'emulated traces not found')
        return found
      },
      accounts: accountsOf,
      tell(found, { account = [] }) {
        const wanted = new Set(account.map((id) => accountText(id).toUpperCase()))
        const told = found.flatMap(({ transactions }) => transactions.filter((each) => wanted.has(each.account)))
        return { transactions: told.sort(byLt) }
      },
    }),

    'v3.pendingTraces': lookup(index, 'v3.pendingTraces', {
      find,
      accounts: accountsOf,
      tell: (found) => ({ traces: found.map(toTrace) }),
    }),

    'v3.pendingActions': lookup(index, 'v3.pendingActions', {
      find,
      accounts: accountsOf,
      tell(found, { account, include_transactions: isWhole }) {
        const key = account && accountText(account).toUpperCase()
        const actions = found.flatMap(({ transactions, actions: own }) => {
          const byHash = new Map(transactions.map((each) => [each.hash, each]))
          const listed = key === undefined ? own : own.filter(({ accounts }) => accounts?.includes(key))
          return listed.map((action) =>
            isWhole ? { ...action, transactions_full: action.transactions.flatMap((hash) => byHash.get(hash) ?? []) } : action,
          )
        })
        return { actions: actions.sort(byEnd) }
      },
    }),
  }
}
