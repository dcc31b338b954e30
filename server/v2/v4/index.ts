import type { accounts } from '../../../shared/v4/accounts.ts'
import type { blocks } from '../../../shared/v4/blocks.ts'
import type { transactions } from '../../../shared/v4/transactions.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import type { Handlers } from '../../base/call.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { v4AccountHandlers } from './accounts.ts'
import { finalAnswers } from './at-block.ts'
import { v4BlockHandlers } from './blocks.ts'
import { v4TransactionHandlers } from './transactions.ts'

export interface V4Deps {
  readonly chain: Chain
  /** The v2 handler, because v4 sends messages in the same way. */
  readonly sendBoc: Handlers['sendBoc']
  readonly reverts: boolean
}

export const createV4Handlers = ({ chain, sendBoc, reverts }: V4Deps) => {
  const final = finalAnswers(reverts)
  return {
    ...v4BlockHandlers({ chain, final }),
    ...v4AccountHandlers({ chain, final }),
    ...v4TransactionHandlers({ chain, final, sendBoc }),
  } satisfies AnswerHandlers<keyof typeof blocks | keyof typeof accounts | keyof typeof transactions>
}
