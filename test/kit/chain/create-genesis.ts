import { endSteps } from '../../../server/base/yield.ts'
import { genesisSteps } from '../../../server/chain/local/genesis.ts'
import type { Genesis, GenesisOptions } from '../../../server/chain/local/model.ts'

/** Makes the zerostates without pauses. */
export const createGenesis = (options: GenesisOptions): Genesis => endSteps(genesisSteps(options))
