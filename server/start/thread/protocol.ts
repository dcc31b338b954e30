import type { MessagePort } from 'node:worker_threads'
import type { Host } from '../host.ts'

/* Messages between the thread of a tonway and the thread that started it, besides the requests and answers of a link. */

/** A new connection: the service's end of it. */
export interface Connection {
  readonly type: 'connection'
  readonly port: MessagePort
}

/** The addresses and wallets of a started host, and whether it answers without connections. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'> & { readonly asks: boolean }

/** Whether a message brings a connection. */
export const isConnection = (message: unknown): message is Connection => (message as Partial<Connection> | null)?.type === 'connection'
