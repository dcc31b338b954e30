import type { LiveEvent } from '../../live/events.ts'

/** Order of events within a block: state, jettons, transactions, actions, trace. A client can apply them in this order. */
export const RANK = { block: 0, state: 1, jettons: 2, transactions: 3, actions: 4, trace: 5 } as const

/** Number of base-36 digits of the largest lt. */
const LT_DIGITS = 13

/** An id is shortened to its first and last bytes, because vanity addresses may begin alike. */
const BYTES = { first: 4, last: 9 }

const hexOf = (id: Uint8Array): string => {
  const bytes = Buffer.from(id.buffer, id.byteOffset, id.length)
  return bytes.toString('hex', 0, BYTES.first) + bytes.toString('hex', bytes.length - BYTES.last)
}

/** The hash of an account, followed by the last byte of its workchain. */
export const accountId = (account: Buffer): Buffer => Buffer.concat([account.subarray(4), account.subarray(3, 4)])

/** Sort key of an event within its block, compared as text. It depends on chain data only, so all processes use the same key. */
export const place = (rank: number, lt: string, id: Uint8Array): string =>
  `${rank}${BigInt(lt).toString(36).padStart(LT_DIGITS, '0')}${hexOf(id)}`

/** `seqno`: the masterchain block to which the event belongs. */
export interface Placed {
  readonly seqno: number
  readonly event: LiveEvent
}
