import type { MessageTable } from '../decode/catalogue.ts'
import type { ActionTypes } from './details.ts'
import type { Matcher } from './matcher.ts'
import type { RequiredFactsReaders } from './required-facts.ts'
import type { Step } from './step.ts'

/**
 * The stages of a classification, in their order. A matcher sees the groups of all earlier stages. So a matcher of several messages runs
 * before the matchers that would claim some of them, and a matcher that uses groups runs after those that make them.
 */
export const STAGES = [
  /** Operations that contain jetton transfers or burns, whose matchers would otherwise claim some of their messages. */
  'before transfers',
  /** Transfers of jettons. */
  'transfers',
  /** Operations that contain a burn and the transfers behind it. */
  'before burns',
  'burns',
  /** Operations of exchanges, from transfers. */
  'swaps',
  /** Operations that transfers of NFTs would take apart. */
  'before items',
  /** Transfers of NFTs. */
  'items',
  /** Sales of NFTs, from their transfers. */
  'sales',
  /** Bids, and the ends of auctions and sales. */
  'auctions',
  /** Operations that mints would take apart. */
  'before mints',
  'mints',
  /** Everything else: most operations are found from transfers, burns and mints. */
  'operations',
] as const

/** Besides the stages, messages that were requested from a wallet and not sent have matchers of their own. */
export type Stage = (typeof STAGES)[number] | 'unsent'

/** All that tonway knows of one protocol: a folder of server/protocols, and a line in its index. */
export interface Protocol extends MessageTable {
  readonly name: string
  /** Matchers by the stage in which they run. In one stage those of earlier protocols come first. */
  readonly matchers?: { readonly [S in Stage]?: readonly Matcher[] }
  /** The types of actions that only this protocol has, or that it has for several. */
  readonly actions?: ActionTypes
  /** The accounts, besides those of the transactions, whose facts the matchers need. */
  readonly requiredFacts?: RequiredFactsReaders
  /** Joins steps of different branches, after all matchers have run. */
  readonly join?: (steps: readonly Step[]) => readonly Step[]
}
