import type { LiveEvent } from '../../live/events.ts'

/** Order of events within a block: state, jettons, transactions, actions, trace, as a reader applies them. */
export const RANK = { block: 0, state: 1, jettons: 2, transactions: 3, actions: 4, trace: 5 } as const

/** Digits of a logical time in base 36. */
const LT_DIGITS = 13

/** The place of an event in its block, from data of the chain alone. Places compare as texts. */
export const place = (rank: number, lt: string, id: Uint8Array): string =>
  `${rank}${BigInt(lt).toString(36).padStart(LT_DIGITS, '0')}${Buffer.from(id).toString('hex', 0, 4)}`

/** An event, and the masterchain block that it belongs to. */
export interface Placed {
  readonly seqno: number
  readonly event: LiveEvent
}
