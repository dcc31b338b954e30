import type { Methods } from '../../../client/index.ts'
import { opcodeNameOf } from '../../../client/opcode-name.ts'
import { outcomeOf } from '../../../client/outcome.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'
import { codeTexts } from '../../tvm/exit-codes.ts'
import { DEBUG_MARK } from '../../tvm/last-steps.ts'
import { formatGrams } from '../banner.ts'
import { bad, faint, good, strong } from './colours.ts'

/* Formats a trace as a tree for people, with a line for each transaction. The reason of a failure is on the next line. */

type Traces = Methods['v3.traces']['result']
export type Trace = Traces['traces'][number] & Pick<Traces, 'address_book'>
type Node = NonNullable<Trace['trace']>
type Transaction = NonNullable<Trace['transactions']>[string]

export const inGrams = (nanograms: string): string => formatGrams(BigInt(nanograms))

export const hexOf = (hash: string): string => Buffer.from(hash, 'base64').toString('hex')

/** User-friendly form of an address. The address book says which accounts are wallets; an address outside it gets the bounceable form. */
export const shown = (address: string, book: Readonly<Record<string, { readonly user_friendly: string | null }>>): string => {
  const parsed = parseAddress(address)
  return book[address]?.user_friendly ?? (parsed === undefined ? address : formatFriendly(parsed))
}

/** Describes the message that a transaction received. `before`: the transaction that sent it. A bounced message is named after its original message. */
const messageText = ({ in_msg: message }: Transaction, before: Transaction | undefined, book: Trace['address_book']): string => {
  if (!message) return 'without a message'
  const called = message.bounced === true ? (before?.in_msg ?? message) : message
  const name = opcodeNameOf(called, book) ?? called.opcode ?? 'no body'
  const kind = message.bounced === true ? 'bounced ' : ''
  return message.source ? `${kind}${name}, ${inGrams(message.value ?? '0')}` : `external message${message.opcode ? ` ${name}` : ''}`
}

const gasText = ({ description: { compute_ph: compute } }: Transaction): string =>
  compute === undefined || compute === null || compute.skipped ? '' : `, gas ${compute.gas_used}`

/** What only the embedded chain knows of transactions, by their hashes in base64: their debug output, and the last steps of those that failed. */
export type Runs = ReadonlyMap<string, Pick<Methods['local.trace']['result']['transactions'][number], 'debug' | 'last_steps'>>

export const traceLines = ({ trace_id, trace, transactions, is_incomplete, address_book }: Trace, runs: Runs): string[] => {
  const lines = [
    strong(`trace ${trace_id === undefined || trace_id === null ? '' : hexOf(trace_id)}${is_incomplete ? ', not complete yet' : ''}`),
  ]
  const draw = (node: Node, before: string, isLast: boolean, sender?: Transaction): void => {
    const transaction = node.tx_hash === undefined ? undefined : transactions?.[node.tx_hash]
    const under = `${before}${isLast ? '   ' : '│  '}`
    const branch = `${before}${isLast ? '└─ ' : '├─ '}`
    if (transaction === undefined) lines.push(`${branch}a message that waits`)
    else {
      const { failed, short, text } = outcomeOf(transaction, codeTexts())
      const mark = failed ? bad('failed') : good('ok')
      lines.push(
        `${branch}${mark} ${shown(transaction.account, address_book)} ${messageText(transaction, sender, address_book)}${failed || short === '' ? '' : ', no contract is there'}`,
      )
      const more = node.children?.length ? '│  ' : '   '
      lines.push(
        faint(
          `${under}${more}${hexOf(transaction.hash)}, lt ${transaction.lt}${gasText(transaction)}, fees ${inGrams(transaction.total_fees)}`,
        ),
      )
      const { debug = [], last_steps = [] } = runs.get(transaction.hash) ?? {}
      for (const text of debug) lines.push(`${under}${more}${DEBUG_MARK}${text}`)
      if (failed) {
        lines.push(`${under}${more}${bad(text === '' ? short : `${short}: ${text}`)}`)
        for (const step of last_steps) lines.push(`${under}${more}  ${step}`)
      }
    }
    const children = node.children ?? []
    for (const [i, child] of children.entries()) draw(child, under, i === children.length - 1, transaction)
  }
  if (trace) draw(trace, '', true)
  return lines
}
