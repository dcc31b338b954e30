import { hash } from 'node:crypto'
import { newTextBudget, type TextBudget } from './comment-text.ts'
import { base64Of, type TraceMessage, type TraceTransaction } from './trace.ts'

/** A message of a trace with the transaction that received it; a log has the transaction that sent it. A tick-tock transaction has no message. */
export interface Node {
  readonly tx: TraceTransaction
  /** undefined for tick-tock transactions. */
  readonly message: TraceMessage | undefined
  /** True for a message that leaves the chain. */
  readonly isLog: boolean
  /** True for a message that an external message requested but the wallet did not send, because the external message failed. */
  readonly isUnsent: boolean
  readonly parent: Node | undefined
  /** lt of the message; for tick-tock transactions and external messages the lt of the transaction. */
  readonly lt: bigint
  /** Unix seconds. */
  readonly utime: number
  /** Text that action ids are computed from, if it is not the base64 hash of the message or transaction. */
  readonly idText: string | undefined
  /** Of the whole trace. */
  readonly texts: TextBudget
}

export const nodeOf = (
  tx: TraceTransaction,
  message: TraceMessage | undefined,
  parent: Node | undefined,
  more: Partial<Pick<Node, 'isLog' | 'isUnsent' | 'idText' | 'texts'>> = {},
): Node => ({
  tx,
  message,
  parent,
  isLog: more.isLog ?? false,
  isUnsent: more.isUnsent ?? false,
  lt: message?.createdLt ?? tx.lt,
  utime: message?.createdAt ?? tx.now,
  idText: more.idText,
  texts: more.texts ?? parent?.texts ?? newTextBudget(),
})

/**
 * Action id as TON Center computes it: SHA-256 of the base64 hash of the earliest message, followed by the kind of the step. A tick-tock transaction uses
 * its own hash.
 */
export const actionId = (nodes: readonly Node[], kind: string): string => {
  let first = nodes[0]!
  for (const node of nodes) if (node.lt < first.lt || (node.lt === first.lt && first.isLog && !node.isLog)) first = node
  return hash('sha256', `${first.idText ?? base64Of(first.message?.hash ?? first.tx.hash)}${kind}`, 'binary')
}
