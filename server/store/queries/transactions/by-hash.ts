import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import { lookUp } from '../look-up.ts'
import { type MessageRow, rowsOfTransactions } from '../messages-of-transactions.ts'
import type { View } from '../view.ts'

/** Finds transaction keys by hash. Hashes that are not indexed are missing from the result. */
export const keysOfHashes = lookUp({ from: 'tx_by_hash', by: 'hash', columns: ['account', 'lt'] })

const withMessages = lookUp({ from: 'tx_by_hash', by: 'hash', columns: ['account', 'lt', 'in_msg_hash', 'out_msg_hashes'] })

export type Side = Pick<MessageRow, 'direction' | 'msg_hash'>

const HASH_BYTES = 32

/** Reads the directions and hashes of a transaction's messages, by transaction hash. The result is empty if the transaction is not indexed. */
export const messagesOfHash = async (view: View, hash: Uint8Array): Promise<readonly Side[]> => {
  const [row] = await withMessages(view, [hash])
  if (row === undefined) return []
  const { in_msg_hash: received, out_msg_hashes: sent } = row
  // Earlier releases did not store the hashes in tx_by_hash.
  if (sent === null) return await rowsOfTransactions(view, [row])
  const sides: Side[] = received === null ? [] : [{ direction: DIRECTION_IN, msg_hash: received }]
  for (let i = 0; i < sent.length; i += HASH_BYTES) sides.push({ direction: DIRECTION_OUT, msg_hash: sent.subarray(i, i + HASH_BYTES) })
  return sides
}
