import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { all, given, lastOf, type TimeFilter, within } from './conditions.ts'
import { afterCursor, bytesPart, numberPart, type Order, orderBy, type Page, type PageParams, readPage } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { ValidatorFilter } from './validators.ts'
import type { View } from './view.ts'

export type CycleRow = Tables['validator_cycles'] & {
  readonly election_id: string | null
  readonly elector: Buffer | null
  readonly total_stake: string | null
  /** Minimum and maximum stake of the members; null if not all stakes are stored. */
  readonly least_stake: string | null
  readonly most_stake: string | null
}

export interface CycleFilter extends ValidatorFilter, TimeFilter {
  readonly cycle_start?: number | undefined
  readonly election_id?: number | undefined
}

const BY_START: Order<CycleRow> = {
  name: 'y',
  parts: [numberPart(sql.ref('utime_since'), (row) => row.utime_since), bytesPart(sql.ref('set_hash'), 32, (row) => row.set_hash)],
}

const membersWhere = (column: 'adnl' | 'pubkey', value: Uint8Array | undefined) =>
  value &&
  sql<boolean>`set_hash in (select m.set_hash from validator_cycle_members m where ${sql.ref(`m.${column}`)} = ${Buffer.from(value)})`

/** One page of validator sets, each with the election that chose it. */
export const findCycles = (view: View, filter: CycleFilter, page: PageParams): Promise<Page<CycleRow>> =>
  readPage(BY_START, page, (piece) => {
    const last = lastOf(view, page)
    const holder = filter.stake_holder_address && keyOf(filter.stake_holder_address)
    const conditions = all([
      given(sql.ref('utime_since'), filter.cycle_start),
      filter.election_id === undefined
        ? undefined
        : sql<boolean>`set_hash in (select o.set_hash from validator_past_elections o where o.election_id = ${filter.election_id})`,
      holder &&
        sql<boolean>`set_hash in (select o.set_hash from validator_stakes s join validator_past_elections o
          on o.elector = s.elector and o.election_id = s.election_id where s.holder = ${holder})`,
      membersWhere('adnl', filter.adnl_address),
      membersWhere('pubkey', filter.validator_pubkey),
      ...within(sql.ref('utime_since'), filter, piece),
      afterCursor(BY_START, piece),
      sql<boolean>`mc_seqno <= ${last}`,
    ])
    return view.rows(
      sql<CycleRow>`select c.*, o.election_id, o.elector, o.total_stake,
          case when k.known = c.total then k.least end as least_stake, case when k.known = c.total then k.most end as most_stake
        from (select * from validator_cycles where ${conditions} order by ${orderBy(BY_START, piece.sort)}
          limit ${piece.limit} offset ${piece.offset}) c
        left join lateral (select * from validator_past_elections o where o.set_hash = c.set_hash and o.mc_seqno <= ${last}
          order by o.election_id desc limit 1) o on true
        left join lateral (select count(*) as known, min(s.stake) as least, max(s.stake) as most from validator_stakes s
          where s.elector = o.elector and s.election_id = o.election_id and s.mc_seqno <= ${last}) k on true
        order by ${orderBy(BY_START, piece.sort)}`.compile(view.sql),
    )
  })

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

export const membersOfCycles = (
  view: View,
  cycles: readonly CycleRow[],
  filter: ValidatorFilter,
  page: PageParams,
): Promise<CycleMemberRow[]> => {
  if (cycles.length === 0) return Promise.resolve([])
  const last = lastOf(view, page)
  const conditions = all([
    given(sql.ref('m.adnl'), filter.adnl_address && Buffer.from(filter.adnl_address)),
    given(sql.ref('m.pubkey'), filter.validator_pubkey && Buffer.from(filter.validator_pubkey)),
    given(sql.ref('s.holder'), filter.stake_holder_address && keyOf(filter.stake_holder_address)),
  ])
  return view.rows(
    sql<CycleMemberRow>`select m.set_hash, m.validator_index, m.pubkey, m.adnl, m.weight, s.holder, s.stake, p.max_factor
      from unnest(${cycles.map((row) => row.set_hash)}::bytea[], ${cycles.map((row) => row.elector)}::bytea[],
        ${cycles.map((row) => row.election_id)}::bigint[]) as c(set_hash, elector, election_id)
      join validator_cycle_members m on m.set_hash = c.set_hash and m.mc_seqno <= ${last}
      left join validator_stakes s on s.elector = c.elector and s.election_id = c.election_id and s.pubkey = m.pubkey and s.mc_seqno <= ${last}
      left join lateral (select max_factor from validator_participants p where p.elector = c.elector and p.election_id = c.election_id
        and p.pubkey = m.pubkey and p.mc_seqno <= ${last} order by p.mc_seqno desc limit 1) p on true
      where ${conditions} order by m.set_hash, m.validator_index`.compile(view.sql),
  )
}
