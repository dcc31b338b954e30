import { type ErrorKind, TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type ParamSource, parseParams } from '../../shared/params.ts'
import type { Call } from '../base/call.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import { type Refusal, UNKNOWN } from '../metrics/meter.ts'
import { type AnswerCacheDeps, createAnswerCache, type Slot } from './answer-cache.ts'
import { charge, chargeText } from './charge.ts'
import { type EntryDeps, type ServedMethod, servedMethods, uncounted } from './entry.ts'
import { refusal, toTonError } from './failure.ts'
import { createRun, withCaller } from './run.ts'
import type { Dispatch, Outcome } from './types.ts'

export interface DispatchDeps extends EntryDeps, AnswerCacheDeps {
  readonly refused?: (why: Refusal) => void
}

/** Runs the calls of one network, from all transports: authorize -> charge -> cache -> parse -> run. */
export const createDispatch = (deps: DispatchDeps): Dispatch => {
  const methods = servedMethods(deps)
  const authorize = createAuthorize(methods)
  const slotOf = createAnswerCache(deps)
  const run = createRun()
  const unknown = (deps.meter ?? uncounted)(UNKNOWN)

  /** Awaits nothing for an answer from the cache, because most answers come from there. */
  const answer = (method: ServedMethod, raw: unknown, call: Call, source: ParamSource): Outcome | Promise<Outcome> => {
    try {
      const slot = withinStack(() => slotOf(method, raw, source))
      const cached = slot?.find()
      if (cached) {
        method.meter.hit()
        return cached
      }
      const params = withinStack(() => parseParams(method.def, raw, source))
      return produce(method, params, call, slot)
    } catch (thrown) {
      return countedFailure(thrown, method, call, 0)
    }
  }

  const produce = async (method: ServedMethod, params: unknown, call: Call, slot: Slot | undefined): Promise<Outcome> => {
    const began = performance.now()
    const work = (own: AbortController): Promise<Outcome> => run(method, params, call, own)
    try {
      const outcome = await (slot ? slot.run(call.signal, work) : withCaller(call.signal, work))
      // Callers that share a run are counted separately.
      method.meter.done(undefined, performance.now() - began)
      return outcome
    } catch (thrown) {
      return countedFailure(thrown, method, call, performance.now() - began)
    }
  }

  return async (name, raw, call, source = 'body') => {
    const method = methods.get(name)
    const fault = authorize(name, method, call)
    try {
      // Without a gate there is no caller, and nothing is charged. A call that fails authorization costs a unit too.
      const charged = call.caller && charge(call.caller, method?.def, raw, deps.refused)
      if (charged) await charged
    } catch (error) {
      return failed(error, name, call)
    }
    if (fault) return notAuthorized(fault.kind, fault.text, method?.meter ?? unknown)
    const answered = answer(method!, raw, call, source)
    const outcome = answered instanceof Promise ? await answered : answered
    return call.caller ? chargeText(outcome, call) : outcome
  }
}

interface CallFault {
  readonly kind: ErrorKind
  readonly text: string
}

const UNAVAILABLE_REASON: Readonly<Record<MethodDef['needs'], string>> = {
  nothing: '',
  chain: '',
  index: ': there is no index (start with --index on, in a program with index: true)',
  local: ': the network is no embedded chain',
}

/**
 * Returns a function that checks whether a method exists, is served here, and may be called by this caller (`local.*`). The function returns undefined if
 * the call is allowed.
 */
const createAuthorize = (methods: ReadonlyMap<string, ServedMethod>) => {
  const isServed = (name: string): boolean => methods.get(name)?.handler !== undefined
  const guess = rateLimited(createGuess([...methods.keys()].filter(isServed)))
  return (name: string, method: ServedMethod | undefined, call: Call): CallFault | undefined => {
    if (method === undefined) {
      const meant = isServed(`v3.${name}`) ? `v3.${name}` : guess(name)
      return { kind: 'METHOD_NOT_FOUND', text: `Method not found${asQuestion(meant)}` }
    }
    const { needs } = method.def
    if (!method.handler) return { kind: 'NOT_SERVED', text: `${method.name} is not served here${UNAVAILABLE_REASON[needs]}` }
    if (needs === 'local' && !call.localAllowed)
      return { kind: 'FORBIDDEN', text: `${method.name} is for callers on this machine; TONWAY_ALLOW_LOCAL allows others` }
    return undefined
  }
}

const notAuthorized = (kind: TonError['kind'], text: string, meter: ServedMethod['meter']): Outcome => {
  meter.done(kind, 0)
  return refusal(kind, text)
}

const failed = (error: unknown, name: string, call: Call): Outcome & { readonly ok: false } => ({
  ok: false,
  error: toTonError(error, call, name),
})

const countedFailure = (thrown: unknown, { name, meter }: ServedMethod, call: Call, milliseconds: number): Outcome => {
  const outcome = failed(thrown, name, call)
  meter.done(outcome.error.kind, milliseconds)
  return outcome
}

/** Reads parameters. Parameters that are nested too deep for the stack become INVALID_PARAMS instead of an internal error. */
const withinStack = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new TonError('INVALID_PARAMS', 'parameters are nested too deep')
    throw error
  }
}
