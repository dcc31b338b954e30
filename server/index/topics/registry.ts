import { actionsExtension } from './actions/extension.ts'
import { contractsExtension } from './contracts/detect.ts'
import { jettonsExtension } from './jettons/extension.ts'
import { nftsExtension } from './nfts/extension.ts'
import { stakingExtension } from './staking/extension.ts'
import type { Extension } from './topic.ts'
import { validatorsExtension } from './validators/extension.ts'
import { walletsExtension } from './wallets/extension.ts'

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
