import { accountKey } from '../../../store/row-keys.ts'
import type { BodyAddress } from '../../../tlb/message/token-messages.ts'
import type { Transaction } from '../../../tlb/transaction/transaction.ts'
import type { PlacedTransaction } from '../topic.ts'

/* A standard request is an internal message that is not bounced, whose body begins with the opcode. */

export const receivedRequest = ({ tx }: PlacedTransaction, opcode: number): boolean => {
  const message = tx.inMsg
  if (message?.info.type !== 'internal' || message.info.bounced) return false
  const { body } = message
  return !body.exotic && body.bits >= 32 && body.slice().preloadUint(32) === opcode
}

export const keyOfBodyAddress = (address: BodyAddress): Buffer | null => address && accountKey(address.workchain, address.hash)

export const isAborted = ({ description }: Transaction): boolean => 'aborted' in description && description.aborted

export const requestColumns = ({ account, tx, hash, traceId }: PlacedTransaction, mcSeqno: number) => ({
  account,
  tx_lt: tx.lt,
  mc_seqno: mcSeqno,
  tx_hash: hash,
  trace_id: traceId,
  tx_now: tx.now,
})
