import { runSteps, yieldToEventLoop } from '../../../base/yield.ts'
import { augGet, augSetManySteps } from '../../../cell/aug.ts'
import { type Builder, beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { loadParam, storeWhole, withConfigParam } from '../../../tlb/config/config-dictionary.ts'
import { configAddress, globalVersion } from '../../../tlb/config/general.ts'
import { fundamentalContracts } from '../../../tlb/config/special-contracts.ts'
import { workchains, workchainsCell } from '../../../tlb/config/workchains.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../../../tlb/ids.ts'
import { loadShardAccount, shardAccountsAug, storeShardAccount } from '../../../tlb/state/shard-account.ts'
import { applyAccountSteps } from '../collate/accounts/account-input.ts'
import { exists } from '../collate/accounts/block-accounts.ts'
import { CAPABILITIES, ELECTOR_ADDRESS, GLOBAL_VERSION, validatorsParam } from '../config/defaults.ts'
import { genesisOf, systemContracts, zeroState } from '../genesis.ts'
import { hashOf, keyOf, NO_HASH } from '../hash-keys.ts'
import type { AccountInput, Genesis } from '../model.ts'
import { createValidator, type Validator } from '../validator.ts'
import type { ForkBase } from './base.ts'

/*
 * The zerostates of a fork: accounts, libraries and configuration of the forked network, but with the validator, elector and configuration contract of the
 * embedded chain.
 */

/** Parameters to remove: validator sets of elections (32, 33, 35 to 37) and the settings of the simplex consensus (30). The embedded chain uses neither. */
const LEFT_OUT = [30, 32, 33, 35, 36, 37]

export const readByEveryBlock = ({ config, configAddr }: Pick<ForkBase, 'config' | 'configAddr'>): readonly AccountId[] => {
  const special = (loadParam(config, 31, fundamentalContracts) ?? []).map(hashOf)
  const named = ([0, 1, 2, 3] as const).flatMap((param) => configAddress(config, param) ?? [])
  const all = new Map([configAddr, ELECTOR_ADDRESS, ...named, ...special].map((hash) => [keyOf(hash), hash]))
  return [...all.values()].map((hash) => ({ workchain: MASTERCHAIN, hash }))
}

/** The forked network's configuration, changed for an embedded chain. Prices, limits and most other parameters do not change. */
const configOf = (config: Cell, validator: Validator, utime: number, shard: BlockId): Cell => {
  const theirs = loadParam(config, 8, globalVersion) ?? { version: 0, capabilities: 0n }
  const base = loadParam(config, 12, workchains)?.get(0)
  if (base === undefined) throw new Error('the network has no workchain 0')
  const { rootHash: zerostateRootHash, fileHash: zerostateFileHash } = shard
  const only = new Map([[0, { ...base, monitorMinSplit: 0, minSplit: 0, maxSplit: 0, zerostateRootHash, zerostateFileHash }]])
  const changes: (readonly [number, Cell | undefined])[] = [
    ...LEFT_OUT.map((param) => [param, undefined] as const),
    [
      8,
      storeWhole(globalVersion, {
        version: Math.min(theirs.version, GLOBAL_VERSION),
        capabilities: theirs.capabilities & CAPABILITIES,
      }),
    ],
    [12, workchainsCell(only)],
    [34, validatorsParam(validator, utime)],
  ]
  return changes.reduce((root, [param, value]) => withConfigParam(root, param, value), config)
}

/** Accounts with `inputs` applied. `keeps`: existing accounts get new code and data; otherwise they are replaced completely. */
function* withAccounts(
  root: Cell | undefined,
  inputs: readonly AccountInput[],
  utime: number,
  keeps: boolean,
): Generator<void, Cell | undefined> {
  const rows: [bigint, Builder][] = []
  for (const input of inputs) {
    const key = keyOf(input.account.hash)
    const leaf = keeps ? augGet(shardAccountsAug, root, key)?.value : undefined
    const old = leaf && loadShardAccount(leaf)
    const before = old && exists(old.accountCell) ? old.accountCell : undefined
    const accountCell = yield* applyAccountSteps(before, input.account, input, utime)
    rows.push([key, storeShardAccount(beginCell(), { lastTransHash: NO_HASH, lastTransLt: 0n, ...old, accountCell })])
    yield
  }
  return yield* augSetManySteps(
    shardAccountsAug,
    root,
    rows.sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * Makes the zerostates of a fork. `accounts` replace accounts of the forked network. Yields to the event loop several times, because a configuration may
 * have 65,536 cells. Rejects with AbsentCellError if a path was not fetched.
 */
export const createForkGenesis = async (
  base: ForkBase,
  { validatorSeed, accounts }: { readonly validatorSeed: Uint8Array; readonly accounts: readonly AccountInput[] },
): Promise<Genesis> => {
  const { globalId, utime, endLt, configAddr } = base
  const own = (workchain: number): readonly AccountInput[] => accounts.filter(({ account }) => account.workchain === workchain)
  const validator = createValidator(validatorSeed)
  const shardAccounts = await runSteps(withAccounts(base.shardAccounts(), own(0), utime, false))
  const shard = await runSteps(zeroState({ globalId, workchain: 0, utime, endLt, accounts: shardAccounts, isFork: true }))
  const config = configOf(base.config, validator, utime, shard.id)
  await yieldToEventLoop()
  const contracts = systemContracts(configAddr, configAddress(config, 1) ?? ELECTOR_ADDRESS, config)
  const specials = contracts.map((input) => ({ ...input, tickTock: { tick: false, tock: false } }))
  const replaced = await runSteps(withAccounts(base.masterAccounts(), own(MASTERCHAIN), utime, false))
  const masterAccounts = await runSteps(withAccounts(replaced, specials, 0, true))
  const contents = { globalId, utime, endLt, validator, shard, shardAccounts, accounts: masterAccounts, config, configAddr }
  return runSteps(genesisOf({ ...contents, libraries: base.libraries, isFork: true }))
}
