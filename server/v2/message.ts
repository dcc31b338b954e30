import { CellError } from '../cell/cell.ts'
import type { CurrencyCollection } from '../tlb/currency.ts'
import type { Message } from '../tlb/message/message.ts'
import { type Assembled, readSnake } from '../tlb/message/snake.ts'
import { friendlyOrEmpty } from './address.ts'
import { accountAddress, base64, boc, extraCurrencies, maybeBoc } from './wire.ts'

/* Messages as tonlib tells them, in two families: ext.message with plain addresses, raw.message with address objects (v2.md 2.4). */

const TEXT = 0x00000000
const ENCRYPTED_TEXT = 0x2167da4b
/** A body of cells holds less than this; there is no shorter limit. */
const WHOLE = 1 << 22

const NOTHING: CurrencyCollection = { grams: 0n }

/** Text behind an op of 32 bits, plain or encrypted; undefined for every other body. */
const textBody = (message: Message): { readonly op: number; readonly text: Assembled } | undefined => {
  if (message.body.exotic || message.body.bits < 32) return undefined
  const s = message.body.slice()
  const op = s.loadUint(32)
  if (op !== TEXT && op !== ENCRYPTED_TEXT) return undefined
  try {
    const text = readSnake(s, WHOLE)
    return text && { op, text }
  } catch (error) {
    // An exotic cell somewhere down the chain: no text.
    if (!(error instanceof CellError)) throw error
    return undefined
  }
}

/** Data bytes of the root cell alone, the padding of the last one zero. */
const rootData = (message: Message): string => {
  const data = message.body.data()
  return data.length === 0 ? '' : `${base64(data)}\n`
}

const money = (info: Message['info']) => {
  const value = info.type === 'internal' ? info.value : NOTHING
  return {
    value: value.grams.toString(),
    extra_currencies: extraCurrencies(value),
    fwd_fee: info.type === 'internal' ? info.fwdFee.toString() : '0',
    // The field carries flags in newer blocks; tonlib has told 0 since.
    ihr_fee: '0',
    created_lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
  }
}

const parts = (message: Message) => {
  const { info, body } = message
  const text = textBody(message)
  const msg_data = text
    ? ({ '@type': text.op === TEXT ? 'msg.dataText' : 'msg.dataEncryptedText', text: base64(text.text.bytes) } as const)
    : ({ '@type': 'msg.dataRaw', body: boc(body), init_state: maybeBoc(message.initCell) } as const)
  return {
    source: friendlyOrEmpty(info.type === 'external-in' ? undefined : info.src),
    destination: friendlyOrEmpty(info.type === 'external-out' ? undefined : info.dest),
    rest: { ...money(info), body_hash: base64(body.hash()), msg_data },
    text,
  }
}

/** ext.message. `message`: the comment, else the root cell's bytes in base64 and a line feed; left out for an encrypted comment. */
export const extMessage = (message: Message) => {
  const { source, destination, rest, text } = parts(message)
  const shown = text?.op === ENCRYPTED_TEXT ? undefined : text ? Buffer.from(text.text.bytes).toString('utf8') : rootData(message)
  return {
    '@type': 'ext.message',
    hash: base64(message.root.hash()),
    source,
    destination,
    ...rest,
    ...(shown !== undefined && { message: shown }),
  } as const
}

/** raw.message. */
export const rawMessage = (message: Message) => {
  const { source, destination, rest } = parts(message)
  return {
    '@type': 'raw.message',
    hash: base64(message.root.hash()),
    source: accountAddress(source),
    destination: accountAddress(destination),
    ...rest,
  } as const
}

/** Forward fees of a message that the sender's `fee` counts besides total_fees. */
export const forwardFee = (message: Message): bigint => (message.info.type === 'internal' ? message.info.fwdFee : 0n)
