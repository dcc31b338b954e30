import type { Result } from '../../../shared/registry.ts'
import { opcodeName } from '../../decode/decode.ts'
import type { MessageRow } from '../../store/queries/messages.ts'
import { createBodyDecoder, type Shown } from './decoded.ts'
import { base64, extra, maybeAddress, withoutNulls } from './values.ts'

export type WireMessage = Result<'v3.messages'>['messages'][number]
type Content = NonNullable<WireMessage['message_content']>

/** Message contents of one answer, found by the hash of their cell. A cell is decoded once, however often it occurs. */
export const createContents = (bocs: ReadonlyMap<string, Buffer>) => {
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
    body: (hash: Buffer): Content | null => {
      const key = base64(hash)
      const boc = bocs.get(key)
      return boc ? { hash: key, body: base64(boc), decoded: decodedOf(key, boc) } : null
    },
    init: (hash: Buffer | null): Content | null => {
      const boc = hash && bocs.get(base64(hash))
      return boc ? { hash: base64(hash), body: base64(boc), decoded: null } : null
    },
  }
}
export type Contents = ReturnType<typeof createContents>

/** A row of messages in v3's form. */
export const toMessage = (row: MessageRow, contents: Contents): WireMessage => {
  const internal = row.created_lt !== null && row.value !== null
  const content = contents.body(row.body_hash)
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
    message_content: content,
    init_state: contents.init(row.init_hash),
  }
}

/** Hashes of the cells that messages show: their bodies and initial states. */
export function* cellHashes(rows: readonly MessageRow[]): Generator<Buffer> {
  for (const row of rows) {
    yield row.body_hash
    if (row.init_hash) yield row.init_hash
  }
}
