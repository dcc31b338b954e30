import type { ClientConfig } from 'pg'
import type { TestServer } from './database.ts'

/* Made-up rows of elections, pools and locked wallets for tests of plans: 300 elections of 40 validators, 400 pools, 3,000 wallets of each kind. */

const hash = (text: string): string => `sha256((${text})::bytea)`
const master = (text: string): string => `'\\xffffffff'::bytea || ${hash(text)}`
const base = (text: string): string => `'\\x00000000'::bytea || ${hash(text)}`
const ELECTOR = `'\\xffffffff'::bytea || decode(repeat('33', 32), 'hex')`
/** An election starts every 1000 seconds. */
const id = 'e::bigint * 1000 + 1700000000'
const elections = 'generate_series(1, 300) as e'
const validators = 'generate_series(0, 39) as v'

const STATEMENTS: readonly string[] = [
  `insert into validator_events (elector, lt, hash, mc_seqno, utime, type, holder, pubkey, adnl, election_id, query_id, amount, reason)
   select ${ELECTOR}, i, ${hash(`'tx ' || i`)}, i / 50, 1700000000 + i, i % 3, ${master(`'holder ' || i % 97`)}, ${hash(`'key ' || i % 97`)},
     ${hash(`'adnl ' || i % 97`)}, 1700000000 + i / 100 * 1000, i, 1000000, null from generate_series(1, 20000) as i`,
  `insert into validator_elections (elector, election_id, mc_seqno, elect_close, min_stake, total_stake, members, failed, finished)
   select ${ELECTOR}, ${id}, e * 100 + n, ${id} - 200, 10, n * 1000, n, false, n = 9 from ${elections}, generate_series(0, 9) as n`,
  `insert into validator_participants (elector, election_id, pubkey, mc_seqno, stake, max_factor, holder, adnl)
   select ${ELECTOR}, ${id}, ${hash(`'key ' || v`)}, e * 100 + n, 1000 + v, 65536, ${master(`'holder ' || v`)}, ${hash(`'adnl ' || v`)}
   from ${elections}, ${validators}, generate_series(0, 1) as n`,
  `insert into validator_past_elections (elector, election_id, mc_seqno, set_hash, total_stake)
   select ${ELECTOR}, ${id}, e * 100, ${hash(`'set ' || e`)}, 40000 from ${elections}`,
  `insert into validator_stakes (elector, election_id, pubkey, mc_seqno, holder, weight, stake)
   select ${ELECTOR}, ${id}, ${hash(`'key ' || v`)}, e * 100, ${master(`'holder ' || v`)}, 100, 1000 from ${elections}, ${validators}`,
  `insert into validator_cycles (set_hash, mc_seqno, utime_since, utime_until, total, main, total_weight, elected_for)
   select ${hash(`'set ' || e`)}, e * 100, ${id}, ${id} + 1000, 40, 40, 4000, 1000 from ${elections}`,
  `insert into validator_cycle_members (set_hash, validator_index, mc_seqno, pubkey, adnl, weight)
   select ${hash(`'set ' || e`)}, v, e * 100, ${hash(`'key ' || v`)}, ${hash(`'adnl ' || v`)}, 100 from ${elections}, ${validators}`,
  `insert into validator_complaints (elector, election_id, hash, mc_seqno, pubkey, description, created_at, severity, reward, paid, fine, fine_part)
   select ${ELECTOR}, ${id}, ${hash(`'complaint ' || e || ' ' || n`)}, e * 100, ${hash(`'key ' || n`)}, 'd', ${id} + n, 0, ${master(`'holder 1'`)}, 1, 2, 3
   from ${elections}, generate_series(0, 9) as n`,
  `insert into validator_complaint_states (elector, election_id, hash, mc_seqno, vset_id, weight_remaining)
   select elector, election_id, hash, mc_seqno + n, ${hash(`'set 1'`)}, 5 - n from validator_complaints, generate_series(0, 4) as n`,
  `insert into validator_complaint_votes (elector, election_id, hash, vset_id, validator_index, mc_seqno)
   select elector, election_id, hash, ${hash(`'set 1'`)}, n, mc_seqno from validator_complaints, generate_series(0, 4) as n`,
  `insert into nominator_pools (pool, mc_seqno, state, stake_amount_sent, validator_amount, validator, reward_share, nominators_count, max_nominators,
     min_validator_stake, min_nominator_stake, stake_at)
   select ${master(`'pool ' || p`)}, 1, 0, 0, 5, ${master(`'validator ' || p % 20`)}, 4000, 40, 40, 1, 1, 0 from generate_series(1, 400) as p`,
  `insert into pool_nominators (pool, nominator, mc_seqno, balance, pending, withdraw)
   select ${master(`'pool ' || p`)}, ${base(`'nominator ' || (p + n) % 97`)}, 1, 10, 0, false from generate_series(1, 400) as p, generate_series(1, 40) as n`,
  `insert into pool_nominator_events (pool, lt, event_index, hash, mc_seqno, utime, nominator, type, amount, balance_before, balance_after, pending_before,
     pending_after, withdraw_before, withdraw_after)
   select ${master(`'pool ' || i % 400`)}, i, 0, ${hash(`'tx ' || i`)}, i / 50, 1700000000 + i, ${base(`'nominator ' || i / 400 % 40`)}, i / 16000 % 5, 1, 1, 2, 0, 0, false, false
   from generate_series(1, 40000) as i`,
  `insert into pool_validator_events (pool, lt, hash, mc_seqno, utime, validator, type, amount, balance_before, balance_after, query_id, cycle_start, reward_share)
   select ${master(`'pool ' || i % 400`)}, i, ${hash(`'tx ' || i`)}, i / 50, 1700000000 + i, ${master(`'validator ' || i % 20`)}, i / 4000 % 4, 1, 1, 2, i, 1, 4000
   from generate_series(1, 40000) as i`,
  `insert into multisigs (account, mc_seqno, next_order_seqno, threshold) select ${base(`'multisig ' || i`)}, 1, 3, 2 from generate_series(1, 3000) as i`,
  `insert into multisig_members (account, role, place, mc_seqno, member)
   select ${base(`'multisig ' || i`)}, p % 2, p, 1, ${base(`'signer ' || (i * 7 + p) % 1009`)} from generate_series(1, 3000) as i, generate_series(0, 3) as p`,
  `insert into multisig_orders (account, mc_seqno, multisig, order_seqno, threshold, sent, approvals_mask, approvals_num, expiration_date, order_boc)
   select ${base(`'order ' || i`)}, 1, ${base(`'multisig ' || i % 3000`)}, i, 2, false, 1, 1, 5, null from generate_series(1, 9000) as i`,
  `insert into vestings (account, mc_seqno, start_time, total_duration, unlock_period, cliff_duration, total_amount, sender, owner)
   select ${base(`'vesting ' || i`)}, 1, 1, 1, 1, 1, 1, ${base(`'signer ' || i % 1009`)}, ${base(`'signer ' || (i + 1) % 1009`)} from generate_series(1, 3000) as i`,
  `insert into vesting_whitelist (account, wallet, mc_seqno, place)
   select ${base(`'vesting ' || i`)}, ${base(`'signer ' || (i + p + 2) % 1009`)}, 1, p from generate_series(1, 3000) as i, generate_series(0, 2) as p`,
  `insert into accounts (account, mc_seqno, state_hash, status, balance, utime, last_trans_lt, first_lt)
   select account, 1, 'x', 2, 1, 1, row_number() over (), 1 from (select account from multisigs union all select account from multisig_orders
     union all select account from vestings) a`,
  'analyze',
]

/** Fills the tables of staking, validators and wallets, and updates the planner's statistics. */
export const fillStaking = async (server: TestServer, connection: ClientConfig): Promise<void> => {
  for (const statement of STATEMENTS) await server.run(connection, statement)
}
