import { listEntries } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { AnyHandler } from '../base/answer.ts'
import { type CallMeter, idleMeter } from '../metrics/meter.ts'

/** Inputs of the table of methods. */
export interface EntryDeps {
  /** All methods by wire name. */
  readonly methods: Readonly<Record<string, MethodDef>>
  /** Handlers of the methods that this server answers; the rest are NOT_SERVED. */
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Deadline in milliseconds of a call whose method has none; 10,000 by default. */
  readonly deadline?: number
  /** Whether each answered call is logged, at level debug. */
  readonly isLogged?: boolean
  /** Counts calls by method name. By default nothing is counted. */
  readonly meter?: (method: string) => CallMeter
}

/** A method as dispatch calls it. */
export interface ServedMethod {
  readonly name: string
  readonly def: MethodDef
  /** Names of its parameters. */
  readonly names: readonly string[]
  readonly handler: AnyHandler | undefined
  /** In milliseconds. */
  readonly deadline: number
  readonly meter: CallMeter
  readonly isLogged: boolean
}

const DEADLINE = 10_000

/** Counts nothing. */
export const uncounted = (method: string): CallMeter => idleMeter.calls('', method)

/** Entries by every name and alias of a method. A Map, so that `__proto__` and `toString` are ordinary names. */
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
