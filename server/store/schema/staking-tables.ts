/* Tables of migrations/0005-staking.ts as kysely sees them. `bigint` and `numeric` come back as decimal strings. */

type Int8 = string
type Numeric = string

export interface StakingTables {
  nominator_pools: {
    pool: Buffer
    mc_seqno: number
    state: number
    stake_amount_sent: Numeric
    validator_amount: Numeric
    validator: Buffer
    reward_share: number
    nominators_count: number
    max_nominators: number
    min_validator_stake: Numeric
    min_nominator_stake: Numeric
    stake_at: Int8
  }
  pool_nominators: { pool: Buffer; nominator: Buffer; mc_seqno: number; balance: Numeric; pending: Numeric; withdraw: boolean }
  pool_nominator_events: {
    pool: Buffer
    lt: Int8
    event_index: number
    hash: Buffer
    mc_seqno: number
    utime: Int8
    nominator: Buffer
    type: number
    amount: Numeric
    balance_before: Numeric
    balance_after: Numeric
    pending_before: Numeric
    pending_after: Numeric
    withdraw_before: boolean
    withdraw_after: boolean
  }
  pool_validator_events: {
    pool: Buffer
    lt: Int8
    hash: Buffer
    mc_seqno: number
    utime: Int8
    validator: Buffer
    type: number
    amount: Numeric
    balance_before: Numeric
    balance_after: Numeric
    query_id: Numeric | null
    cycle_start: Int8 | null
    reward_share: number
  }
}
