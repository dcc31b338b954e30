import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Methods } from '../../index.ts'
import { failureText, type Outcome, outcomeOf } from '../../outcome.ts'
import { addressIn } from '../base/address.ts'
import { ton } from '../base/service.ts'
import type { Action, BriefTransaction, Fields } from '../base/types.ts'
import { loadBriefs, useAbout } from '../base/value-lookups.ts'
import { Account } from './address.tsx'
import { unsentSource } from './injected-message.tsx'
import { Badge } from './values.tsx'

/* Data from an action's transactions that the action does not contain: failures, who ordered a mint, and whether the first message was injected. */

/** Maximum number of an action's transactions that are examined. Few actions have more than ten. */
const MAX_TRANSACTIONS = 32

/** Transactions by their hashes (base64). */
type BriefTransactions = Readonly<Record<string, BriefTransaction>>

interface LoadedTransactions {
  readonly transactions: BriefTransactions
}
interface LoadedTrace extends LoadedTransactions {
  /** The source of the trace's first message, if no transaction of that account sent the message. */
  readonly unsent: string | undefined
}

const isOfOneTrace = (loaded: LoadedTransactions | undefined): loaded is LoadedTrace => loaded !== undefined && 'unsent' in loaded

/** The transactions that the view has loaded with its actions. */
export const BehindContext = createContext<LoadedTransactions | LoadedTrace | undefined>(undefined)

const isFirstOf = ({ trace_id: trace, transactions }: Action): boolean => trace !== null && transactions.includes(trace)

/** Hashes (base64) of the transactions whose data the action's row can show. */
const hashesBehind = (of: Action): readonly string[] => {
  // The success of an action of one transaction already says whether that transaction failed. The first transaction of a trace is still needed, because its
  // message may be injected.
  const isPlain = of.success !== false && of.transactions.length === 1 && !isFirstOf(of)
  return isPlain ? [] : of.transactions.slice(0, MAX_TRANSACTIONS)
}

/**
 * Returns a function that loads actions and their transactions, so that rows are complete when they are first drawn, and nothing moves later. If the request
 * for the transactions fails, rows show less. Transactions of the load before are not loaded again.
 */
export const createActionsLoad = () => {
  let before: BriefTransactions = {}
  return async (query: Methods['v3.actions']['params'], signal: AbortSignal | undefined) => {
    const page = await ton.v3.actions(query, { signal })
    const hashes = [...new Set(page.actions.flatMap(hashesBehind))]
    const missing = hashes.filter((hash) => before[hash] === undefined)
    const loaded = await loadBriefs(missing, signal).catch(() => [])
    const cached = hashes.flatMap((hash) => before[hash] ?? [])
    before = Object.fromEntries([...cached, ...loaded].map((tx) => [tx.hash, tx]))
    return { ...page, transactions: before }
  }
}

interface Failure {
  /** Raw address. */
  readonly account: string
  readonly outcome: Outcome
}

export const useBehind = (of: Action) => {
  const given = useContext(BehindContext)
  const about = useAbout()
  const all = given === undefined ? [] : of.transactions.flatMap((hash) => given.transactions[hash] ?? [])
  // Only an embedded chain has injected messages. On real networks, the sending transaction is merely missing in the index.
  const first = about?.local ? all.find(({ hash }) => hash === of.trace_id) : undefined
  const outcomes = all.map((tx) => ({ account: tx.account, outcome: outcomeOf(tx, about?.exit_codes) }))
  const failures = outcomes.filter(({ outcome }) => outcome.failed)
  const last = outcomes.at(-1)?.outcome
  return {
    /** Failed transactions. The action itself may have succeeded. */
    failures,
    /** What a call led to that v3 marks as failed, although its coins arrived: `coins arrived; the account has no contract yet`. */
    credit: of.success === false && failures.length === 0 && last?.short ? last.text : undefined,
    /** The source of the message that started the action and its trace, if no transaction of that account sent the message. */
    unsent: isOfOneTrace(given) ? (isFirstOf(of) ? given.unsent : undefined) : ((first && unsentSource(first)) ?? undefined),
    /** The decoded body of the message that an account received in the action. */
    bodyFor: (raw: string | undefined): Fields | undefined => {
      const decoded = all.find(({ account, in_msg: received }) => account === raw && received?.message_content?.decoded)?.in_msg
        ?.message_content?.decoded
      return (decoded as Fields | null | undefined) ?? undefined
    },
    /** The sender of the message that an account received in the action. */
    callerOf: (raw: string | undefined): string | undefined => {
      const received = all.find(({ account, in_msg }) => account === raw && in_msg?.source)?.in_msg
      return addressIn(received ?? {}, ['source'])
    },
  }
}

export type Behind = ReturnType<typeof useBehind>

const MAX_SHOWN = 3

interface FailuresProps {
  readonly of: readonly Failure[]
  readonly self: string | undefined
}

export const Failures = ({ of, self }: FailuresProps) => (
  <>
    {of.slice(0, MAX_SHOWN).map(({ account, outcome }, i) => (
      <span key={i} class="reason">
        {account === self ? (
          <Badge tone="bad">this account’s transaction failed</Badge>
        ) : (
          <>
            <Badge tone="bad">a transaction failed</Badge> at <Account of={account} />:
          </>
        )}{' '}
        {failureText(outcome)}
      </span>
    ))}
  </>
)
