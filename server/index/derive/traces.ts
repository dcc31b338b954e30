import { TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../../store/codes.ts'
import { distinctNormalizedHash, type Message } from '../../tlb/message/message.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'

/*
 * Transactions of one external message (or tick, or message of the system) and all that follow from it are a trace. A transaction is put to
 * the trace of the one that sent its in-message; hashes here are 32 one-byte characters.
 */

/** What a group of blocks adds to one trace. */
export interface TraceChange {
  readonly traceId: string
  /** Of the root's in-message, whatever it is; TON Center calls it so. Undefined of a tick-tock. */
  readonly externalHash: string | undefined
  /** The normalized hash (TEP-467) of a root from outside, where it is another one. */
  readonly externalHashNorm: string | undefined
  /** Whether the trace begins in this group. */
  readonly isNew: boolean
  readonly broken: boolean
  readonly mcSeqnoStart: number
  readonly startLt: bigint
  readonly startUtime: number
  mcSeqnoEnd: number
  endLt: bigint
  endUtime: number
  edges: number
  pendingEdges: number
  nodes: number
}

/** A trace's place in the chain is known from the message on its way: hash -> trace id. */
export type OpenMessages = Pick<Map<string, string>, 'get' | 'set' | 'delete'>

export interface TraceAssembler {
  /**
   * Puts a transaction to its trace; transactions come in the order of their lt, sender before receiver. `hasSender`: whether its in-message was sent
   * by a transaction that is indexed. `isCutOff`: whether it begins a trace whose true begin lies before the index.
   */
  add(tx: Transaction, hash: string, mcSeqno: number): { readonly traceId: string; readonly hasSender: boolean; readonly isCutOff: boolean }
  changes(): Iterable<TraceChange>
}

/** `fromStart`: the index begins with the chain itself, so a message without a sender came from outside rather than from before. */
export const createTraceAssembler = (open: OpenMessages, fromStart: boolean): TraceAssembler => {
  const changes = new Map<string, TraceChange>()

  const begin = (tx: Transaction, hash: string, mcSeqno: number): TraceChange => {
    const message: Message | undefined = tx.inMsg
    const norm = message && distinctNormalizedHash(message)
    const fromBefore = message?.info.type === 'internal' && !fromStart && !isSystem(message)
    return {
      traceId: hash,
      externalHash: message?.root.hashKey(),
      externalHashNorm: norm && Buffer.from(norm).toString('latin1'),
      isNew: true,
      broken: fromBefore,
      mcSeqnoStart: mcSeqno,
      startLt: tx.lt,
      startUtime: tx.now,
      ...{ mcSeqnoEnd: mcSeqno, endLt: tx.lt, endUtime: tx.now },
      // The message that began it is an edge of its own, which stays open where nobody saw it sent (v3.md 7.1).
      ...{ edges: message === undefined || fromBefore ? 0 : 1, pendingEdges: fromBefore ? 1 : 0, nodes: 0 },
    }
  }

  const continued = (traceId: string, tx: Transaction, mcSeqno: number): TraceChange => ({
    traceId,
    externalHash: undefined,
    externalHashNorm: undefined,
    isNew: false,
    broken: false,
    ...{ mcSeqnoStart: mcSeqno, startLt: tx.lt, startUtime: tx.now, mcSeqnoEnd: mcSeqno, endLt: tx.lt, endUtime: tx.now },
    ...{ edges: 0, pendingEdges: 0, nodes: 0 },
  })

  return {
    add(tx, hash, mcSeqno) {
      const inHash = tx.inMsg?.info.type === 'internal' ? tx.inMsg.root.hashKey() : undefined
      const parent = inHash === undefined ? undefined : open.get(inHash)
      const traceId = parent ?? hash
      let change = changes.get(traceId)
      if (change === undefined) {
        change = parent === undefined ? begin(tx, hash, mcSeqno) : continued(traceId, tx, mcSeqno)
        changes.set(traceId, change)
      }
      if (inHash !== undefined && parent !== undefined) {
        open.delete(inHash)
        change.edges += 1
        change.pendingEdges -= 1
      }
      change.nodes += 1
      change.mcSeqnoEnd = Math.max(change.mcSeqnoEnd, mcSeqno)
      if (tx.lt > change.endLt) change.endLt = tx.lt
      change.endUtime = Math.max(change.endUtime, tx.now)
      for (const message of tx.outMsgs) {
        if (message.info.type === 'internal') {
          open.set(message.root.hashKey(), traceId)
          change.pendingEdges += 1
        } else change.edges += 1
      }
      return { traceId, hasSender: parent !== undefined, isCutOff: traceId === hash && change.broken }
    },
    changes: () => changes.values(),
  }
}

/** Messages of the system come from account 0 of the masterchain. */
export const isSystem = ({ info }: Message): boolean =>
  info.type === 'internal' && info.src?.type === 'std' && info.src.workchain === -1 && info.src.hash.every((byte) => byte === 0)

/** TRACE_STATES of a trace with so many open edges. */
export const traceState = (pendingEdges: number, broken: boolean): number =>
  broken || pendingEdges < 0 ? TRACE_BROKEN : pendingEdges === 0 ? TRACE_COMPLETE : TRACE_PENDING
