import type { Columns } from './action.ts'
import { ENCRYPTED_COMMENT } from './comment-text.ts'
import type { Node } from './node.ts'
import { transferInfo } from './plain-transfer.ts'
import { CALL, DEPLOY, Step, TICK, TRANSFER } from './step.ts'
import type { TraceMessage } from './trace.ts'

/* Makes the step of each single message. The matchers later group these steps. */

const isPlain = ({ opcode, source, destination }: TraceMessage): boolean =>
  source !== null && destination !== null && (opcode === null || opcode === 0 || opcode === ENCRYPTED_COMMENT)

const callColumns = ({ message: { source, destination, value, extraCurrencies, opcode } }: Step): Columns => ({
  source,
  destination,
  value,
  extraCurrencies,
  opcode,
})

const transferColumns = (step: Step): Columns => {
  const { source, destination, value, extraCurrencies } = step.message
  const { comment, encrypted } = transferInfo(step)!
  return { source, destination, value, extraCurrencies, data: { content: comment, encrypted } }
}

const tickColumns = ({ nodes }: Step): Columns => ({ source: nodes[0]!.tx.account })

/** A transfer that cannot bounce arrives even if the account is not deployed or has no gas to run. */
const transferFailed = ({ tx, isUnsent }: Node, { bounce, source }: TraceMessage): boolean =>
  (tx.aborted || isUnsent) && (bounce || !(tx.after === 'uninit' || (source !== null && tx.noGas)))

/** Whether a call is shown as failed. An aborted call with an opcode but without coins is not shown as failed, because it moved nothing. */
const callFailed = ({ tx, isUnsent }: Node, { value, opcode, extraCurrencies }: TraceMessage): boolean =>
  (tx.aborted || isUnsent) && !(!value && opcode !== null && opcode !== 0 && extraCurrencies === undefined)

const deployOf = (node: Node): Step => {
  const step = new Step(DEPLOY, [node], callColumns)
  step.failed = node.tx.aborted
  return step
}

export const basicStep = (node: Node): Step => {
  const { message, tx } = node
  if (message === undefined) {
    const step = new Step(TICK, [node], tickColumns)
    step.failed = tx.aborted
    return step
  }
  const plain = isPlain(message)
  const step = plain ? new Step(TRANSFER, [node], transferColumns) : new Step(CALL, [node], callColumns)
  step.failed = plain ? transferFailed(node, message) : callFailed(node, message)
  // Logs are excluded: the deployment is already a part of the step of the message that the transaction received.
  if (!node.isLog && tx.after === 'active' && tx.before !== 'active' && tx.before !== 'frozen') step.parts = [deployOf(node)]
  return step
}
