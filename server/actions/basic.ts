import type { Columns } from './action.ts'
import type { Node } from './node.ts'
import { CALL, DEPLOY, Step, TICK, TRANSFER, type TransferInfo } from './step.ts'
import { ENCRYPTED_COMMENT, loadComment } from './text.ts'
import type { TraceMessage } from './trace.ts'

/* Steps of single messages. A trace consists of these before any matcher runs. */

/**
 * text_comment#00000000 text:SnakeData = InternalMsgBody;
 * encrypted_text_comment#2167da4b data:SnakeData = InternalMsgBody;
 */
const transferInfoOf = ({ opcode, body }: TraceMessage): TransferInfo => {
  const encrypted = opcode === ENCRYPTED_COMMENT
  if (opcode === null || body.bits < 40) return { comment: null, encrypted }
  return { comment: loadComment(body.slice().skip(32), encrypted), encrypted }
}

const isPlain = ({ opcode, source, destination }: TraceMessage): boolean =>
  source !== null && destination !== null && (opcode === null || opcode === 0 || opcode === ENCRYPTED_COMMENT)

const columnsOf = ({ source, destination, value, extraCurrencies, opcode }: TraceMessage): Columns => ({
  source,
  destination,
  value,
  extraCurrencies,
  opcode,
})

/** A transfer that cannot bounce arrives even if the account is not deployed or has no gas to run. */
const transferFailed = ({ tx, isGhost }: Node, { bounce, source }: TraceMessage): boolean =>
  (tx.aborted || isGhost) && (bounce || !(tx.after === 'uninit' || (source !== null && tx.noGas)))

/** A failed call without value does no harm: nothing was moved. */
const callFailed = ({ tx, isGhost }: Node, { value, opcode, extraCurrencies }: TraceMessage): boolean =>
  (tx.aborted || isGhost) && !(!value && opcode !== null && opcode !== 0 && extraCurrencies === undefined)

const deployOf = (node: Node, message: TraceMessage): Step => {
  const step = new Step(DEPLOY, [node], columnsOf(message))
  step.failed = node.tx.aborted
  return step
}

/** The step of one node. */
export const basicStep = (node: Node): Step => {
  const { message, tx } = node
  if (message === undefined) {
    const step = new Step(TICK, [node], { source: tx.account })
    step.failed = tx.aborted
    return step
  }
  let step: Step
  if (isPlain(message)) {
    const info = transferInfoOf(message)
    const { opcode: _, ...columns } = columnsOf(message)
    step = new Step(TRANSFER, [node], { ...columns, data: { content: info.comment, encrypted: info.encrypted } }, [], info)
    step.failed = transferFailed(node, message)
  } else {
    step = new Step(CALL, [node], columnsOf(message))
    step.failed = callFailed(node, message)
  }
  // A log belongs to the transaction that sent it. The deployment is a part of that transaction's own step.
  if (!node.isLog && tx.after === 'active' && tx.before !== 'active' && tx.before !== 'frozen') step.parts.push(deployOf(node, message))
  return step
}
