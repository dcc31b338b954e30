import { sql } from 'kysely'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import { bytesList } from '../../postgres/lists.ts'
import { fixed } from '../fixed.ts'
import { type MessageRow, rowsOfTransactions } from '../messages-of-transactions.ts'
import { isIn } from '../order.ts'
import type { View } from '../view.ts'
import type { TransactionKey } from './transaction-key.ts'

const BY_HASH = fixed((builder, hashes) =>
  builder
    .selectFrom('tx_by_hash')
    .select(['account', 'lt'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/** Finds transaction keys by hash. Hashes that are not indexed are missing from the result. */
export const keysOfHashes = (view: View, hashes: readonly Uint8Array[]): Promise<TransactionKey[]> => view.rows(BY_HASH(bytesList(hashes)))

const WITH_MESSAGES = fixed((builder, hashes) =>
  builder
    .selectFrom('tx_by_hash')
    .select(['account', 'lt', 'in_msg_hash', 'out_msg_hashes'])
    .where(isIn(sql.ref('hash'), hashes)),
)

export type Side = Pick<MessageRow, 'direction' | 'msg_hash'>

const HASH_BYTES = 32

/** Reads the directions and hashes of a transaction's messages, by transaction hash. The result is empty if the transaction is not indexed. */
export const messagesOfHash = async (view: View, hash: Uint8Array): Promise<readonly Side[]> => {
  const [row] = await view.rows(WITH_MESSAGES(bytesList([hash])))
  if (row === undefined) return []
  const { in_msg_hash: received, out_msg_hashes: sent } = row
  // Earlier releases did not store the hashes in tx_by_hash.
  if (sent === null) return await rowsOfTransactions(view, [row])
  const sides: Side[] = received === null ? [] : [{ direction: DIRECTION_IN, msg_hash: received }]
  for (let i = 0; i < sent.length; i += HASH_BYTES) sides.push({ direction: DIRECTION_OUT, msg_hash: sent.subarray(i, i + HASH_BYTES) })
  return sides
}
