import { actionsExtension } from './actions/extension.ts'
import { contractsExtension } from './contracts/detect.ts'
import { jettonsExtension } from './jettons/topic.ts'
import { nftsExtension } from './nfts/topic.ts'
import { stakingExtension } from './staking/topic.ts'
import type { Extension } from './topic.ts'
import { validatorsExtension } from './validators/topic.ts'
import { walletsExtension } from './wallets/topic.ts'

/** In the order in which they derive a block. Later ones may read the rows of earlier ones. */
export const EXTENSIONS: readonly Extension[] = [
  contractsExtension,
  jettonsExtension,
  nftsExtension,
  validatorsExtension,
  stakingExtension,
  walletsExtension,
  actionsExtension,
]
