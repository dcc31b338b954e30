import { TonError } from '../../../shared/errors.ts'
import { API_VERSION_V3, VERSION } from '../../base/version.ts'
import type { AccessFigures, DiskFigures, NetworkFigures } from '../../metrics/figures.ts'
import { sendJson } from '../answer-forms.ts'
import type { Context } from '../context.ts'

/** Figures for /ready, /status and /metrics, computed on each request. The default network comes first. */
export interface StatusSource {
  networks(): readonly NetworkFigures[]
  access?(): AccessFigures
  disks?(): Promise<readonly DiskFigures[]>
}

/** Whether the service ends. A call that arrives before its network is open waits for it (network/supervisor.ts). */
export interface Readiness {
  isStopping: boolean
}

export const health = (ctx: Context): void => sendJson(ctx, 200, '{"ok":true,"result":"OK"}')

/** Members of figures that can contain names of hosts and files, or texts of databases and servers. */
const PRIVATE: ReadonlySet<string> = new Set(['server', 'trouble', 'reason', 'fault', 'error', 'database'])

/** Figures for callers without local access. They still show which servers have a trouble. */
const outward = <T extends object>(figures: T): T =>
  JSON.parse(
    JSON.stringify(figures, (key, value: unknown) =>
      PRIVATE.has(key) && typeof value === 'string' && value !== '' ? 'not shown to other machines' : value,
    ),
  )

const figuresFor = (ctx: Context, source: StatusSource): NetworkFigures | undefined => {
  const { network, localAllowed } = ctx.state.call
  const figures = source.networks().find((each) => each.network === network)
  return localAllowed ? figures : figures && outward(figures)
}

/** Figures of keys and limits. Callers without local access get a trouble without its reason, which may name a host. */
const accessFor = (ctx: Context, source: StatusSource) => {
  const access = source.access?.()
  const { effect, reason } = access?.limits_trouble ?? {}
  return access && { ...access, limits_trouble: reason && ctx.state.call.localAllowed ? `${effect}: ${reason}` : effect }
}

const phaseOf = ({ isStopping }: Readiness, figures: NetworkFigures | undefined): string =>
  isStopping ? 'stopping' : (figures?.phase ?? 'starting')

const APIS = ['v2', 'v3'] as const
type Api = (typeof APIS)[number]

const readyOf = (phase: string, reasons: readonly string[]) => {
  const troubles = phase === 'ready' || reasons.length > 0 ? reasons : [`the network is ${phase}`]
  return { ok: troubles.length === 0, troubles }
}

const NO_INDEX = 'v3 is not served: the index is off'

/** Readiness of the network as a whole and by interface. v2 needs only the chain, v3 also needs the index. */
const apisOf = (phase: string, figures: NetworkFigures | undefined) => {
  const { fault, index } = figures ?? {}
  const faults = fault === undefined ? [] : [fault]
  const { troubles, v2_troubles } = figures === undefined || fault !== undefined ? { troubles: faults, v2_troubles: faults } : figures
  const hasNone = phase === 'ready' && index === undefined
  return {
    all: readyOf(phase, troubles),
    v2: readyOf(phase, v2_troubles),
    v3: readyOf(phase, hasNone ? [...troubles, NO_INDEX] : troubles),
  }
}

/** The interface that `?for=` names; undefined without this parameter. Throws for any other value. */
const requestedApi = ({ query }: Context): Api | undefined => {
  const name = query['for']
  if (name === undefined) return undefined
  const api = APIS.find((each) => each === name)
  if (api === undefined) throw new TonError('INVALID_REQUEST', `for must be ${APIS.join(' or ')}; /ready without it is about both`)
  return api
}

/**
 * /ready: 200 if this network answers calls from a current head and its index keeps up; otherwise 503 with the reasons. `?for=v2` ignores the index, so
 * that a load balancer can send v2 calls to a service whose database is down.
 */
export const createReady =
  (readiness: Readiness, source: StatusSource) =>
  (ctx: Context): void => {
    const figures = figuresFor(ctx, source)
    const phase = phaseOf(readiness, figures)
    const { all, ...apis } = apisOf(phase, figures)
    const api = requestedApi(ctx)
    const { ok, troubles } = api === undefined ? all : apis[api]
    const { head, index } = figures ?? {}
    // The service goes on without shared limits, and without new keys, so neither makes it unready.
    const { keys_trouble, limits_trouble } = accessFor(ctx, source) ?? {}
    const notes = [keys_trouble, limits_trouble].filter((note) => note !== undefined)
    if (!ok) ctx.set('Retry-After', '1')
    sendJson(
      ctx,
      ok ? 200 : 503,
      JSON.stringify({
        ok,
        phase,
        seqno: head?.seqno ?? null,
        utime: head?.utime ?? null,
        ...(index && { index_seqno: index.seqno }),
        troubles,
        ...(notes.length > 0 && { notes }),
        ...apis,
      }),
    )
  }

/**
 * /status: all figures of the addressed network, a summary of the others, and figures of the process. `own`: figures of this process, by their names in the
 * answer.
 */
export const createStatus = (readiness: Readiness, source: StatusSource, own: () => object) => {
  const since = Date.now()
  return (ctx: Context): void => {
    const figures = figuresFor(ctx, source)
    const { rss, heapUsed } = process.memoryUsage()
    const networks = source
      .networks()
      .map(({ network, phase, fault, head, troubles }) => ({ network, phase, fault, seqno: head?.seqno ?? null, troubles }))
    sendJson(
      ctx,
      200,
      JSON.stringify({
        ok: true,
        version: VERSION,
        api_version_v3: API_VERSION_V3,
        ...figures,
        phase: phaseOf(readiness, figures),
        uptime: Math.floor((Date.now() - since) / 1000),
        head: figures?.head ?? null,
        memory: { rss, heap_used: heapUsed },
        ...own(),
        access: accessFor(ctx, source),
        networks: ctx.state.call.localAllowed ? networks : outward(networks),
      }),
    )
  }
}

/** /api/streaming/healthz: 200 if the chain has a current head and the index keeps up with it; otherwise 503. */
export const createStreamHealth =
  (source: StatusSource) =>
  (ctx: Context): void => {
    const figures = source.networks().find(({ network }) => network === ctx.state.call.network)
    const isServed = figures?.phase === 'ready'
    const components = {
      chain: { ok: isServed && figures.head !== undefined, seqno: figures?.head?.seqno ?? null, age: figures?.head_age ?? null },
      index: {
        ok: isServed && figures.index !== undefined && figures.index.seqno >= 0,
        seqno: figures?.index?.seqno ?? null,
        lag: figures?.index?.lag ?? null,
      },
      service: { ok: isServed && figures.troubles.length === 0, troubles: figures?.troubles ?? [] },
    }
    const ok = Object.values(components).every((each) => each.ok)
    sendJson(ctx, ok ? 200 : 503, JSON.stringify({ ok, now: Math.floor(Date.now() / 1000), components }))
  }
