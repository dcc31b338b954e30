import { type AnyHandler, answering } from '../base/answer.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { accountHandlers } from './accounts.ts'
import { blockHandlers } from './blocks.ts'
import { dnsHandlers } from './dns.ts'
import { jettonHandlers } from './jettons.ts'
import { legacyHandlers, type V2 } from './legacy.ts'
import { messageHandlers } from './messages.ts'
import { nftHandlers } from './nfts.ts'
import { stakingHandlers } from './staking.ts'
import { traceHandlers } from './traces.ts'
import { transactionHandlers } from './transactions.ts'
import { validatorHandlers } from './validators.ts'
import { walletHandlers } from './wallets.ts'

export interface V3Deps {
  /** Reads of the index; its methods throw UNAVAILABLE while there is none to read. */
  readonly reader: Reader
  /** The same methods of v2, for the legacy group. */
  readonly v2: V2
}

/** Handlers of every v3 method. */
export const createV3Handlers = ({ reader, v2 }: V3Deps): Readonly<Record<string, AnyHandler>> =>
  ({
    ...blockHandlers({ reader }),
    ...transactionHandlers({ reader }),
    ...messageHandlers({ reader }),
    ...accountHandlers({ reader }),
    ...traceHandlers({ reader }),
    ...jettonHandlers({ reader }),
    ...nftHandlers({ reader }),
    ...dnsHandlers({ reader }),
    ...stakingHandlers({ reader }),
    ...validatorHandlers({ reader }),
    ...walletHandlers({ reader }),
    ...answering(legacyHandlers({ reader, v2 })),
  }) as unknown as Readonly<Record<string, AnyHandler>>
