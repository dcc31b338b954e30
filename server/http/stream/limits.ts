import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientNet } from '../../net/client-net.ts'
import { isLoopback } from '../../net/connections.ts'

/** Limits of one client of streaming v2; -1 for any number. */
export interface StreamLimits {
  /** Whose connections count together. */
  readonly client: string
  readonly connections: number
  /** Addresses and hashes of one connection. */
  readonly named: number
}

/** Limits of a client that nothing else is said about. */
const STREAM_LIMITS = { connections: 200, named: 1_000 } as const

const numberOf = (text: string | string[] | undefined, otherwise: number): number => {
  const value = Number(text)
  return typeof text === 'string' && /^-?\d{1,9}$/.test(text) ? Math.max(-1, value) : otherwise
}

/** Whether a client is an address of this machine, which may open any number of connections. */
const isThisMachine = (client: string): boolean => isLoopback(client) || client === clientNet('::1')

/** What a trusted gateway says of its client, as TON Center's does. */
export const limitsOf = (req: IncomingMessage, client: string, isTrusted: boolean): StreamLimits => {
  const { headers } = req
  const key = headers['x-limiting-key']
  const connections = isThisMachine(client) ? -1 : STREAM_LIMITS.connections
  if (!isTrusted) return { client, connections, named: STREAM_LIMITS.named }
  return {
    client: typeof key === 'string' && key !== '' ? `gateway ${key}` : client,
    connections: numberOf(headers['x-max-parallel-connections'], connections),
    named: numberOf(headers['x-max-subscribed-addr'], STREAM_LIMITS.named),
  }
}

/** Open connections by client. */
export interface StreamCount {
  /** Takes a place and returns what gives it back; undefined if all are taken. A client that has just closed one may come back at once, so this waits a moment. */
  enter(limits: StreamLimits): Promise<(() => void) | undefined>
  of(client: string): number
}

/** How long the end of an earlier connection may take to be seen here, and how often it is looked at (ms). */
const PATIENCE_MS = 400
const LOOK_MS = 20

export const createStreamCount = (): StreamCount => {
  const counts = new Map<string, number>()
  const of = (client: string): number => counts.get(client) ?? 0
  return {
    of,
    async enter({ client, connections }) {
      const isFull = (): boolean => connections >= 0 && of(client) >= connections
      for (let waited = 0; isFull() && waited < PATIENCE_MS; waited += LOOK_MS) await sleep(LOOK_MS)
      if (isFull()) return undefined
      counts.set(client, of(client) + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        if (of(client) > 1) counts.set(client, of(client) - 1)
        else counts.delete(client)
      }
    },
  }
}
