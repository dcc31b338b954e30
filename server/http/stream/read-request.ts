import { parseAddress } from '../../../shared/fields/address.ts'
import { parseHash } from '../../../shared/fields/hash.ts'
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

export interface StreamRequest {
  readonly filter: Filter
  /** True if the client wants cursors in events, and events of resets and gaps. */
  readonly withCursor: boolean
  /** The cursor (as text) from which the stream resumes. */
  readonly resumeFrom: string | undefined
}

export interface StreamRules {
  readonly transport: 'sse' | 'ws'
  readonly limits: StreamLimits
  /** Value of X-Actions-Version. It selects the action types that the client supports, unless the request lists them. */
  readonly actionsVersion: string | undefined
}

type Members = Readonly<Record<string, unknown>>

const malformed = (text: string): StreamError => new StreamError(text, true)

export const objectOf = (text: string): Members => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('an object is expected')
  return value as Members
}

/** Throws StreamError if the id is neither a string nor a number. */
export const idOf = ({ id }: Members): StreamId | undefined => {
  if (id === undefined || id === null) return undefined
  if (typeof id === 'string' || typeof id === 'number') return id
  throw malformed('id must be a string')
}

const texts = (members: Members, name: string): readonly string[] => {
  const value = members[name]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw malformed(`${name} must be an array of strings`)
  return value as readonly string[]
}

/**
 * Maximum number of action types in a list, and maximum length of a type or a hash. A stream stores them until it ends; without these limits, the lists of
 * a body of 1 MiB would take 7 MB.
 */
const MAX_NAMES = 1_000
const LONGEST = 100

const checkLengths = (said: readonly string[], name: string): readonly string[] => {
  if (said.some((one) => one.length > LONGEST)) throw new StreamError(`${name} contains a value of over ${LONGEST} characters`)
  return said
}

const typeNames = (members: Members, name: string): readonly string[] => {
  const said = texts(members, name)
  if (said.length > MAX_NAMES) throw new StreamError(`${name} list exceeds maximum length of ${MAX_NAMES}`)
  return checkLengths(said, name)
}

const bool = (members: Members, name: string): boolean => {
  const value = members[name]
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw malformed(`${name} must be true or false`)
  return value
}

const text = (members: Members, name: string): string | undefined => {
  const value = members[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw malformed(`${name} must be a string`)
  return value
}

const finalityOf = (members: Members): (typeof FINALITY_WORDS)[number] => {
  const said = text(members, 'min_finality') ?? 'finalized'
  const finality = FINALITY_WORDS.find((word) => word === said)
  if (finality === undefined) throw malformed(`unknown finality state: ${said}`)
  return finality
}

const typesOf = (members: Members, transport: StreamRules['transport']): ReadonlySet<EventWord> => {
  const said = texts(members, 'types')
  if (said.length === 0) throw new StreamError(transport === 'sse' ? 'types are required for subscription' : 'types are required')
  const types = new Set<EventWord>()
  for (const one of said) {
    const word = EVENT_WORDS.find((each) => each === one)
    if (word === undefined) throw new StreamError(`invalid event type: ${one}`)
    types.add(word)
  }
  return types
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
    checkLengths(texts(members, 'trace_external_hash_norms'), 'trace_external_hash_norms').map((one) => {
      const said = one.trim()
      if (said === '') throw new StreamError('trace_external_hash_norms contains empty value')
      const hash = parseHash(said)
      return hash ? Buffer.from(hash).toString('base64') : said
    }),
  )

/** Event types that need neither addresses nor hashes. */
const FREE: ReadonlySet<EventWord> = new Set(['blocks', 'trace_invalidated'])

/** Throws if the lists do not fit the event types. Traces can also be requested by address. */
const checkLists = (types: ReadonlySet<EventWord>, addresses: number, hashes: number, transport: StreamRules['transport']): void => {
  const isForTraces = types.has('trace')
  if (hashes > 0 && !isForTraces) throw new StreamError('trace_external_hash_norms requires type "trace"')
  if (isForTraces && hashes === 0 && addresses === 0) throw new StreamError('trace_external_hash_norms are required for trace subscription')
  const needsAddresses = [...types].some((word) => word !== 'trace' && !FREE.has(word))
  if (needsAddresses && addresses === 0)
    throw new StreamError(transport === 'sse' ? 'addresses are required for subscription' : 'addresses are required')
}

/** Throws if a connection names more addresses and hashes than its limit allows. */
const checkCount = (count: number, { transport, limits: { addresses: most } }: StreamRules): void => {
  if (!isOverLimit(count, most)) return
  throw new StreamError(
    transport === 'sse' ? `too many addresses: ${count} > max ${most}` : `address limit exceeded: current 0 + new ${count} > max ${most}`,
  )
}

const NEWEST = 'latest'
const supportedTypesOf = (names: readonly string[]): ReadonlySet<string> => new Set(actionTypesOf({ supported_action_types: names }))
let newest: ReadonlySet<string> | undefined

/** Most requests do not list types. They share one set of all types, which takes 2.5 KB. */
const sharedTypesOf = (names: readonly string[]): ReadonlySet<string> => {
  if (names.length !== 1 || names[0] !== NEWEST) return supportedTypesOf(names)
  newest ??= supportedTypesOf(names)
  return newest
}

/** Parses a subscription. Absent members get their defaults. Throws StreamError; the checks run in TON Center's order. */
export const readSubscription = (members: Members, rules: StreamRules): StreamRequest => {
  const minFinality = finalityOf(members)
  const [book, metadata] = [bool(members, 'include_address_book'), bool(members, 'include_metadata')]
  const [actionTypes, supported] = [typeNames(members, 'action_types'), typeNames(members, 'supported_action_types')]
  const resumeFrom = text(members, 'resume_from')
  const withCursor = bool(members, 'with_cursor') || resumeFrom !== undefined
  const scope = text(members, 'finality_scope') ?? 'trace'
  if (scope !== 'trace' && scope !== 'transaction') throw malformed('finality_scope must be trace or transaction')
  for (const name of ['types', 'addresses', 'trace_external_hash_norms']) texts(members, name)
  const types = typesOf(members, rules.transport)
  const accounts = addressesOf(members)
  const hashes = hashesOf(members)
  checkLists(types, accounts.size, hashes.size, rules.transport)
  const filter: Filter = {
    types,
    accounts,
    hashes,
    minFinality,
    book,
    metadata,
    actionTypes: new Set(actionTypes),
    supportedTypes: sharedTypesOf(supported.length > 0 ? supported : [rules.actionsVersion ?? NEWEST]),
    scope: scope === 'trace' ? 'trace' : 'block',
  }
  return { filter, withCursor, resumeFrom }
}

/** Checks the number of addresses and hashes. TON Center does this last, after the limit of connections. */
export const checkNamed = ({ filter }: StreamRequest, rules: StreamRules): void =>
  checkCount(filter.accounts.size + filter.hashes.size, rules)
