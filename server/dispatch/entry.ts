import { listEntries } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { AnyHandler } from '../base/answer.ts'
import { type CallMeter, idleMeter } from '../metrics/meter.ts'

/** Input of the method table. */
export interface EntryDeps {
  /** All methods by wire name. */
  readonly methods: Readonly<Record<string, MethodDef>>
  /** Handlers of the methods that this server serves. All other methods are NOT_SERVED. */
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Deadline (ms) of calls whose method declares none; the default is 10,000. */
  readonly deadline?: number
  /** True if each answered call is logged at level debug. */
  readonly isLogged?: boolean
  /** Creates the counters of a method. Without it, nothing is counted. */
  readonly meter?: (method: string) => CallMeter
}

/** An entry of the method table. */
export interface ServedMethod {
  readonly name: string
  readonly def: MethodDef
  /** Names of the method's parameters. */
  readonly names: readonly string[]
  readonly handler: AnyHandler | undefined
  /** In milliseconds. */
  readonly deadline: number
  readonly meter: CallMeter
  readonly isLogged: boolean
}

const DEADLINE = 10_000

/** Counters that count nothing. */
export const uncounted = (method: string): CallMeter => idleMeter.calls('', method)

/** Entries by all names and aliases of each method. This is a Map, so that `__proto__` and `toString` are ordinary names. */
export const servedMethods = ({
  methods,
  handlers,
  deadline = DEADLINE,
  meter = uncounted,
  isLogged = false,
}: EntryDeps): ReadonlyMap<string, ServedMethod> => {
  const table = new Map<string, ServedMethod>()
  for (const { name, def, names } of listEntries(methods)) {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    const params = Object.keys(def.params.shape)
    const entry: ServedMethod = {
      name,
      def,
      names: params,
      handler,
      deadline: def.deadline ?? deadline,
      meter: meter(name),
      isLogged,
    }
    for (const each of names) table.set(each, entry)
  }
  return table
}
