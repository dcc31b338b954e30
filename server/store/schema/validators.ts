import { VALIDATOR_EVENTS } from '../codes.ts'
import { bool, bytea, code, int4, int8, nullable, numeric } from './column.ts'
import { table } from './table.ts'

/** Stakes that were sent to the elector or recovered from it, at most one per transaction. `elector`: key of the elector's account. */
export const validatorEvents = table('validator_events', {
  kind: 'event',
  key: ['elector', 'lt'],
  prunedWith: { elector: 'account', lt: 'lt' },
  columns: {
    elector: bytea,
    lt: int8,
    hash: bytea,
    mc_seqno: int4,
    utime: int8,
    type: code(VALIDATOR_EVENTS),
    holder: bytea,
    pubkey: nullable(bytea),
    adnl: nullable(bytea),
    election_id: nullable(int8),
    query_id: nullable(numeric),
    amount: numeric,
    reason: nullable(int4),
  },
})

/** Elections: one row per block that changed the election. The newest row is the current state. */
export const validatorElections = table('validator_elections', {
  kind: 'event',
  key: ['elector', 'election_id', 'mc_seqno'],
  columns: {
    elector: bytea,
    election_id: int8,
    mc_seqno: int4,
    elect_close: int8,
    min_stake: numeric,
    total_stake: numeric,
    members: int4,
    failed: bool,
    finished: bool,
  },
})

/** Participants of elections: one row per block that changed the participant. */
export const validatorParticipants = table('validator_participants', {
  kind: 'event',
  key: ['elector', 'election_id', 'pubkey', 'mc_seqno'],
  columns: {
    elector: bytea,
    election_id: int8,
    pubkey: bytea,
    mc_seqno: int4,
    stake: numeric,
    max_factor: int8,
    holder: bytea,
    adnl: bytea,
  },
})

/** Elections that resulted in a validator set. */
export const validatorPastElections = table('validator_past_elections', {
  kind: 'event',
  key: ['elector', 'election_id'],
  columns: {
    elector: bytea,
    election_id: int8,
    mc_seqno: int4,
    set_hash: bytea,
    total_stake: numeric,
  },
})

/** Stakes that were frozen when a validator set was elected. Later fines do not change these rows. */
export const validatorStakes = table('validator_stakes', {
  kind: 'event',
  key: ['elector', 'election_id', 'pubkey'],
  columns: {
    elector: bytea,
    election_id: int8,
    pubkey: bytea,
    mc_seqno: int4,
    holder: bytea,
    weight: numeric,
    stake: numeric,
  },
})
