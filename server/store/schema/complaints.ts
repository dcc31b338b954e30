import { bytea, int2, int4, int8, numeric } from './column.ts'
import { table } from './table.ts'

export const validatorComplaints = table('validator_complaints', {
  kind: 'event',
  key: ['elector', 'election_id', 'hash'],
  columns: {
    elector: bytea,
    election_id: int8,
    hash: bytea,
    mc_seqno: int4,
    pubkey: bytea,
    description: bytea,
    created_at: int8,
    severity: int2,
    reward: bytea,
    paid: numeric,
    fine: numeric,
    fine_part: int8,
  },
})

/** One row per block that changed the voting on a complaint. */
export const validatorComplaintStates = table('validator_complaint_states', {
  kind: 'event',
  key: ['elector', 'election_id', 'hash', 'mc_seqno'],
  columns: {
    elector: bytea,
    election_id: int8,
    hash: bytea,
    mc_seqno: int4,
    vset_id: bytea,
    weight_remaining: int8,
  },
})

export const validatorComplaintVotes = table('validator_complaint_votes', {
  kind: 'event',
  key: ['elector', 'election_id', 'hash', 'vset_id', 'validator_index'],
  columns: {
    elector: bytea,
    election_id: int8,
    hash: bytea,
    vset_id: bytea,
    validator_index: int4,
    mc_seqno: int4,
  },
})
