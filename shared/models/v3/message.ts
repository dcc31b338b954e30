import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBookAndMetadata } from './book.ts'
import { extraCurrencies } from './values.ts'

/** A cell as a BoC; `decoded`: what is known of its meaning. */
const messageContent = z
  .strictObject({ hash: hash44(), body: base64(), decoded: z.record(z.string(), z.unknown()).nullable() })
  .meta({ id: 'V3MessageContent' })

/** Members of internal messages are null in external ones; `hash_norm` is there for external-in messages only. */
export const v3Message = z
  .strictObject({
    hash: hash44(),
    hash_norm: hash44().optional(),
    source: rawUpper().nullable(),
    destination: rawUpper().nullable(),
    value: decimal().nullable(),
    value_extra_currencies: extraCurrencies,
    fwd_fee: decimal().nullable(),
    ihr_fee: decimal().nullable(),
    extra_flags: decimal().nullable(),
    created_lt: decimal().nullable(),
    created_at: decimal().nullable(),
    opcode: z
      .string()
      .regex(/^0x[0-9a-f]{8}$/)
      .nullable(),
    decoded_opcode: z.string().nullable(),
    ihr_disabled: z.boolean().nullable(),
    bounce: z.boolean().nullable(),
    bounced: z.boolean().nullable(),
    import_fee: decimal().nullable(),
    in_msg_tx_hash: hash44().optional(),
    out_msg_tx_hash: hash44().optional(),
    message_content: messageContent.nullable(),
    init_state: messageContent.nullable(),
  })
  .meta({ id: 'V3Message' })

export const v3Messages = z.strictObject({ messages: z.array(v3Message), ...withBookAndMetadata, ...nextCursor }).meta({ id: 'V3Messages' })
