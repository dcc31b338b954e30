import { fitsFriendly, formatFriendly, formatRaw } from '../../shared/fields/address.ts'
import type { Call } from '../base/call.ts'
import type { TransactionInBlock } from '../chain/chain-port.ts'
import type { Message } from '../tlb/message/message.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import { type AnswerTexts, createAnswerTexts } from './answer-texts.ts'
import { extMessage, fwdFeeOf, rawMessage } from './message.ts'
import { accountAddress, transactionId } from './wire.ts'

/** Nanograms. Split and merge transactions can have a storage phase too. */
const storageFee = ({ description }: Transaction): bigint =>
  'storage' in description && description.storage ? description.storage.feesCollected : 0n

const head = async ({ transaction, hash, workchain }: TransactionInBlock, texts: AnswerTexts) => {
  const id = { workchain, hash: transaction.account }
  const fee = transaction.outMsgs.reduce((sum, message) => sum + fwdFeeOf(message), transaction.totalFees.grams)
  const storage = storageFee(transaction)
  return {
    address: accountAddress(fitsFriendly(id) ? formatFriendly(id) : ''),
    utime: transaction.now,
    data: await texts.boc(transaction.root),
    transaction_id: transactionId(transaction.lt, hash),
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
  }
}

const account = ({ transaction, workchain }: TransactionInBlock): string => formatRaw({ workchain, hash: transaction.account }, 'upper')

type Show<T, R> = (item: T, texts: AnswerTexts) => Promise<R>

/** Shows one after another, because each may have megabytes. */
export const showEach = async <T, R>(items: readonly T[], show: Show<T, R>, texts: AnswerTexts): Promise<R[]> => {
  const shown: R[] = []
  for (const item of items) shown.push(await show(item, texts))
  return shown
}

/** The members that all three forms have. Without an incoming message `in_msg` is omitted, because `null` breaks clients. */
const members = async <R>(found: TransactionInBlock, show: Show<Message, R>, texts: AnswerTexts) => {
  const { inMsg, outMsgs } = found.transaction
  return {
    ...(await head(found, texts)),
    ...(inMsg && { in_msg: await show(inMsg, texts) }),
    out_msgs: await showEach(outMsgs, show, texts),
  }
}

/** ext.transaction with ext.message. */
export const extTransaction = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({ '@type': 'ext.transaction', account: account(found), ...(await members(found, extMessage, texts)) }) as const

export const rawTransaction = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({ '@type': 'raw.transaction', ...(await members(found, rawMessage, texts)) }) as const

/** raw.transactionExt: raw.transaction plus the raw address of the account. */
export const rawTransactionExt = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({ '@type': 'raw.transactionExt', account: account(found), ...(await members(found, rawMessage, texts)) }) as const

/** All transactions of an answer. */
export const showAll = <R>(
  all: readonly TransactionInBlock[],
  show: Show<TransactionInBlock, R>,
  call: Pick<Call, 'signal' | 'acceptsPieces'>,
): Promise<R[]> => showEach(all, show, createAnswerTexts(call))
