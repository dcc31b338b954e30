import type { Methods } from '../../../client/index.ts'
import { ownCodeText } from '../../../client/outcome.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { DEBUG_MARK } from '../../tvm/last-steps.ts'
import { bad, faint, good } from './colours.ts'
import { hexOf, inGrams, shown } from './trace.ts'

/* Formats the transactions of `local.trace` as a tree for people. The reason and the last steps follow a failed transaction. */

export type LocalTrace = Methods['local.trace']['result']
type Transaction = LocalTrace['transactions'][number]
type Book = LocalTrace['address_book']

/** Reason why a transaction failed. undefined if it succeeded, or if coins stayed at an address without a contract. */
const failureOf = ({ exit_code, exit, result_code, result, success, end_status, bounce, value }: Transaction): string | undefined => {
  if (success) return undefined
  if (exit_code === null) return end_status === 'active' || bounce || value === '0' ? `the contract did not run: ${exit}` : undefined
  if (exit_code !== 0 && exit_code !== 1) return `exit code ${exit_code}: ${exit || ownCodeText(exit_code)}`
  return result_code === null ? undefined : `result code ${result_code} of the actions: ${result || 'of unknown meaning'}`
}

const opText = (op: number | null): string => (op === null ? 'no op' : `op 0x${op.toString(16).padStart(8, '0')}`)

/** Op at the beginning of a bounced message's body. The original body, or its first bits, follow. */
const BOUNCED = 0xffffffff

/** Op of a message. For a bounced message, that of the original message. */
const ownOp = ({ op, bounced, body }: Transaction): number | null => {
  if (!bounced || op !== BOUNCED) return op
  const slice = parseBocRoot(Buffer.from(body, 'base64')).slice()
  slice.loadUint(32)
  return slice.remainingBits >= 32 ? slice.loadUint(32) : null
}

const messageText = (transaction: Transaction, book: Book): string => {
  const { from, value, bounced } = transaction
  const name = opText(ownOp(transaction))
  return value === null
    ? `external message, ${name}`
    : `${bounced ? 'bounced ' : ''}${name}, ${inGrams(value)} from ${from === null ? 'nobody' : shown(from, book)}`
}

const linesOf = (transaction: Transaction, book: Book): string[] => {
  const { account, end_status, exit_code, exit, gas_used, total_fees, last_steps, debug, transaction_id } = transaction
  const failure = failureOf(transaction)
  const note =
    failure === undefined && exit_code === null ? `, ${end_status === 'uninit' ? 'no contract is there' : exit || 'without a run'}` : ''
  const gas = gas_used === null ? '' : `, gas ${gas_used}`
  return [
    `${failure === undefined ? good('ok') : bad('failed')} ${shown(account, book)} ${messageText(transaction, book)}${note}`,
    faint(`  ${hexOf(transaction_id.hash)}, lt ${transaction_id.lt}${gas}, fees ${inGrams(total_fees)}`),
    ...debug.map((text) => `  ${DEBUG_MARK}${text}`),
    ...(failure === undefined ? [] : [bad(`  ${failure}`), ...last_steps.map((step) => `    ${step}`)]),
  ]
}

export const localTraceLines = ({ transactions, complete, truncated, address_book }: LocalTrace): string[] => {
  const children = new Map<number | null, number[]>()
  for (const [place, { parent }] of transactions.entries()) children.set(parent, [...(children.get(parent) ?? []), place])
  const lines: string[] = []
  const waiting = (children.get(null) ?? []).map((place) => ({ place, depth: 0 })).toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { place, depth } = node
    const before = '  '.repeat(depth)
    lines.push(...linesOf(transactions[place]!, address_book).map((line) => before + line))
    waiting.push(...(children.get(place) ?? []).map((child) => ({ place: child, depth: depth + 1 })).toReversed())
  }
  if (transactions.length === 0) lines.push('no transactions')
  if (truncated) lines.push('... and more transactions')
  else if (!complete) lines.push('... and messages that wait for a block')
  return lines
}
