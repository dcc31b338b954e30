import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'

/*
 * Data of the nominator pool (https://github.com/ton-blockchain/nominator-pool/blob/main/func/pool.fc, save_data, written as TL-B):
 * _ state:uint8 nominators_count:uint16 stake_amount_sent:Grams validator_amount:Grams config:^PoolConfig
 *   nominators:(HashmapE 256 Nominator) withdraw_requests:(HashmapE 256 Unit) stake_at:uint32 saved_validator_set_hash:bits256
 *   validator_set_changes_count:uint8 validator_set_change_time:uint32 stake_held_for:uint32
 *   config_proposal_votings:(HashmapE 256 Votes) = PoolData;                                  (keys of both: account ids in the basechain)
 * _ validator_address:bits256 validator_reward_share:uint16 max_nominators_count:uint16
 *   min_validator_stake:Grams min_nominator_stake:Grams = PoolConfig;
 * _ amount:Grams pending_deposit_amount:Grams = Nominator;
 */

/** Code hash of the pools that are indexed. The data of other pools has other layouts. */
export const NOMINATOR_POOL_CODE = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf'

export interface Nominator {
  readonly amount: bigint
  readonly pendingDeposit: bigint
}

/**
 * Maximum number of nominators, and of requests. The contract pays all nominators in one transaction, whose gas is enough for a few hundred. Anybody can
 * deploy a pool with more of them in a few shared cells, and each change of it would write a database row for each nominator.
 */
const MAX_NOMINATORS = 512

const hexOf = (key: bigint): string => key.toString(16).padStart(64, '0')

const loadConfig = (cell: Cell) => {
  const s = cell.slice()
  return {
    /** Account id in the masterchain. */
    validatorAddress: s.loadBytes(32),
    /** In units of 1/10000. */
    validatorRewardShare: s.loadUint(16),
    maxNominatorsCount: s.loadUint(16),
    minValidatorStake: s.loadCoins(),
    minNominatorStake: s.loadCoins(),
  }
}

export type PoolConfig = Readonly<ReturnType<typeof loadConfig>>

const loadNominators = (root: Cell | undefined): ReadonlyMap<string, Nominator> => {
  const nominators = new Map<string, Nominator>()
  for (const [key, s] of dictEntries(root, 256, { cells: 2 * MAX_NOMINATORS })) {
    nominators.set(hexOf(key), { amount: s.loadCoins(), pendingDeposit: s.loadCoins() })
  }
  return nominators
}

const loadRequests = (root: Cell | undefined): ReadonlySet<string> => {
  const requests = new Set<string>()
  for (const [key] of dictEntries(root, 256, { cells: 2 * MAX_NOMINATORS })) requests.add(hexOf(key))
  return requests
}

export const loadPoolData = (cell: Cell) => {
  const s = cell.slice()
  return {
    /** 0: idle; 1: stake sent; 2: stake confirmed by the elector. */
    state: s.loadUint(8),
    nominatorsCount: s.loadUint(16),
    stakeAmountSent: s.loadCoins(),
    validatorAmount: s.loadCoins(),
    config: loadConfig(s.loadRef()),
    /** By account id (64 lower-case hex digits, in the basechain), ascending. */
    nominators: loadNominators(s.loadMaybeRef()),
    withdrawRequests: loadRequests(s.loadMaybeRef()),
    /** Id of the election for which the stake was sent. */
    stakeAt: s.loadUint(32),
    savedValidatorSetHash: s.loadBytes(32),
    validatorSetChangesCount: s.loadUint(8),
    validatorSetChangeTime: s.loadUint(32),
    stakeHeldFor: s.loadUint(32),
    configProposalVotings: s.loadMaybeRef(),
  }
}

export type PoolData = Readonly<ReturnType<typeof loadPoolData>>
