import { TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type ParamSource, parseParams } from '../../shared/params.ts'
import type { Call } from '../base/call.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import { inSharedTurn } from '../base/yield.ts'
import { UNKNOWN } from '../metrics/meter.ts'
import { type AnswerCacheDeps, createAnswerCache, type Slot } from './answer-cache.ts'
import { charge, chargeText } from './charge.ts'
import { type EntryDeps, type ServedMethod, servedMethods, uncounted } from './entry.ts'
import { toTonError } from './failure.ts'
import { createRun, withCaller } from './run.ts'
import type { Dispatch, Outcome } from './types.ts'

export type DispatchDeps = EntryDeps & AnswerCacheDeps

/** Runs the calls of one network, from all transports: charge -> authorize -> cache -> parse -> run. */
export const createDispatch = (deps: DispatchDeps): Dispatch => {
  const methods = servedMethods(deps)
  const authorize = createAuthorize(methods)
  const slotOf = createAnswerCache(deps)
  const run = createRun()
  const unknown = { name: UNKNOWN, meter: (deps.meter ?? uncounted)(UNKNOWN) }

  /** Awaits nothing for an answer from the cache, because most answers come from there. */
  const answer = (name: string, found: ServedMethod | undefined, raw: unknown, call: Call, source: ParamSource) => {
    try {
      const method = authorize(name, found, call)
      const slot = withinStack(() => slotOf(method, raw, source))
      const cached = slot?.find()
      if (cached) {
        method.meter.hit()
        return cached
      }
      const params = withinStack(() => parseParams(method.def, raw, source))
      return produce(method, params, call, slot)
    } catch (thrown) {
      return countedFailure(thrown, found ?? unknown, call, 0)
    }
  }

  const produce = async (method: ServedMethod, params: unknown, call: Call, slot: Slot | undefined): Promise<Outcome> => {
    const began = performance.now()
    const work = (own: AbortController): Promise<Outcome> => run(method, params, call, own)
    try {
      const outcome = await (slot ? slot.run(call, work) : withCaller(call.signal, work))
      // Callers that share a run are counted separately.
      method.meter.done(undefined, performance.now() - began)
      return outcome
    } catch (thrown) {
      return countedFailure(thrown, method, call, performance.now() - began)
    }
  }

  return (name, raw, call, source = 'body') => {
    const method = methods.get(name)
    const refuse = (error: unknown): Outcome => ({ ok: false, error: toTonError(error, call, name) })
    const proceed = (): Promise<Outcome> | Outcome => {
      const outcome = answer(name, method, raw, call, source)
      if (!call.caller) return outcome
      return outcome instanceof Promise ? outcome.then((made) => chargeText(made, call)) : chargeText(outcome, call)
    }
    try {
      // Only calls that the service makes itself have no caller. A call that fails authorization costs its units too.
      const charged = call.caller && charge(call, method?.def, raw)
      if (!charged) return proceed()
      // Another process counts. It may answer for hundreds of calls at once, and to read the parameters of one can take 20 ms.
      const begin = async (): Promise<Outcome> => proceed()
      return charged.then(() => new Promise((resolve) => inSharedTurn(() => resolve(begin()), call.client)), refuse)
    } catch (error) {
      return refuse(error)
    }
  }
}

const UNAVAILABLE_REASON: Readonly<Record<MethodDef['needs'], string>> = {
  nothing: '',
  chain: '',
  index: ': there is no index (start with --index on, in a program with index: true)',
  local: ': the network is no embedded chain',
}

/** Returns a function that throws unless a method exists, is served here, and may be called by this caller (`local.*`). */
const createAuthorize = (methods: ReadonlyMap<string, ServedMethod>) => {
  const isServed = (name: string): boolean => methods.get(name)?.handler !== undefined
  const guess = rateLimited(createGuess([...methods.keys()].filter(isServed)))
  return (name: string, method: ServedMethod | undefined, call: Call): ServedMethod => {
    if (method === undefined) {
      const meant = isServed(`v3.${name}`) ? `v3.${name}` : guess(name)
      throw new TonError('METHOD_NOT_FOUND', `Method not found${asQuestion(meant)}`)
    }
    const { needs } = method.def
    if (!method.handler) throw new TonError('NOT_SERVED', `${method.name} is not served here${UNAVAILABLE_REASON[needs]}`)
    if (needs === 'local' && !call.localAllowed)
      throw new TonError('FORBIDDEN', `${method.name} is for callers on this machine; TONWAY_ALLOW_LOCAL allows others`)
    return method
  }
}

const countedFailure = (
  thrown: unknown,
  { name, meter }: Pick<ServedMethod, 'name' | 'meter'>,
  call: Call,
  milliseconds: number,
): Outcome => {
  const error = toTonError(thrown, call, name)
  meter.done(error.kind, milliseconds)
  return { ok: false, error }
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
