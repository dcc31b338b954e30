import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useAbout } from '../base/about.ts'
import { isRawAddress } from '../base/address.ts'
import { loadBriefs, useBriefTransactions } from '../base/lookups.ts'
import type { Action, BriefTransaction, Names } from '../base/types.ts'
import { unsentSource } from '../base/unsent.ts'
import { Account } from './address.tsx'
import { failureText, type Outcome, outcomeOf } from './outcome.ts'
import { Badge } from './values.tsx'

/* What the transactions of an action show beyond it: what failed and why, who ordered a minter to mint, whether anybody sent its first message. */

/** Transactions of an action that are looked at. Few actions have more than ten. */
const MAX_TRANSACTIONS = 32

/** Transactions by their hashes (base64). */
export type BriefTransactions = Readonly<Record<string, BriefTransaction>>

/** The transactions of a view that loads them with its actions. */
interface LoadedTransactions {
  readonly transactions: BriefTransactions
}
/** The same of a view of one trace. */
interface LoadedTrace extends LoadedTransactions {
  /** The account that the first message names as its source, although no transaction of it sent one. */
  readonly unsent: string | undefined
}

const isOfOneTrace = (loaded: LoadedTransactions | undefined): loaded is LoadedTrace => loaded !== undefined && 'unsent' in loaded

/** Where the transactions of actions come from: `looked up` one action at a time before the view is shown, or loaded by the view. */
export const BehindContext = createContext<'looked up' | LoadedTransactions | LoadedTrace | undefined>(undefined)

/** Whether the first transaction of its trace belongs to it. */
const isFirstOf = ({ trace_id: trace, transactions }: Action): boolean => trace !== null && transactions.includes(trace)

/** Hashes (base64) of the transactions behind an action that its row may show. */
const hashesBehind = (of: Action): readonly string[] => {
  // A transaction that is all of its action has failed if the action has. The first one of a trace may be injected.
  const isPlain = of.success !== false && of.transactions.length === 1 && !isFirstOf(of)
  return isPlain ? [] : of.transactions.slice(0, MAX_TRANSACTIONS)
}

/** The transactions behind these actions, for a view that loads them before it draws a row. `before`: those that it has. Rows say less where it fails. */
export const loadBehind = async (of: readonly Action[], before: BriefTransactions, signal: AbortSignal): Promise<BriefTransactions> => {
  const hashes = [...new Set(of.flatMap(hashesBehind))]
  const loaded = await loadBriefs(
    hashes.filter((hash) => before[hash] === undefined),
    signal,
  ).catch(() => [])
  const cached = hashes.flatMap((hash) => before[hash] ?? [])
  return Object.fromEntries([...cached, ...loaded].map((tx) => [tx.hash, tx]))
}

/** A transaction that failed. */
interface Failure {
  /** Raw address. */
  readonly account: string
  readonly outcome: Outcome
}

export interface Behind {
  /** Transactions that failed, although the action may have succeeded. */
  readonly failures: readonly Failure[]
  /** The account that the message names as its source which began the action, and its trace, although no transaction of it sent one. */
  readonly unsent: string | undefined
  /** The decoded body of the message that this account got in the action. */
  readonly bodyFor: (raw: string | undefined) => Readonly<Record<string, unknown>> | undefined
  /** Who sent the message that this account got in the action. */
  readonly callerOf: (raw: string | undefined) => string | undefined
}

/** What is behind an action. `isPending`: it is in no block yet, so that no transaction of it can be looked up. */
export const useBehind = (of: Action, isPending: boolean): Behind => {
  const from = useContext(BehindContext)
  const about = useAbout()
  const isLocal = about?.local === true
  const requested = isPending || from !== 'looked up' ? [] : hashesBehind(of)
  const found = useBriefTransactions(requested.length === 0 ? undefined : requested.join())
  const given = typeof from === 'object' ? from : undefined
  const all = given === undefined ? (found ?? []) : of.transactions.flatMap((hash) => given.transactions[hash] ?? [])
  // Elsewhere the transaction that sent it is only not in the index.
  const first = isLocal ? all.find(({ hash }) => hash === of.trace_id) : undefined
  return {
    failures: all.flatMap((tx) => {
      const outcome = outcomeOf(tx, about?.exit_codes)
      return outcome.failed ? [{ account: tx.account, outcome }] : []
    }),
    unsent: isOfOneTrace(given) ? (isFirstOf(of) ? given.unsent : undefined) : ((first && unsentSource(first)) ?? undefined),
    bodyFor: (raw) => {
      const decoded = all.find(({ account, in_msg: received }) => account === raw && received?.message_content?.decoded)?.in_msg
        ?.message_content?.decoded
      return (decoded as Readonly<Record<string, unknown>> | null | undefined) ?? undefined
    },
    callerOf: (raw) => {
      const source = all.find(({ account, in_msg: received }) => account === raw && received?.source)?.in_msg?.source
      return source && isRawAddress(source) ? source : undefined
    },
  }
}

/** Failures of an action that a row shows. */
const MAX_SHOWN = 3

interface FailuresProps {
  readonly of: readonly Failure[]
  readonly names: Names
  /** The account of the view. */
  readonly self: string | undefined
}

/** Transactions that failed in an action that succeeded: whose, and why. */
export const Failures = ({ of, names, self }: FailuresProps) => (
  <>
    {of.slice(0, MAX_SHOWN).map(({ account, outcome }, i) => (
      <span key={i} class="reason">
        {account === self ? (
          <Badge tone="bad">this account’s transaction failed</Badge>
        ) : (
          <>
            <Badge tone="bad">a transaction failed</Badge> at <Account of={account} names={names} />:
          </>
        )}{' '}
        {failureText(outcome)}
      </span>
    ))}
  </>
)
