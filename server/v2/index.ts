import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { accountHandlers } from './accounts.ts'
import { blockHandlers } from './blocks.ts'
import { configHandlers } from './config.ts'
import { codeHandlers } from './inspect/code.ts'
import { runHandlers } from './run.ts'
import { sendHandlers } from './send.ts'
import { transactionHandlers } from './transactions.ts'
import { utilHandlers } from './utils.ts'

export interface V2Deps {
  readonly chain: Chain
  readonly tvm: Tvm
  /** Set for an embedded chain: `arrival` resolves when a block contains a message. */
  readonly control?: Pick<LocalControl, 'arrival' | 'idleOrBusyTooLong'> | undefined
  readonly isEmbedded?: boolean | undefined
  /** Unix seconds, for getConsensusBlock. */
  readonly now?: () => number
}

export const createV2Handlers = ({ chain, tvm, control, isEmbedded = false, now = () => Math.floor(Date.now() / 1000) }: V2Deps) =>
  ({
    ...accountHandlers({ chain }),
    ...blockHandlers({ chain, now }),
    ...transactionHandlers({ chain }),
    ...runHandlers({ chain, isEmbedded }),
    ...sendHandlers({ chain, tvm, control }),
    ...utilHandlers(),
    ...codeHandlers(),
    ...configHandlers({ chain }),
  }) satisfies Partial<Handlers>
