import { randomBytes } from 'node:crypto'
import { TonError } from '../../shared/errors.ts'
import type { Params, Registry, Result } from '../../shared/registry.ts'
import type { Call, Handlers } from '../base/call.ts'
import { formatCursor } from '../live/cursor.ts'
import { FetchRefusal } from '../net/fetch.ts'
import { cursorOf, rawAddress } from '../v3/event-subscriptions.ts'
import { createSecret, deliver, messageId } from './delivery.ts'
import type { RunnerDeps } from './runner.ts'
import { type Hook, type HookFilter, type HookStore, MAX_HOOKS } from './store.ts'

export interface HookHandlerDeps extends Pick<RunnerDeps, 'hub' | 'post' | 'now'> {
  /** Runs statements of an owner's call, a few at a time. Rejects with UNAVAILABLE while the database is not reachable. */
  readonly withStore: <T>(call: Call, owner: string, use: (store: HookStore) => Promise<T>) => Promise<T>
  /** True for an embedded chain, where callers on this machine need no key. */
  readonly isEmbedded: boolean
  readonly changed: () => void
}

type HookMethod = Extract<keyof Registry, `hooks.${string}`>

const MAX_NAMES = 1_000

const ownerOf = ({ caller, localAllowed }: Call, isEmbedded: boolean): string => {
  if (caller?.owner !== undefined) return caller.owner
  if (caller === undefined) return ''
  if (!isEmbedded) throw new TonError('UNAUTHORIZED', 'hooks need an API key')
  // Without a key only calls from this machine are allowed, not those of foreign web pages: any page can make a browser call this machine.
  if (!localAllowed)
    throw new TonError('FORBIDDEN', 'hooks without an API key are for callers on this machine; TONWAY_ALLOW_LOCAL allows others')
  return ''
}

const filterTexts = ({ url, since, addresses, trace_external_hash_norms: hashes, ...rest }: Params<'hooks.create'>): HookFilter => ({
  ...rest,
  types: [...new Set(rest.types)],
  ...(addresses && { addresses: addresses.map(rawAddress) }),
  ...(hashes && { trace_external_hash_norms: hashes.map((hash) => Buffer.from(hash).toString('base64')) }),
})

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

type Listed = Result<'hooks.list'>['hooks'][number]
const listed = ({ id, url, filter, cursor, reason, failures, nextTry, paused, createdAt }: Hook): Listed => {
  const { types, addresses, trace_external_hash_norms: hashes, action_types: actions } = filter as Partial<Listed>
  const isFailing = !paused && failures > 0
  return {
    id,
    url,
    types: types!,
    ...(addresses && { addresses }),
    ...(hashes && { trace_external_hash_norms: hashes }),
    ...(actions && { action_types: actions }),
    state: paused ? 'paused' : isFailing ? 'failing' : 'active',
    reason: reason ?? null,
    failures,
    next_try: isFailing ? seconds(nextTry) : null,
    cursor,
    created_at: seconds(createdAt),
  }
}

export const hookHandlers = ({ hub, post, withStore, isEmbedded, changed, now }: HookHandlerDeps): Pick<Handlers, HookMethod> => ({
  async 'hooks.create'(params, call) {
    const owner = ownerOf(call, isEmbedded)
    const { url } = params
    const names = (params.addresses?.length ?? 0) + (params.trace_external_hash_norms?.length ?? 0)
    if (names > MAX_NAMES) throw new TonError('INVALID_PARAMS', `address limit exceeded: ${names} > max ${MAX_NAMES} of a hook`)
    const since = cursorOf(params.since)
    await post.check(url, call.signal).catch((error: unknown) => {
      if (!(error instanceof FetchRefusal)) throw error
      const hint = error.kind === 'address' || error.kind === 'url' ? '; TONWAY_HOOKS_ALLOW allows hosts' : ''
      throw new TonError('INVALID_PARAMS', `url: ${error.message}${hint}`)
    })
    const hook: Hook = {
      id: `hook_${randomBytes(15).toString('base64url')}`,
      owner,
      url,
      secret: createSecret(),
      filter: filterTexts(params),
      cursor: formatCursor(since ?? (await hub.head())),
      createdAt: now(),
      paused: false,
      reason: undefined,
      failures: 0,
      failingSince: undefined,
      nextTry: 0,
    }
    if (!(await withStore(call, owner, (store) => store.create(hook))))
      throw new TonError('INVALID_PARAMS', `hook limit reached: max ${MAX_HOOKS} of an owner, fewer if all hooks have too many addresses`)
    changed()
    return { ...listed(hook), secret: hook.secret }
  },

  async 'hooks.list'(_, call) {
    const owner = ownerOf(call, isEmbedded)
    return { hooks: (await withStore(call, owner, (store) => store.list(owner))).map(listed) }
  },

  async 'hooks.delete'({ id }, call) {
    const owner = ownerOf(call, isEmbedded)
    const deleted = await withStore(call, owner, (store) => store.remove(id, owner))
    changed()
    return { deleted }
  },

  async 'hooks.test'({ id }, call) {
    const owner = ownerOf(call, isEmbedded)
    const hook = await withStore(call, owner, (store) => store.find(id, owner))
    if (hook === undefined) throw new TonError('NOT_FOUND', 'there is no such hook')
    const began = performance.now()
    const message = { id: messageId(id, '', String(now())), body: Buffer.from(JSON.stringify({ type: 'test', hook: id })) }
    const { reason } = await deliver({ post, now }, hook, message, call.signal)
    if (reason === undefined && (hook.paused || hook.failures > 0)) {
      await withStore(call, owner, (store) => store.resume(id))
      changed()
    }
    return { success: reason === undefined, reason: reason ?? null, milliseconds: Math.round(performance.now() - began) }
  },
})
