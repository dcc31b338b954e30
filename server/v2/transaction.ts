import { fitsFriendly, formatFriendly, formatRaw } from '../../shared/fields/address.ts'
import type { Call } from '../base/call.ts'
import { inOwnTurn } from '../base/yield.ts'
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

/** The messages of a transaction, one after another, because each may have megabytes. */
const messages = async <R>(
  { inMsg, outMsgs }: Transaction,
  texts: AnswerTexts,
  show: (message: Message, texts: AnswerTexts) => Promise<R>,
) => {
  const in_msg = inMsg && (await show(inMsg, texts))
  const out_msgs: R[] = []
  for (const message of outMsgs) out_msgs.push(await show(message, texts))
  return { ...(in_msg && { in_msg }), out_msgs }
}

/** ext.transaction with ext.message. Without an incoming message `in_msg` is omitted, because `null` breaks clients. */
export const extTransaction = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({
    '@type': 'ext.transaction',
    account: account(found),
    ...(await head(found, texts)),
    ...(await messages(found.transaction, texts, extMessage)),
  }) as const

export const rawTransaction = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({ '@type': 'raw.transaction', ...(await head(found, texts)), ...(await messages(found.transaction, texts, rawMessage)) }) as const

/** raw.transactionExt: raw.transaction plus the raw address of the account. */
export const rawTransactionExt = async (found: TransactionInBlock, texts: AnswerTexts) =>
  ({
    '@type': 'raw.transactionExt',
    account: account(found),
    ...(await head(found, texts)),
    ...(await messages(found.transaction, texts, rawMessage)),
  }) as const

/** All transactions of an answer, one after another. */
export const showAll = async <R>(
  all: readonly TransactionInBlock[],
  show: (found: TransactionInBlock, texts: AnswerTexts) => Promise<R>,
  call: Pick<Call, 'signal' | 'acceptsPieces'>,
): Promise<R[]> => {
  const texts = createAnswerTexts(call)
  const shown: R[] = []
  for (const found of all) shown.push(await inOwnTurn(() => show(found, texts)))
  return shown
}
