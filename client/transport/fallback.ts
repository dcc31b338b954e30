import type { Failure } from '../errors.ts'
import type { Subscribe } from '../subscribe.ts'
import type { Call, Deliver, Transport } from './transport.ts'

export interface FallbackOptions {
  /**
   * Milliseconds between health checks of all servers; default 10,000. Checks are made only while there are calls. `false`: uses the servers in the given
   * order.
   */
  readonly rank?: number | false | undefined
}

/** Health of a server. Latency and trouble are exponentially smoothed. */
interface Health {
  readonly transport: Transport
  /** Milliseconds. */
  latency: number
  /** Share of failures: from 0 (all requests are answered) to 1 (none is). */
  trouble: number
  /** Newest masterchain seqno that the server has reported. */
  seqno: number
}

/** Weight of the newest sample in the smoothed values. */
const NEWEST = 0.3
/** Penalties for trouble, and for each block of lag, in milliseconds of latency. */
const TROUBLE = 10_000
const BLOCK = 500
const PAUSED = 1e9
/** Lag in blocks that has no penalty, and the largest penalty: a server that claims a high seqno and fails must not go before those that work. */
const BEHIND = 2
const MAX_LAG = TROUBLE / 2

const PROBE: Call = {
  id: 0,
  method: 'getMasterchainInfo',
  write: false,
  text: '{"jsonrpc":"2.0","id":0,"method":"getMasterchainInfo","params":{}}',
  bytes: 66,
  done: false,
}

/** True if the server and not the call caused the failure. */
const isServers = ({ retry, kind }: Failure): boolean =>
  retry === true || ['TIMEOUT', 'PROTOCOL', 'HTTP', 'ANSWER_TOO_LARGE', 'QUEUE_FULL', 'NOT_SERVED'].includes(kind)

/**
 * Several servers as one transport. A group of calls goes to the healthiest server. If that server fails, its reads go to the next server; writes do not. A
 * healthy server responds, is fast, and is close to the newest block. A subscription uses the healthiest server that supports subscriptions and stays
 * there.
 */
export const fallback = (transports: readonly [Transport, ...Transport[]], { rank = 10_000 }: FallbackOptions = {}): Transport => {
  const all = transports.map((transport): Health => ({ transport, latency: 0, trouble: 0, seqno: 0 }))
  let looked = -Infinity
  const never = new AbortController().signal

  const smooth = (before: number, sample: number): number => before + NEWEST * (sample - before)

  /** Requests the newest block from every server. All get the same request, so that their response times can be compared. */
  const look = (): void => {
    if (rank === false || performance.now() - looked < rank) return
    looked = performance.now()
    for (const health of all) {
      const began = performance.now()
      health.transport.send([PROBE], never, (_, outcome) => {
        const { last } = Object('result' in outcome && outcome.result)
        const seqno: unknown = last?.seqno
        const isRight = typeof seqno === 'number'
        health.trouble = smooth(health.trouble, isRight ? 0 : 1)
        if (!isRight) return
        const ms = performance.now() - began
        health.latency = health.latency ? smooth(health.latency, ms) : ms
        health.seqno = seqno
      })
    }
  }
  /** The servers, healthiest first. Servers that requested a pause come last. */
  const ranked = (): Health[] => {
    const newest = Math.max(...all.map(({ seqno }) => seqno))
    const score = ({ transport, latency, trouble, seqno }: Health): number =>
      (transport.paused?.() ? PAUSED : 0) +
      (rank === false ? 0 : latency + trouble * TROUBLE + Math.min(MAX_LAG, Math.max(0, newest - BEHIND - (seqno || newest)) * BLOCK))
    return [...all].sort((a, b) => score(a) - score(b))
  }

  const subscribe: Subscribe = (...of) => ranked().find(({ transport }) => transport.subscribe)!.transport.subscribe!(...of)

  return {
    endpoint: transports[0].endpoint,
    subscribe: transports.some((each) => each.subscribe) ? subscribe : undefined,
    async send<C extends Call>(calls: readonly C[], signal: AbortSignal, deliver: Deliver<C>) {
      const order = ranked()
      look()
      let left = calls
      for (const health of order) {
        const next: C[] = []
        let trouble = 0
        const last = health === order.at(-1)
        await health.transport.send(left, signal, (call, outcome) => {
          const failed = outcome.failure && isServers(outcome.failure)
          if (failed) trouble = 1
          if (failed && !call.write && !last) next.push(call)
          else deliver(call, outcome)
        })
        left = next.filter((call) => !call.done)
        if (signal.aborted) return
        health.trouble = smooth(health.trouble, trouble)
        if (left.length === 0) return
      }
    },
    close() {
      for (const { transport } of all) transport.close?.()
    },
  }
}
