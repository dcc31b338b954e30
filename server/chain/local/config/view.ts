import { type Cell, CellError } from '../../../cell/cell.ts'
import { catchainConfig, consensusConfig } from '../../../tlb/config/consensus.ts'
import { configParam, loadParam, loadWhole } from '../../../tlb/config/dict.ts'
import { blockCreateFees, burningConfig, configAddress, globalVersion, toMint } from '../../../tlb/config/general.ts'
import { type BlockLimits, blockLimits, sizeLimits } from '../../../tlb/config/limits.ts'
import { fundamentalContracts, precompiledContracts, suspendedAddresses } from '../../../tlb/config/lists.ts'
import { gasPrices, loadStoragePrices, msgForwardPrices } from '../../../tlb/config/prices.ts'
import { loadValidatorSet } from '../../../tlb/config/validator-set.ts'
import { workchains } from '../../../tlb/config/workchains.ts'
import { makeTvmConfig } from '../../../tvm/config.ts'
import type { TvmConfig } from '../../../tvm/tvm.ts'
import { hashOf } from '../bytes.ts'

/** What a collator obeys of a configuration. */
export interface ChainConfig {
  /** Root of Hashmap 32 ^Cell. */
  readonly root: Cell
  readonly tvm: TvmConfig
  readonly globalVersion: number
  readonly capabilities: bigint
  readonly masterLimits: BlockLimits
  readonly shardLimits: BlockLimits
  /** Masterchain accounts with tick-tock transactions, ascending (31). */
  readonly special: readonly Uint8Array[]
  /** Receiver of collected fees (3, else 1). */
  readonly feeCollector: Uint8Array | undefined
  /** Receiver of minted currencies (2, else 0). */
  readonly minter: Uint8Array | undefined
  /** Wanted supply of extra currencies (7). */
  readonly toMint: ReadonlyMap<number, bigint> | undefined
  /** Nanotons that a block creates (14). */
  readonly masterCreateFee: bigint
  readonly shardCreateFee: bigint
  /** Share of fees that is burned (5). */
  readonly burn: { readonly numerator: bigint; readonly denominator: bigint; readonly blackhole: Uint8Array | undefined } | undefined
  /** Seconds after which the sessions of both chains are counted on (28). */
  readonly masterSessionLifetime: number
  readonly shardSessionLifetime: number
}

/**
 * How parameters that blocks or the emulator depend on are read; `must` be there: those without which TON accepts no configuration (mandatory_config_params
 * of crypto/block/block.cpp), and what would leave no chain to go on with.
 */
const KNOWN: ReadonlyMap<number, { readonly must?: true; readonly load: (cell: Cell) => unknown }> = (() => {
  const whole =
    (field: { load: Parameters<typeof loadWhole<unknown>>[1] }) =>
    (cell: Cell): unknown =>
      loadWhole(cell, field.load)
  return new Map([
    [5, { load: whole(burningConfig) }],
    [7, { load: whole(toMint) }],
    [8, { must: true as const, load: whole(globalVersion) }],
    [12, { must: true as const, load: whole(workchains) }],
    [14, { load: whole(blockCreateFees) }],
    [18, { must: true as const, load: loadStoragePrices }],
    [20, { must: true as const, load: whole(gasPrices) }],
    [21, { must: true as const, load: whole(gasPrices) }],
    [22, { must: true as const, load: whole(blockLimits) }],
    [23, { must: true as const, load: whole(blockLimits) }],
    [24, { must: true as const, load: whole(msgForwardPrices) }],
    [25, { must: true as const, load: whole(msgForwardPrices) }],
    [28, { must: true as const, load: whole(catchainConfig) }],
    [29, { load: whole(consensusConfig) }],
    [31, { load: whole(fundamentalContracts) }],
    [34, { must: true as const, load: loadValidatorSet }],
    [43, { load: whole(sizeLimits) }],
    [44, { load: whole(suspendedAddresses) }],
    [45, { load: whole(precompiledContracts) }],
  ])
})()

const check = (root: Cell): void => {
  for (const n of [0, 1, 2, 3, 4]) {
    const cell = configParam(root, n)
    if (cell !== undefined && cell.bits !== 256) throw new CellError('range', `configuration parameter ${n} is not an address of 256 bits`)
  }
  if (configParam(root, 0) === undefined) throw new CellError('range', 'configuration parameter 0 is missing')
  for (const [n, { must, load }] of KNOWN) {
    const cell = configParam(root, n)
    if (cell === undefined && must) throw new CellError('range', `configuration parameter ${n} is missing`)
    try {
      if (cell !== undefined) load(cell)
    } catch (error) {
      throw new CellError('range', `configuration parameter ${n} cannot be read: ${(error as Error).message}`)
    }
  }
  const base = loadParam(root, 12, workchains)!.get(0)
  if (!base?.active || base.format.type !== 'basic')
    throw new CellError('range', 'configuration parameter 12 has no active basic workchain 0')
}

/** Reads a configuration; throws CellError naming the parameter where blocks could not be made with it. */
export const readConfig = (root: Cell): ChainConfig => {
  check(root)
  const { version, capabilities } = loadParam(root, 8, globalVersion)!
  const created = loadParam(root, 14, blockCreateFees)
  const burning = loadParam(root, 5, burningConfig)
  const lifetimes = loadParam(root, 28, catchainConfig)!
  return {
    root,
    tvm: makeTvmConfig(root),
    globalVersion: version,
    capabilities,
    masterLimits: loadParam(root, 22, blockLimits)!,
    shardLimits: loadParam(root, 23, blockLimits)!,
    special: (loadParam(root, 31, fundamentalContracts) ?? []).map(hashOf),
    feeCollector: configAddress(root, 3) ?? configAddress(root, 1),
    minter: configAddress(root, 2) ?? configAddress(root, 0),
    toMint: loadParam(root, 7, toMint),
    masterCreateFee: created?.masterchainBlockFee ?? 0n,
    shardCreateFee: created?.basechainBlockFee ?? 0n,
    burn:
      burning === undefined || burning.feeBurnDenom === 0
        ? undefined
        : { numerator: BigInt(burning.feeBurnNum), denominator: BigInt(burning.feeBurnDenom), blackhole: burning.blackholeAddr },
    masterSessionLifetime: Math.max(1, lifetimes.mcCatchainLifetime),
    shardSessionLifetime: Math.max(1, lifetimes.shardCatchainLifetime),
  }
}

/** Configurations by root hash: the present one, and the few before it that reverts return to. */
export const createConfigCache = (most = 4) => {
  const known = new Map<string, ChainConfig>()
  return (root: Cell): ChainConfig => {
    const key = root.hashKey()
    const found = known.get(key)
    if (found !== undefined) return found
    const config = readConfig(root)
    known.set(key, config)
    if (known.size > most) known.delete(known.keys().next().value!)
    return config
  }
}
