import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { Field } from '../record-layout.ts'
import { jettonBridge, oracleBridge } from './bridges.ts'
import { loadWhole } from './config-dictionary.ts'
import { catchainConfig, consensusConfig } from './consensus.ts'
import { electionTimes, stakeLimits, validatorCounts } from './elections.ts'
import { addressParam, blockCreateFees, burningConfig, globalId, globalVersion, mintPrices, toMint } from './general.ts'
import { complaintPrices, countTempKeys, punishments, votingSetup } from './governance.ts'
import { type BlockLimits, blockLimits, type ParamLimits, sizeLimits } from './limits.ts'
import { gasPrices, loadStoragePrices, msgForwardPrices } from './prices.ts'
import { simplexConfigs } from './simplex.ts'
import { fundamentalContracts, precompiledContracts, suspendedAddresses } from './special-contracts.ts'
import { valRegistryConfig } from './val-registry.ts'
import { loadValidatorSet } from './validator-set.ts'
import { type WorkchainDescr, workchains } from './workchains.ts'

/*
 * Every parameter that block.tlb defines, with its constraints (46 is defined in the branch `collators`). TON refuses any other parameter with a number from 0
 * on (check_one_config_param of crypto/block/block.cpp). Here such parameters are not checked, because a chain for tests may try new ones.
 */

type Load = (cell: Cell) => unknown

/** Returns a loader that throws if a value does not fill its cell. `holds` checks the other constraints of the schema; `wants` describes these in the error. */
const whole =
  <T>({ load }: Pick<Field<T>, 'load'>, holds: (value: T) => boolean = () => true, wants = ''): Load =>
  (cell) => {
    const value = loadWhole(cell, load)
    if (!holds(value)) throw new CellError('range', wants)
    return value
  }

const numbers: Load = (cell) =>
  [...dictEntries(cell, 32, { cells: MAX_CHECKED_CELLS })].map(([key, value]) => {
    value.end()
    return Number(BigInt.asIntN(32, key))
  })

const inOrder = ({ underload, softLimit, hardLimit }: ParamLimits): boolean => underload <= softLimit && softLimit <= hardLimit
const limitsHold = ({ bytes, gas, ltDelta, collatedData }: BlockLimits): boolean =>
  [bytes, gas, ltDelta, ...(collatedData ? [collatedData] : [])].every(inOrder)
const limits = whole(blockLimits, limitsHold, 'underload <= soft_limit <= hard_limit')

const formatHolds = ({ format }: WorkchainDescr): boolean =>
  format.type === 'basic' ||
  (format.minAddrLen >= 64 &&
    format.minAddrLen <= format.maxAddrLen &&
    format.maxAddrLen <= 1023 &&
    format.addrLenStep <= 1023 &&
    format.workchainTypeId >= 1)
const workchainHolds = (each: WorkchainDescr): boolean =>
  each.monitorMinSplit <= each.minSplit &&
  each.minSplit <= each.maxSplit &&
  each.maxSplit <= 60 &&
  (each.persistentStateSplitDepth ?? 0) <= 63 &&
  formatHolds(each)

const address = whole(addressParam)
const gas = whole(gasPrices)
const forwarding = whole(msgForwardPrices)
const oracles = whole(oracleBridge)
const jettons = whole(jettonBridge)

const loaders: ReadonlyMap<number, Load> = new Map<number, Load>([
  ...[0, 1, 2, 3, 4].map((n) => [n, address] as const),
  [
    5,
    whole(
      burningConfig,
      ({ feeBurnNum, feeBurnDenom }) => feeBurnNum <= feeBurnDenom && feeBurnDenom >= 1,
      'fee_burn_num <= fee_burn_denom >= 1',
    ),
  ],
  [6, whole(mintPrices)],
  [7, whole(toMint)],
  [8, whole(globalVersion)],
  [9, numbers],
  [10, numbers],
  [11, whole(votingSetup)],
  [
    12,
    whole(workchains, (all) => [...all.values()].every(workchainHolds), 'monitor_min_split <= min_split <= max_split <= 60, and a format'),
  ],
  [13, whole(complaintPrices)],
  [14, whole(blockCreateFees)],
  [15, whole(electionTimes)],
  [
    16,
    whole(
      validatorCounts,
      ({ maxValidators, maxMainValidators, minValidators }) =>
        maxValidators >= maxMainValidators && maxMainValidators >= minValidators && minValidators >= 1,
      'max_validators >= max_main_validators >= min_validators >= 1',
    ),
  ],
  [17, whole(stakeLimits)],
  [18, loadStoragePrices],
  [19, whole(globalId)],
  [20, gas],
  [21, gas],
  [22, limits],
  [23, limits],
  [24, forwarding],
  [25, forwarding],
  [
    28,
    whole(
      catchainConfig,
      (config) =>
        Math.min(config.mcCatchainLifetime, config.shardCatchainLifetime, config.shardValidatorsLifetime, config.shardValidatorsNum) >= 1,
      'lifetimes and shard_validators_num are 1 at least',
    ),
  ],
  [29, whole(consensusConfig, ({ roundCandidates }) => roundCandidates >= 1, 'round_candidates >= 1')],
  [30, whole(simplexConfigs)],
  [31, whole(fundamentalContracts)],
  ...[32, 33, 34, 35, 36, 37].map((n) => [n, loadValidatorSet] as const),
  [39, whole({ load: countTempKeys })],
  [40, whole(punishments)],
  [43, whole(sizeLimits)],
  [44, whole(suspendedAddresses)],
  [45, whole(precompiledContracts)],
  [46, whole(valRegistryConfig)],
  ...[71, 72, 73].map((n) => [n, oracles] as const),
  ...[79, 81, 82].map((n) => [n, jettons] as const),
])

/** @internal Numbers of the parameters that block.tlb defines. */
export const definedParams: readonly number[] = [...loaders.keys()]

/** Decodes a parameter and checks it against block.tlb to the last bit; undefined for an unknown parameter. The message of a CellError names the parameter. */
export const readParam = (param: number, cell: Cell): unknown => {
  try {
    return loaders.get(param)?.(cell)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new CellError('range', `configuration parameter ${param} cannot be read: ${error.message}`)
  }
}

/** Throws CellError if a parameter does not match block.tlb. Unknown parameters are not checked. */
export const checkParam = (param: number, cell: Cell): void => {
  readParam(param, cell)
}
