import { expect, it } from 'vitest'
import { configRoot, defaultConfig } from '../../../server/chain/local/config/defaults.ts'
import { createForkGenesis } from '../../../server/chain/local/fork/genesis.ts'
import { createValidator } from '../../../server/chain/local/validator.ts'
import { withConfigParam } from '../../../server/tlb/config/config-dictionary.ts'
import { wideTree } from '../../kit/bombs.ts'
import { createGenesis } from '../../kit/chain/create-genesis.ts'
import { countTurns } from '../../kit/turns.ts'

it('a fork of a network with a large configuration is begun in several turns of the event loop', async () => {
  const [globalId, utime, validatorSeed] = [-3, 1_700_000_000, new Uint8Array(32).fill(1)]
  const { shard, master } = createGenesis({ globalId, utime, validatorSeed, accounts: [] }).tip
  const config = configRoot(defaultConfig({ globalId, utime, validator: createValidator(validatorSeed), shardZero: shard.id }))
  const base = {
    ...{ block: master.id, globalId, utime, endLt: 5n, configAddr: new Uint8Array(32).fill(0x55), libraries: undefined },
    ...{ config: withConfigParam(config, -1000, wideTree(30_000)), shardAccounts: () => undefined, masterAccounts: () => undefined },
  }
  const turns = countTurns()
  await createForkGenesis(base, { validatorSeed, accounts: [] })
  turns.stop()
  expect(turns.count()).toBeGreaterThan(1)
})
