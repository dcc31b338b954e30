import { Lru } from '../../base/memory/lru.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt, CellError } from '../../cell/error.ts'
import { configParam, loadParam } from '../../tlb/config/config-dictionary.ts'
import { burningConfig, configVersion } from '../../tlb/config/general.ts'
import { type SizeLimits, sizeLimits } from '../../tlb/config/limits.ts'
import { loadStoragePrices, msgForwardPrices } from '../../tlb/config/prices.ts'
import { fundamentalContracts, precompiledContracts, suspension } from '../../tlb/config/special-contracts.ts'
import { type WorkchainDescr, workchains } from '../../tlb/config/workchains.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { ExecutorError } from './error.ts'
import { type GasTable, loadGasTable } from './gas.ts'
import { rulesOf } from './rules.ts'

/** All members of parameter 43. An absent parameter or member has the node's default (`SizeLimitsConfig` of mc-config.h). */
export type Limits = Required<Omit<SizeLimits, 'maxTransactionLibraryLoads' | 'withoutLibraryLoads'>> & {
  readonly maxTransactionLibraryLoads: number | undefined
}

export type ExecutorConfig = Readonly<ReturnType<typeof unpack>>

const DEFAULT_LIMITS: Limits = {
  maxMsgBits: 1 << 21,
  maxMsgCells: 1 << 13,
  maxLibraryCells: 1000,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65535,
  maxExtMsgDepth: 512,
  maxAccStateCells: 1 << 16,
  maxMcAccStateCells: 1 << 11,
  maxAccPublicLibraries: 256,
  deferOutQueueSizeLimit: 256,
  maxMsgExtraCurrencies: 2,
  maxAccFixedPrefixLength: 8,
  accStateCellsForStorageDict: 26,
  maxTransactionLibraryLoads: undefined,
  maxTotalMsgBits: ((1 << 21) * 5) / 2,
  maxTotalMsgCells: ((1 << 13) * 5) / 2,
}

const CAPABILITY_BOUNCE_BODY = 4n

const needed = <T>(param: number, value: T | undefined): T => {
  if (value === undefined) throw new ExecutorError('config', `the configuration has no parameter ${param}`)
  return value
}

/** Returns whether parameter 44 suspends an address at a time (unix seconds). */
type IsSuspended = (account: AccountId, now: number) => boolean
const suspensionOf = (root: Cell): IsSuspended => {
  const suspends = attempt(() => suspension(configParam(root, 44)))
  return (account, now) => attempt(() => suspends?.(account, now)) === true
}

const unpack = (root: Cell) => {
  const { version, capabilities } = configVersion(root)
  const gas: Readonly<Record<'masterchain' | 'basechain', GasTable>> = {
    masterchain: loadGasTable(needed(20, configParam(root, 20))),
    basechain: loadGasTable(needed(21, configParam(root, 21))),
  }
  const descrs: ReadonlyMap<number, WorkchainDescr> = loadParam(root, 12, workchains) ?? new Map()
  const special: ReadonlySet<bigint> = new Set(loadParam(root, 31, fundamentalContracts) ?? [])
  const precompiled: ReadonlyMap<bigint, bigint> = attempt(() => loadParam(root, 45, precompiledContracts)) ?? new Map()
  return {
    /** Root of Hashmap 32 ^Cell. */
    root,
    /** Version of parameter 8. It may be higher than the newest implemented version (see `rules.version`). */
    version,
    rules: rulesOf(version),
    /** Oldest first. */
    storagePrices: loadStoragePrices(needed(18, configParam(root, 18))),
    gas,
    forward: {
      masterchain: needed(24, loadParam(root, 24, msgForwardPrices)),
      basechain: needed(25, loadParam(root, 25, msgForwardPrices)),
    },
    limits: { ...DEFAULT_LIMITS, ...loadParam(root, 43, sizeLimits) } satisfies Limits,
    workchains: descrs,
    /** Special accounts of the masterchain: ids as unsigned numbers. */
    special,
    /** Maximum number of body bits in the old form of a bounced message. */
    bounceBodyBits: (capabilities & CAPABILITY_BOUNCE_BODY) !== 0n ? 256 : 0,
    /** Masterchain account whose incoming nanograms are burnt. As in the node, an unreadable parameter 5 counts as absent. */
    blackhole: attempt(() => loadParam(root, 5, burningConfig))?.blackholeAddr,
    /** Gas that a run costs, by code hash as an unsigned number. As in the node, an unreadable parameter 45 counts as absent. */
    precompiled,
    isSuspended: suspensionOf(root),
  }
}

const unpacked = new WeakMap<Cell, ExecutorConfig>()
/** Recent configurations by root hash. The key is the hash, because each state has a new cell object for the same configuration. */
const recent = new Lru<string, ExecutorConfig>({ max: 8 })

/** The configuration of a root cell (Hashmap 32 ^Cell). Throws ExecutorError `config` if a required parameter is absent or unreadable. */
export const unpackConfig = (root: Cell): ExecutorConfig => {
  const cached = unpacked.get(root)
  if (cached !== undefined) return cached
  const key = root.hashKey()
  let config = recent.get(key)
  // A cached configuration may have cells of a chain that is closed by now. So `root` and `isSuspended` use the cells of this call.
  if (config !== undefined) config = { ...config, root, isSuspended: suspensionOf(root) }
  else {
    try {
      config = unpack(root)
    } catch (error) {
      if (error instanceof CellError)
        throw new ExecutorError('config', `the configuration cannot be read: ${error.message}`, { cause: error })
      throw error
    }
    recent.set(key, config)
  }
  unpacked.set(root, config)
  return config
}
