import { Lru } from '../../../base/memory/lru.ts'
import { type Cell, CellError } from '../../../cell/cell.ts'
import { configParams, loadParam } from '../../../tlb/config/config-dictionary.ts'
import { catchainConfig } from '../../../tlb/config/consensus.ts'
import { blockCreateFees, burningConfig, configAddress, globalVersion, toMint } from '../../../tlb/config/general.ts'
import { blockLimits } from '../../../tlb/config/limits.ts'
import { checkParam } from '../../../tlb/config/params.ts'
import { fundamentalContracts } from '../../../tlb/config/special-contracts.ts'
import { workchains } from '../../../tlb/config/workchains.ts'
import { hashOf } from '../hash-keys.ts'

/** The part of a configuration that the collator uses. */
export type ChainConfig = Readonly<ReturnType<typeof readConfig>>

/**
 * Required parameters: those that TON requires (mandatory_config_params of crypto/block/block.cpp), and those without which the next block could not be
 * made.
 */
const MANDATORY = [0, 8, 12, 18, 20, 21, 22, 23, 24, 25, 28, 34]

const check = (root: Cell): void => {
  const params = new Map(configParams(root))
  for (const n of MANDATORY) if (!params.has(n)) throw new CellError('range', `configuration parameter ${n} is missing`)
  for (const [n, cell] of params) checkParam(n, cell)
  const base = loadParam(root, 12, workchains)!.get(0)
  if (!base?.active || base.format.type !== 'basic')
    throw new CellError('range', 'configuration parameter 12 has no active basic workchain 0')
}

/** Parses a configuration. Throws CellError with the parameter's number if blocks could not be made with this configuration. */
export const readConfig = (root: Cell) => {
  check(root)
  const { version, capabilities } = loadParam(root, 8, globalVersion)!
  const created = loadParam(root, 14, blockCreateFees)
  // Coins of a chain have 120 bits. A chain that creates 2^64 nanograms with each block would need 2^55 blocks to exceed them.
  if (created !== undefined && (created.masterchainBlockFee | created.basechainBlockFee) >> 64n > 0n)
    throw new CellError('range', 'configuration parameter 14 creates more than 2^64 nanograms with a block')
  const burning = loadParam(root, 5, burningConfig)
  const lifetimes = loadParam(root, 28, catchainConfig)!
  return {
    root,
    globalVersion: version,
    capabilities,
    masterLimits: loadParam(root, 22, blockLimits)!,
    shardLimits: loadParam(root, 23, blockLimits)!,
    /** Masterchain accounts that may have tick-tock transactions, ascending (parameter 31). */
    special: (loadParam(root, 31, fundamentalContracts) ?? []).map(hashOf),
    /** Receiver of collected fees (parameter 3, else 1). */
    feeCollector: configAddress(root, 3) ?? configAddress(root, 1),
    /** Receiver of minted currencies (parameter 2, else 0). */
    minter: configAddress(root, 2) ?? configAddress(root, 0),
    /** Target supply of extra currencies by id (parameter 7). */
    toMint: loadParam(root, 7, toMint),
    /** Nanograms that a block creates (parameter 14). */
    masterCreateFee: created?.masterchainBlockFee ?? 0n,
    shardCreateFee: created?.basechainBlockFee ?? 0n,
    /** Share of fees that is burned (parameter 5). */
    burn:
      burning === undefined || burning.feeBurnDenom === 0
        ? undefined
        : { numerator: BigInt(burning.feeBurnNum), denominator: BigInt(burning.feeBurnDenom), blackhole: burning.blackholeAddr },
    /** Lifetimes of validator sessions of both chains, seconds (parameter 28). */
    masterSessionLifetime: Math.max(1, lifetimes.mcCatchainLifetime),
    shardSessionLifetime: Math.max(1, lifetimes.shardCatchainLifetime),
  }
}

const MAX_CONFIGS = 4

/** Cache of configurations by root hash: the current configuration and a few earlier ones, because a revert may return to them. */
export const createConfigCache = () => {
  const cache = new Lru<string, ChainConfig>({ max: MAX_CONFIGS })
  return (root: Cell): ChainConfig => {
    const key = root.hashKey()
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const config = readConfig(root)
    cache.set(key, config)
    return config
  }
}
