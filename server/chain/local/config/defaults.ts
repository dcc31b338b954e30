import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { dictFromEntries } from '../../../cell/dict.ts'
import { storeWhole } from '../../../tlb/config/config-dictionary.ts'
import { catchainConfig, consensusConfig } from '../../../tlb/config/consensus.ts'
import { electionTimes, stakeLimits, validatorCounts } from '../../../tlb/config/elections.ts'
import { addressParam, blockCreateFees, burningConfig, globalId, globalVersion, storeParamList } from '../../../tlb/config/general.ts'
import { fundamentalContracts, suspendedAddresses } from '../../../tlb/config/special-contracts.ts'
import { storeValidatorSet } from '../../../tlb/config/validator-set.ts'
import { workchainsCell } from '../../../tlb/config/workchains.ts'
import { NEWEST_VERSION } from '../../../tvm/versions.ts'
import { keyOf } from '../hash-keys.ts'
import type { Validator } from '../validator.ts'
import { PRICES } from './prices.ts'

/*
 * The initial configuration of the embedded chain. Prices and limits are those of TON mainnet in 2026 (masterchain block 84773657), so that contracts cost
 * the same on both. Deliberate differences:
 * - only the capabilities that these blocks use (no creator stats, message metadata, deferred queues);
 * - blocks create no coins (parameter 14), so the supply of an idle chain does not grow, and idle blocks need no fee recovery transaction;
 * - up to two extra currencies in a message (parameter 43), which mainnet has switched off;
 * - no fees are burned (parameter 5 is present because @ton/ton cannot read a configuration without it);
 * - no bridges, no suspended or precompiled contracts;
 * - stakes and numbers of validators have no effect, because there are no elections.
 */

const FOREVER = 0xffffffff
const COIN = 1_000_000_000n

/** Elections, sessions and complaints: parameters 13, 15 to 17, 28 and 29. Most of them have no effect, because there are no elections. */
const ELECTIONS: readonly (readonly [number, Cell])[] = [
  // complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;
  [13, beginCell().storeUint(0x1a, 8).storeCoins(COIN).storeCoins(1n).storeCoins(500n).end()],
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
]

/** Parameter 34: the one validator, valid from `since` (unix seconds). */
export const validatorsParam = ({ descr }: Validator, since: number): Cell =>
  storeValidatorSet({ ext: true, utimeSince: since, utimeUntil: FOREVER, total: 1, main: 1, totalWeight: descr.weight, list: [descr] })

const fill = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
/** The configuration contract, -1:5555..55 (ConfigParam 0). */
export const CONFIG_ADDRESS = fill(0x55)
/** The elector, -1:3333..33 (ConfigParam 1). It also receives collected fees, because there is no ConfigParam 3. */
export const ELECTOR_ADDRESS = fill(0x33)
/** The minter of extra currencies, -1:0000..00 (ConfigParam 2). */
const MINTER_ADDRESS = fill(0)
/** The DNS root, -1:4444..44 (ConfigParam 4). The account does not exist in a new chain. */
const DNS_ROOT_ADDRESS = fill(0x44)

/**
 * The newest version that this TVM supports, which is mainnet's version in 2026. An existing chain keeps its version until it is changed with
 * `local.setConfig`.
 */
export const GLOBAL_VERSION = NEWEST_VERSION
/** Capabilities (ton-types.h): 4 bounced messages have a body, 8 blocks have gen_software, 32 short dequeue records, 64 queue size in the state. */
export const CAPABILITIES = 0x6cn

// cfg_vote_cfg#36 min_tot_rounds:(## 8) max_tot_rounds:(## 8) min_wins:uint8 max_losses:uint8
//   min_store_sec:(## 32) max_store_sec:(## 32) bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
const proposals = (rounds: readonly [number, number, number, number], store: readonly [number, number, number, number]): Cell => {
  const b = beginCell().storeUint(0x36, 8)
  for (const value of rounds) b.storeUint(value, 8)
  for (const value of store) b.storeUint(value, 32)
  return b.end()
}

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
    [14, storeWhole(blockCreateFees, { masterchainBlockFee: 0n, basechainBlockFee: 0n })],
    [19, storeWhole(globalId, p.globalId)],
    [31, storeWhole(fundamentalContracts, [keyOf(ELECTOR_ADDRESS), keyOf(CONFIG_ADDRESS)])],
    [44, storeWhole(suspendedAddresses, { addresses: [], suspendedUntil: 0 })],
    ...PRICES,
    ...ELECTIONS,
    [34, validatorsParam(p.validator, p.utime)],
  ])

/** Root of Hashmap 32 ^Cell; keys are 32-bit two's complement. */
export const configRoot = (params: ReadonlyMap<number, Cell>): Cell =>
  dictFromEntries(
    32,
    [...params]
      .map(([n, cell]) => [BigInt.asUintN(32, BigInt(n)), beginCell().storeRef(cell)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )!
