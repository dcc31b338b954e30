import { timingSafeEqual } from 'node:crypto'
import { parse } from 'node:querystring'
import { TonError } from '../../shared/errors.ts'
import type { Caller } from '../base/call.ts'
import { CALLER_LIMITS } from '../base/limits/caller-limits.ts'
import type { Gate } from '../dispatch/types.ts'
import type { Refusal } from '../metrics/meter.ts'
import { clientNet } from '../net/client-net.ts'
import type { RequestSource } from '../net/request-source.ts'
import { addressBucket, callBucket } from './bucket-names.ts'
import { hasEnded, type KeyDirectory, type KeyState } from './key-directory.ts'
import { hashKey, idOfKey } from './key-text.ts'
import type { Limiter } from './limiter.ts'

export interface NetworkRules {
  /** If false, every call counts as one without a key. */
  readonly keys: boolean
  /** Units per second for a client address without a key. Infinity: calls are not counted. */
  readonly anonymous: number
}

export interface GateDeps {
  readonly rules: ReadonlyMap<string, NetworkRules>
  /** undefined if no keys can exist. */
  readonly directory: KeyDirectory | undefined
  readonly limiter: Limiter
  readonly clientAddress: (req: RequestSource) => string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly refused: (why: Refusal) => void
}

const first = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value || undefined : value?.find((each) => each !== '')

/** An empty key counts as missing. The header takes precedence over the query. */
const shownKey = ({ headers, url = '' }: RequestSource): string | undefined => {
  const header = first(headers['x-api-key'])
  if (header !== undefined) return header
  const start = url.indexOf('?')
  if (start === -1) return undefined
  const query = url.slice(start + 1)
  // The name `api_key` may be percent-encoded in the query.
  return query.includes('api_key') || query.includes('%') ? first(parse(query)['api_key']) : undefined
}

const UNLIMITED: Caller = { keyId: undefined, servers: undefined, take: () => true, charge: () => {}, onEnd: () => () => {} }

const UNKNOWN = 'API key does not exist'
const FOREIGN = 'Network not allowed'

/** Units that are still to be taken for a call. One that costs more than a second's limit takes that limit as a whole. */
const unpaid = (weight: number, limit: number, prepaid: number): number => Math.min(weight, limit) - prepaid

export const createGate = ({ rules, directory, limiter, clientAddress, now, refused }: GateDeps): Gate => {
  const unknown = (): TonError => {
    refused('unknown_key')
    return new TonError('UNAUTHORIZED', UNKNOWN)
  }

  /** Takes units, and counts it if they exceed the limit. */
  const take = (why: Refusal, bucket: string, limit: number, units: number): boolean | Promise<boolean> => {
    const count = (isTaken: boolean): boolean => {
      if (!isTaken) refused(why)
      return isTaken
    }
    const taken = limiter.take(bucket, limit, units)
    return taken instanceof Promise ? taken.then(count) : count(taken)
  }

  const createCaller = (found: KeyState): Caller => {
    let state = found
    /** The state may change while a WebSocket has this caller. */
    const newest = (): KeyState => {
      state = directory!.newest(state)
      return state
    }
    const valid = (): KeyState => {
      if (hasEnded(newest(), now)) throw unknown()
      return state
    }
    return {
      keyId: found.id,
      owner: found.owner,
      get bucket() {
        return newest().bucket
      },
      get servers() {
        return newest().servers
      },
      get limits() {
        return { ...CALLER_LIMITS, ...newest().limits }
      },
      take(weight, prepaid = 0) {
        const { bucket, rps } = valid()
        return take('key', bucket, rps, unpaid(weight, rps, prepaid))
      },
      takeOne(what, of = '') {
        const { bucket, limits } = valid()
        const most = limits[what] ?? CALLER_LIMITS[what]
        return most < 0 || limiter.take(callBucket(what, of, bucket), most, 1)
      },
      charge(units) {
        const { bucket, rps } = newest()
        limiter.charge(bucket, rps, units)
      },
      onEnd: (listener) => directory!.watch(found.id, listener),
    }
  }

  const verify = (state: KeyState | undefined, key: string, network: string): Caller => {
    if (state === undefined || !timingSafeEqual(hashKey(key), state.hash) || hasEnded(state, now)) throw unknown()
    if (state.network !== network) {
      refused('wrong_network')
      throw new TonError('FORBIDDEN', FOREIGN)
    }
    state.caller ??= createCaller(state)
    return state.caller
  }

  const anonymous = (req: RequestSource, network: string, limit: number): Caller => {
    if (limit === Number.POSITIVE_INFINITY) return UNLIMITED
    const bucket = addressBucket(network, clientNet(clientAddress(req)))
    return {
      keyId: undefined,
      servers: undefined,
      take: (weight, prepaid = 0) => take('anonymous', bucket, limit, unpaid(weight, limit, prepaid)),
      charge: (units) => limiter.charge(bucket, limit, units),
      onEnd: UNLIMITED.onEnd,
    }
  }

  return {
    admit(req, network) {
      const rule = rules.get(network)!
      const key = rule.keys ? shownKey(req) : undefined
      if (key === undefined) return anonymous(req, network, rule.anonymous)
      const id = idOfKey(key)
      if (id === undefined || directory === undefined) throw unknown()
      const found = directory.find(id)
      return found instanceof Promise ? found.then((state) => verify(state, key, network)) : verify(found, key, network)
    },
  }
}
