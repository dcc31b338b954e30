/* Tables of migrations/0003-validators.ts as kysely sees them. `bigint` and `numeric` come back as decimal strings. */

type Int8 = string
type Numeric = string

export interface ValidatorTables {
  validator_events: {
    elector: Buffer
    lt: Int8
    hash: Buffer
    mc_seqno: number
    utime: Int8
    type: number
    holder: Buffer
    pubkey: Buffer | null
    adnl: Buffer | null
    election_id: Int8 | null
    query_id: Numeric | null
    amount: Numeric
    reason: number | null
  }
  validator_elections: {
    elector: Buffer
    election_id: Int8
    mc_seqno: number
    elect_close: Int8
    min_stake: Numeric
    total_stake: Numeric
    members: number
    failed: boolean
    finished: boolean
  }
  validator_participants: {
    elector: Buffer
    election_id: Int8
    pubkey: Buffer
    mc_seqno: number
    stake: Numeric
    max_factor: Int8
    holder: Buffer
    adnl: Buffer
  }
  validator_past_elections: { elector: Buffer; election_id: Int8; mc_seqno: number; set_hash: Buffer; total_stake: Numeric }
  validator_stakes: {
    elector: Buffer
    election_id: Int8
    pubkey: Buffer
    mc_seqno: number
    holder: Buffer
    weight: Numeric
    stake: Numeric
  }
  validator_complaints: {
    elector: Buffer
    election_id: Int8
    hash: Buffer
    mc_seqno: number
    pubkey: Buffer
    description: Buffer
    created_at: Int8
    severity: number
    reward: Buffer
    paid: Numeric
    fine: Numeric
    fine_part: Int8
  }
  validator_complaint_states: {
    elector: Buffer
    election_id: Int8
    hash: Buffer
    mc_seqno: number
    vset_id: Buffer
    weight_remaining: Int8
  }
  validator_complaint_votes: {
    elector: Buffer
    election_id: Int8
    hash: Buffer
    vset_id: Buffer
    validator_index: number
    mc_seqno: number
  }
  validator_cycles: {
    set_hash: Buffer
    mc_seqno: number
    utime_since: Int8
    utime_until: Int8
    total: number
    main: number
    total_weight: Numeric
    elected_for: Int8 | null
    elections_start_before: Int8 | null
    elections_end_before: Int8 | null
    stake_held_for: Int8 | null
    max_validators: number | null
    max_main_validators: number | null
    min_validators: number | null
    min_stake: Numeric | null
    max_stake: Numeric | null
    min_total_stake: Numeric | null
    max_stake_factor: Int8 | null
  }
  validator_cycle_members: {
    set_hash: Buffer
    validator_index: number
    mc_seqno: number
    pubkey: Buffer
    adnl: Buffer | null
    weight: Numeric
  }
}
