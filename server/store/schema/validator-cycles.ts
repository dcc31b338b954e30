import { bytea, int4, int8, nullable, numeric } from './column.ts'
import { table } from './table.ts'

/** Validator sets, with the election parameters of the configuration in which they first appeared. */
export const validatorCycles = table('validator_cycles', {
  kind: 'event',
  key: ['set_hash'],
  columns: {
    set_hash: bytea,
    mc_seqno: int4,
    utime_since: int8,
    utime_until: int8,
    total: int4,
    main: int4,
    total_weight: numeric,
    elected_for: nullable(int8),
    elections_start_before: nullable(int8),
    elections_end_before: nullable(int8),
    stake_held_for: nullable(int8),
    max_validators: nullable(int4),
    max_main_validators: nullable(int4),
    min_validators: nullable(int4),
    min_stake: nullable(numeric),
    max_stake: nullable(numeric),
    min_total_stake: nullable(numeric),
    max_stake_factor: nullable(int8),
  },
})

export const validatorCycleMembers = table('validator_cycle_members', {
  kind: 'event',
  key: ['set_hash', 'validator_index'],
  columns: {
    set_hash: bytea,
    validator_index: int4,
    mc_seqno: int4,
    pubkey: bytea,
    adnl: nullable(bytea),
    weight: numeric,
  },
})
