import { opcodeNameOf } from '../../opcode-name.ts'
import { outcomeOf } from '../../outcome.ts'
import { groups, humanised } from '../base/format.ts'
import type { Book, Message, Transaction } from '../base/types.ts'

type Ran = Extract<NonNullable<Transaction['description']['compute_ph']>, { readonly skipped: false }>

/** Gas used and the gas limit. The limit for an external message is 0: it carries no coins and runs on a gas credit until the contract accepts it. */
export const gasText = ({
  gas_used: used,
  gas_limit: limit,
  gas_credit: credit,
}: Pick<Ran, 'gas_used' | 'gas_limit' | 'gas_credit'>): string => {
  if (limit !== '0') return `${groups(used)} gas of ${groups(limit)}`
  return credit ? `${groups(used)} gas, accepted on a credit of ${groups(credit)}` : `${groups(used)} gas`
}

/** Nanograms that a transaction paid for the delivery of its messages. `total_fees` does not include them. */
export const forwardFees = ({ out_msgs: sent }: Transaction): bigint => sent.reduce((sum, { fwd_fee: fee }) => sum + BigInt(fee ?? 0), 0n)

/** Nanograms that a transaction cost its account: its fees and the delivery of its messages. */
export const allFees = (tx: Transaction): bigint => BigInt(tx.total_fees) + forwardFees(tx)

/** Nanograms. */
export const totalFees = (transactions: readonly Transaction[]): string =>
  transactions.reduce((sum, tx) => sum + allFees(tx), 0n).toString()

/** Types of bodies with a comment. For a contract they are plain transfers. */
const COMMENTS = /^(encrypted_)?text_comment$/

/** The title of a message, in the same words as the titles of actions. */
const messageText = (message: Message, book: Book): string => {
  const { opcode, bounced } = message
  if (bounced) return 'Bounce'
  const name = opcodeNameOf(message, book)
  if (name && !COMMENTS.test(name)) return humanised(name)
  return name || opcode === null ? 'Transfer' : `Opcode ${opcode}`
}

/**
 * What a transaction is for: the title of the sent messages, if an external message caused them and all have the same title. Otherwise the title of the
 * received message.
 */
export const purposeText = (tx: Transaction, book: Book): string => {
  const sent = new Set(
    tx.in_msg?.source === null && !outcomeOf(tx).failed
      ? tx.out_msgs.filter(({ destination }) => destination).map((sent) => messageText(sent, book))
      : [],
  )
  return sent.size === 1 ? [...sent][0]! : receivedText(tx, book)
}

export const receivedText = ({ in_msg: message, description }: Transaction, book: Book): string => {
  if (message === null) return humanised(description.type)
  // The first 32 bits of an external message to a wallet belong to the signature, so they are not an opcode.
  return message.source === null && opcodeNameOf(message, book) === undefined ? 'External message' : messageText(message, book)
}
