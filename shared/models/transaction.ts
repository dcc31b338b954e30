import { listOfBlock, transactionId } from './block.ts'
import { accountAddress, message, rawMessage } from './message.ts'
import { base64, many, nanotons, rawUpper, tlModel, utime } from './value-formats.ts'

const account = rawUpper('The account of the transaction.')
const head = {
  address: accountAddress.describe('The account of the transaction.'),
  utime: utime('When the transaction was made.'),
  data: base64('The transaction, as a BoC.'),
  transaction_id: transactionId.describe('Logical time and hash of the transaction.'),
  fee: nanotons('All fees of the transaction.'),
  storage_fee: nanotons('The part of `fee` that was for storage.'),
  other_fee: nanotons('The rest of `fee`.'),
}

const received = 'The message that the transaction received; left out if it is a tick or a tock.'
const sent = 'The messages that the transaction sent.'

/** ext.transaction. `in_msg` is omitted if there is no inbound message. */
export const transaction = tlModel('Transaction', 'ext.transaction', {
  account,
  ...head,
  in_msg: message.describe(received).optional(),
  out_msgs: many(sent, message),
})

const rawMessages = { in_msg: rawMessage.describe(received).optional(), out_msgs: many(sent, rawMessage) }

const rawTransaction = tlModel('RawTransaction', 'raw.transaction', { ...head, ...rawMessages })

const rawTransactionExt = tlModel('RawTransactionExt', 'raw.transactionExt', { account, ...head, ...rawMessages })

/** A page of transactions, with the cursor of the next page. On the last page, the cursor is lt "0" and a zero hash. */
export const rawTransactions = tlModel('RawTransactions', 'raw.transactions', {
  transactions: many('The transactions, newest first.', rawTransaction),
  previous_transaction_id: transactionId.describe('Where the next page begins (`lt` and `hash`); zeros after the last one.'),
})

export const blockTransactionsExt = tlModel('BlockTransactionsExt', 'blocks.transactionsExt', {
  ...listOfBlock,
  transactions: many('The transactions, by account, then by logical time.', rawTransactionExt),
})
