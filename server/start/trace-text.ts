import { inTon } from '../cli/ask/trace.ts'
import type { Trace, TraceTransaction } from './types.ts'

/* A trace as a tree for people: a line for each transaction, and under a failed one why it failed and its last steps. */

/** Characters of the text; the rest is cut. */
const MOST_CHARACTERS = 20_000

/** Why a transaction failed; undefined if it did not, or if coins came to an address without a contract and stayed. */
const failureOf = ({ exit_code, exit, result_code, result, success, end_status, out_messages }: TraceTransaction): string | undefined => {
  if (success) return undefined
  if (exit_code === null) return end_status === 'active' || out_messages > 0 ? `the contract did not run: ${exit}` : undefined
  if (exit_code !== 0 && exit_code !== 1) return `exit code ${exit_code}: ${exit || 'a code of the contract'}`
  return result_code === null ? undefined : `result code ${result_code} of the actions: ${result || 'of unknown meaning'}`
}

const messageText = ({ from, value, op, bounced }: TraceTransaction): string => {
  const name = op === null ? 'no op' : `op 0x${op.toString(16).padStart(8, '0')}`
  return value === null ? `external message, ${name}` : `${bounced ? 'bounced ' : ''}${name}, ${inTon(value)} from ${from ?? 'nobody'}`
}

const linesOf = (transaction: TraceTransaction): string[] => {
  const { account, exit_code, exit, end_status, gas_used, last_steps, transaction_id } = transaction
  const failure = failureOf(transaction)
  const note = failure === undefined && exit_code === null ? `, ${exit || 'without a run'}` : ''
  return [
    `${failure === undefined ? 'ok' : 'failed'} ${account} ${messageText(transaction)}${note}`,
    `  lt ${transaction_id.lt}, exit code ${exit_code ?? 'none'}${gas_used === null ? '' : `, gas ${gas_used}`}, ${end_status}`,
    ...(failure === undefined ? [] : [`  ${failure}`, ...last_steps.map((step) => `    ${step}`)]),
  ]
}

/** The tree of a trace, with exit codes in words. */
export const traceText = ({ transactions, complete, truncated }: Trace): string => {
  const children = new Map<number | null, number[]>()
  for (const [place, { parent }] of transactions.entries()) children.set(parent, [...(children.get(parent) ?? []), place])
  const lines: string[] = []
  const waiting = (children.get(null) ?? []).map((place) => ({ place, depth: 0 })).toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { place, depth } = node
    const before = '  '.repeat(depth)
    lines.push(...linesOf(transactions[place]!).map((line) => before + line))
    waiting.push(...(children.get(place) ?? []).map((child) => ({ place: child, depth: depth + 1 })).toReversed())
  }
  if (transactions.length === 0) lines.push('no transactions')
  if (truncated) lines.push('... and more transactions')
  else if (!complete) lines.push('... and messages that wait for a block')
  const text = lines.join('\n')
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n...` : text
}
