import type { TableDef } from '../../../store/schema/columns.ts'

const event = (name: string, columns: string, ...key: readonly string[]): TableDef => ({ name, columns, key, kind: 'event' })

/** Tables of 0003-validators.ts. */
export const VALIDATOR_TABLES: readonly TableDef[] = [
  event('validator_events', 'elector lt hash mc_seqno utime type holder pubkey adnl election_id query_id amount reason', 'elector', 'lt'),
  event(
    'validator_elections',
    'elector election_id mc_seqno elect_close min_stake total_stake members failed finished',
    'elector',
    'election_id',
    'mc_seqno',
  ),
  event(
    'validator_participants',
    'elector election_id pubkey mc_seqno stake max_factor holder adnl',
    'elector',
    'election_id',
    'pubkey',
    'mc_seqno',
  ),
  event('validator_past_elections', 'elector election_id mc_seqno set_hash total_stake', 'elector', 'election_id'),
  event('validator_stakes', 'elector election_id pubkey mc_seqno holder weight stake', 'elector', 'election_id', 'pubkey'),
  event(
    'validator_complaints',
    'elector election_id hash mc_seqno pubkey description created_at severity reward paid fine fine_part',
    'elector',
    'election_id',
    'hash',
  ),
  event(
    'validator_complaint_states',
    'elector election_id hash mc_seqno vset_id weight_remaining',
    'elector',
    'election_id',
    'hash',
    'mc_seqno',
  ),
  event(
    'validator_complaint_votes',
    'elector election_id hash vset_id validator_index mc_seqno',
    'elector',
    'election_id',
    'hash',
    'vset_id',
    'validator_index',
  ),
  event(
    'validator_cycles',
    'set_hash mc_seqno utime_since utime_until total main total_weight elected_for elections_start_before elections_end_before stake_held_for max_validators max_main_validators min_validators min_stake max_stake min_total_stake max_stake_factor',
    'set_hash',
  ),
  event('validator_cycle_members', 'set_hash validator_index mc_seqno pubkey adnl weight', 'set_hash', 'validator_index'),
]
