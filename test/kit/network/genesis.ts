import { CONFIG_ADDRESS, configRoot, defaultConfig, ELECTOR_ADDRESS } from '../../../server/chain/local/config/defaults.ts'
import { systemContracts } from '../../../server/chain/local/genesis.ts'
import type { AccountInput, Genesis } from '../../../server/chain/local/model.ts'
import { createValidator } from '../../../server/chain/local/validator.ts'
import { loadWhole, storeWhole } from '../../../server/tlb/config/config-dictionary.ts'
import { simplexConfigs } from '../../../server/tlb/config/simplex.ts'
import { workchains, workchainsCell } from '../../../server/tlb/config/workchains.ts'
import { applyAccountInput } from '../chain/account-input.ts'
import { createGenesis } from '../chain/create-genesis.ts'
import type { Validators } from './validators.ts'

/** Not mainnet's and not testnet's. */
const GLOBAL_ID = -217
const COIN = 1_000_000_000n
const NO_SEED = Buffer.alloc(32, 1)
/** 2^4 shards. */
const MAX_SPLIT = 4

/** The zerostates of the network: the configuration of the embedded chain, but for validators, the simplex consensus and shards. */
export const networkGenesis = (validators: Validators, wallets: readonly AccountInput[], utime: number): Genesis => {
  const nothing = { rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) }
  const params = defaultConfig({ globalId: GLOBAL_ID, utime, validator: createValidator(NO_SEED), shardZero: nothing })
  const noncritical = new Map([[0, 400]])
  const simplex = { type: 'v2', flags: 0, protocolVersion: 0, useQuic: false, slotsPerLeaderWindow: 4, noncritical } as const
  const basic = loadWhole(params.get(12)!, workchains.load).get(0)!
  params.set(12, workchainsCell(new Map([[0, { ...basic, maxSplit: MAX_SPLIT }]])))
  params.set(30, storeWhole(simplexConfigs, { masterchain: simplex, shards: simplex }))
  params.set(34, validators.param(0, utime))
  const config = configRoot(params)
  const special = (input: AccountInput, balance: bigint): AccountInput => {
    const { account } = input
    return { account, cell: applyAccountInput(undefined, account, { ...input, balance }, 0) }
  }
  const [configuration, elector] = systemContracts(CONFIG_ADDRESS, ELECTOR_ADDRESS, config)
  const accounts = [...wallets, special(configuration, COIN), special(elector, COIN * COIN)]
  return createGenesis({ globalId: GLOBAL_ID, utime, validatorSeed: NO_SEED, accounts, state: { config } })
}
