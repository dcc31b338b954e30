import { type AnyHandler, answering } from '../base/answer.ts'
import { accountHandlers } from './accounts.ts'
import { actionHandlers } from './actions.ts'
import type { V3Index } from './answer/answer.ts'
import { balanceHandlers } from './balance-changes.ts'
import { blockHandlers } from './blocks.ts'
import { dnsHandlers } from './dns.ts'
import { jettonHandlers } from './jettons.ts'
import { legacyHandlers, type V2 } from './legacy.ts'
import { messageHandlers } from './messages.ts'
import { walletHandlers } from './multisig-and-vesting.ts'
import { nftHandlers } from './nfts.ts'
import { type PendingSource, pendingHandlers } from './pending.ts'
import { stakingHandlers } from './staking.ts'
import { tokenHandlers } from './tokens.ts'
import { statsHandlers } from './top-accounts.ts'
import { traceHandlers } from './traces.ts'
import { transactionHandlers } from './transactions.ts'
import { validatorHandlers } from './validators.ts'

export interface V3Deps extends V3Index {
  readonly v2: V2
  /** Undefined if the service does not follow pending messages. */
  readonly pending?: PendingSource | undefined
  /** Wraps the handlers that the threads of large pages have too. */
  readonly inThreads?: (handlers: V3Handlers) => V3Handlers
}

type V3Handlers = Readonly<Record<string, AnyHandler>>

/** The handlers that need the index alone, so that the threads of large pages have them too. */
export const createIndexHandlers = (index: V3Index): V3Handlers =>
  ({
    ...blockHandlers(index),
    ...transactionHandlers(index),
    ...messageHandlers(index),
    ...accountHandlers(index),
    ...traceHandlers(index),
    ...actionHandlers(index),
    ...balanceHandlers(index),
    ...jettonHandlers(index),
    ...nftHandlers(index),
    ...dnsHandlers(index),
    ...stakingHandlers(index),
    ...validatorHandlers(index),
    ...walletHandlers(index),
    ...statsHandlers(index),
  }) satisfies V3Handlers

export const createV3Handlers = ({ v2, pending, inThreads = (own) => own, ...index }: V3Deps): V3Handlers => ({
  ...inThreads(createIndexHandlers(index)),
  ...pendingHandlers(index, pending),
  ...answering(tokenHandlers(index)),
  ...answering(legacyHandlers({ reader: index.reader, v2 })),
})
