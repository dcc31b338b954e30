import * as z from 'zod'
import { blockIdExt, transactionId } from './block.ts'
import { accountAddress, message, rawMessage } from './message.ts'
import { base64, decimal, rawUpper } from './wire.ts'

const head = {
  address: accountAddress,
  utime: z.int(),
  data: base64(),
  transaction_id: transactionId,
  fee: decimal(),
  storage_fee: decimal(),
  other_fee: decimal(),
}

/** ext.transaction; `in_msg` is left out when there is none. */
export const transaction = z
  .strictObject({
    '@type': z.literal('ext.transaction'),
    account: rawUpper(),
    ...head,
    in_msg: message.optional(),
    out_msgs: z.array(message),
  })
  .meta({ id: 'Transaction' })

export const rawTransaction = z
  .strictObject({ '@type': z.literal('raw.transaction'), ...head, in_msg: rawMessage.optional(), out_msgs: z.array(rawMessage) })
  .meta({ id: 'RawTransaction' })

const rawTransactionExt = z
  .strictObject({
    '@type': z.literal('raw.transactionExt'),
    account: rawUpper(),
    ...head,
    in_msg: rawMessage.optional(),
    out_msgs: z.array(rawMessage),
  })
  .meta({ id: 'RawTransactionExt' })

/** A page with the cursor of the next: lt "0" and a zero hash at the end. */
export const rawTransactions = z
  .strictObject({
    '@type': z.literal('raw.transactions'),
    transactions: z.array(rawTransaction),
    previous_transaction_id: transactionId,
  })
  .meta({ id: 'RawTransactions' })

export const blockTransactionsExt = z
  .strictObject({
    '@type': z.literal('blocks.transactionsExt'),
    id: blockIdExt,
    req_count: z.int(),
    incomplete: z.boolean(),
    transactions: z.array(rawTransactionExt),
  })
  .meta({ id: 'BlockTransactionsExt' })
