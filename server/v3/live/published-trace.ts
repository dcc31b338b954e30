import { ERRORS } from '../../../shared/errors.ts'
import { EXCESSES } from '../../actions/step.ts'
import { base64Of, type Trace } from '../../actions/trace.ts'
import { toCallerError } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { runSteps } from '../../base/yield.ts'
import { tag } from '../../decode/notation.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { needsFacts } from '../../index/topics/actions/facts.ts'
import type { FormatTrace, PublishedTrace } from '../../live/pending/published-trace.ts'
import { NOTIFICATION } from '../../protocols/jettons/bodies.ts'
import { OWNERSHIP_ASSIGNED } from '../../protocols/nfts/transfer.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { readIndex } from '../../store/queries/view.ts'
import { factsOf, tablesOf } from '../answer/emulated.ts'
import { NO_TABLES, type RecognizedTrace, type TraceRecognizer } from '../answer/recognize-trace.ts'
import { showEmulated } from '../shapes/emulated.ts'
import { classifiable, listActions } from '../shapes/emulated-actions.ts'
import { treeOf } from '../shapes/trace.ts'
import type { WireTransaction } from '../shapes/transaction.ts'
import { eventAction, eventTransaction } from './traces.ts'

/* Formats pending traces in the shapes of v3. Each trace is formatted once, for the endpoints and for all events. */

const NOTICES: ReadonlySet<string> = new Set([NOTIFICATION, OWNERSHIP_ASSIGNED, EXCESSES].map((op) => `0x${tag(op)}`))

/**
 * Whether the transaction only received a notification: jetton_notify, ownership_assigned of an NFT, or excesses. Such a transaction does not delay the
 * finality of actions.
 */
const isNotice = ({ in_msg, out_msgs }: WireTransaction): boolean => out_msgs.length === 0 && NOTICES.has(in_msg?.opcode ?? '')

const lowest = (transactions: readonly WireTransaction[]): 'pending' | 'confirmed' =>
  transactions.some(({ emulated }) => emulated) ? 'pending' : 'confirmed'

const NOTHING: RecognizedTrace = { facts: new Map(), accounts: {} }

export interface FormatTraceDeps {
  readonly reader: Reader
  readonly recognizer: TraceRecognizer
  readonly isTestnet: boolean
  readonly log: Log
}

/** Returns a function that formats a pending trace. If the index cannot be read now, actions lack the facts from the index. */
export const createFormatTrace = ({ reader, recognizer, isTestnet, log }: FormatTraceDeps): FormatTrace => {
  /** Returns undefined if the index cannot be read now. Any other error is logged, and the trace is published without facts: it would fail again. */
  const recognize = async (trace: EmulatedTrace, classified: Trace, signal: AbortSignal): Promise<RecognizedTrace | undefined> => {
    const needed = needsFacts(classified) ? classified : undefined
    try {
      return await recognizer.within(trace, { signal }, async (noticed) => {
        if (needed === undefined && noticed?.hasContracts === false) return await noticed.recognize(undefined, NO_TABLES)
        return await readIndex(reader, signal, async (view) => {
          if (noticed !== undefined) return await noticed.recognize(needed, tablesOf(view))
          return { ...NOTHING, ...(needed && { facts: await factsOf(view, needed) }) }
        })
      })
    } catch (err) {
      const error = toCallerError(err)
      if (error !== undefined && ERRORS[error.kind].retry) return undefined
      log[error === undefined ? 'error' : 'warn']('pending.not_recognized', { err })
      return NOTHING
    }
  }
  return async (of, trace, signal): Promise<PublishedTrace> => {
    const [hash, hashNorm] = [base64Of(of.hash), base64Of(of.hashNorm)]
    const root = trace.nodes[0]!
    const isExternal = root.transaction.inMsg?.info.type === 'external-in'
    const traceId = root.isCommitted === true && isExternal ? base64Of(root.transaction.root.hashKey()) : undefined
    const externalHash = isExternal ? hash : undefined
    const { transactions } = await showEmulated(trace, { externalOf: () => externalHash, traceId }, signal)
    const classified = classifiable(trace)
    const waited = transactions.filter((each) => !isNotice(each))
    const finality = { transactions: lowest(transactions), actions: lowest(waited) }
    const externalHashNorm = isExternal ? hashNorm : undefined
    const place = { externalHash, externalHashNorm, isTestnet, traceId, finality: finality.actions }
    const recognized = await recognize(trace, classified, signal)
    const { facts, accounts } = recognized ?? NOTHING
    const { state, actions } = await runSteps(listActions(classified, facts, place), signal)
    const tree = treeOf(transactions[0]!.hash, transactions)
    return {
      hash,
      hashNorm,
      isExternal,
      traceId: traceId ?? null,
      isIncomplete: trace.isIncomplete || typeof tree === 'string',
      lacksFacts: recognized === undefined,
      tree: typeof tree === 'string' ? null : tree,
      transactions: transactions.map((each) => eventTransaction(each, externalHash ?? null)),
      actions: actions.map(({ wire, type, ancestors }) => eventAction(wire, { type, ancestors: [...ancestors] })),
      accounts,
      state,
      finality,
    }
  }
}
