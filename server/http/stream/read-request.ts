import { parseAddress } from '../../../shared/fields/address.ts'
import { parseHash } from '../../../shared/fields/hash.ts'
import { checkMembers } from '../../../shared/json.ts'
import { EVENT_WORDS, type EventWord, FINALITY_WORDS } from '../../../shared/live/subscriptions.ts'
import { isOverLimit } from '../../base/limits/caller-limits.ts'
import type { Filter } from '../../live/filter.ts'
import { rawAddress } from '../../v3/event-subscriptions.ts'
import { actionTypesOf } from '../../v3/shapes/supported-action-types.ts'
import type { StreamLimits } from './limits.ts'

/* Parses requests of streaming v2. The members, the order of checks and the error texts are TON Center's. */

/** A refused request. `isMalformed`: true if its JSON has the wrong structure, false if a value is invalid. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly isMalformed: boolean
  constructor(text: string, isMalformed = false) {
    super(text)
    this.isMalformed = isMalformed
  }
}

export type StreamId = string | number

export type StreamRequest = ReturnType<typeof readSubscription>

export interface StreamRules {
  readonly transport: 'sse' | 'ws'
  readonly limits: StreamLimits
  /** Value of X-Actions-Version. It selects the action types that the client supports, unless the request lists them. */
  readonly actionsVersion: string | undefined
}

export type Members = Readonly<Record<string, unknown>>

const malformed = (text: string): StreamError => new StreamError(text, true)

export const objectOf = (text: string): Members => {
  let value: unknown
  try {
    checkMembers(text)
    // Not parseJson, which turns an id beyond 2^53 into a text.
    value = JSON.parse(text)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('an object is expected')
  return value as Members
}

/** Maximum characters of an id, which each answer repeats. */
const MAX_ID = 1_000

/** Throws StreamError if the id is neither a number nor a string, or too long. */
export const idOf = ({ id }: Members): StreamId | undefined => {
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' && typeof id !== 'number') throw malformed('id must be a string')
  if (typeof id === 'string' && id.length > MAX_ID) throw malformed(`id is over ${MAX_ID} characters`)
  return id
}

/** The value of a member, or `otherwise` if it is absent. Throws StreamError if it has another type. */
const read = <T>(members: Members, name: string, isRight: (value: unknown) => value is T, what: string, otherwise: T): T => {
  const value = members[name] ?? otherwise
  if (value !== otherwise && !isRight(value)) throw malformed(`${name} must be ${what}`)
  return value as T
}
const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

const texts = (members: Members, name: string): readonly string[] => read(members, name, areTexts, 'an array of strings', [])
const bool = (members: Members, name: string): boolean => read(members, name, isFlag, 'true or false', false)
const text = (members: Members, name: string): string | undefined => read<string | undefined>(members, name, isText, 'a string', undefined)

/**
 * Maximum number of action types in a list, and maximum length of a type or a hash. A stream stores them until it ends; without these limits, the lists of
 * a body of 1 MiB would take 7 MB.
 */
const MAX_NAMES = 1_000
const LONGEST = 100

const shortTexts = (members: Members, name: string, most = Number.POSITIVE_INFINITY): readonly string[] => {
  const said = texts(members, name)
  if (said.length > most) throw new StreamError(`${name} list exceeds maximum length of ${most}`)
  if (said.some((one) => one.length > LONGEST)) throw new StreamError(`${name} contains a value of over ${LONGEST} characters`)
  return said
}

/** TON Center words two refusals differently over SSE. */
const purpose = ({ transport }: StreamRules): string => (transport === 'sse' ? ' for subscription' : '')

const finalityOf = (members: Members): (typeof FINALITY_WORDS)[number] => {
  const said = text(members, 'min_finality') ?? 'finalized'
  const finality = FINALITY_WORDS.find((word) => word === said)
  if (finality === undefined) throw malformed(`unknown finality state: ${said}`)
  return finality
}

const typesOf = (members: Members, rules: StreamRules): ReadonlySet<EventWord> => {
  const said = texts(members, 'types')
  if (said.length === 0) throw new StreamError(`types are required${purpose(rules)}`)
  const unknown = said.find((one) => !EVENT_WORDS.some((word) => word === one))
  if (unknown !== undefined) throw new StreamError(`invalid event type: ${unknown}`)
  return new Set(said as readonly EventWord[])
}

/** Reads addresses, in raw form. Throws StreamError for an invalid address. */
export const addressesOf = (members: Members): ReadonlySet<string> =>
  new Set(
    texts(members, 'addresses').map((one) => {
      const address = parseAddress(one)
      if (address === undefined) throw new StreamError(`invalid address: ${one}`)
      return rawAddress(address)
    }),
  )

/** Reads hashes, as base64. An invalid hash stays as it is and matches nothing. */
export const hashesOf = (members: Members): ReadonlySet<string> =>
  new Set(
    shortTexts(members, 'trace_external_hash_norms').map((one) => {
      const said = one.trim()
      if (said === '') throw new StreamError('trace_external_hash_norms contains empty value')
      const hash = parseHash(said)
      return hash ? Buffer.from(hash).toString('base64') : said
    }),
  )

/** Event types that need neither addresses nor hashes. */
const FREE: ReadonlySet<EventWord> = new Set(['blocks', 'trace_invalidated'])

/** Throws if the lists do not fit the event types. Traces can also be requested by address. */
const checkLists = ({ types, accounts, hashes }: Filter, rules: StreamRules): void => {
  const isForTraces = types.has('trace')
  if (hashes.size > 0 && !isForTraces) throw new StreamError('trace_external_hash_norms requires type "trace"')
  if (accounts.size > 0) return
  if (isForTraces && hashes.size === 0) throw new StreamError('trace_external_hash_norms are required for trace subscription')
  if ([...types].some((word) => word !== 'trace' && !FREE.has(word))) throw new StreamError(`addresses are required${purpose(rules)}`)
}

/** The types of most requests, which do not list any. They share one set, because it takes 2.5 KB. */
const NEWEST: ReadonlySet<string> = new Set(actionTypesOf({}))

const supportedTypesOf = (said: readonly string[], { actionsVersion }: StreamRules): ReadonlySet<string> => {
  const names = said.length > 0 || actionsVersion === undefined ? said : [actionsVersion]
  return names.length === 0 ? NEWEST : new Set(actionTypesOf({ supported_action_types: names }))
}

/** Parses a subscription. Absent members get their defaults. Throws StreamError; the checks run in TON Center's order. */
export const readSubscription = (members: Members, rules: StreamRules) => {
  const minFinality = finalityOf(members)
  const [book, metadata] = [bool(members, 'include_address_book'), bool(members, 'include_metadata')]
  const actionTypes = shortTexts(members, 'action_types', MAX_NAMES)
  const supported = shortTexts(members, 'supported_action_types', MAX_NAMES)
  /** The cursor (as text) from which the stream resumes. */
  const resumeFrom = text(members, 'resume_from')
  /** True if the client wants cursors in events, and events of resets and gaps. */
  const withCursor = bool(members, 'with_cursor') || resumeFrom !== undefined
  const scope = text(members, 'finality_scope') ?? 'trace'
  if (scope !== 'trace' && scope !== 'transaction') throw malformed('finality_scope must be trace or transaction')
  for (const name of ['types', 'addresses', 'trace_external_hash_norms']) texts(members, name)
  const filter: Filter = {
    types: typesOf(members, rules),
    accounts: addressesOf(members),
    hashes: hashesOf(members),
    minFinality,
    book,
    metadata,
    actionTypes: new Set(actionTypes),
    supportedTypes: supportedTypesOf(supported, rules),
    scope: scope === 'trace' ? 'trace' : 'block',
  }
  checkLists(filter, rules)
  return { filter, withCursor, resumeFrom }
}

/** Throws if a connection names more addresses and hashes than its limit allows. TON Center does this last, after the limit of connections. */
export const checkNamed = ({ filter }: StreamRequest, { transport, limits: { addresses: most } }: StreamRules): void => {
  const count = filter.accounts.size + filter.hashes.size
  if (!isOverLimit(count, most)) return
  throw new StreamError(
    transport === 'sse' ? `too many addresses: ${count} > max ${most}` : `address limit exceeded: current 0 + new ${count} > max ${most}`,
  )
}
