import { type RawBuilder, sql } from 'kysely'
import { validatorComplaints } from '../schema/complaints.ts'
import type { Tables } from '../schema/tables.ts'
import { is, isAccount, type ListParams, lastOf, upToHead, within } from './conditions.ts'
import { orderBy, orderOf, type Page, type PageParams, pageRows, toPage } from './order.ts'
import type { View } from './view.ts'

export type ComplaintRow = Tables['validator_complaints'] & {
  /** The accused validator's ADNL address and stake holder, in the election that the complaint is about. */
  readonly adnl: Buffer | null
  readonly holder: Buffer | null
  readonly cycle_start: string | null
  readonly vset_id: Buffer
  readonly weight_remaining: string
  /** Total weight of the validator set that votes; before the first vote, of the set that was active when the complaint was filed. */
  readonly total_weight: string | null
}

const BY_TIME = orderOf(validatorComplaints, 'k', ['created_at', 'hash'])

/** Reads the details of complaints. `page`: the query that selects them from validator_complaints. */
const complaintsWhere = (view: View, last: number, page: RawBuilder<unknown>, sort: PageParams['sort']) =>
  view.rows(
    sql<ComplaintRow>`select * from (select k.*, m.adnl, s.holder, c.utime_since as cycle_start, t.vset_id, t.weight_remaining, w.total_weight
      from (${page}) k
      cross join lateral (select * from validator_complaint_states t where t.elector = k.elector and t.election_id = k.election_id
        and t.hash = k.hash and t.mc_seqno <= ${last} order by t.mc_seqno desc limit 1) t
      left join lateral (select o.set_hash from validator_past_elections o where o.elector = k.elector and o.election_id = k.election_id limit 1) o on true
      left join lateral (select c.utime_since from validator_cycles c where c.set_hash = o.set_hash limit 1) c on true
      left join lateral (select m.adnl from validator_cycle_members m where m.set_hash = o.set_hash and m.pubkey = k.pubkey limit 1) m on true
      left join lateral (select s.holder from validator_stakes s
        where s.elector = k.elector and s.election_id = k.election_id and s.pubkey = k.pubkey limit 1) s on true
      left join lateral (select n.set_hash from validator_cycles n
        where t.vset_id = decode(repeat('00', 32), 'hex') and n.utime_since <= k.created_at and n.mc_seqno <= ${last}
        order by n.utime_since desc, n.set_hash desc limit 1) n on true
      left join lateral (select w.total_weight from validator_cycles w where w.set_hash = coalesce(n.set_hash, t.vset_id) limit 1) w on true) validator_complaints
      order by ${orderBy(BY_TIME, sort)}`,
  )

export const findComplaints = async (view: View, params: ListParams<'v3.validators.complaints'>): Promise<Page<ComplaintRow>> => {
  const complaints = pageRows(BY_TIME, params, [
    is('election_id', params.election_id),
    is('pubkey', params.validator_pubkey),
    params.cycle_start === undefined
      ? undefined
      : sql<boolean>`election_id in (select o.election_id from validator_cycles c join validator_past_elections o on o.set_hash = c.set_hash
          where c.utime_since = ${params.cycle_start})`,
    params.stake_holder_address &&
      sql<boolean>`(election_id, pubkey) in (select s.election_id, s.pubkey from validator_stakes s
        where ${isAccount('s.holder', params.stake_holder_address)})`,
    params.adnl_address &&
      sql<boolean>`(election_id, pubkey) in (select o.election_id, m.pubkey from validator_cycle_members m
        join validator_past_elections o on o.set_hash = m.set_hash where m.adnl = ${params.adnl_address})`,
    ...within(params, 'created_at'),
    upToHead(view, params),
  ])
  return toPage(BY_TIME, params, await complaintsWhere(view, lastOf(view, params), complaints, params.sort))
}

/** Reads all complaints about some elections, oldest first. */
export const complaintsOfElections = async (view: View, ids: readonly string[], page: PageParams): Promise<ComplaintRow[]> => {
  if (ids.length === 0) return []
  const last = lastOf(view, page)
  const complaints = sql`select * from validator_complaints where election_id = any(${ids}::bigint[]) and mc_seqno <= ${last} limit 10000`
  return await complaintsWhere(view, last, complaints, 'asc')
}

export interface VoteRow {
  readonly election_id: string
  readonly hash: Buffer
  readonly validator_index: number
  readonly pubkey: Buffer | null
  readonly adnl: Buffer | null
  readonly weight: string | null
}

/** Reads the votes for complaints, of the validator set that currently votes on each. */
export const votesOf = (view: View, complaints: readonly ComplaintRow[], page: PageParams): Promise<VoteRow[]> => {
  if (complaints.length === 0) return Promise.resolve([])
  const last = lastOf(view, page)
  return view.rows(
    sql<VoteRow>`select v.election_id, v.hash, v.validator_index, m.pubkey, m.adnl, m.weight
      from unnest(${complaints.map((row) => row.elector)}::bytea[], ${complaints.map((row) => row.election_id)}::bigint[],
        ${complaints.map((row) => row.hash)}::bytea[], ${complaints.map((row) => row.vset_id)}::bytea[]) as k(elector, election_id, hash, vset_id)
      join validator_complaint_votes v on v.elector = k.elector and v.election_id = k.election_id and v.hash = k.hash and v.vset_id = k.vset_id
        and v.mc_seqno <= ${last}
      left join lateral (select * from validator_cycle_members m where m.set_hash = v.vset_id and m.validator_index = v.validator_index limit 1) m on true
      order by v.election_id, v.hash, v.validator_index`,
  )
}
