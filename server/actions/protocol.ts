import type { MessageTable } from '../decode/bodies.ts'
import type { ActionTypes } from './details.ts'
import type { Matcher } from './matcher.ts'
import type { RequiredFactsReaders } from './required-facts.ts'
import type { Step } from './step.ts'

/**
 * The stages of a classification, in their order. A matcher sees the groups of all earlier stages. So matchers of larger operations run before the matchers
 * that would claim their messages one by one, and a matcher that uses groups runs after the matcher that makes them.
 */
export const STAGES = [
  /** Operations whose messages the matchers of jetton transfers and burns would otherwise claim. */
  'before transfers',
  'transfers',
  /** Operations that contain a burn and the transfers that it caused. */
  'before burns',
  'burns',
  /** Exchange operations, made from groups of transfers. */
  'swaps',
  /** Operations whose messages the matchers of NFT transfers would otherwise claim. */
  'before items',
  'items',
  /** Sales of NFTs, made from groups of NFT transfers. */
  'sales',
  /** Bids, and the ends of auctions and sales. */
  'auctions',
  /** Operations whose messages the matchers of mints would otherwise claim. */
  'before mints',
  'mints',
  /** All other operations. Most are made from transfers, burns and mints. */
  'operations',
] as const

/** `unsent`: matchers for the messages that a wallet was requested to send and did not send. */
export type Stage = (typeof STAGES)[number] | 'unsent'

/** One protocol: a folder of server/protocols that is listed in its index. */
export interface Protocol extends MessageTable {
  /** Matchers by the stage in which they run. Within a stage, matchers of earlier protocols run first. */
  readonly matchers?: { readonly [S in Stage]?: readonly Matcher[] }
  /** Action types that this protocol defines, for itself or also for other protocols. */
  readonly actions?: ActionTypes
  /** Which accounts the matchers need facts of, in addition to the accounts of the transactions. */
  readonly requiredFacts?: RequiredFactsReaders
  /** Joins steps of different branches of a trace, after all matchers have run. */
  readonly join?: (steps: readonly Step[]) => readonly Step[]
}
