import type { Params, Result } from '../../shared/registry.ts'
import type { validators } from '../../shared/v3/validators.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { grouped } from '../base/memory/grouped.ts'
import { VALIDATOR_EVENTS } from '../store/codes.ts'
import { type ComplaintRow, complaintsOfElections, findComplaints, type VoteRow, votesOf } from '../store/queries/complaints.ts'
import type { PageParams } from '../store/queries/order.ts'
import { type CycleMemberRow, type CycleRow, findCycles, membersOfCycles } from '../store/queries/validator-cycles.ts'
import {
  type ElectionRow,
  findElections,
  findValidatorEvents,
  type ParticipantRow,
  participantsOf,
  type ValidatorEventRow,
} from '../store/queries/validators.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { address, base64, hex, maybeAddress, maybeHex, maybeNumber, optional, txRef } from './shapes/values.ts'

type Complaint = Result<'v3.validators.complaints'>['complaints'][number]
type Cycle = Result<'v3.validators.cycles'>['cycles'][number]

const toEvent = (row: ValidatorEventRow) => ({
  ...txRef(row),
  type: VALIDATOR_EVENTS[row.type]!,
  stake_holder_address: address(row.holder),
  amount: row.amount,
  validator_pubkey: optional(maybeHex(row.pubkey)),
  adnl_addr: optional(maybeHex(row.adnl)),
  election_id: optional(maybeNumber(row.election_id)),
  query_id: optional(row.query_id),
  reason: optional(row.reason),
})

const toParticipant = (row: ParticipantRow & { readonly validator_index: number | null }) => ({
  validator_pubkey: hex(row.pubkey),
  stake: row.stake,
  max_factor: Number(row.max_factor),
  stake_holder_address: address(row.holder),
  adnl_addr: hex(row.adnl),
  validator_index: optional(row.validator_index),
})

const toElection = (row: ElectionRow, participants: readonly Parameters<typeof toParticipant>[0][]) => ({
  election_id: Number(row.election_id),
  elect_close: Number(row.elect_close),
  min_stake: row.min_stake,
  total_stake: row.total_stake,
  total_participants: row.members,
  failed: row.failed,
  finished: row.finished,
  ...(participants.length > 0 && { participants: participants.map(toParticipant) }),
})

/** The weight of the votes in percent of the total weight, to three decimals. `remaining`: weight that is missing to two thirds of the total. */
const approval = (total: bigint, remaining: bigint): number => {
  const required = (total * 2n) / 3n
  return total === 0n ? 0 : Number(((required - remaining) * 100_000n) / total) / 1000
}

const NO_SET = '0'.repeat(64)

const toComplaint = (row: ComplaintRow, votes: readonly VoteRow[]): Complaint => {
  const total = BigInt(row.total_weight ?? 0)
  const isUntouched = hex(row.vset_id) === NO_SET
  const remaining = isUntouched ? (total * 2n) / 3n : BigInt(row.weight_remaining)
  return {
    cycle_start: Number(row.cycle_start ?? row.election_id),
    election_id: Number(row.election_id),
    complaint_hash: hex(row.hash),
    validator_pubkey: hex(row.pubkey),
    adnl_addr: maybeHex(row.adnl),
    stake_holder_address: optional(maybeAddress(row.holder)),
    description_boc: base64(row.description),
    created_at: Number(row.created_at),
    severity: row.severity,
    reward_address: address(row.reward),
    paid: row.paid,
    suggested_fine: row.fine,
    suggested_fine_part: Number(row.fine_part),
    voted_validators: votes.map((vote) => ({
      validator_index: vote.validator_index,
      validator_pubkey: optional(maybeHex(vote.pubkey)),
      adnl_addr: optional(maybeHex(vote.adnl)),
      weight: optional(vote.weight),
    })),
    vset_id: hex(row.vset_id),
    weight_remaining: String(remaining),
    approved_percent: approval(total, remaining),
    is_passed: !isUntouched && remaining < 0n,
  }
}

const complaintFormat = async (view: View, rows: readonly ComplaintRow[], page: PageParams): Promise<(row: ComplaintRow) => Complaint> => {
  const keyOf = (row: { readonly election_id: string; readonly hash: Buffer }): string => `${row.election_id} ${hex(row.hash)}`
  const votes = grouped(await votesOf(view, rows, page), keyOf)
  return (row) => toComplaint(row, votes(keyOf(row)))
}

const toMember = (row: CycleMemberRow, complaints: readonly Complaint[]) => ({
  validator_index: row.validator_index,
  validator_pubkey: hex(row.pubkey),
  adnl_addr: maybeHex(row.adnl) ?? NO_SET,
  weight: row.weight,
  stake_holder_address: optional(maybeAddress(row.holder)),
  stake: optional(row.stake),
  max_factor: optional(maybeNumber(row.max_factor)),
  complaints: [...complaints],
})

const toCycle = (row: CycleRow): Cycle => ({
  cycle_start: Number(row.utime_since),
  cycle_end: Number(row.utime_until),
  total: row.total,
  main: row.main,
  total_weight: row.total_weight,
  election_id: optional(maybeNumber(row.election_id)),
  total_stake: optional(row.total_stake),
  validators_elected_for: optional(maybeNumber(row.elected_for)),
  elections_start_before: optional(maybeNumber(row.elections_start_before)),
  elections_end_before: optional(maybeNumber(row.elections_end_before)),
  stake_held_for: optional(maybeNumber(row.stake_held_for)),
  max_validators: optional(row.max_validators),
  max_main_validators: optional(row.max_main_validators),
  min_validators: optional(row.min_validators),
  min_stake: optional(row.least_stake),
  max_stake: optional(row.most_stake),
  min_stake_limit: optional(row.min_stake),
  max_stake_limit: optional(row.max_stake),
  min_total_stake: optional(row.min_total_stake),
  max_stake_factor: optional(maybeNumber(row.max_stake_factor)),
})

const relateCycles = async (view: View, rows: readonly CycleRow[], params: Params<'v3.validators.cycles'>) => {
  if (!params.return_validators) return { accounts: [], format: toCycle }
  const members = await membersOfCycles(view, rows, params)
  const elections = rows.flatMap((row) => row.election_id ?? [])
  const complaintRows = await complaintsOfElections(view, elections, params)
  const complaints = complaintRows.map(await complaintFormat(view, complaintRows, params))
  const complaintsOf = grouped(complaints, ({ election_id, validator_pubkey }) => `${election_id} ${validator_pubkey}`)
  const membersOf = grouped(members, (row) => hex(row.set_hash))
  return {
    accounts: [...members.map((row) => row.holder), ...complaintRows.flatMap((row) => [row.holder, row.reward])],
    format(row: CycleRow): Cycle {
      const own = membersOf(hex(row.set_hash))
      return {
        ...toCycle(row),
        validators: own.map((member) => toMember(member, complaintsOf(`${row.election_id} ${hex(member.pubkey)}`))),
      }
    },
  }
}

/** Handlers of validators, which the index derives from the elector and the configuration. */
export const validatorHandlers = (index: V3Index): AnswerHandlers<keyof typeof validators> => ({
  'v3.validators.events': list(index, 'v3.validators.events', {
    find: findValidatorEvents,
    relate: (_, rows) => ({ accounts: rows.map((row) => row.holder), format: toEvent }),
  }),

  'v3.validators.elections': list(index, 'v3.validators.elections', {
    find: findElections,
    async relate(view, rows, params) {
      const ids = params.return_participants ? rows.map((row) => row.election_id) : []
      const participants = await participantsOf(view, ids, params)
      const ofElection = grouped(participants, (row) => row.election_id)
      return { accounts: participants.map((row) => row.holder), format: (row) => toElection(row, ofElection(row.election_id)) }
    },
  }),

  'v3.validators.cycles': list(index, 'v3.validators.cycles', {
    find: findCycles,
    relate: relateCycles,
  }),

  'v3.validators.complaints': list(index, 'v3.validators.complaints', {
    find: findComplaints,
    relate: (view, rows, params) => ({
      accounts: rows.flatMap((row) => [row.holder, row.reward]),
      format: complaintFormat(view, rows, params),
    }),
  }),
})
