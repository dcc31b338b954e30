import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { VALIDATOR_EVENTS } from '../codes.ts'
import type { Tables } from '../schema/tables.ts'
import { all, given, lastOf, type TimeFilter, within } from './conditions.ts'
import { afterCursor, bytesPart, numberPart, type Order, orderBy, type Page, type PageParams, readPage } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type ValidatorEventRow = Tables['validator_events']
export type ElectionRow = Tables['validator_elections']
export type ParticipantRow = Tables['validator_participants']

export interface ValidatorFilter {
  readonly stake_holder_address?: AccountId | undefined
  readonly adnl_address?: Uint8Array | undefined
  readonly validator_pubkey?: Uint8Array | undefined
}

const bytesOf = (bytes: Uint8Array | undefined): Buffer | undefined => bytes && Buffer.from(bytes)

const validatorIs = ({ stake_holder_address, adnl_address, validator_pubkey }: ValidatorFilter): (RawBuilder<boolean> | undefined)[] => [
  given(sql.ref('holder'), stake_holder_address && keyOf(stake_holder_address)),
  given(sql.ref('adnl'), bytesOf(adnl_address)),
  given(sql.ref('pubkey'), bytesOf(validator_pubkey)),
]

const BY_TIME: Order<ValidatorEventRow> = {
  name: 'v',
  parts: [
    numberPart(sql.ref('utime'), (row) => row.utime),
    numberPart(sql.ref('lt'), (row) => row.lt),
    bytesPart(sql.ref('elector'), 36, (row) => row.elector),
  ],
}

export const findValidatorEvents = (
  view: View,
  filter: ValidatorFilter & TimeFilter & { readonly type?: (typeof VALIDATOR_EVENTS)[number] | undefined },
  page: PageParams,
): Promise<Page<ValidatorEventRow>> =>
  readPage(BY_TIME, page, (piece) => {
    const conditions = all([
      ...validatorIs(filter),
      given(sql.ref('type'), filter.type && VALIDATOR_EVENTS.indexOf(filter.type)),
      ...within(sql.ref('utime'), filter, piece),
      afterCursor(BY_TIME, piece),
      sql<boolean>`mc_seqno <= ${lastOf(view, page)}`,
    ])
    return view.rows(
      sql<ValidatorEventRow>`select * from validator_events where ${conditions}
        order by ${orderBy(BY_TIME, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(view.sql),
    )
  })

const BY_ID: Order<ElectionRow> = { name: 'e', parts: [numberPart(sql.ref('election_id'), (row) => row.election_id)] }

export interface ElectionFilter extends ValidatorFilter, TimeFilter {
  readonly election_id?: number | undefined
  readonly finished?: boolean | undefined
}

/** Reads elections, each with its newest row. The ids of elections are read from an index with one look-up per election (a loose index scan). */
export const findElections = (view: View, filter: ElectionFilter, page: PageParams): Promise<Page<ElectionRow>> =>
  readPage(BY_ID, page, (piece) => {
    const last = lastOf(view, page)
    const id = sql.ref('election_id')
    const who = validatorIs(filter).filter((condition) => condition !== undefined)
    const seen = all([
      given(id, filter.election_id),
      ...within(id, filter, piece),
      afterCursor(BY_ID, piece),
      sql<boolean>`mc_seqno <= ${last}`,
      ...who,
    ])
    const table = sql.table(who.length > 0 ? 'validator_participants' : 'validator_elections')
    const order = orderBy(BY_ID, piece.sort)
    const beyond = piece.sort === 'desc' ? sql`<` : sql`>`
    const finished = filter.finished === undefined ? sql<boolean>`true` : sql<boolean>`newest.finished = ${filter.finished}`
    return view.rows(
      sql<ElectionRow>`with recursive ids as (
          (select election_id from ${table} where ${seen} order by ${order} limit 1)
          union all
          select (select election_id from ${table} where ${seen} and election_id ${beyond} ids.election_id order by ${order} limit 1)
          from ids where ids.election_id is not null)
        select newest.* from ids cross join lateral (
          select * from validator_elections e where e.election_id = ids.election_id and e.mc_seqno <= ${last} order by e.mc_seqno desc limit 1) newest
        where ${finished} limit ${piece.limit} offset ${piece.offset}`.compile(view.sql),
    )
  })

/** The latest row of each participant of elections, ordered by stake. Elected participants have a `validator_index`. */
export const participantsOf = (
  view: View,
  ids: readonly string[],
  filter: ValidatorFilter,
  page: PageParams,
): Promise<(ParticipantRow & { readonly validator_index: number | null })[]> => {
  if (ids.length === 0) return Promise.resolve([])
  const last = lastOf(view, page)
  const who = all(validatorIs(filter))
  return view.rows(
    sql<ParticipantRow & { validator_index: number | null }>`select p.*, m.validator_index from (
        select distinct on (election_id, pubkey) * from validator_participants
        where election_id = any(${ids}::bigint[]) and mc_seqno <= ${last} and ${who} order by election_id, pubkey, mc_seqno desc) p
      left join lateral (select o.set_hash from validator_past_elections o
        where o.elector = p.elector and o.election_id = p.election_id and o.mc_seqno <= ${last} limit 1) o on true
      left join lateral (select m.validator_index from validator_cycle_members m
        where m.set_hash = o.set_hash and m.pubkey = p.pubkey and m.mc_seqno <= ${last} limit 1) m on true
      order by p.election_id, p.stake desc, p.pubkey`.compile(view.sql),
  )
}
