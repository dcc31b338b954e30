import { countAtMost, MAX_MESSAGE_CELLS, uniqueCells } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { opcodeOf } from '../decode/bodies.ts'
import { loadMessage } from '../tlb/message/message.ts'
import { SIGNED_EXTERNAL } from '../tlb/message/wallet-order.ts'
import { messageOf } from './from-transactions.ts'
import { nodeOf, ROOT, Step } from './step.ts'
import { basicStep } from './step-tree.ts'
import { base64Of, type TraceMessage } from './trace.ts'

/*
 * The messages that an external message requests a wallet to send. They were not sent if the wallet did not accept the external message.
 *
 * v3: signature:bits512 subwallet_id:uint32 valid_until:uint32 seqno:uint32 { mode:uint8 ^MessageRelaxed }
 * v4: the same with op:uint8 before the messages
 * v5: sign wallet_id:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^OutList) ...
 */

const SIGNATURE = 512
const HEADER = 96
/** Maximum number of messages that a wallet sends at once. Wallet v5 has the highest maximum. */
const MAX_MESSAGES = 255
/** Cells of their bodies that may occur again. All can be one message, whose payload is a text of each action: 1.5 MB then, beside their comments. */
const MAX_SHARED = 16 * MAX_MESSAGES

/** out_list_empty$_ = OutList 0; out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1); action_send_msg#0ec3c86d mode:uint8 out_msg:^MessageRelaxed */
const messagesOfList = (list: Cell): Cell[] => {
  const found: Cell[] = []
  for (let rest: Slice = list.slice(); rest.remainingBits > 0 && found.length < MAX_MESSAGES; ) {
    const previous = rest.loadRef()
    found.push(rest.loadRef())
    rest = previous.slice()
  }
  return found
}

const messageCells = (body: Cell): Cell[] => {
  const s = body.slice()
  if (opcodeOf(body) === SIGNED_EXTERNAL) {
    const list = s.skip(32 + HEADER).loadMaybeRef()
    return list === undefined ? [] : messagesOfList(list)
  }
  s.skip(SIGNATURE + HEADER)
  const found: Cell[] = []
  while (s.remainingRefs > 0) found.push(s.loadRef())
  return found
}

/**
 * The internal messages that an external message requests a wallet to send. The order is that of the body: v5 stores the last action first. A body with one
 * message that cannot be read has none, as at TON Center: nothing else shows whether a body is one of a wallet. Nor has one whose messages repeat too much.
 */
export const requestedMessages = (body: Cell): readonly TraceMessage[] =>
  attempt(() => {
    const messages = messageCells(body).map(loadMessage)
    const requested = messages.filter(({ info }) => info.type === 'internal').map((message) => messageOf(message, false))
    const budget = { cells: countAtMost([body], MAX_MESSAGE_CELLS) + MAX_SHARED }
    for (const each of requested) for (const _ of uniqueCells([each.body], budget));
    return requested
  }) ?? []

/**
 * The tree of a trace that is one unaccepted external message, with the requested messages below that message. Returns undefined for any other trace, and
 * if no messages are requested. Action ids are made from the hash of the requested message and its index.
 */
export const unsentTree = (tree: Step): Step | undefined => {
  const [step, ...others] = tree.next
  const node = step?.nodes[0]
  if (step === undefined || node?.message === undefined || others.length > 0 || step.next.length > 0 || step.source !== null)
    return undefined
  const messages = requestedMessages(node.message.body)
  if (messages.length === 0) return undefined
  const root = new Step(ROOT, [], {})
  root.append(step)
  step.failed = true
  const { account: source, lt: createdLt, now: createdAt } = node.tx
  for (const [i, message] of messages.entries()) {
    const idText = Buffer.from(`${base64Of(message.hash)}${i}`).toString('base64')
    const requested = { ...message, source, createdLt, createdAt }
    step.append(basicStep(nodeOf(node.tx, requested, node, { isUnsent: true, idText })))
  }
  return root
}
