import { base64Of, hexOf } from '../bytes.ts'
import { readCurrency } from './account.ts'
import type { Cell } from './cell.ts'
import { type ExpectedMembers, record } from './compare.ts'
import { walk } from './dict.ts'
import { must } from './error.ts'
import { base64OfHex, rawOf } from './ids.ts'
import { type ReadMessage, readMessage } from './message.ts'
import { readDescription } from './phases.ts'
import { Reader, readWhole, tag } from './reader.ts'

/** Where a block holds a transaction. `account`: 256 digits of 0 and 1. `hash`: hex. */
export interface TransactionPlace {
  readonly account: string
  readonly hash: string
  readonly lt: bigint
}

/** Maximum number of edges in the dictionary of the messages that one transaction sent. */
const MAX_MESSAGE_EDGES = 4096

/** acc_state_uninit$00  acc_state_frozen$01  acc_state_active$10  acc_state_nonexist$11 = AccountStatus; */
const status = (r: Reader): string => ['uninit', 'frozen', 'active', 'nonexist'][r.uint(2)]!

const readMessages = (r: Reader) => {
  const received = r.maybeRef()
  const sent: ReadMessage[] = []
  walk(r.maybeRef(), 15, (_, leaf) => sent.push(readMessage(leaf.next())), MAX_MESSAGE_EDGES)
  return { received: received && readMessage(received), sent }
}

/** update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X; */
const readUpdate = (r: Reader): readonly [string, string] => {
  tag(r, 8, 0x72, 'HASH_UPDATE')
  return [base64Of(r.bytes(32)), base64Of(r.bytes(32))]
}

/*
 * transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 outmsg_cnt:uint15
 *   orig_status:AccountStatus end_status:AccountStatus
 *   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 *   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
 */
/** Reads only account, lt and hash, because parsing a whole transaction can be slow. */
export const readPlace = (cell: Cell): TransactionPlace => {
  const r = tag(new Reader(cell), 4, 7, 'Transaction')
  return { account: hexOf(r.bytes(32)), lt: r.big(64), hash: hexOf(cell.hashes[0]!) }
}

/** Reads a transaction of an account of this workchain. */
export const readTransaction = (cell: Cell, workchain: number) =>
  readWhole(cell, (r) => {
    const account = hexOf(tag(r, 4, 7, 'Transaction').bytes(32))
    const lt = r.big(64)
    const prevHash = hexOf(r.bytes(32))
    const prevLt = r.big(64)
    const now = r.uint(32)
    const count = r.uint(15)
    const [before, after] = [status(r), status(r)]
    const messages = readWhole(r.next(), readMessages)
    must(messages.sent.length === count, `${messages.sent.length} sent messages, the transaction says ${count}`)
    const fees = readCurrency(r)
    const [oldHash, newHash] = readWhole(r.next(), readUpdate)
    const description = readWhole(r.next(), readDescription)
    const hash = hexOf(cell.hashes[0]!)
    /** The row that v3 must have for this transaction. */
    const row: ExpectedMembers = {
      account: rawOf({ workchain, hash: account }),
      hash: base64OfHex(hash),
      lt: String(lt),
      now,
      prev_trans_hash: base64OfHex(prevHash),
      prev_trans_lt: String(prevLt),
      orig_status: before,
      end_status: after,
      total_fees: String(fees.grams),
      total_fees_extra_currencies: record(fees.other),
      description,
      in_msg: messages.received?.row ?? null,
      out_msgs: messages.sent.map((message) => message.row),
      account_state_before: { hash: oldHash },
      account_state_after: { hash: newHash },
      emulated: false,
      finality: 'finalized',
    }
    return { account, hash, lt, prevHash, prevLt, ...messages, isAborted: description['aborted'] === true, row }
  })

export type ReadTransaction = ReturnType<typeof readTransaction>
