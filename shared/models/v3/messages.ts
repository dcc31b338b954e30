import * as z from 'zod'
import { base64, decimal, flag, hash44, lt, many, model, nanotons, rawUpper, text } from '../value-formats.ts'
import { metadataOfPage } from './book.ts'
import { withProof } from './proofs.ts'
import { extraCurrencies } from './values.ts'

/** A cell as a BoC. `decoded`: its content, if it can be decoded. */
const messageContent = model('V3MessageContent', {
  hash: hash44('Hash of the cell.'),
  body: base64('The cell, as a BoC.'),
  decoded: z
    .record(z.string(), z.unknown())
    .meta({ description: 'What it means; null if that is not known.', examples: [{ type: 'text_comment', comment: 'hello' }] })
    .nullable(),
})

/**
 * Members of internal messages are null for external messages. `hash_norm`: the normalized hash of an external message (TEP-467), if it differs from
 * `hash`.
 */
export const v3Message = model('V3Message', {
  hash: hash44('Hash of the message.'),
  hash_norm: hash44('Normalized hash (TEP-467) of an external message, if it differs from its hash.').optional(),
  source: rawUpper('The account that sent the message; null for an incoming external message.').nullable(),
  destination: rawUpper('The account that the message is for; null for an outgoing external message.').nullable(),
  value: nanotons('Coins that an internal message carries.').nullable(),
  value_extra_currencies: extraCurrencies.nullable(),
  fwd_fee: nanotons('Fee for forwarding an internal message that is left for the next validators.').nullable(),
  ihr_fee: nanotons('Fee for instant hypercube routing, which is not used.', '0').nullable(),
  extra_flags: decimal('Flags of an internal message; they ask for the new form of a bounced body.', '0').nullable(),
  created_lt: lt('Logical time at which the message was created; null for an incoming external message.').nullable(),
  created_at: decimal('When the message was created, in unix seconds; null for an incoming external message.', '1735689600').nullable(),
  opcode: text('The first 32 bits of the body, in hex; null if it is shorter.', '0x0f8a7ea5')
    .regex(/^0x[0-9a-f]{8}$/)
    .nullable(),
  decoded_opcode: text('Name of the opcode; null if it is not known.', 'jetton_transfer').nullable(),
  ihr_disabled: flag('Whether an internal message refuses instant hypercube routing.').nullable(),
  bounce: flag('Whether an internal message bounces if it fails.').nullable(),
  bounced: flag('Whether an internal message is one that bounced.').nullable(),
  import_fee: nanotons('Fee for bringing in a message from outside.', '0').nullable(),
  in_msg_tx_hash: hash44('Hash of the transaction that received the message.').optional(),
  out_msg_tx_hash: hash44('Hash of the transaction that sent the message.').optional(),
  message_content: messageContent.describe('Body of the message.').nullable(),
  init_state: messageContent.describe('StateInit of the message; null if it has none.').nullable(),
})

export const v3Messages = model('V3Messages', {
  messages: many('The messages that were found.', v3Message),
  ...metadataOfPage,
  ...withProof,
})
