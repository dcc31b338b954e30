import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBook } from './book.ts'

/* Validators (v3.md 3.8 to 3.11). Keys, ADNL addresses and hashes of sets and complaints are upper-case hex here, unlike anywhere else. */

/** 32 bytes as upper-case hex. */
const upperHex = () => z.string().regex(/^[0-9A-F]{64}$/)

/** The window of time that was asked for. */
export const askedWindow = { start_utime: z.int().optional(), end_utime: z.int().optional() }

export const validatorEvent = z
  .strictObject({
    tx_hash: hash44(),
    tx_lt: decimal(),
    utime: z.int(),
    type: z.enum(['stake_accepted', 'stake_rejected', 'stake_recovered', 'recover_requested', 'recover_failed']),
    stake_holder_address: rawUpper(),
    validator_pubkey: upperHex().optional(),
    adnl_addr: upperHex().optional(),
    election_id: z.int().optional(),
    query_id: decimal().optional(),
    amount: decimal(),
    reason: z.int().optional(),
  })
  .meta({ id: 'V3ValidatorEvent' })

export const v3ValidatorEvents = z
  .strictObject({ ...askedWindow, events: z.array(validatorEvent), ...withBook, ...nextCursor })
  .meta({ id: 'V3ValidatorEvents' })

const participant = z
  .strictObject({
    validator_pubkey: upperHex(),
    validator_index: z.int().optional(),
    stake: decimal(),
    max_factor: z.int(),
    stake_holder_address: rawUpper(),
    adnl_addr: upperHex(),
  })
  .meta({ id: 'V3ElectionParticipant' })

const election = z
  .strictObject({
    election_id: z.int(),
    elect_close: z.int(),
    min_stake: decimal(),
    total_stake: decimal(),
    total_participants: z.int(),
    failed: z.boolean(),
    finished: z.boolean(),
    participants: z.array(participant).optional(),
  })
  .meta({ id: 'V3Election' })

export const v3Elections = z.strictObject({ elections: z.array(election), ...withBook, ...nextCursor }).meta({ id: 'V3Elections' })

const vote = z
  .strictObject({
    validator_index: z.int(),
    validator_pubkey: upperHex().optional(),
    adnl_addr: upperHex().optional(),
    weight: decimal().optional(),
  })
  .meta({ id: 'V3ComplaintVote' })

const complaint = z
  .strictObject({
    cycle_start: z.int(),
    election_id: z.int(),
    complaint_hash: upperHex(),
    validator_pubkey: upperHex(),
    adnl_addr: upperHex().nullable(),
    stake_holder_address: rawUpper().optional(),
    description_boc: base64(),
    created_at: z.int(),
    severity: z.int(),
    reward_address: rawUpper(),
    paid: decimal(),
    suggested_fine: decimal(),
    suggested_fine_part: z.int(),
    voted_validators: z.array(vote),
    vset_id: upperHex(),
    weight_remaining: decimal(),
    approved_percent: z.number(),
    is_passed: z.boolean(),
  })
  .meta({ id: 'V3ValidatorComplaint' })

export const v3Complaints = z
  .strictObject({ complaints: z.array(complaint), ...withBook, ...nextCursor })
  .meta({ id: 'V3ValidatorComplaints' })

const member = z
  .strictObject({
    validator_index: z.int(),
    validator_pubkey: upperHex(),
    adnl_addr: upperHex(),
    weight: decimal(),
    stake_holder_address: rawUpper().optional(),
    stake: decimal().optional(),
    max_factor: z.int().optional(),
    complaints: z.array(complaint),
  })
  .meta({ id: 'V3CycleValidator' })

const cycle = z
  .strictObject({
    election_id: z.int().optional(),
    cycle_start: z.int(),
    cycle_end: z.int(),
    total: z.int(),
    main: z.int(),
    total_weight: decimal(),
    total_stake: decimal().optional(),
    validators_elected_for: z.int().optional(),
    elections_start_before: z.int().optional(),
    elections_end_before: z.int().optional(),
    stake_held_for: z.int().optional(),
    max_validators: z.int().optional(),
    max_main_validators: z.int().optional(),
    min_validators: z.int().optional(),
    min_stake: decimal().optional(),
    max_stake: decimal().optional(),
    min_stake_limit: decimal().optional(),
    max_stake_limit: decimal().optional(),
    min_total_stake: decimal().optional(),
    max_stake_factor: z.int().optional(),
    validators: z.array(member).optional(),
  })
  .meta({ id: 'V3ValidatorCycle' })

export const v3Cycles = z.strictObject({ cycles: z.array(cycle), ...withBook, ...nextCursor }).meta({ id: 'V3ValidatorCycles' })
