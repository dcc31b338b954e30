import { digest, message } from '../cell/sha256/sha256.ts'
import { base64Of, type TraceMessage, type TraceTransaction } from './trace.ts'

/**
 * A message of a trace with the transaction it belongs to: the one that received it, or of a log the one that sent it. Ticks have a
 * transaction alone.
 */
export interface Node {
  readonly tx: TraceTransaction
  /** undefined for ticks. */
  readonly message: TraceMessage | undefined
  /** A message to the outside. */
  readonly isLog: boolean
  /** What a wallet was asked to send and did not: its external message failed. */
  readonly isGhost: boolean
  readonly parent: Node | undefined
  /** When the message was sent; ticks and messages from outside begin with their transaction. */
  readonly lt: bigint
  /** Unix seconds. */
  readonly utime: number
  /** What action ids are made of. */
  readonly idText: () => string
}

/** A node of a transaction that received `message` (or nothing: a tick). */
export const nodeOf = (
  tx: TraceTransaction,
  message: TraceMessage | undefined,
  parent: Node | undefined,
  more: Partial<Pick<Node, 'isLog' | 'isGhost' | 'idText'>> = {},
): Node => ({
  tx,
  message,
  parent,
  isLog: more.isLog ?? false,
  isGhost: more.isGhost ?? false,
  lt: message?.createdLt ?? tx.lt,
  utime: message?.createdAt ?? tx.now,
  idText: more.idText ?? (() => base64Of(message?.hash ?? tx.hash)),
})

/**
 * The id of an action as TON Center computes it: SHA-256 of the base64 hash of the earliest message (of a tick: its transaction) and the
 * name of the group.
 */
export const actionId = (nodes: readonly Node[], kind: string): string => {
  let first = nodes[0]!
  for (const node of nodes) if (node.lt < first.lt || (node.lt === first.lt && first.isLog && !node.isLog)) first = node
  return digest(message.write(first.idText() + kind, 'latin1'))
}
