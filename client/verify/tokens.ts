import { readRaw } from './account.ts'
import type { Cell } from './cell.ts'
import { boc, type Expected, type ExpectedMembers as Members } from './compare.ts'
import { must } from './error.ts'
import type { ReadMessage } from './message.ts'
import { Reader, tag } from './reader.ts'
import type { TokenList } from './request.ts'
import type { ReadTransaction } from './transaction.ts'

/*
 * Rows of v3 for the requests that jetton wallets (TEP-74) and NFT items (TEP-62) received. If a body ends before its last fields, they are null.
 * transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
 *   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 * burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell) = InternalMsgBody;
 * transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
 *   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 * internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress ... = InternalMsgBody;
 * burn_notification#7bdd97de query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress ... = InternalMsgBody;
 */

const payload = (cell: Cell | undefined): Expected => (cell && boc(cell)) ?? null
const maybePayload = (r: Reader): Expected => payload(r.bitsLeft === 0 ? undefined : r.maybeRef())
const maybeRaw = (r: Reader): string | null => (r.bitsLeft < 2 ? null : readRaw(r))
const maybeCoins = (r: Reader): string | null => (r.bitsLeft < 4 ? null : String(r.coins()))

/** Reads forward_payload:(Either Cell ^Cell). An empty payload is null. */
const forwardPayload = (r: Reader): Expected => {
  if (r.bitsLeft === 0) return null
  const inRef = r.flag()
  const isEmpty = r.ref === r.cell.refs.length && (inRef || r.bitsLeft === 0)
  return payload(isEmpty ? undefined : inRef ? r.next() : r.rest())
}

const ends = (r: Reader): Members => ({ response_destination: maybeRaw(r), custom_payload: maybePayload(r) })

/** Accepts an owner whom a sent message with this opcode names. Any other owner is unproven. */
const namedIn =
  (sent: readonly ReadMessage[], opcode: number): Expected =>
  (value) =>
    sent.some(({ body }) => {
      try {
        const r = tag(new Reader(body), 32, opcode, '').skip(64)
        r.coins()
        return readRaw(r) === value
      } catch {
        return false
      }
    })

/** By list: the opcode of its requests, and a function that reads their body after the query id. */
const LISTS: Readonly<
  Record<TokenList, readonly [opcode: number, read: (r: Reader, transaction: ReadTransaction, account: Expected) => Members]>
> = {
  jetton_transfers: [
    0x0f8a7ea5,
    (r, { sent, isAborted }, account) => {
      must(!isAborted, 'the transaction failed')
      return {
        source_wallet: account,
        source: namedIn(sent, 0x178d4519),
        amount: String(r.coins()),
        destination: readRaw(r),
        ...ends(r),
        forward_ton_amount: maybeCoins(r),
        forward_payload: forwardPayload(r),
      }
    },
  ],
  jetton_burns: [
    0x595f07bc,
    (r, { sent }, account) => ({ jetton_wallet: account, owner: namedIn(sent, 0x7bdd97de), amount: String(r.coins()), ...ends(r) }),
  ],
  nft_transfers: [
    0x5fcc3d14,
    (r, { received, isAborted }, account) => ({
      nft_address: account,
      // The sender of a successful request is the owner. A failed request does not show the owner.
      ...(!isAborted && { old_owner: received!.row['source'] }),
      new_owner: readRaw(r),
      ...ends(r),
      forward_amount: maybeCoins(r),
      forward_payload: forwardPayload(r),
    }),
  ],
}

/** The row that v3 has for a token request that a transaction received. */
export const tokenRow = (list: TokenList, transaction: ReadTransaction): Members => {
  const { received, isAborted, row } = transaction
  must(received?.row['bounced'] === false, 'the transaction received no request')
  const [opcode, read] = LISTS[list]
  const r = tag(new Reader(received.body), 32, opcode, 'request of this list')
  return {
    transaction_hash: row['hash'],
    transaction_lt: row['lt'],
    transaction_now: row['now'],
    transaction_aborted: isAborted,
    query_id: String(r.big(64)),
    ...read(r, transaction, row['account']),
  }
}
