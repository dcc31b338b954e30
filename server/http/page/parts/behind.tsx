import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useAbout } from '../base/about.ts'
import { isRawAddress } from '../base/address.ts'
import { useBriefTransactions } from '../base/lookups.ts'
import type { Action, BriefTransaction, Names } from '../base/types.ts'
import { unsentSource } from '../base/unsent.ts'
import { Account } from './address.tsx'
import { failureText, type Outcome, outcomeOf } from './outcome.ts'
import { Badge } from './values.tsx'

/* What the transactions of an action tell beyond it: what failed and why, who told a minter to mint, whether anybody sent its first message. */

/** Transactions of an action that are looked at. Few actions have more than ten. */
const MOST = 32

/** What a view of one trace knows. */
interface KnownTrace {
  /** By their hashes (base64). */
  readonly transactions: Readonly<Record<string, BriefTransaction>>
  /** The account that the first message names as its source, although no transaction of it sent one. */
  readonly unsent: string | undefined
}

/**
 * Where the transactions of actions come from: `history` looks them up before it is shown, `newest` afterwards, and no more than it needs for a badge; a view
 * of one trace knows them.
 */
export const BehindContext = createContext<'history' | 'newest' | KnownTrace | undefined>(undefined)

/** Whether the first transaction of its trace belongs to it. */
const isFirstOf = ({ trace_id: trace, transactions }: Action): boolean => trace !== null && transactions.includes(trace)

/** Hashes of the transactions that have to be looked up. */
const wantedOf = (of: Action, isLocal: boolean, from: 'history' | 'newest'): readonly string[] => {
  const first = isLocal && isFirstOf(of) && of.trace_id !== null ? [of.trace_id] : []
  // A transaction that is all of its action has failed if the action has.
  const isTold = from === 'newest' || (of.success !== false && of.transactions.length === 1)
  return isTold ? first : of.transactions.slice(0, MOST)
}

/** A transaction that failed. */
interface Failure {
  /** Raw address. */
  readonly account: string
  readonly outcome: Outcome
}

interface Behind {
  /** Transactions that failed, although the action may have succeeded. */
  readonly failures: readonly Failure[]
  /** The account that the message names as its source which began the action, and its trace, although no transaction of it sent one. */
  readonly unsent: string | undefined
  /** Who sent the message that this account got in the action. */
  readonly callerOf: (raw: string | undefined) => string | undefined
}

/** What is behind an action. `isPending`: it is in no block yet, so that no transaction of it can be looked up. */
export const useBehind = (of: Action, isPending: boolean): Behind => {
  const from = useContext(BehindContext)
  const about = useAbout()
  const isLocal = about?.local === true
  const wanted = isPending || typeof from !== 'string' ? [] : wantedOf(of, isLocal, from)
  const found = useBriefTransactions(wanted.length === 0 ? undefined : wanted.join(), from === 'newest')
  const known = typeof from === 'object' ? from : undefined
  const all = known === undefined ? (found ?? []) : of.transactions.flatMap((hash) => known.transactions[hash] ?? [])
  // Elsewhere the transaction that sent it is only not in the index.
  const first = isLocal ? all.find(({ hash }) => hash === of.trace_id) : undefined
  return {
    failures: (from === 'newest' ? [] : all).flatMap((tx) => {
      const outcome = outcomeOf(tx, about?.exit_codes)
      return outcome.failed ? [{ account: tx.account, outcome }] : []
    }),
    unsent: known === undefined ? ((first && unsentSource(first)) ?? undefined) : isFirstOf(of) ? known.unsent : undefined,
    callerOf: (raw) => {
      const source = all.find(({ account, in_msg: received }) => account === raw && received?.source)?.in_msg?.source
      return source && isRawAddress(source) ? source : undefined
    },
  }
}

/** Failures of an action that a row tells. */
const MOST_TOLD = 3

interface FailuresProps {
  readonly of: readonly Failure[]
  readonly names: Names
  /** The account of the view. */
  readonly self: string | undefined
}

/** Transactions that failed in an action that succeeded: whose, and why. */
export const Failures = ({ of, names, self }: FailuresProps) => (
  <>
    {of.slice(0, MOST_TOLD).map(({ account, outcome }, i) => (
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
