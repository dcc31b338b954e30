import type { MessagePort } from 'node:worker_threads'
import type { Host } from '../host.ts'

/* Messages between the thread of a tonway and the thread that started it, in addition to the requests and answers of the link. */

/** A new connection, as the service's end of it. */
export interface Connection {
  readonly type: 'connection'
  readonly port: MessagePort
}

/** URLs and wallets of a started host. `asks`: true if the host answers calls without a connection. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'> & { readonly asks: boolean }

/** Returns whether a message contains a connection. */
export const isConnection = (message: unknown): message is Connection => (message as Partial<Connection> | null)?.type === 'connection'
