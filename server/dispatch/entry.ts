import { listEntries } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { AnyHandler } from '../base/answer.ts'
import { CallMeter } from '../metrics/meter.ts'

export interface EntryDeps {
  readonly methods: Readonly<Record<string, MethodDef>>
  /** Handlers of the served methods. Methods without a handler are NOT_SERVED. */
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Creates the counters of a method. Without it, nobody reads them. */
  readonly meter?: (method: string) => Pick<CallMeter, 'hit' | 'done'>
}

export interface ServedMethod {
  readonly name: string
  readonly def: MethodDef
  readonly names: readonly string[]
  readonly handler: AnyHandler | undefined
  /** Milliseconds. */
  readonly deadline: number
  readonly meter: Pick<CallMeter, 'hit' | 'done'>
}

/** Deadline (ms) of calls whose method declares none. */
const DEADLINE = 10_000

export const uncounted = (method: string): CallMeter => new CallMeter({ method })

/** Entries by all names and aliases of each method. This is a Map, so that `__proto__` and `toString` are ordinary names. */
export const servedMethods = ({ methods, handlers, meter = uncounted }: EntryDeps): ReadonlyMap<string, ServedMethod> => {
  const table = new Map<string, ServedMethod>()
  for (const { name, def, names } of listEntries(methods)) {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    const params = Object.keys(def.params.shape)
    const entry: ServedMethod = { name, def, names: params, handler, deadline: def.deadline ?? DEADLINE, meter: meter(name) }
    for (const each of names) table.set(each, entry)
  }
  return table
}
