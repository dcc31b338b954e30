import type { Result } from '../../../shared/registry.ts'
import { cellsInBoc } from '../../cell/boc.ts'
import { answerBudget } from '../../decode/decode.ts'
import { opcodeName } from '../../protocols/index.ts'
import type { FullMessage } from '../../store/queries/messages.ts'
import { nameOf } from '../../store/row-keys.ts'
import { createBodyDecoder, type Measured, measured, type Shown } from './decoded.ts'
import { base64, extra, maybeAddress, maybeBase64, optional } from './values.ts'

export type WireMessage = Result<'v3.messages'>['messages'][number]
type Content = NonNullable<WireMessage['message_content']>

const HEX_DIGITS = 8

/** The opcode and its name, which depends on the opcode alone, even if the body cannot be decoded. */
const opcodeOf = (signed: number | null) => {
  if (signed === null) return { opcode: null, decoded_opcode: null }
  const opcode = signed >>> 0
  return { opcode: `0x${opcode.toString(16).padStart(HEX_DIGITS, '0')}`, decoded_opcode: opcodeName(opcode) }
}

/** What decoded bodies may still take. `cells`: those of the bodies, and those that decoding visits even if it fails. Each takes microseconds. */
export interface Room {
  characters: number
  cells: number
}

/** Limits for the bodies of one transaction, or of one row of another list, which are decoded and written in one step. No single body exceeds them. */
const OF_TRANSACTION: Readonly<Room> = { characters: 1 << 22, cells: 1 << 14 }
export const roomOfTransaction = (): Room => ({ ...OF_TRANSACTION })
/** Characters of the decoded bodies of an answer that is written while it is sent. */
const OF_ANSWER = 1 << 26

/**
 * `room`: that of what is written in the same step; a decoded body that does not fit is null. `transactions`: hashes of the transactions that received and
 * sent the message, for lists of messages.
 */
export type FormatMessage = (
  row: FullMessage,
  room: Room,
  transactions?: { readonly received: Buffer | undefined; readonly sent: Buffer | undefined },
) => WireMessage

/**
 * Returns a function that formats the messages of one answer. A body is decoded once, but written as often as it occurs, so each occurrence takes room. A
 * contract can send a small body with two megabytes of JSON 255 times in one transaction. `most`: characters of all decoded bodies.
 */
export const createMessageFormat = (most = OF_ANSWER): FormatMessage => {
  const budget = answerBudget()
  const show = createBodyDecoder(budget)
  const decoded = new Map<string, Measured<Shown>>()
  let left = most
  const bodyOf = (hash: Buffer, boc: Buffer): Measured<Shown> => {
    const name = nameOf(hash)
    const body = decoded.get(name) ?? measured(budget, () => show(boc))
    decoded.set(name, body)
    return body
  }
  const decodedOf = (hash: Buffer, boc: Buffer, room: Room): Shown => {
    if (room.cells <= 0) return null
    const { shown, characters, cells } = bodyOf(hash, boc)
    room.cells -= cells + cellsInBoc(boc)
    if (characters > room.characters || characters > left) return null
    room.characters -= characters
    left -= characters
    return shown
  }
  return (row, room, transactions) => ({
    hash: base64(row.msg_hash),
    hash_norm: optional(maybeBase64(row.msg_hash_norm)),
    source: maybeAddress(row.source),
    destination: maybeAddress(row.destination),
    value: row.value,
    // External messages have no value, and TON Center returns null for them.
    value_extra_currencies: row.value === null ? null : extra(row.value_extra),
    fwd_fee: row.fwd_fee,
    // Since global version 12 messages have extra_flags instead of ihr_fee.
    ihr_fee: row.ihr_fee ?? (row.created_lt !== null && row.value !== null ? '0' : null),
    extra_flags: row.extra_flags,
    created_lt: row.created_lt,
    created_at: row.created_at,
    ...opcodeOf(row.opcode),
    ihr_disabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: row.import_fee,
    // Null if the index lacks the cell.
    message_content: row.body_boc && {
      hash: base64(row.body_hash),
      body: base64(row.body_boc),
      decoded: decodedOf(row.body_hash, row.body_boc, room) as Content['decoded'],
    },
    init_state: row.init_hash && row.init_boc && { hash: base64(row.init_hash), body: base64(row.init_boc), decoded: null },
    in_msg_tx_hash: optional(maybeBase64(transactions?.received)),
    out_msg_tx_hash: optional(maybeBase64(transactions?.sent)),
  })
}
