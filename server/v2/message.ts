import { ENCRYPTED_COMMENT } from '../actions/comment-text.ts'
import { inOwnTurn } from '../base/yield.ts'
import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import type { CurrencyCollection } from '../tlb/currency.ts'
import type { Message } from '../tlb/message/message.ts'
import { readSnake } from '../tlb/message/snake.ts'
import { friendlyOrEmpty } from './address.ts'
import type { AnswerTexts } from './answer-texts.ts'
import { accountAddress, base64, extraCurrencies } from './wire.ts'

/* Messages in the two forms of tonlib: ext.message with addresses as text, raw.message with addresses as objects. */

const TEXT = 0x00000000
/** Bytes. No message body is larger, so texts are never cut. */
const WHOLE = 1 << 22

const NOTHING: CurrencyCollection = { grams: 0n }

/** The comment of a body, plain or encrypted, after its 32-bit op; undefined for all other bodies, and if one of the text's cells is exotic. */
export const textBody = (body: Cell): { readonly isEncrypted: boolean; readonly bytes: Uint8Array } | undefined => {
  if (body.exotic || body.bits < 32) return undefined
  const s = body.slice()
  const op = s.loadUint(32)
  if (op !== TEXT && op !== ENCRYPTED_COMMENT) return undefined
  const text = attempt(() => readSnake(s, WHOLE))
  return text && { isEncrypted: op === ENCRYPTED_COMMENT, bytes: text.bytes }
}

/** Data bytes of the body's root cell only. Unused bits of the last byte are zero. */
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
    // tonlib always returns 0. Newer blocks store flags in this field of the message.
    ihr_fee: '0',
    created_lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
  }
}

const parts = async (message: Message, texts: AnswerTexts) => {
  const { info, body, initCell } = message
  const text = await inOwnTurn(() => textBody(body))
  const msg_data = text
    ? ({ '@type': text.isEncrypted ? 'msg.dataEncryptedText' : 'msg.dataText', text: texts.count(base64(text.bytes)) } as const)
    : ({ '@type': 'msg.dataRaw', body: await texts.boc(body), init_state: initCell ? await texts.boc(initCell) : '' } as const)
  return {
    source: friendlyOrEmpty(info.type === 'external-in' ? undefined : info.src),
    destination: friendlyOrEmpty(info.type === 'external-out' ? undefined : info.dest),
    rest: { ...money(info), body_hash: base64(body.hash()), msg_data },
    text,
  }
}

/**
 * ext.message. `message` is the comment, or without a comment the bytes of the body's root cell in base64 with a line feed. Omitted for an encrypted
 * comment.
 */
export const extMessage = async (message: Message, texts: AnswerTexts) => {
  const { source, destination, rest, text } = await parts(message, texts)
  const shown = text?.isEncrypted ? undefined : text ? texts.count(Buffer.from(text.bytes).toString('utf8')) : rootData(message)
  return {
    '@type': 'ext.message',
    hash: base64(message.root.hash()),
    source,
    destination,
    ...rest,
    ...(shown !== undefined && { message: shown }),
  } as const
}

export const rawMessage = async (message: Message, texts: AnswerTexts) => {
  const { source, destination, rest } = await parts(message, texts)
  return {
    '@type': 'raw.message',
    hash: base64(message.root.hash()),
    source: accountAddress(source),
    destination: accountAddress(destination),
    ...rest,
  } as const
}

/** Forward fee of a message in nanograms. The `fee` of the sender's transaction includes it, although total_fees does not. */
export const fwdFeeOf = (message: Message): bigint => (message.info.type === 'internal' ? message.info.fwdFee : 0n)
