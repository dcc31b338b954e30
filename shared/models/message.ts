import * as z from 'zod'
import { base64, decimal, friendly, friendlyOrNone, hash44 } from './wire.ts'

export const accountAddress = z
  .strictObject({ '@type': z.literal('accountAddress'), account_address: friendly() })
  .meta({ id: 'AccountAddress' })

/** The same where there may be none: the text is then empty. */
const accountAddressOrNone = z
  .strictObject({ '@type': z.literal('accountAddress'), account_address: friendlyOrNone() })
  .meta({ id: 'AccountAddressOrNone' })

export const extraCurrency = z
  .strictObject({ '@type': z.literal('extraCurrency'), id: z.int32(), amount: decimal() })
  .meta({ id: 'ExtraCurrency' })

/** A body: text, encrypted text (both without their op) or raw with the StateInit (v2.md 2.4). */
export const messageData = z
  .discriminatedUnion('@type', [
    z.strictObject({ '@type': z.literal('msg.dataRaw'), body: base64(), init_state: base64() }),
    z.strictObject({ '@type': z.literal('msg.dataText'), text: base64() }),
    z.strictObject({ '@type': z.literal('msg.dataDecryptedText'), text: base64() }),
    z.strictObject({ '@type': z.literal('msg.dataEncryptedText'), text: base64() }),
  ])
  .meta({ id: 'MessageData' })

const money = {
  value: decimal(),
  extra_currencies: z.array(extraCurrency),
  fwd_fee: decimal(),
  ihr_fee: decimal(),
  created_lt: decimal(),
  body_hash: hash44(),
  msg_data: messageData,
}

/** ext.message: addresses as plain texts, "" where there is none, and the decoded comment. */
export const message = z
  .strictObject({
    '@type': z.literal('ext.message'),
    hash: hash44(),
    source: friendlyOrNone(),
    destination: friendlyOrNone(),
    ...money,
    message: z.string().optional(),
    message_decode_error: z.string().optional(),
  })
  .meta({ id: 'Message' })

/** raw.message: addresses as objects. */
export const rawMessage = z
  .strictObject({
    '@type': z.literal('raw.message'),
    hash: hash44(),
    source: accountAddressOrNone,
    destination: accountAddressOrNone,
    ...money,
  })
  .meta({ id: 'RawMessage' })
