import { actionsTopic } from './actions/topic.ts'
import { contractsTopic } from './contracts/detect.ts'
import { jettonsTopic } from './jettons/topic.ts'
import { nftsTopic } from './nfts/topic.ts'
import { stakingTopic } from './staking/topic.ts'
import type { Topic } from './topic.ts'
import { validatorsTopic } from './validators/topic.ts'
import { walletsTopic } from './wallets/topic.ts'

/** The topics in the order in which they derive a block. Later topics may read the rows of earlier topics. */
export const TOPICS: readonly Topic[] = [contractsTopic, jettonsTopic, nftsTopic, validatorsTopic, stakingTopic, walletsTopic, actionsTopic]
