import type { Result } from '../../../shared/registry.ts'
import { opcodeName } from '../../decode/decode.ts'
import type { FullMessage } from '../../store/queries/messages.ts'
import { createBodyDecoder, type Shown } from './decoded.ts'
import { base64, extra, maybeAddress, withoutNulls } from './values.ts'

export type WireMessage = Result<'v3.messages'>['messages'][number]
type Content = NonNullable<WireMessage['message_content']>

/** Message contents of one answer. A cell is decoded once, however often it occurs. */
export const createContents = () => {
  const show = createBodyDecoder()
  const decoded = new Map<string, Shown>()
  const decodedOf = (hash: string, boc: Buffer): Shown => {
    const known = decoded.get(hash)
    if (known !== undefined) return known
    const shown = show(boc)
    decoded.set(hash, shown)
    return shown
  }
  return {
    body: (hash: Buffer, boc: Buffer | null): Content | null => {
      if (boc === null) return null
      const key = base64(hash)
      return { hash: key, body: base64(boc), decoded: decodedOf(key, boc) }
    },
    init: (hash: Buffer | null, boc: Buffer | null): Content | null =>
      hash && boc && { hash: base64(hash), body: base64(boc), decoded: null },
  }
}
export type Contents = ReturnType<typeof createContents>

/** A row of messages in v3's form. */
export const toMessage = (row: FullMessage, contents: Contents): WireMessage => {
  const internal = row.created_lt !== null && row.value !== null
  return {
    hash: base64(row.msg_hash),
    ...withoutNulls({ hash_norm: row.msg_hash_norm && base64(row.msg_hash_norm) }),
    source: maybeAddress(row.source),
    destination: maybeAddress(row.destination),
    value: row.value,
    // External messages carry no value. TON Center answers null for them.
    value_extra_currencies: row.value === null ? null : extra(row.value_extra),
    fwd_fee: row.fwd_fee,
    // From global version 12 on, extra_flags takes the place of this field.
    ihr_fee: row.ihr_fee ?? (internal ? '0' : null),
    extra_flags: row.extra_flags,
    created_lt: row.created_lt,
    created_at: row.created_at,
    opcode: row.opcode === null ? null : `0x${(row.opcode >>> 0).toString(16).padStart(8, '0')}`,
    // Decided by the opcode alone, even if the body cannot be decoded (v3.md 9.4).
    decoded_opcode: row.opcode === null ? null : opcodeName(row.opcode >>> 0),
    ihr_disabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: row.import_fee,
    message_content: contents.body(row.body_hash, row.body_boc),
    init_state: contents.init(row.init_hash, row.init_boc),
  }
}
