import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorKind, TonError } from '../../shared/errors.ts'
import { type MethodName, methodNames, registry, resolve } from '../../shared/registry.ts'
import { settledWithin } from '../base/abort.ts'
import { type AnyHandler, answering } from '../base/answer.ts'
import type { Call, Handler } from '../base/call.ts'
import type { Log } from '../base/log.ts'
import { isTracing } from '../base/tracing/tracer.ts'
import { API_VERSION, VERSION } from '../base/version.ts'
import { outwardNetwork } from '../config/global-config-text.ts'
import { isIndexed, type NetworkConfig } from '../config/networks.ts'
import { createCache } from '../dispatch/answer-cache.ts'
import { errorFor } from '../dispatch/failure.ts'
import { createDispatch } from '../dispatch/pipeline.ts'
import { tracedDispatch } from '../dispatch/traced.ts'
import type { Dispatch, Outcome } from '../dispatch/types.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import type { Meter } from '../metrics/meter.ts'
import { clockNotes, troublesOf } from '../metrics/troubles.ts'
import { codeTexts } from '../tvm/exit-codes.ts'
import type { Network } from './network.ts'

export interface SupervisorDeps {
  readonly log: Log
  readonly now: () => number
  readonly meter: Meter
  /** Aborting the signal cancels the start. Each call creates a new network object. */
  readonly open: (config: NetworkConfig, signal: AbortSignal) => Promise<Network>
  readonly longestPause?: number | undefined
  readonly openrpc: () => Promise<string>
}

/** Limits of three caches: for answers that are valid for the current head of the chain, or of the index, and for answers that never change. */
const HEAD_CACHE = { entries: 10_000, bytes: 32 << 20 }
const INDEX_CACHE = { entries: 2_000, bytes: 16 << 20, age: 1_000 }
const FINAL_CACHE = { entries: 20_000, bytes: 64 << 20 }
/** Maximum milliseconds that a call waits during the first start of the network. */
const START_WAIT = 10_000
const FIRST_PAUSE = 500
const MAX_PAUSE = 30_000

export const servedBy = (config: NetworkConfig): readonly MethodName[] =>
  methodNames.filter((name) => {
    const { needs } = registry[name]
    return needs === 'index' ? isIndexed(config) : needs !== 'local' || config.local
  })

interface Open {
  readonly network: Network
  readonly dispatch: Dispatch
}

/** Corrects the index status by the chain's head. An index that is stuck does not see new heads, so its own figures would show no lag. */
const besideHead = <T extends NetworkFigures['index']>(index: T, seqno = 0): T => {
  if (index === undefined) return index
  const head = Math.max(index.head, seqno)
  return { ...index, head, lag: Math.max(0, head - Math.max(0, index.seqno)) }
}

const figuresOf = (
  config: NetworkConfig,
  network: Network | undefined,
  now: () => number,
): Omit<NetworkFigures, 'phase' | 'fault' | 'cache'> => {
  const present = network?.chain.head()
  const head = present && {
    seqno: present.id.seqno,
    utime: present.utime,
    root_hash: Buffer.from(present.id.rootHash).toString('base64'),
    epoch: present.epoch,
  }
  const index = besideHead(network?.index?.status(), head?.seqno)
  // Expected seconds between blocks (`idle`), for judging the age of the head. A public network makes a block about every second; TONWAY_BLOCK_TIME is only
  // for embedded chains.
  const pace = { idle: config.local ? config.blockTime / 1000 : 1, now: config.local ? undefined : now }
  return {
    network: config.name,
    api_version: API_VERSION,
    head,
    head_age: network?.times.age() ?? 0,
    ...(network
      ? troublesOf({ head, index }, { within: config.readyWithin, times: network.times, trouble: network.trouble(), ...pace })
      : { troubles: [], v2_troubles: [] }),
    notes: [...(network?.notes() ?? []), ...clockNotes(head, { within: config.readyWithin, ...pace })],
    tvm: network && { ...network.tvm.stats(), ...network.versions() },
    index,
    replicas: network?.index?.replicas(),
    pool: network?.index?.pool(),
    pending: network?.pending?.figures(),
    hooks: network?.hooks?.figures(),
    liteservers: network?.liteservers(),
  }
}

export type Supervisor = ReturnType<typeof createSupervisor>

/** Opens a network, watches it, and opens it again when it is lost. Networks do not affect each other. */
export const createSupervisor = (config: NetworkConfig, deps: SupervisorDeps) => {
  const { name } = config
  const headCache = createCache<Outcome>(HEAD_CACHE)
  const indexCache = createCache<Outcome>(INDEX_CACHE)
  const finalCache = createCache<Outcome>(FINAL_CACHE)
  const stop = new AbortController()
  let open: Open | undefined
  let fault = ''
  let settled: (error?: unknown) => void = () => {}
  const opened = new Promise<unknown>((resolve) => {
    settled = resolve
  })

  const wire = (network: Network): Open => {
    const discover: AnyHandler = async () => ({ pieces: [await deps.openrpc()] })
    const about: Handler<'rpc.about'> = async (_, { localAllowed }) => ({
      network: name,
      version: VERSION,
      local: config.local && localAllowed,
      ...(network.fork !== undefined && { fork: outwardNetwork(network.fork) }),
      index: network.index !== undefined,
      exit_codes: codeTexts(),
    })
    for (const cache of [headCache, indexCache, finalCache]) cache.clear()
    const { index } = network
    const dispatch = createDispatch({
      methods: registry,
      handlers: { ...network.handlers, 'rpc.discover': discover, ...answering({ 'rpc.about': about }) },
      head: () => network.chain.head(),
      headCache,
      finalCache,
      indexed: index && { cache: indexCache, head: () => index.reader.head?.now() },
      meter: (method) => deps.meter.calls(name, method),
    })
    return { network, dispatch: isTracing() ? tracedDispatch(dispatch, name, (method) => resolve(method) !== undefined) : dispatch }
  }

  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: stop.signal }).catch(() => {})

  const keep = async (): Promise<void> => {
    const stopped = new Promise<undefined>((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined), { once: true }))
    for (let wait = FIRST_PAUSE; !stop.signal.aborted; wait = Math.min(wait * 2, deps.longestPause ?? MAX_PAUSE)) {
      let network: Network | undefined
      try {
        const opening = deps.open(config, stop.signal)
        network = await Promise.race([opening, stopped])
        if (network === undefined) {
          // The process is stopping: a network whose start completes later is closed at once.
          opening.then((late) => late.close()).catch(() => {})
          break
        }
        open = wire(network)
        if (fault !== '') deps.log.info('network.restored', { network: name })
        fault = ''
        settled()
        const reason = await Promise.race([network.lost, stopped])
        if (reason !== undefined) {
          fault = reason
          wait = FIRST_PAUSE
          deps.log.error('network.lost', { network: name, reason })
        }
      } catch (err) {
        fault = err instanceof Error ? err.message : String(err)
        // The stack is logged only at level debug, because an unreachable network is not a bug.
        deps.log.error('network.unavailable', { network: name, reason: fault })
        deps.log.debug('network.unavailable', { network: name, err })
        settled(err)
      }
      open = undefined
      await network?.close().catch((err: unknown) => deps.log.error('network.close_failed', { network: name, err }))
      await pause(wait)
    }
  }
  const keeping = keep()

  const unavailable = (call: Call): Outcome => {
    const kind: ErrorKind = 'UNAVAILABLE'
    if (stop.signal.aborted) return { ok: false, error: new TonError(kind, 'shutting down', { retryAfter: 1 }) }
    const text = fault === '' ? 'starting' : `network ${name} is not available`
    return { ok: false, error: errorFor(new TonError(kind, text, { retryAfter: 1, detail: fault || undefined }), call) }
  }

  const late: Dispatch = async (...args) => {
    await settledWithin(opened, START_WAIT)
    return open ? open.dispatch(...args) : unavailable(args[2])
  }

  /** Runs calls. Calls wait during the first start of the network. While the network is down they get UNAVAILABLE with the reason. */
  const dispatch: Dispatch = (method, raw, call, source) => {
    if (open) return open.dispatch(method, raw, call, source)
    return fault === '' && !stop.signal.aborted ? late(method, raw, call, source) : unavailable(call)
  }

  const phase = (): 'starting' | 'ready' | 'failed' => (open ? 'ready' : fault === '' ? 'starting' : 'failed')

  return {
    config,
    phase,
    /** Why the network is not served; empty while it is served or while its first start is in progress. */
    fault: () => fault,
    network: () => open?.network,
    dispatch,
    /** Resolves after the first attempt to open the network: with undefined, or with the error if the attempt failed. */
    opened,
    figures: (): NetworkFigures => ({
      ...figuresOf(config, open?.network, deps.now),
      phase: phase(),
      ...(fault !== '' && { fault }),
      cache: { head: headCache.stats(), index: indexCache.stats(), final: finalCache.stats() },
    }),
    async close(): Promise<void> {
      stop.abort()
      settled(new Error('closed'))
      await keeping
    },
  }
}

export const notServed = (name: string): Outcome => ({
  ok: false,
  error: new TonError('NOT_FOUND', `network ${name} is not served here`),
})
