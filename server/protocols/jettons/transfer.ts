import type { Columns } from '../../actions/action.ts'
import { bocText } from '../../actions/boc-and-hex-texts.ts'
import { ENCRYPTED_COMMENT, loadComment, type TextBudget } from '../../actions/comment-text.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, optional } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { INTERNAL_TRANSFER, JETTON_TRANSFER, loadInternalTransfer, NOTIFICATION, rawOf } from './bodies.ts'

/** jetton_transfer: an owner asks its wallet to send jettons, and the wallet passes them to the receiver's wallet. */
export const TRANSFERRED = 'jetton_transfer'

/** Masters of "proxy TON", a jetton that exchanges move in place of Gram: Ston.fi (two versions) and Tonco. */
const PROXY_TON: ReadonlySet<Address> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
])

export const isProxyTon = (jetton: Address | null): boolean => jetton !== null && PROXY_TON.has(jetton)

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

export const payloadComment = (payload: Cell | undefined, texts: TextBudget): { text: string | null; encrypted: boolean } => {
  const op = opcodeOf(payload)
  const encrypted = op === ENCRYPTED_COMMENT
  if (payload === undefined || (op !== 0 && !encrypted)) return { text: null, encrypted: false }
  return { text: loadComment(payload.slice().skip(32), encrypted, texts), encrypted }
}

/** The data of a payment: of a jetton transfer, or of a message with Gram, whose wallets and jetton are null and whose body is the payload. */
export const paymentOf = (step: Step): JettonTransfer => {
  if (isTransfer(step)) return transferOf(step)
  const { source: sender, destination: receiver, body: payload, op } = step
  const amount = step.message.value ?? 0n
  const wallets = { senderWallet: null, receiverWallet: null, jetton: null }
  return { sender, receiver, ...wallets, amount, requested: amount, payload, payloadOp: op ?? undefined, delivered: true }
}

interface Reached extends Pick<JettonTransfer, 'senderWallet' | 'receiverWallet' | 'jetton'> {
  /** The account that got the jettons. If undefined, the requested receiver. */
  readonly receiver?: Address
  /** The message to the receiver's wallet. */
  readonly inner?: Step
}

/**
 * Reads a transfer message (TEP-74) and groups the transfer; another body makes no group. The columns are a function that runs only when the transfer
 * becomes an action, because most transfers become parts of a swap instead.
 */
const groupReached = (
  order: Step,
  { inner, senderWallet, receiver: reached, receiverWallet, jetton }: Reached,
  members: readonly Step[],
  run: MatcherRun,
): Step | undefined => {
  const body = loadJettonTransfer(order.body)
  if (body === undefined) return undefined
  const requestedReceiver = rawOf(body.destination)
  const receiver = reached ?? requestedReceiver
  const done = inner && loadInternalTransfer(inner)
  const amount = done?.amount ?? body.amount
  const payload = body.forwardPayload
  const columns = (): Columns => {
    const comment = payloadComment(payload, order.nodes[0]!.texts)
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
  const step = run.group(TRANSFERRED, members, columns, { info, failed: order.failed || inner?.failed === true })
  // An account other than the requested one got the jettons, so the sender's wallet is faulty.
  if (step !== undefined && requestedReceiver !== null && requestedReceiver !== receiver) step.broken = true
  return step
}

/**
 * Groups a transfer. The jetton's master must confirm the receiver's wallet. If it also confirms the sender's wallet, both must be of the same jetton.
 * Otherwise nothing is grouped, because only the contracts themselves claim that jettons moved.
 */
export const groupTransfer = (order: Step, inner: Step, members: readonly Step[], run: MatcherRun): Step | undefined => {
  const wallet = run.jettonWallet(inner.destination)
  if (wallet === undefined) return undefined
  const { owner: receiver, jetton } = wallet
  const from = run.jettonWallet(order.destination)
  if (from !== undefined && from.jetton !== jetton) return undefined
  return groupReached(order, { inner, senderWallet: order.destination, receiver, receiverWallet: inner.destination, jetton }, members, run)
}

export const TRANSFER_PARTS = call(INTERNAL_TRANSFER, { each: optional(call(NOTIFICATION)) })

export const jettonTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  around: { each: TRANSFER_PARTS },
  build(step, found, run) {
    const inner = findCall(found.steps, INTERNAL_TRANSFER)
    if (inner !== undefined) groupTransfer(step, inner, [step, ...found.steps], run)
  },
}

/** An exchange's proxy TON looks like a jetton wallet, but all users share one such wallet. It notifies the receiver directly. */
export const proxyTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  around: { each: optional(call(NOTIFICATION)) },
  build(step, found, run) {
    const jetton = run.jettonWallet(step.destination)?.jetton ?? null
    if (isProxyTon(jetton)) groupReached(step, { senderWallet: null, receiverWallet: null, jetton }, [step, ...found.steps], run)
  },
}

/** A transfer whose message was requested from a wallet contract and not sent. */
export const unsentTransfer: Matcher = {
  at: [JETTON_TRANSFER],
  build(step, _found, run) {
    const jetton = run.jettonWallet(step.destination)?.jetton ?? null
    groupReached(step, { senderWallet: step.destination, receiverWallet: null, jetton }, [step], run)
  },
}
