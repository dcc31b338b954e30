import { digest, message } from '../cell/sha256.ts'
import { type TraceMessage, type TraceTransaction, writeBase64 } from './trace.ts'

/**
 * A message of a trace with its transaction: the one that received it, or for a log the one that sent it. A tick has only a transaction.
 */
export interface Node {
  readonly tx: TraceTransaction
  /** undefined for ticks. */
  readonly message: TraceMessage | undefined
  /** A message that leaves the chain. */
  readonly isLog: boolean
  /** A message that an external message requested from a wallet and that the wallet did not send, because the external message failed. */
  readonly isUnsent: boolean
  readonly parent: Node | undefined
  /** lt of the message. Ticks and messages from outside use the lt of their transaction. */
  readonly lt: bigint
  /** Unix seconds. */
  readonly utime: number
  /** The text that enters action ids, if it is not the base64 hash of the message or transaction. */
  readonly idText: string | undefined
}

const NOTHING = {} as const

/** A node of a transaction that received `message`, or nothing in case of a tick. */
export const nodeOf = (
  tx: TraceTransaction,
  message: TraceMessage | undefined,
  parent: Node | undefined,
  more: Partial<Pick<Node, 'isLog' | 'isUnsent' | 'idText'>> = NOTHING,
): Node => ({
  tx,
  message,
  parent,
  isLog: more.isLog ?? false,
  isUnsent: more.isUnsent ?? false,
  lt: message?.createdLt ?? tx.lt,
  utime: message?.createdAt ?? tx.now,
  idText: more.idText,
})

/**
 * The id of an action as TON Center computes it: SHA-256 of the base64 hash of the earliest message and the kind of the step. A tick uses the hash of
 * its transaction.
 */
export const actionId = (nodes: readonly Node[], kind: string): string => {
  let first = nodes[0]!
  for (const node of nodes) if (node.lt < first.lt || (node.lt === first.lt && first.isLog && !node.isLog)) first = node
  let length =
    first.idText === undefined ? writeBase64(first.message?.hash ?? first.tx.hash, message) : message.write(first.idText, 'latin1')
  for (let i = 0; i < kind.length; i++) message[length++] = kind.charCodeAt(i)
  return digest(length)
}
