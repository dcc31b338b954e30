import { ENCRYPTED_COMMENT, loadComment, type TextBudget } from './comment-text.ts'
import { type Step, TRANSFER } from './step.ts'
import type { TraceMessage } from './trace.ts'

/* Comments of plain transfers. They are parsed only when a matcher or an action needs them. */

export interface TransferInfo {
  /** An encrypted comment is base64. */
  readonly comment: string | null
  readonly encrypted: boolean
}

/**
 * text_comment#00000000 text:SnakeData = InternalMsgBody;
 * encrypted_text_comment data:SnakeData = InternalMsgBody;
 */
const read = ({ opcode, body }: TraceMessage, texts: TextBudget): TransferInfo => {
  const encrypted = opcode === ENCRYPTED_COMMENT
  if (opcode === null || body.bits < 40) return { comment: null, encrypted }
  return { comment: loadComment(body.slice().skip(32), encrypted, texts), encrypted }
}

/** The data of a plain transfer; undefined for a step of another kind. */
export const transferInfo = (step: Step): TransferInfo | undefined => {
  if (step.kind !== TRANSFER) return undefined
  step.info ??= read(step.message, step.nodes[0]!.texts)
  return step.info as TransferInfo
}

export const commentOf = (step: Step): string | null | undefined => transferInfo(step)?.comment
