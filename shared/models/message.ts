import * as z from 'zod'
import { base64, decimal, friendly, friendlyOrNone, hash44, int32, lt, many, nanotons, text, tlModel, tlObject } from './value-formats.ts'

export const accountAddress = tlModel('AccountAddress', 'accountAddress', { account_address: friendly('The address.') })

/** The text is empty for addr_none. */
const accountAddressOrNone = tlModel('AccountAddressOrNone', 'accountAddress', { account_address: friendlyOrNone('The address.') })

export const extraCurrency = tlModel('ExtraCurrency', 'extraCurrency', {
  id: int32('Number of the currency.', 100),
  amount: decimal('Amount in its smallest units.'),
})

/** A message body: text, encrypted text (both without their opcode), or raw with the StateInit. Decrypted text is never returned. */
const messageData = z
  .discriminatedUnion('@type', [
    tlObject('msg.dataRaw', {
      body: base64('Body of the message, as a BoC.'),
      init_state: base64('StateInit of the message, as a BoC; empty if it has none.'),
    }),
    tlObject('msg.dataText', { text: base64('The comment, as bytes of UTF-8.') }),
    tlObject('msg.dataDecryptedText', { text: base64('The decrypted comment, as bytes of UTF-8.') }),
    tlObject('msg.dataEncryptedText', { text: base64('The encrypted comment, as bytes.') }),
  ])
  .meta({ id: 'MessageData' })

const hash = hash44('Hash of the message.')
const money = {
  value: nanotons('Coins that the message carries.'),
  extra_currencies: many('What it carries of other currencies than Gram.', extraCurrency),
  fwd_fee: nanotons('Fee for forwarding that is left for the next validators.'),
  ihr_fee: nanotons('Fee for instant hypercube routing, which is not used.', '0'),
  created_lt: lt('Logical time at which the message was created.'),
  body_hash: hash44('Hash of the body.'),
  msg_data: messageData.describe('Body of the message, as a comment if it is one.'),
}

/** ext.message: addresses are plain texts ("" for addr_none); the comment is decoded. */
export const message = tlModel('Message', 'ext.message', {
  hash,
  source: friendlyOrNone('The account that sent the message; empty for an incoming external message.'),
  destination: friendlyOrNone('The account that the message is for; empty for an outgoing external message.'),
  ...money,
  message: text('The comment as text; of another body its bytes in base64.', 'hello').optional(),
  message_decode_error: text('Why the body could not be read as a comment.', 'not a text').optional(),
})

/** raw.message: addresses are objects. */
export const rawMessage = tlModel('RawMessage', 'raw.message', {
  hash,
  source: accountAddressOrNone.describe('The account that sent the message; empty for an incoming external message.'),
  destination: accountAddressOrNone.describe('The account that the message is for; empty for an outgoing external message.'),
  ...money,
})
