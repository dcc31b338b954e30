import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MethodDef } from '../../shared/method.ts'
import type { Log } from '../base/log.ts'
import { VERSION } from '../base/version.ts'
import type { UnreadLimits } from '../base/writer/unread.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import type { Dispatch, Gate } from '../dispatch/types.ts'
import type { Hub } from '../live/hub.ts'
import type { AnswerFigures } from '../metrics/figures.ts'
import type { Meter } from '../metrics/meter.ts'
import { isLoopback } from '../net/address-ranges.ts'
import type { Times } from './limits.ts'
import type { ServedNetwork } from './networks.ts'
import { createNodeServer, listen } from './node.ts'
import type { StatusSource } from './ops/health.ts'
import { createMetricsServer, type MetricsAccess } from './ops/metrics.ts'
import { createParts } from './parts.ts'
import { createInProcessCalls } from './rpc/in-process.ts'

export interface HttpDeps {
  readonly dispatch: Dispatch
  readonly methods: Readonly<Record<string, MethodDef>>
  readonly log: Log
  /** Origins and hosts that may call `local.*`, in addition to those of this machine. */
  readonly allowLocal: readonly string[]
  readonly status: StatusSource
  readonly meter: Meter
  readonly metrics: MetricsAccess
  /** Number of this process, for metrics. undefined if there is only one process. */
  readonly worker?: number | undefined
  readonly accessLog: boolean
  readonly gate?: Gate | undefined
  /** Client address of a request, also behind trusted proxies. */
  readonly clientAddress: (req: IncomingMessage) => string
  /** Returns whether an address is a trusted proxy, which may open any number of connections. */
  readonly isProxy: (address: string) => boolean
  /** True if browsers get the page at `/`; the default is true. */
  readonly page?: boolean
  /** Methods that agents may call over MCP: `read` (default) for methods that only read, `write` for all; `off` disables MCP. */
  readonly mcp?: 'read' | 'write' | 'off'
  /** Served networks; the first is the default. */
  readonly networks: readonly ServedNetwork[]
  readonly times?: Times
  readonly unread?: UnreadLimits
  readonly inflow?: number
  /** Event hub of a network. `away`: the network is not open, as in the first seconds of the process. Undefined: it has no index. */
  readonly hub?: ((network: string) => Hub | 'away' | undefined) | undefined
}

/** @internal */
export type Http = ReturnType<typeof createHttp>

export const createHttp = (deps: HttpDeps) => {
  const parts = createParts(deps)
  const { rpc, readiness, inflow, unread, isProxy } = parts
  const answers = (): AnswerFigures => ({
    unread_bytes: unread.bytes(),
    batch_bytes: rpc.batchBytes(),
    unfinished_bytes: inflow.waiting(),
  })
  const exposition = once(async () => {
    const { createExposition } = await import('../metrics/exposition.ts')
    return createExposition({
      ...deps.status,
      meter: deps.meter,
      sockets: countSockets,
      answers,
      version: VERSION,
      worker: deps.worker,
    })
  })
  /** MCP is used rarely, so its SDK is loaded on the first request: in turns, because as a whole it would hold the event loop for 200 ms. */
  const mcp = once(async () => {
    await import('@modelcontextprotocol/server/validators/ajv')
    await yieldToEventLoop()
    await import('@modelcontextprotocol/server')
    await yieldToEventLoop()
    const { createMcpEndpoint } = await import('./mcp.ts')
    await yieldToEventLoop()
    // node loads its Request when it is named.
    void globalThis.Request
    await yieldToEventLoop()
    return createMcpEndpoint(parts)
  })
  const isExempt = (address: string): boolean => isLoopback(address) || isProxy(address)
  const open = async () => {
    const [{ createApp }, { createRoutes }, { createSockets }, { createSse }] = await Promise.all([
      import('./app.ts'),
      import('./routes.ts'),
      import('./ws/ws.ts'),
      import('./stream/sse.ts'),
    ])
    const streams = createSse(parts)
    const sockets = createSockets(parts)
    const routes = createRoutes({
      ...parts,
      exposition,
      process: () => ({ sockets: countSockets(), ...answers() }),
      sse: streams.serve,
      serveMcp: deps.mcp === 'off' ? undefined : async (ctx) => (await mcp())(ctx),
    })
    const serve = createApp({ ...parts, routes })
    return { streams, sockets, ...createNodeServer({ ...parts, serve, sockets, isExempt }) }
  }
  let opened: Awaited<ReturnType<typeof open>> | undefined
  const countSockets = (): number => opened?.sockets.count() ?? 0
  /** Loads Koa and `ws`, each with a dozen packages, before the first connection. A tonway whose calls all stay in its process never needs them. */
  const load = once(async () => {
    opened = await open()
    return opened
  })
  const inProcess = createInProcessCalls(parts)
  const metricsServer = typeof deps.metrics === 'number' ? createMetricsServer(exposition, parts.times) : undefined
  return {
    get server() {
      return opened!.server
    },
    readiness,
    /** Starts to listen. Resolves with the port. `unref`: true if the open port does not keep the process running. */
    async listen(host: string, port: number, unref = false): Promise<number> {
      const { server } = await load()
      if (metricsServer) await listen(metricsServer, host, deps.metrics as number)
      if (unref) {
        for (const each of [server, metricsServer]) each?.unref()
        server.on('connection', (socket) => socket.unref())
      }
      return listen(server, host, port, deps.worker !== undefined)
    },
    /** Serves a connection that did not come through the listening port. */
    accept(socket: Duplex): void {
      load().then(
        ({ server }) => (readiness.isStopping ? socket.destroy() : server.emit('connection', socket)),
        (error: Error) => socket.destroy(error),
      )
    },
    ask: inProcess.ask,
    sockets: countSockets,
    answers,
    /** Graceful shutdown: accepts no new connections or calls. Running calls have `patience` milliseconds to finish. */
    async close(patience: number): Promise<void> {
      readiness.isStopping = true
      inProcess.close()
      await Promise.all([opened?.drain(patience), opened?.streams.close(), opened?.sockets.close(patience)])
      // The metrics server closes last, so that metrics can be read during the shutdown.
      metricsServer?.close()
      metricsServer?.closeAllConnections()
    },
  }
}

/** Calls `make` on the first call. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
