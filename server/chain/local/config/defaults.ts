import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { dictFromEntries } from '../../../cell/dict.ts'
import { catchainConfig, consensusConfig, electionTimes, stakeLimits, validatorCounts } from '../../../tlb/config/consensus.ts'
import { storeWhole } from '../../../tlb/config/dict.ts'
import { addressParam, blockCreateFees, burningConfig, globalId, globalVersion, storeParamList } from '../../../tlb/config/general.ts'
import { blockLimits, sizeLimits } from '../../../tlb/config/limits.ts'
import { fundamentalContracts, suspendedAddresses } from '../../../tlb/config/lists.ts'
import { gasPrices, msgForwardPrices, storeStoragePrices } from '../../../tlb/config/prices.ts'
import { storeValidatorSet } from '../../../tlb/config/validator-set.ts'
import { workchainsCell } from '../../../tlb/config/workchains.ts'
import { NEWEST_VERSION } from '../../../tvm/versions.ts'
import { keyOf } from '../bytes.ts'
import type { Validator } from '../validator.ts'

/*
 * The configuration that the embedded chain is born with. Prices and limits are those of TON mainnet in 2026 (masterchain block 84773657), so that what a
 * contract costs here is what it costs there. Deliberately different:
 * - capabilities only of what these blocks hold (no creator stats, message metadata, deferred queues);
 * - no coins are created by making blocks (14): an idle chain's supply stays what its users made it, and idle blocks need no fee recovery transaction;
 * - up to two extra currencies a message (43), which mainnet has switched off;
 * - no fees are burned (5 is there, @ton/ton reads no configuration without it), no bridges, no suspended or precompiled contracts; stakes and numbers of validators that mean nothing, since nobody elects.
 */

const fill = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
/** The configuration contract, -1:5555..55 (ConfigParam 0). */
export const CONFIG_ADDRESS = fill(0x55)
/** The elector, -1:3333..33 (ConfigParam 1): also receives collected fees, as there is no ConfigParam 3. */
export const ELECTOR_ADDRESS = fill(0x33)
/** The minter of extra currencies, -1:0000..00 (ConfigParam 2). */
const MINTER_ADDRESS = fill(0)
/** The root of DNS, -1:4444..44 (ConfigParam 4); nothing stands there until somebody puts it there. */
const DNS_ROOT_ADDRESS = fill(0x44)

/** As mainnet in 2026: the newest whose rules the TVM here knows. A chain that was begun at another version stays there until `local.setConfig`. */
const GLOBAL_VERSION = NEWEST_VERSION
/** Capabilities (ton-types.h): bounced messages keep a body 4, blocks tell their version 8, short dequeue records 32, queue size in the state 64. */
const CAPABILITIES = 0x6cn

const FOREVER = 0xffffffff
const COIN = 1_000_000_000n
const limits = (underload: number, softLimit: number, hardLimit: number) => ({ underload, softLimit, hardLimit })
const LT_LIMITS = limits(1000, 5000, 10_000)

// cfg_vote_cfg#36 min_tot_rounds:(## 8) max_tot_rounds:(## 8) min_wins:uint8 max_losses:uint8
//   min_store_sec:(## 32) max_store_sec:(## 32) bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
const proposals = (rounds: readonly [number, number, number, number], store: readonly [number, number, number, number]): Cell => {
  const b = beginCell().storeUint(0x36, 8)
  for (const value of rounds) b.storeUint(value, 8)
  for (const value of store) b.storeUint(value, 32)
  return b.end()
}

/** Every parameter of the new chain by number. */
export const defaultConfig = (p: {
  readonly globalId: number
  readonly utime: number
  readonly validator: Validator
  readonly shardZero: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }
}): Map<number, Cell> =>
  new Map<number, Cell>([
    [0, storeWhole(addressParam, CONFIG_ADDRESS)],
    [1, storeWhole(addressParam, ELECTOR_ADDRESS)],
    [2, storeWhole(addressParam, MINTER_ADDRESS)],
    [4, storeWhole(addressParam, DNS_ROOT_ADDRESS)],
    [5, storeWhole(burningConfig, { blackholeAddr: undefined, feeBurnNum: 0, feeBurnDenom: 1 })],
    [8, storeWhole(globalVersion, { version: GLOBAL_VERSION, capabilities: CAPABILITIES })],
    [9, storeParamList([0, 1, 8, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34])!],
    [10, storeParamList([0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36, -1001, -1000])!],
    // cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;
    [
      11,
      beginCell()
        .storeUint(0x91, 8)
        .storeRef(proposals([2, 6, 2, 5], [1_000_000, 10_000_000, 1, 500]))
        .storeRef(proposals([4, 7, 3, 5], [5_000_000, 20_000_000, 2, 1000]))
        .end(),
    ],
    [
      12,
      workchainsCell(
        new Map([
          [
            0,
            {
              enabledSince: p.utime,
              monitorMinSplit: 0,
              minSplit: 0,
              maxSplit: 0,
              active: true,
              acceptMsgs: true,
              zerostateRootHash: p.shardZero.rootHash,
              zerostateFileHash: p.shardZero.fileHash,
              version: 0,
              format: { type: 'basic', vmVersion: -1, vmMode: 0n },
            },
          ],
        ]),
      ),
    ],
    // complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;
    [13, beginCell().storeUint(0x1a, 8).storeCoins(COIN).storeCoins(1n).storeCoins(500n).end()],
    [14, storeWhole(blockCreateFees, { masterchainBlockFee: 0n, basechainBlockFee: 0n })],
    [
      15,
      storeWhole(electionTimes, {
        validatorsElectedFor: 65_536,
        electionsStartBefore: 32_768,
        electionsEndBefore: 8192,
        stakeHeldFor: 32_768,
      }),
    ],
    [16, storeWhole(validatorCounts, { maxValidators: 400, maxMainValidators: 100, minValidators: 1 })],
    [17, storeWhole(stakeLimits, { minStake: COIN, maxStake: 10_000_000n * COIN, minTotalStake: COIN, maxStakeFactor: 3 << 16 })],
    [18, storeStoragePrices([{ utimeSince: 0, bitPricePs: 0n, cellPricePs: 135n, mcBitPricePs: 1000n, mcCellPricePs: 500_000n }])!],
    [19, storeWhole(globalId, p.globalId)],
    [
      20,
      storeWhole(gasPrices, {
        flat: { limit: 100n, price: 1_000_000n },
        gasPrice: 655_360_000n,
        gasLimit: 1_000_000n,
        specialGasLimit: 70_000_000n,
        gasCredit: 10_000n,
        blockGasLimit: 2_500_000n,
        freezeDueLimit: 100_000_000n,
        deleteDueLimit: COIN,
      }),
    ],
    [
      21,
      storeWhole(gasPrices, {
        flat: { limit: 100n, price: 6667n },
        gasPrice: 4_369_067n,
        gasLimit: 1_000_000n,
        specialGasLimit: 1_000_000n,
        gasCredit: 10_000n,
        blockGasLimit: 10_000_000n,
        freezeDueLimit: 100_000_000n,
        deleteDueLimit: COIN,
      }),
    ],
    [
      22,
      storeWhole(blockLimits, {
        bytes: limits(131_072, 524_288, 1_048_576),
        gas: limits(200_000, 1_000_000, 2_500_000),
        ltDelta: LT_LIMITS,
      }),
    ],
    [
      23,
      storeWhole(blockLimits, {
        bytes: limits(262_144, 1_048_576, 2_097_152),
        gas: limits(2_000_000, 10_000_000, 20_000_000),
        ltDelta: LT_LIMITS,
      }),
    ],
    [
      24,
      storeWhole(msgForwardPrices, {
        lumpPrice: 10_000_000n,
        bitPrice: 655_360_000n,
        cellPrice: 65_536_000_000n,
        ihrPriceFactor: 98_304,
        firstFrac: 21_845,
        nextFrac: 21_845,
      }),
    ],
    [
      25,
      storeWhole(msgForwardPrices, {
        lumpPrice: 66_667n,
        bitPrice: 4_369_067n,
        cellPrice: 436_906_667n,
        ihrPriceFactor: 98_304,
        firstFrac: 21_845,
        nextFrac: 21_845,
      }),
    ],
    [
      28,
      storeWhole(catchainConfig, {
        shuffleMcValidators: true,
        mcCatchainLifetime: 250,
        shardCatchainLifetime: 250,
        shardValidatorsLifetime: 1000,
        shardValidatorsNum: 23,
      }),
    ],
    [
      29,
      storeWhole(consensusConfig, {
        newCatchainIds: true,
        roundCandidates: 3,
        nextCandidateDelayMs: 2000,
        consensusTimeoutMs: 16_000,
        fastAttempts: 3,
        attemptDuration: 8,
        catchainMaxDeps: 4,
        maxBlockBytes: 2_097_152,
        maxCollatedBytes: 10_485_760,
        protoVersion: 5,
      }),
    ],
    [31, storeWhole(fundamentalContracts, [keyOf(ELECTOR_ADDRESS), keyOf(CONFIG_ADDRESS)])],
    [
      34,
      storeValidatorSet({
        ext: true,
        utimeSince: p.utime,
        utimeUntil: FOREVER,
        total: 1,
        main: 1,
        totalWeight: p.validator.descr.weight,
        list: [p.validator.descr],
      }),
    ],
    [
      43,
      storeWhole(sizeLimits, {
        maxMsgBits: 2_097_152,
        maxMsgCells: 8192,
        maxLibraryCells: 200,
        maxVmDataDepth: 512,
        maxExtMsgSize: 65_535,
        maxExtMsgDepth: 512,
        maxAccStateCells: 65_536,
        maxMcAccStateCells: 2048,
        maxAccPublicLibraries: 256,
        deferOutQueueSizeLimit: 256,
        maxMsgExtraCurrencies: 2,
        maxAccFixedPrefixLength: 8,
        accStateCellsForStorageDict: 26,
        withoutLibraryLoads: true,
      }),
    ],
    [44, storeWhole(suspendedAddresses, { addresses: [], suspendedUntil: 0 })],
  ])

/** Root of Hashmap 32 ^Cell; keys are 32-bit two's complement. */
export const configRoot = (params: ReadonlyMap<number, Cell>): Cell =>
  dictFromEntries(
    32,
    [...params]
      .map(([n, cell]) => [BigInt.asUintN(32, BigInt(n)), beginCell().storeRef(cell)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )!
