import { TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type ParamSource, parseParams } from '../../shared/params.ts'
import type { Call } from '../base/call.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import { type CallMeter, UNKNOWN } from '../metrics/meter.ts'
import { type Caches, createCachedAnswers, type HeadKey } from './cached-answers.ts'
import { type EntryDeps, type ServedMethod, servedMethods, uncounted } from './entry.ts'
import { refusal, toTonError, withCaller } from './failure.ts'
import { createRun } from './run.ts'
import type { Dispatch, Outcome } from './types.ts'

export interface DispatchDeps extends EntryDeps, Caches {
  /** The chain's current head; undefined while there is none. Nothing is cached then. */
  readonly head: () => HeadKey | undefined
}

/** Runs the calls of all transports: name -> served, allowed -> cached -> parsed -> shared -> handler under its deadline -> JSON text. */
export const createDispatch = (deps: DispatchDeps): Dispatch => {
  const table = servedMethods(deps)
  /** Suggests a served method for an unknown name. */
  const guess = rateLimited(createGuess([...table].filter(([, entry]) => entry.handler !== undefined).map(([name]) => name)))
  const strays = (deps.meter ?? uncounted)(UNKNOWN)
  const run = createRun()
  const kept = createCachedAnswers(deps, run)

  /** Runs a call. `key`: where its answer is kept if there is a head. */
  const answer = (entry: ServedMethod, params: unknown, call: Call, head: HeadKey | undefined, key: string): Promise<Outcome> | Outcome => {
    const began = performance.now()
    try {
      const outcome = head
        ? kept.run(entry, key, params, call, head)
        : withCaller(call.signal, (signal) => run(entry, params, call, signal))
      if (!(outcome instanceof Promise)) return counted(entry.meter, outcome, began)
      return outcome.then(
        (answered) => counted(entry.meter, answered, began),
        (error: unknown) => counted(entry.meter, failed(error, entry, call), began),
      )
    } catch (error) {
      return counted(entry.meter, failed(error, entry, call), began)
    }
  }

  /** Refuses a call that may not be made; else answers it, from a cache or by a run. */
  const serve = (entry: ServedMethod, raw: unknown, call: Call, source: ParamSource): Promise<Outcome> | Outcome => {
    if (!entry.handler) return refused(entry, refusal('NOT_SERVED', `${entry.name} is not served here${MISSING[entry.def.needs]}`))
    if (entry.def.needs === 'local' && !call.localAllowed)
      return refused(entry, refusal('FORBIDDEN', `${entry.name} is for callers on this machine; TONWAY_ALLOW_LOCAL allows others`))
    let head: HeadKey | undefined
    let key = ''
    let params: unknown
    try {
      head = entry.def.cache === 'never' ? undefined : deps.head()
      if (head) {
        const bare = isBare(raw)
        let known = bare ? kept.last(entry, head) : undefined
        if (known === undefined) {
          const at = head
          key = reading(() => kept.keyOf(entry, raw, source, at))
          known = kept.find(entry, key, head, bare)
        }
        if (known) return hit(entry.meter, known)
      }
      params = reading(() => parseParams(entry.def, raw, source))
    } catch (error) {
      return refused(entry, failed(error, entry, call))
    }
    return answer(entry, params, call, head, key)
  }

  return (name, raw, call, source = 'body') => {
    const entry = table.get(name)
    if (entry) return serve(entry, raw, call, source)
    strays.done('METHOD_NOT_FOUND', 0)
    const meant = table.get(`v3.${name}`)?.handler ? `v3.${name}` : guess(name)
    return refusal('METHOD_NOT_FOUND', `Method not found${asQuestion(meant)}`)
  }
}

/** Why a method is not served, by the part of the service that it needs. */
const MISSING: Readonly<Record<MethodDef['needs'], string>> = {
  nothing: '',
  chain: '',
  index: ': there is no index (start with --index on, in a program with index: true)',
  local: ': the network is no embedded chain',
}

/** Counts an answer of the cache. */
const hit = (meter: CallMeter, outcome: Outcome): Outcome => {
  meter.hit()
  return outcome
}

/** Counts a call that did not run. */
const refused = ({ meter }: ServedMethod, outcome: Outcome): Outcome => {
  if (!outcome.ok) meter.done(outcome.error.kind, 0)
  return outcome
}

/** What a call that failed answers. */
const failed = (error: unknown, entry: ServedMethod, call: Call): Outcome => ({ ok: false, error: toTonError(error, call, entry.name) })

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

/** Reads parameters. A value that is nested too deep for the stack is the caller's error: INVALID_PARAMS. */
const reading = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new TonError('INVALID_PARAMS', 'parameters are nested too deep')
    throw error
  }
}
