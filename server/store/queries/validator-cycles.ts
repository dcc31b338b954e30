import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { validatorCycles } from '../schema/validator-cycles.ts'
import { is, isAccount, type ListParams, lastOf, upToHead, within } from './conditions.ts'
import { all, orderBy, orderOf, type Page, pageRows, toPage } from './order.ts'
import type { View } from './view.ts'

export type CycleRow = Tables['validator_cycles'] & {
  readonly election_id: string | null
  readonly elector: Buffer | null
  readonly total_stake: string | null
  /** Minimum and maximum stake of the members; null if not all stakes are stored. */
  readonly least_stake: string | null
  readonly most_stake: string | null
}

type CycleParams = ListParams<'v3.validators.cycles'>

const BY_START = orderOf(validatorCycles, 'y', ['utime_since', 'set_hash'])

const membersWhere = (column: 'adnl' | 'pubkey', value: Uint8Array | undefined) =>
  value && sql<boolean>`set_hash in (select m.set_hash from validator_cycle_members m where ${sql.ref(`m.${column}`)} = ${value})`

export const findCycles = async (view: View, params: CycleParams): Promise<Page<CycleRow>> => {
  const last = lastOf(view, params)
  const sets = pageRows(BY_START, params, [
    is('utime_since', params.cycle_start),
    params.election_id === undefined
      ? undefined
      : sql<boolean>`set_hash in (select o.set_hash from validator_past_elections o where o.election_id = ${params.election_id})`,
    params.stake_holder_address &&
      sql<boolean>`set_hash in (select o.set_hash from validator_stakes s join validator_past_elections o
        on o.elector = s.elector and o.election_id = s.election_id where ${isAccount('s.holder', params.stake_holder_address)})`,
    membersWhere('adnl', params.adnl_address),
    membersWhere('pubkey', params.validator_pubkey),
    ...within(params, 'utime_since'),
    upToHead(view, params),
  ])
  const rows = await view.rows(
    sql<CycleRow>`select validator_cycles.*, o.election_id, o.elector, o.total_stake,
        case when k.known = total then k.least end as least_stake, case when k.known = total then k.most end as most_stake
      from (${sets}) as validator_cycles
      left join lateral (select * from validator_past_elections o where o.set_hash = validator_cycles.set_hash and o.mc_seqno <= ${last}
        order by o.election_id desc limit 1) o on true
      left join lateral (select count(*) as known, min(s.stake) as least, max(s.stake) as most from validator_stakes s
        where s.elector = o.elector and s.election_id = o.election_id and s.mc_seqno <= ${last}) k on true
      order by ${orderBy(BY_START, params.sort)}`,
  )
  return toPage(BY_START, params, rows)
}

export interface CycleMemberRow {
  readonly set_hash: Buffer
  readonly validator_index: number
  readonly pubkey: Buffer
  readonly adnl: Buffer | null
  readonly weight: string
  readonly holder: Buffer | null
  readonly stake: string | null
  readonly max_factor: string | null
}

export const membersOfCycles = (view: View, cycles: readonly CycleRow[], params: CycleParams): Promise<CycleMemberRow[]> => {
  if (cycles.length === 0) return Promise.resolve([])
  const last = lastOf(view, params)
  const conditions = all([
    is('m.adnl', params.adnl_address),
    is('m.pubkey', params.validator_pubkey),
    isAccount('s.holder', params.stake_holder_address),
  ])
  return view.rows(
    sql<CycleMemberRow>`select m.set_hash, m.validator_index, m.pubkey, m.adnl, m.weight, s.holder, s.stake, p.max_factor
      from unnest(${cycles.map((row) => row.set_hash)}::bytea[], ${cycles.map((row) => row.elector)}::bytea[],
        ${cycles.map((row) => row.election_id)}::bigint[]) as c(set_hash, elector, election_id)
      join validator_cycle_members m on m.set_hash = c.set_hash and m.mc_seqno <= ${last}
      left join validator_stakes s on s.elector = c.elector and s.election_id = c.election_id and s.pubkey = m.pubkey and s.mc_seqno <= ${last}
      left join lateral (select max_factor from validator_participants p where p.elector = c.elector and p.election_id = c.election_id
        and p.pubkey = m.pubkey and p.mc_seqno <= ${last} order by p.mc_seqno desc limit 1) p on true
      where ${conditions} order by m.set_hash, m.validator_index`,
  )
}
