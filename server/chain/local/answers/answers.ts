import { overlap } from '../../../tlb/block/shard-ident.ts'
import { LITE_ERROR, type LiteServer, LiteServerError } from '../../liteserver.ts'
import { accountAnswers } from './accounts.ts'
import { blockAnswers } from './blocks.ts'
import { configAnswers } from './config.ts'
import type { Answers, AnswersDeps } from './find-or-refuse.ts'
import { libraryAnswers } from './libraries.ts'
import { linkAnswers } from './links.ts'
import { lookupAnswers } from './lookup-with-proof.ts'
import { dispatchQueueAnswers, queueAnswers } from './message-queues.ts'
import { runAnswers } from './run.ts'
import { serviceAnswers } from './service.ts'
import { shardAnswers, shardLinkAnswers } from './shards.ts'
import { transactionAnswers } from './transactions.ts'
import { validatorStatsAnswers } from './validator-stats.ts'

/** Answers every lite-server query from a store of blocks and states, like TON's lite-server. Refusals are LiteServerError. */
export const createAnswers = (deps: AnswersDeps): Pick<LiteServer, 'query'> => {
  const answers: Answers = {
    ...serviceAnswers(deps),
    ...blockAnswers(deps),
    ...lookupAnswers(deps),
    ...accountAnswers(deps),
    ...shardAnswers(deps),
    ...shardLinkAnswers(deps),
    ...transactionAnswers(deps),
    ...configAnswers(deps),
    ...libraryAnswers(deps),
    ...linkAnswers(deps),
    ...queueAnswers(deps),
    ...dispatchQueueAnswers(deps),
    ...validatorStatsAnswers(deps),
    ...runAnswers(deps),
    // Only blocks that `holdShardBlocks` withholds are pending: every other shard block is stored together with the masterchain block that commits it.
    'nonfinal.getPendingShardBlocks': async ({ shard }) => ({
      signedBlocks: (deps.pendingShardBlocks?.() ?? []).filter((id) => shard === undefined || overlap(id, shard)),
      candidates: [],
    }),
  }
  return {
    async query(fn, args, signal) {
      signal.throwIfAborted()
      if (!Object.hasOwn(answers, fn)) throw new LiteServerError(LITE_ERROR.protocolViolation, 'unknown query')
      return answers[fn](args, signal)
    },
  }
}
