import { sql } from 'kysely'
import { VALIDATOR_EVENTS } from '../codes.ts'
import type { Tables } from '../schema/tables.ts'
import { validatorElections, validatorEvents } from '../schema/validators.ts'
import { is, isAccount, type ListParams, lastOf, upToHead, within } from './conditions.ts'
import { afterCursor, all, type Condition, findPage, limited, orderBy, orderOf, type Page, toPage } from './order.ts'
import type { View } from './view.ts'

export type ValidatorEventRow = Tables['validator_events']
export type ElectionRow = Tables['validator_elections']
export type ParticipantRow = Tables['validator_participants']

type EventParams = ListParams<'v3.validators.events'>
type ElectionParams = ListParams<'v3.validators.elections'>

const validatorIs = ({ stake_holder_address, adnl_address, validator_pubkey }: EventParams | ElectionParams): readonly Condition[] => [
  isAccount('holder', stake_holder_address),
  is('adnl', adnl_address),
  is('pubkey', validator_pubkey),
]

const BY_TIME = orderOf(validatorEvents, 'v', ['utime', 'lt', 'elector'])

export const findValidatorEvents = (view: View, params: EventParams): Promise<Page<ValidatorEventRow>> =>
  findPage(view, BY_TIME, params, [
    ...validatorIs(params),
    is('type', params.type && VALIDATOR_EVENTS.indexOf(params.type)),
    ...within(params, 'utime'),
    upToHead(view, params),
  ])

/** Rows of participants have the same column. */
const ELECTION_ID = { column: sql.ref('election_id'), type: 'bigint', of: (row: ElectionRow) => row.election_id }
const BY_ID = orderOf(validatorElections, 'e', [ELECTION_ID])

/** Reads elections, each with its newest row. The ids of elections are read from an index with one look-up per election (a loose index scan). */
export const findElections = async (view: View, params: ElectionParams): Promise<Page<ElectionRow>> => {
  const last = lastOf(view, params)
  const who = validatorIs(params).filter((condition) => condition !== undefined)
  const seen = all([
    is('election_id', params.election_id),
    ...within(params, 'election_id'),
    afterCursor(BY_ID, params),
    sql<boolean>`mc_seqno <= ${last}`,
    ...who,
  ])
  const ids = sql`select election_id from ${sql.table(who.length > 0 ? 'validator_participants' : 'validator_elections')} where ${seen}`
  const order = orderBy(BY_ID, params.sort)
  const beyond = params.sort === 'desc' ? sql`<` : sql`>`
  const finished = params.finished === undefined ? sql<boolean>`true` : sql<boolean>`newest.finished = ${params.finished}`
  const rows = await view.rows(
    sql<ElectionRow>`with recursive ids as (
        (${ids} order by ${order} limit 1)
        union all
        select (${ids} and election_id ${beyond} ids.election_id order by ${order} limit 1) from ids where ids.election_id is not null)
      select newest.* from ids cross join lateral (
        select * from validator_elections e where e.election_id = ids.election_id and e.mc_seqno <= ${last} order by e.mc_seqno desc limit 1) newest
      where ${finished} ${limited(params)}`,
  )
  return toPage(BY_ID, params, rows)
}

/** The latest row of each participant of elections, ordered by stake. Elected participants have a `validator_index`. */
export const participantsOf = (
  view: View,
  ids: readonly string[],
  params: ElectionParams,
): Promise<(ParticipantRow & { readonly validator_index: number | null })[]> => {
  if (ids.length === 0) return Promise.resolve([])
  const last = lastOf(view, params)
  const who = all(validatorIs(params))
  return view.rows(
    sql<ParticipantRow & { validator_index: number | null }>`select p.*, m.validator_index from (
        select distinct on (election_id, pubkey) * from validator_participants
        where election_id = any(${ids}::bigint[]) and mc_seqno <= ${last} and ${who} order by election_id, pubkey, mc_seqno desc) p
      left join lateral (select o.set_hash from validator_past_elections o
        where o.elector = p.elector and o.election_id = p.election_id and o.mc_seqno <= ${last} limit 1) o on true
      left join lateral (select m.validator_index from validator_cycle_members m
        where m.set_hash = o.set_hash and m.pubkey = p.pubkey and m.mc_seqno <= ${last} limit 1) m on true
      order by p.election_id, p.stake desc, p.pubkey`,
  )
}
