import { type App, startApp } from '../../../server/app.ts'
import type { Call } from '../../../server/base/call.ts'
import { type Log, silentLog } from '../../../server/base/log.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { loadConfig } from '../../../server/cli/load-config.ts'
import type { Outcome } from '../../../server/dispatch/types.ts'
import type { ChainSource } from '../../../server/network/chain-source.ts'
import type { Gate, ProcessGate } from './gate.ts'
import { inlineTvm } from './inline-tvm.ts'
import type { Owner, VirtualTime } from './virtual-time.ts'

/* A process of the simulation: the whole service in this thread, without a port. */

export interface Service extends Owner {
  readonly name: string
  /** Of the network that it serves. */
  readonly network: string
  /** Undefined until it has started. */
  app(): App | undefined
  /** Why it could not start; undefined if it could. */
  fault(): Error | undefined
  call(method: string, params: unknown): Promise<Outcome>
  as<T>(work: () => T): T
  /** Ends it as kill -9 does: nothing of it runs any more, and its connections are cut. */
  kill(): Promise<void>
}

export interface ServiceDeps {
  readonly name: string
  readonly gate: Gate
  readonly time: VirtualTime
  readonly from: ChainSource
  /** Settings of the command line. */
  readonly settings: readonly string[]
  /** Called with the name of each line of the log from `warn` on. */
  onLine(event: string): void
}

const ARGUMENTS = [
  '--index',
  'on',
  '--metadata',
  'off',
  '--liteserver-port',
  'off',
  '--keys',
  'on',
  '--anonymous-rps',
  'unlimited',
  '--stall-seconds',
  '0',
]

const never = new Promise<never>(() => {})

/** What a process sees of its source. A process that was killed sees nothing more. */
const seenBy = (owner: Owner, source: LiteServer): LiteServer => ({
  ...source,
  query: async (fn, args, signal) => {
    if (!owner.isAlive) return never
    const answer = await source.query(fn, args, signal)
    return owner.isAlive ? answer : never
  },
  async *heads(signal) {
    for await (const head of source.heads(signal)) {
      if (!owner.isAlive) await never
      yield head
    }
  },
})

const logOf = (owner: Owner, onLine: (event: string) => void): Log => {
  const line = (event: string): void => {
    if (owner.isAlive) onLine(event)
  }
  return { ...silentLog, warn: line, error: line }
}

export const startService = async ({ name, gate, time, from, settings, onLine }: ServiceDeps): Promise<Service> => {
  const owner: Owner = { isAlive: true }
  const own: ProcessGate = await gate.open(name)
  const { config } = loadConfig({ argv: [...ARGUMENTS, ...settings], env: {}, file: undefined })
  let app: App | undefined
  let fault: Error | undefined
  const as = <T>(work: () => T): T => time.as(owner, work)
  const database = {
    open: () => Promise.resolve({ connection: own.config, what: 'simulated', lost: never }),
    find: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
  const deps = {
    log: logOf(owner, onLine),
    tvm: inlineTvm,
    database,
    from: { ...from, source: seenBy(owner, from.source) },
    portless: 'http://tonway.localhost',
  }
  as(() => startApp(config, deps)).then(
    (started) => {
      app = started
    },
    (error: Error) => {
      fault = error
    },
  )
  const network = config.network[0]!
  return {
    name,
    network,
    get isAlive() {
      return owner.isAlive
    },
    app: () => app,
    fault: () => fault,
    as,
    call(method, params) {
      const call: Call = { network, signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: true }
      return as(async () => app!.dispatch(method, params, call))
    },
    async kill() {
      owner.isAlive = false
      await own.kill()
    },
  }
}
