import type { Result } from '../../../shared/registry.ts'
import { base64, flag, json, type Members, maybeBase64, object, optional, part, type Shape, when, word } from '../../base/json/shape.ts'
import { opcodeName } from '../../protocols/index.ts'
import type { FullMessage } from '../../store/queries/messages.ts'
import { nameOf } from '../../store/row-keys.ts'
import { createBodyDecoder, type Shown } from './decoded.ts'
import { extraAt, maybeAddressAt } from './values.ts'

export type WireMessage = Result<'v3.messages'>['messages'][number]
type Content = NonNullable<WireMessage['message_content']>

interface CellOf {
  readonly hash: Buffer
  readonly boc: Buffer
  readonly decoded: Shown
}

const content: Shape<CellOf, Content> = object({
  hash: base64((cell) => cell.hash),
  body: base64((cell) => cell.boc),
  decoded: json((cell) => cell.decoded as Content['decoded']),
})

/** Decodes the message bodies of one answer. A cell is decoded once, however often it occurs. */
export const createContents = () => {
  const show = createBodyDecoder()
  const decoded = new Map<string, Shown>()
  const decodedOf = (name: string, boc: Buffer): Shown => {
    const cached = decoded.get(name)
    if (cached !== undefined) return cached
    const shown = show(boc)
    decoded.set(name, shown)
    return shown
  }
  return {
    body: (hash: Buffer, boc: Buffer): Content => content.of({ hash, boc, decoded: decodedOf(nameOf(hash), boc) }),
  }
}
export type Contents = ReturnType<typeof createContents>

export interface MessageOf {
  readonly row: FullMessage
  readonly contents: Contents
}

/** Null if the index lacks the cell. */
const body: Shape<MessageOf, Content | null> = {
  of: ({ row, contents }) => row.body_boc && contents.body(row.body_hash, row.body_boc),
}

const init: Shape<MessageOf, Content | null> = part(
  ({ row: { init_hash, init_boc } }) => init_hash && init_boc && { hash: init_hash, boc: init_boc, decoded: null },
  content,
)

const HEX_DIGITS = 8

type Message = Omit<WireMessage, 'in_msg_tx_hash' | 'out_msg_tx_hash'>

const members: Members<MessageOf, Message> = {
  hash: base64(({ row }) => row.msg_hash),
  hash_norm: optional(maybeBase64(({ row }) => row.msg_hash_norm)),
  source: maybeAddressAt(({ row }) => row.source),
  destination: maybeAddressAt(({ row }) => row.destination),
  value: word(({ row }) => row.value),
  // External messages have no value, and TON Center returns null for them.
  value_extra_currencies: when(
    ({ row }) => row.value !== null,
    extraAt(({ row }) => row.value_extra),
  ),
  fwd_fee: word(({ row }) => row.fwd_fee),
  // Since global version 12 messages have extra_flags instead of ihr_fee.
  ihr_fee: word(({ row }) => row.ihr_fee ?? (row.created_lt !== null && row.value !== null ? '0' : null)),
  extra_flags: word(({ row }) => row.extra_flags),
  created_lt: word(({ row }) => row.created_lt),
  created_at: word(({ row }) => row.created_at),
  opcode: word(({ row }) => (row.opcode === null ? null : `0x${(row.opcode >>> 0).toString(16).padStart(HEX_DIGITS, '0')}`)),
  // Depends on the opcode alone, even if the body cannot be decoded.
  decoded_opcode: word(({ row }) => (row.opcode === null ? null : opcodeName(row.opcode >>> 0))),
  ihr_disabled: flag(({ row }) => row.ihr_disabled),
  bounce: flag(({ row }) => row.bounce),
  bounced: flag(({ row }) => row.bounced),
  import_fee: word(({ row }) => row.import_fee),
  message_content: body,
  init_state: init,
}

export const message: Shape<MessageOf, Message> = object(members)

export interface ListedMessage extends MessageOf {
  readonly receivedBy: Buffer | undefined
  readonly sentBy: Buffer | undefined
}

export const listedMessage: Shape<ListedMessage, WireMessage> = object({
  ...members,
  in_msg_tx_hash: optional(maybeBase64(({ receivedBy }: ListedMessage) => receivedBy ?? null)),
  out_msg_tx_hash: optional(maybeBase64(({ sentBy }: ListedMessage) => sentBy ?? null)),
})
