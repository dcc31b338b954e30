import { hashCell, parseBoc } from './boc.ts'
import { base64Of, bytesOf } from './bytes.ts'

/** Identifies an external message for `client.waitForMessage`: its destination, and its normalized hash and body hash in base64. */
export interface MessageId {
  readonly address: string
  readonly hash: string
  readonly bodyHash: string
}

/**
 * Parses `message$_ info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X` (ton-blockchain/ton
 * crypto/block/block.tlb) for an external message to a std address. `boc` is base64. Throws TypeError.
 */
export const messageId = (boc: string): MessageId => {
  const root = parseBoc(bytesOf(boc))
  let at = 0
  let ref = 0
  const take = (length: number): string => {
    at += length
    return root.bits.slice(at - length, at)
  }
  const number = (length: number): number => Number.parseInt(take(length), 2)
  const maybe = (length: number): unknown => take(1) === '1' && take(length)
  const source = take(4)
  if (source === '1001') take(number(9))
  else if (source !== '1000') throw new TypeError('boc: not an external message')
  if (take(3) !== '100') throw new TypeError('boc: no std address')
  const dest = take(264)
  take(8 * number(4))
  if (take(1) === '1') {
    if (take(1) === '1') ref++
    else {
      // split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE 256 SimpleLib)
      maybe(5)
      maybe(2)
      for (let i = 0; i < 3; i++) ref += Number(take(1))
    }
  }
  const either = take(1)
  const body = either === '1' ? root.refs[ref] : hashCell(root.bits.slice(at), root.refs.slice(ref))
  if (either === '' || !body) throw new TypeError('boc: cut off')
  const hash = BigInt(`0b${dest.slice(8)}`)
    .toString(16)
    .padStart(64, '0')
  return {
    address: `${(Number.parseInt(dest.slice(0, 8), 2) << 24) >> 24}:${hash}`,
    // TEP-467: ext_in_msg_info$10 src:addr_none$00 dest import_fee:0, no StateInit, the body in a reference.
    hash: base64Of(hashCell(`1000100${dest}000001`, [body]).hashes[3]!),
    bodyHash: base64Of(body.hashes[3]!),
  }
}
