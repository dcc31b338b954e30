import type { Handlers } from '../base/call.ts'
import { accountHandlers } from './accounts.ts'
import { blockHandlers } from './blocks.ts'
import { configHandlers } from './config.ts'
import { codeHandlers } from './inspect/code.ts'
import { runHandlers } from './run.ts'
import { type SendDeps, sendHandlers } from './send.ts'
import { transactionHandlers } from './transactions.ts'
import { utilHandlers } from './utils.ts'

export interface V2Deps extends SendDeps {
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
