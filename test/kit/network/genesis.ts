import { parseBocRoot } from '../../../server/cell/boc.ts'
import { CONFIG_ADDRESS, configRoot, defaultConfig, ELECTOR_ADDRESS } from '../../../server/chain/local/config/defaults.ts'
import { code as configurationCode } from '../../../server/chain/local/contracts/configuration.tolk'
import { code as electorCode } from '../../../server/chain/local/contracts/elector.tolk'
import { configurationData, electorData } from '../../../server/chain/local/genesis.ts'
import type { AccountInput, Genesis } from '../../../server/chain/local/model.ts'
import { createValidator } from '../../../server/chain/local/validator.ts'
import { loadWhole, storeWhole } from '../../../server/tlb/config/config-dictionary.ts'
import { simplexConfigs } from '../../../server/tlb/config/simplex.ts'
import { workchains, workchainsCell } from '../../../server/tlb/config/workchains.ts'
import { MASTERCHAIN } from '../../../server/tlb/ids.ts'
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
  const special = (hash: Uint8Array, balance: bigint, code: string, data = electorData()): AccountInput => {
    const account = { workchain: MASTERCHAIN, hash }
    const input = { account, balance, code: parseBocRoot(Buffer.from(code, 'base64')), data }
    return { account, cell: applyAccountInput(undefined, account, input, 0) }
  }
  const accounts = [
    ...wallets,
    special(CONFIG_ADDRESS, COIN, configurationCode, configurationData(config)),
    special(ELECTOR_ADDRESS, COIN * COIN, electorCode),
  ]
  return createGenesis({ globalId: GLOBAL_ID, utime, validatorSeed: NO_SEED, accounts, state: { config } })
}
