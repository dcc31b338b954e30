import { fitsFriendly, formatFriendly, formatRaw } from '../../shared/fields/address.ts'
import type { TransactionInBlock } from '../chain/chain-port.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import { extMessage, fwdFeeOf, rawMessage } from './message.ts'
import { accountAddress, boc, transactionId } from './wire.ts'

/** Nanograms. Split and merge transactions can have a storage phase too. */
const storageFee = ({ description }: Transaction): bigint =>
  'storage' in description && description.storage ? description.storage.feesCollected : 0n

const head = ({ transaction, hash, workchain }: TransactionInBlock) => {
  const id = { workchain, hash: transaction.account }
  const fee = transaction.outMsgs.reduce((sum, message) => sum + fwdFeeOf(message), transaction.totalFees.grams)
  const storage = storageFee(transaction)
  return {
    address: accountAddress(fitsFriendly(id) ? formatFriendly(id) : ''),
    utime: transaction.now,
    data: boc(transaction.root),
    transaction_id: transactionId(transaction.lt, hash),
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
  }
}

const account = ({ transaction, workchain }: TransactionInBlock): string => formatRaw({ workchain, hash: transaction.account }, 'upper')

/** ext.transaction with ext.message. Without an incoming message `in_msg` is omitted, because `null` breaks clients. */
export const extTransaction = (found: TransactionInBlock) => {
  const { inMsg, outMsgs } = found.transaction
  return {
    '@type': 'ext.transaction',
    account: account(found),
    ...head(found),
    ...(inMsg && { in_msg: extMessage(inMsg) }),
    out_msgs: outMsgs.map(extMessage),
  } as const
}

const rawMessages = ({ inMsg, outMsgs }: Transaction) => ({
  ...(inMsg && { in_msg: rawMessage(inMsg) }),
  out_msgs: outMsgs.map(rawMessage),
})

export const rawTransaction = (found: TransactionInBlock) =>
  ({ '@type': 'raw.transaction', ...head(found), ...rawMessages(found.transaction) }) as const

/** raw.transactionExt: raw.transaction plus the raw address of the account. */
export const rawTransactionExt = (found: TransactionInBlock) =>
  ({ '@type': 'raw.transactionExt', account: account(found), ...head(found), ...rawMessages(found.transaction) }) as const
