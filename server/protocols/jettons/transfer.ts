import type { Columns } from '../../actions/action.ts'
import { bocText } from '../../actions/boc-and-hex-texts.ts'
import { ENCRYPTED_COMMENT, loadComment } from '../../actions/comment-text.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, type Found, optional } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { isProxyTon } from './assets.ts'
import { INTERNAL_TRANSFER, JETTON_TRANSFER, loadInternalTransfer, NOTIFICATION, rawOf } from './bodies.ts'

/** jetton_transfer: an owner asks its wallet to send jettons, and the wallet passes them to the receiver's wallet. */
export const TRANSFERRED = 'jetton_transfer'

export interface JettonTransfer {
  readonly sender: Address | null
  readonly senderWallet: Address | null
  readonly receiver: Address | null
  readonly receiverWallet: Address | null
  /** The jetton's master; null if the wallet is not confirmed. */
  readonly jetton: Address | null
  readonly amount: bigint
  /** The amount that the sender requested. */
  readonly requested: bigint
  readonly payload: Cell | undefined
  readonly payloadOp: number | undefined
  /** True if a message went to the receiver's wallet. With proxy TON there is no such wallet. */
  readonly delivered: boolean
}

export const transferOf = (step: Step): JettonTransfer => step.info as JettonTransfer

export const isTransfer = (step: Step | undefined): boolean => step?.kind === TRANSFERRED

export const payloadComment = (payload: Cell | undefined): { text: string | null; encrypted: boolean } => {
  const op = opcodeOf(payload)
  const encrypted = op === ENCRYPTED_COMMENT
  if (payload === undefined || (op !== 0 && !encrypted)) return { text: null, encrypted: false }
  return { text: loadComment(payload.slice().skip(32), encrypted), encrypted }
}

interface Reached {
  readonly receiver: Address | null
  readonly receiverWallet: Address | null
  readonly jetton: Address | null
  readonly inner: Step | undefined
  readonly senderWallet: Address | null
}

/**
 * Reads a transfer message (TEP-74) and returns the data of the transfer; undefined for another body. The columns are a function that runs only when the
 * transfer becomes an action, because most transfers become parts of a swap instead.
 */
const describe = (order: Step, { receiver, receiverWallet, jetton, inner, senderWallet }: Reached) => {
  const body = loadJettonTransfer(order.message.body)
  if (body === undefined) return undefined
  const done = inner && loadInternalTransfer(inner)
  const amount = done?.amount ?? body.amount
  const payload = body.forwardPayload
  const columns = (): Columns => {
    const comment = payloadComment(payload)
    return {
      source: order.source,
      sourceSecondary: senderWallet,
      destination: receiver,
      destinationSecondary: receiverWallet,
      asset: jetton,
      amount,
      data: {
        query_id: body.queryId,
        response_destination: rawOf(body.responseDestination),
        forward_amount: done?.forward_ton_amount ?? body.forwardTonAmount ?? 0n,
        custom_payload: body.customPayload === undefined ? null : bocText(body.customPayload),
        forward_payload: payload === undefined ? null : bocText(payload),
        comment: comment.text,
        is_encrypted_comment: comment.encrypted,
      },
    }
  }
  const info: JettonTransfer = {
    sender: order.source,
    senderWallet,
    receiver,
    receiverWallet,
    jetton,
    amount,
    payload,
    requested: body.amount,
    payloadOp: opcodeOf(payload),
    delivered: inner !== undefined,
  }
  return { columns, info, requestedReceiver: body.destination }
}

/**
 * Groups a transfer. The jetton's master must confirm the receiver's wallet. If it also confirms the sender's wallet, both must be of the same jetton.
 * Otherwise nothing is grouped, because only the contracts themselves claim that jettons moved.
 */
export const groupTransfer = (order: Step, inner: Step, members: readonly Step[], run: MatcherRun): Step | undefined => {
  const wallet = run.jettonWallet(inner.destination)
  if (wallet === undefined) return undefined
  const from = run.jettonWallet(order.destination)
  if (from !== undefined && from.jetton !== wallet.jetton) return undefined
  const described = describe(order, {
    receiver: wallet.owner,
    receiverWallet: inner.destination,
    jetton: wallet.jetton,
    inner,
    senderWallet: order.destination,
  })
  if (described === undefined) return undefined
  const step = run.group(TRANSFERRED, members, described.columns, { failed: order.failed || inner.failed, info: described.info })
  const { requestedReceiver } = described
  // An account other than the requested one got the jettons, so the sender's wallet is faulty.
  if (step !== undefined && requestedReceiver && rawOf(requestedReceiver) !== wallet.owner) step.broken = true
  return step
}

export const TRANSFER_PARTS = call(INTERNAL_TRANSFER, { each: optional(call(NOTIFICATION)) })

export const jettonTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  around: { each: TRANSFER_PARTS },
  build(step: Step, found: Found, run: MatcherRun) {
    const inner = findCall(found.steps, INTERNAL_TRANSFER)
    if (inner !== undefined) groupTransfer(step, inner, [step, ...found.steps], run)
  },
}

/** An exchange's proxy TON looks like a jetton wallet, but all users share one such wallet. It notifies the receiver directly. */
export const proxyTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  around: { each: optional(call(NOTIFICATION)) },
  build(step, found, run) {
    const wallet = run.jettonWallet(step.destination)
    if (wallet === undefined || !isProxyTon(wallet.jetton)) return
    const receiver = rawOf(loadJettonTransfer(step.message.body)?.destination ?? null)
    const described = describe(step, { receiver, receiverWallet: null, jetton: wallet.jetton, inner: undefined, senderWallet: null })
    if (described === undefined) return
    run.group(TRANSFERRED, [step, ...found.steps], described.columns, { failed: step.failed, info: described.info })
  },
}

/** A transfer whose message was requested from a wallet contract and not sent. */
export const unsentTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  build(step, _found, run) {
    const receiver = rawOf(loadJettonTransfer(step.message.body)?.destination ?? null)
    const jetton = run.jettonWallet(step.destination)?.jetton ?? null
    const described = describe(step, { receiver, receiverWallet: null, jetton, inner: undefined, senderWallet: step.destination })
    if (described === undefined) return
    run.group(TRANSFERRED, [step], described.columns, { failed: step.failed, info: described.info })
  },
}
