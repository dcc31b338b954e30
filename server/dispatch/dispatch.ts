import { listEntries } from '../../shared/entries.ts'
import { TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type ParamSource, parseParams } from '../../shared/params.ts'
import type { Answer, AnyHandler } from '../base/answer.ts'
import { toldHeaders } from '../base/answer-headers.ts'
import { type Call, leavingOf } from '../base/call.ts'
import { setClient } from '../base/call-client.ts'
import { jsonText } from '../base/json-text.ts'
import { createPermits } from '../base/permits.ts'
import { endingWith, type TextSource } from '../base/pieces.ts'
import { asked, createGuess, sparing } from '../base/suggest.ts'
import { type CallMeter, idleMeter, UNKNOWN } from '../metrics/meter.ts'
import { type Begun, begin, whileWaitedFor } from './begun.ts'
import type { Cache } from './cache.ts'
import { canonical } from './canonical.ts'
import { createCoalescer } from './coalesce.ts'
import { beforeDeadline, refusal, timeoutText, toTonError, withCaller } from './failure.ts'
import { isLargePage } from './rows.ts'
import type { Dispatch, Outcome } from './types.ts'

/** What dispatch needs from the chain: which block is the current head. */
export interface HeadKey {
  readonly epoch: number
  readonly id: { readonly rootHash: Uint8Array }
}

export interface DispatchDeps {
  /** All methods by wire name. */
  readonly methods: Readonly<Record<string, MethodDef>>
  /** Handlers of the methods that this server answers; the rest are NOT_SERVED. */
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** The chain's current head; undefined while there is none. Nothing is cached then. */
  readonly head: () => HeadKey | undefined
  /** Caches of answers that hold until the next head, and of answers that hold permanently. */
  readonly headCache: Cache<Outcome>
  readonly finalCache: Cache<Outcome>
  /** Deadline in milliseconds of a call whose method has none; 10,000 by default. */
  readonly deadline?: number
  /** Counts calls by method name. By default nothing is counted. */
  readonly meter?: (method: string) => CallMeter
}

interface Entry {
  readonly name: string
  readonly def: MethodDef
  readonly handler: AnyHandler | undefined
  readonly deadline: number
  readonly meter: CallMeter
  /** Cache key of the last answer to a call without parameters. While that answer holds, such calls are not parsed again. */
  bare: { readonly key: string; readonly epoch: number; readonly born: number } | undefined
}

const DEADLINE = 10_000
/** Limits on large answers of the index, which leave database connections, memory and the event loop for other calls. `patience` in ms. */
const LARGE_PAGES = {
  atOnce: 2,
  waiting: 32,
  patience: 20_000,
  text: 'too many large pages are asked for at once; try again, or take a smaller limit',
}
const uncounted = (method: string): CallMeter => idleMeter.calls('', method)

/** Entries by every name and alias of a method. A Map, so that `__proto__` and `toString` are ordinary names. */
const tableOf = ({
  methods,
  handlers,
  deadline = DEADLINE,
  meter = (name) => idleMeter.calls('', name),
}: DispatchDeps): ReadonlyMap<string, Entry> => {
  const table = new Map<string, Entry>()
  for (const { name, def, names } of listEntries(methods)) {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    const entry: Entry = { name, def, handler, deadline: def.deadline ?? deadline, meter: meter(name), bare: undefined }
    for (const each of names) table.set(each, entry)
  }
  return table
}

/** Runs the calls of all transports: name -> served, allowed -> parsed -> cached or shared -> handler under its deadline -> JSON text. */
export const createDispatch = (deps: DispatchDeps): Dispatch => {
  const table = tableOf(deps)
  /** Suggests a served method for an unknown name. */
  const guess = sparing(createGuess([...table].filter(([, entry]) => entry.handler !== undefined).map(([name]) => name)))
  const strays = (deps.meter ?? uncounted)(UNKNOWN)
  const shared = createCoalescer<Outcome>()
  const large = createPermits(LARGE_PAGES)
  let present: HeadKey | undefined
  let presentHash = ''
  /** Counts the heads seen, by epoch and root hash. In cache keys it stands for the current head. */
  let generation = 0

  /** The generation of a head. A new generation clears the head cache. A revert is a new generation even if it leads to a known block. */
  const generationOf = (head: HeadKey): number => {
    if (head === present) return generation
    const hash = Buffer.from(head.id.rootHash).toString('hex')
    if (head.epoch !== present?.epoch || hash !== presentHash) {
      generation++
      deps.headCache.clear()
    }
    present = head
    presentHash = hash
    return generation
  }

  const run = async (entry: Entry, params: unknown, caller: Call, controller: AbortController): Promise<Outcome> => {
    if (!isLargePage(entry.def, params)) return runNow(entry, params, caller, controller)
    // An answer that has to wait for earlier ones of its connection must not hold a permit meanwhile.
    await caller.writer?.ready()
    const release = await large.take(controller.signal, caller.client)
    let rest: TextSource | undefined
    try {
      const outcome = await runNow(entry, params, caller, controller)
      if (!outcome.ok || outcome.rest === undefined) return outcome
      rest = endingWith(outcome.rest, release)
      return { ...outcome, rest }
    } finally {
      if (rest === undefined) release()
    }
  }

  const runNow = async (entry: Entry, params: unknown, caller: Call, controller: AbortController): Promise<Outcome> => {
    const began = performance.now()
    const call = narrowed(caller, controller.signal)
    const inTime = <T>(work: () => Promise<T>): Promise<T> => beforeDeadline(entry.deadline, timeoutText(entry.def.needs), controller, work)
    const answer = await inTime(async () => entry.handler!(params as never, call))
    const begun = await textOf(entry, answer, caller, inTime, call.signal)
    const said = toldHeaders(controller.signal)
    const headers = said === undefined ? answer.headers : { ...said, ...answer.headers }
    call.log.debug('call.answered', { method: entry.name, ms: Math.round((performance.now() - began) * 10) / 10 })
    const rest = begun.rest && whileWaitedFor(begun.rest, leavingOf(caller), controller)
    // The call was aborted, so nobody would read the rest.
    if (rest && call.signal.aborted) await rest.return()
    return { ok: true, json: begun.json, cached: false, ...(rest && { rest }), ...(headers && { headers }) }
  }

  const cacheOf = ({ def }: Entry): Cache<Outcome> => (def.cache === 'final' ? deps.finalCache : deps.headCache)

  const runCached = (entry: Entry, params: unknown, call: Call, head: HeadKey, bare: boolean): Promise<Outcome> | Outcome => {
    const final = entry.def.cache === 'final'
    const cache = cacheOf(entry)
    const born = generationOf(head)
    const key = `${final ? `e${head.epoch}` : born}:${entry.name}${canonical(params)}`
    const hit = cache.get(key)
    if (hit) {
      if (bare) entry.bare = { key, epoch: head.epoch, born }
      return hit
    }
    return shared.join(key, leavingOf(call), async (controller) => {
      const outcome = await run(entry, params, call, controller)
      if (outcome.ok && (final || born === generation)) cache.set(key, { ...outcome, cached: true }, outcome.json.length)
      return outcome
    })
  }

  /** The last answer to a call without parameters, if there is one and it still holds. */
  const remembered = (entry: Entry, head: HeadKey): Outcome | undefined => {
    const { bare } = entry
    if (bare === undefined) return undefined
    const holds = entry.def.cache === 'final' ? bare.epoch === head.epoch : bare.born === generationOf(head)
    return holds ? cacheOf(entry).get(bare.key) : undefined
  }

  const failed = (error: unknown, entry: Entry, call: Call): Outcome => ({ ok: false, error: toTonError(error, call, entry.name) })

  const answer = (entry: Entry, raw: unknown, call: Call, source: ParamSource): Promise<Outcome> | Outcome => {
    if (!entry.handler) return refusal('NOT_SERVED', `${entry.name} is not served here`)
    if (entry.def.needs === 'local' && !call.localAllowed)
      return refusal('FORBIDDEN', `${entry.name} is for callers on this machine; TONWAY_ALLOW_LOCAL allows others`)
    try {
      const head = entry.def.cache === 'never' ? undefined : deps.head()
      const bare = head !== undefined && isBare(raw)
      const known = bare ? remembered(entry, head) : undefined
      if (known) return known
      const params = parse(entry.def, raw, source)
      const began = performance.now()
      const outcome = head
        ? runCached(entry, params, call, head, bare)
        : withCaller(leavingOf(call), (controller) => run(entry, params, call, controller))
      if (!(outcome instanceof Promise)) return outcome
      return outcome.then(
        (answered) => counted(entry.meter, answered, began),
        (error: unknown) => counted(entry.meter, failed(error, entry, call), began),
      )
    } catch (error) {
      return failed(error, entry, call)
    }
  }

  return (name, raw, call, source = 'body') => {
    const entry = table.get(name)
    if (!entry) {
      strays.done('METHOD_NOT_FOUND', 0)
      return refusal('METHOD_NOT_FOUND', `Method not found${asked(guess(name))}`)
    }
    const outcome = answer(entry, raw, call, source)
    if (outcome instanceof Promise) return outcome
    // Without a promise it is a cached answer, or the refusal of a call that did not run.
    if (outcome.ok) entry.meter.hit()
    else entry.meter.done(outcome.error.kind, 0)
    return outcome
  }
}

/**
 * The JSON of an answer: all of it, or only the beginning if the caller takes pieces and the answer is not shared. A bigint or an undefined body is
 * a bug of the handler: it throws here and becomes INTERNAL.
 */
const textOf = async (
  { def }: Entry,
  answer: Answer,
  { writer }: Call,
  inTime: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<Begun> => {
  if (answer.pieces === undefined) return { json: await jsonText(answer, signal), rest: undefined }
  if (writer !== undefined && def.cache === 'never') return begin(answer.pieces, inTime)
  return { json: await inTime(async () => jsonText(answer, signal)), rest: undefined }
}

/** Counts a call. Callers that share a run are counted one by one. */
const counted = (meter: CallMeter, outcome: Outcome, began: number): Outcome => {
  meter.done(outcome.ok ? undefined : outcome.error.kind, performance.now() - began)
  return outcome
}

/** Whether there are no parameters. */
const isBare = (raw: unknown): boolean => {
  if (raw === undefined || raw === null) return true
  if (typeof raw !== 'object' || Array.isArray(raw)) return false
  for (const name in raw) if (Object.hasOwn(raw, name)) return false
  return true
}

/** Parses parameters. A value that is nested too deep for the stack is the caller's error: INVALID_PARAMS. */
const parse = (def: MethodDef, raw: unknown, source: ParamSource): unknown => {
  try {
    return parseParams(def, raw, source)
  } catch (error) {
    if (error instanceof RangeError) throw new TonError('INVALID_PARAMS', 'parameters are nested too deep')
    throw error
  }
}

/** The same call with a signal that may be aborted earlier (or, if the run is shared, later) than the caller's own. */
const narrowed = (call: Call, signal: AbortSignal): Call => {
  const { client } = call
  if (client !== undefined) setClient(signal, client)
  return {
    network: call.network,
    signal,
    requestId: call.requestId,
    localAllowed: call.localAllowed,
    caller: call.caller,
    servers: call.servers,
    client,
    get log() {
      return call.log
    },
  }
}
