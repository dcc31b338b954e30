import {
  configParse5,
  configParse8,
  configParse12,
  configParse14,
  configParse15,
  configParse16,
  configParse17,
  configParse18,
  configParse28,
  configParse29,
  configParseBlockLimits,
  configParseGasLimitsPrices,
  configParseMasterAddress,
  configParseMsgPrices,
  configParseValidatorSet,
} from '@ton/ton/dist/config/ConfigParser.js'
import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictEntries } from '../../server/cell/dict.ts'
import { openProof } from '../../server/cell/merkle.ts'
import { configParam, configParams, loadParam, loadWhole, storeWhole, withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import { catchainConfig, consensusConfig } from '../../server/tlb/config/consensus.ts'
import { electionTimes, stakeLimits, validatorCounts } from '../../server/tlb/config/elections.ts'
import {
  addressParam,
  blockCreateFees,
  burningConfig,
  configAddress,
  configVersion,
  globalId,
  globalVersion,
  mintPrices,
  storeParamList,
  toMint,
} from '../../server/tlb/config/general.ts'
import { blockLimits, sizeLimits } from '../../server/tlb/config/limits.ts'
import { gasPrices, loadStoragePrices, msgForwardPrices, storeStoragePrices } from '../../server/tlb/config/prices.ts'
import { fundamentalContracts, precompiledContracts, suspendedAddresses } from '../../server/tlb/config/special-contracts.ts'
import { loadValidatorSet, storeValidatorSet } from '../../server/tlb/config/validator-set.ts'
import { workchains } from '../../server/tlb/config/workchains.ts'
import type { Field } from '../../server/tlb/record-layout.ts'
import { loadMcStateExtra } from '../../server/tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { hasAllData, hasData } from '../kit/data.ts'
import { file, hex, inline, list, plain, toCore, wholeStates } from './data.ts'

/** ConfigParam 9 or 10: numbers of parameters. */
const paramList = (config: Cell, param: 9 | 10): number[] =>
  [...dictEntries(configParam(config, param), 32, { cells: 1e9 })].map(([key]) => Number(BigInt.asIntN(32, key)))

/** Root of the parameters in a file: bare, behind the configuration contract's address, or under a state proof. */
const rootIn = (cell: Cell): Cell => {
  if (cell.type === 'merkle-proof') return loadMcStateExtra(loadShardState(openProof(cell)).custom!).config.config
  return cell.bits === 256 && cell.refCount === 1 ? cell.ref(0) : cell
}

const configs: readonly { readonly name: string; readonly root: Cell }[] = [
  ...list('config', '.boc').map((name) => ({ name, root: rootIn(parseBocRoot(file(`config/${name}`))) })),
  { name: 'recorded proof', root: rootIn(parseBocRoot(file('recorded/liteserver-tl/tongo-config_proof.boc'))) },
  ...(hasData('inline/config_dict.json') ? inline('config_dict.json') : [])
    .filter((row) => row.root.level === 0)
    .map((row) => ({ name: `inline ${row.root_hash.slice(0, 8)}`, root: row.root })),
  ...wholeStates().flatMap(({ name, root }) => {
    const { custom } = loadShardState(root)
    return custom ? [{ name, root: loadMcStateExtra(custom).config.config }] : []
  }),
]

const whole =
  <T>(field: Field<T>) =>
  (cell: Cell) => {
    const value = loadWhole(cell, field.load)
    return { value: value as unknown, again: storeWhole(field, value) }
  }
const validators = (cell: Cell) => {
  const value = loadValidatorSet(cell)
  return { value: value as unknown, again: storeValidatorSet(value) }
}

/** Every parameter that has a loader here. */
const PARAMS: Record<number, (cell: Cell) => { value: unknown; again: Cell | undefined }> = {
  ...Object.fromEntries([0, 1, 2, 4].map((n) => [n, whole(addressParam)])),
  5: whole(burningConfig),
  6: whole(mintPrices),
  7: whole(toMint),
  8: whole(globalVersion),
  12: whole(workchains),
  14: whole(blockCreateFees),
  15: whole(electionTimes),
  16: whole(validatorCounts),
  17: whole(stakeLimits),
  18: (cell) => {
    const value = loadStoragePrices(cell)
    return { value, again: storeStoragePrices(value) }
  },
  19: whole(globalId),
  20: whole(gasPrices),
  21: whole(gasPrices),
  22: whole(blockLimits),
  23: whole(blockLimits),
  24: whole(msgForwardPrices),
  25: whole(msgForwardPrices),
  28: whole(catchainConfig),
  29: whole(consensusConfig),
  31: whole(fundamentalContracts),
  ...Object.fromEntries([32, 33, 34, 35, 36, 37].map((n) => [n, validators])),
  43: whole(sizeLimits),
  44: whole(suspendedAddresses),
  45: whole(precompiledContracts),
}

/** The primitive values of a record in order, as text; the names differ between libraries, the order is the schema's. */
const flat = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  if (value instanceof Uint8Array) return [hex(value)]
  if (typeof value === 'object') return Object.values(value).flatMap(flat)
  return [String(value)]
}

describe('configurations of real data', () => {
  it('every known parameter of real configurations is written back to its hash', () => {
    const seen = new Set<number>()
    expect(configs.length).toBeGreaterThan(hasAllData ? 35 : 20)
    for (const { name, root } of configs) {
      for (const [param, cell] of configParams(root)) {
        const codec = PARAMS[param]
        if (codec === undefined) continue
        expect(codec(cell).again?.hashHex(), `${name} ${param}`).toBe(cell.hashHex())
        seen.add(param)
      }
      for (const param of [9, 10] as const) {
        expect(storeParamList(paramList(root, param))?.hashHex(), `${name} ${param}`).toBe(configParam(root, param)?.hashHex())
      }
    }
    expect(Object.keys(PARAMS).filter((param) => !seen.has(Number(param)))).toEqual(['33', '35', '37'])
  })

  it('every known parameter means what @ton/ton reads in it', { timeout: 60_000 }, () => {
    for (const { name, root } of configs) {
      if (root.level !== 0) continue
      const slice = (param: number) => toCore(configParam(root, param)!).beginParse()
      const same = <T>(param: number, field: Field<T>, theirs: unknown) =>
        expect(flat(loadParam(root, param, field)), `${name} ${param}`).toEqual(flat(theirs))
      const present = (param: number): boolean => configParam(root, param) !== undefined

      if (present(0)) expect(configParseMasterAddress(slice(0))?.hash.toString('hex')).toBe(hex(configAddress(root, 0)!))
      if (present(5)) {
        const { blackholeAddr, feeBurnNominator, feeBurnDenominator } = configParse5(slice(5))
        same(5, burningConfig, [blackholeAddr?.hash, feeBurnNominator, feeBurnDenominator])
      }
      // configParse8 does not know of the tag.
      if (present(8)) expect(configVersion(root)).toEqual(configParse8(slice(8).skip(8)))
      if (present(14)) same(14, blockCreateFees, configParse14(slice(14)))
      if (present(15)) same(15, electionTimes, configParse15(slice(15)))
      if (present(16)) same(16, validatorCounts, configParse16(slice(16)))
      if (present(17)) same(17, stakeLimits, configParse17(slice(17)))
      if (present(18)) expect(flat(loadStoragePrices(configParam(root, 18)!))).toEqual(flat(configParse18(slice(18))))
      for (const param of [20, 21].filter(present)) {
        const { flat: prefix, ...own } = loadParam(root, param, gasPrices)!
        const theirs = configParseGasLimitsPrices(slice(param))
        expect(flat([prefix, own]), `${name} ${param}`).toEqual(flat(theirs))
      }
      for (const param of [22, 23].filter(present)) same(param, blockLimits, configParseBlockLimits(slice(param)))
      for (const param of [24, 25].filter(present)) same(param, msgForwardPrices, configParseMsgPrices(slice(param)))
      if (present(28)) {
        const theirs = configParse28(slice(28))
        const { shuffleMcValidators, ...own } = loadParam(root, 28, catchainConfig)!
        expect(shuffleMcValidators).toBe(theirs.suffleMasterValidators)
        expect(flat(own)).toEqual(
          [theirs.masterCatchainLifetime, theirs.shardCatchainLifetime, theirs.shardValidatorsLifetime, theirs.shardValidatorsCount].map(
            String,
          ),
        )
      }
      if (present(29)) {
        const own = loadParam(root, 29, consensusConfig)!
        expect(own).toMatchObject(
          Object.fromEntries(
            Object.entries(consensusNames(configParse29(slice(29)) as unknown as Record<string, unknown>)).filter(
              ([, value]) => value !== undefined,
            ),
          ),
        )
      }
      if (present(12)) {
        const theirs = configParse12(slice(12))
        for (const [id, own] of loadParam(root, 12, workchains)!) {
          const descr = theirs.get(id)!
          expect([
            own.enabledSince,
            own.minSplit,
            own.maxSplit,
            own.active,
            own.acceptMsgs,
            own.version,
            hex(own.zerostateRootHash),
          ]).toEqual([
            descr.enabledSince,
            descr.min_split,
            descr.max_split,
            descr.active,
            descr.accept_msgs,
            descr.version,
            descr.zerostateRootHash.toString('hex'),
          ])
        }
      }
      for (const param of [32, 34, 36].filter(present)) {
        const own = loadValidatorSet(configParam(root, param)!)
        const theirs = configParseValidatorSet(slice(param))!
        expect([own.utimeSince, own.utimeUntil, own.total, own.main]).toEqual([
          theirs.timeSince,
          theirs.timeUntil,
          theirs.total,
          theirs.main,
        ])
        expect(own.list.map((v) => [hex(v.publicKey), v.weight, v.adnlAddr && hex(v.adnlAddr)])).toEqual(
          theirs.list.values().map((v) => [v.publicKey.toString('hex'), v.weight, v.adnlAddress?.toString('hex')]),
        )
      }
    }
  })
})

const consensusNames = (c: Record<string, unknown>): Record<string, unknown> => ({
  roundCandidates: c.roundCandidates,
  nextCandidateDelayMs: c.nextCandidateDelay,
  consensusTimeoutMs: c.consensusTimeout,
  fastAttempts: c.fastAttempts,
  attemptDuration: c.attemptDuration,
  catchainMaxDeps: c.catchainMaxDeps,
  maxBlockBytes: c.maxBlockBytes,
  maxCollatedBytes: c.maxColaltedBytes,
  newCatchainIds: c.newCatchainIds,
  protoVersion: c.protoVersion,
  catchainMaxBlocksCoeff: c.catchainMaxBlocksCoeff,
})

describe('the configuration dictionary', () => {
  const cell = (n: number): Cell => beginCell().storeUint(n, 32).end()

  it('the configuration keeps parameters by number, negative ones last, and cannot be empty', () => {
    const one = withConfigParam(undefined, 8, cell(8))
    const two = withConfigParam(one, -5, cell(5))
    expect([...configParams(two)].map(([param, value]) => [param, value.hashHex()])).toEqual([
      [8, cell(8).hashHex()],
      [-5, cell(5).hashHex()],
    ])
    expect(withConfigParam(two, -5, undefined).hashHex()).toBe(one.hashHex())
    expect(configParam(one, 9)).toBeUndefined()
    expect(() => withConfigParam(one, 8, undefined)).toThrow(/the last configuration parameter cannot be removed/)
  })

  it('records in forms that no file has are written', () => {
    const limits = { underload: 1, softLimit: 2, hardLimit: 3 }
    const v2 = { bytes: limits, gas: limits, ltDelta: limits, collatedData: limits, importedMsgQueue: { maxBytes: 4, maxMsgs: 5 } }
    expect(loadWhole(storeWhole(blockLimits, v2), blockLimits.load)).toEqual(v2)
    const sizes = { maxMsgBits: 1, maxMsgCells: 2, maxLibraryCells: 3, maxVmDataDepth: 4, maxExtMsgSize: 5, maxExtMsgDepth: 6 }
    expect(loadWhole(storeWhole(sizeLimits, sizes), sizeLimits.load)).toEqual(sizes)
    const more = {
      ...sizes,
      maxAccStateCells: 7,
      maxMcAccStateCells: 8,
      maxAccPublicLibraries: 9,
      deferOutQueueSizeLimit: 10,
      maxMsgExtraCurrencies: 11,
      maxAccFixedPrefixLength: 12,
      accStateCellsForStorageDict: 13,
      maxTransactionLibraryLoads: undefined,
    }
    expect(storeWhole(sizeLimits, { ...more, withoutLibraryLoads: true }).bits).toBe(368)
    for (const form of [
      more,
      { ...more, withoutLibraryLoads: true },
      { ...more, maxTransactionLibraryLoads: 14, maxTotalMsgBits: 15, maxTotalMsgCells: 16 },
    ]) {
      const stored = storeWhole(sizeLimits, form)
      expect(plain(loadWhole(stored, sizeLimits.load))).toEqual(plain(form))
    }
    const ext = {
      type: 'ext' as const,
      minAddrLen: 64,
      maxAddrLen: 512,
      addrLenStep: 8,
      workchainTypeId: 7,
    }
    const descr = {
      enabledSince: 1,
      monitorMinSplit: 0,
      minSplit: 0,
      maxSplit: 4,
      active: true,
      acceptMsgs: false,
      zerostateRootHash: new Uint8Array(32).fill(1),
      zerostateFileHash: new Uint8Array(32).fill(2),
      version: 3,
      format: ext,
    }
    const chains = new Map([[5, descr]])
    expect(loadWhole(storeWhole(workchains, chains), workchains.load)).toEqual(chains)
  })
})
