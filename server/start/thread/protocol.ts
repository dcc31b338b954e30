import type { MessagePort } from 'node:worker_threads'
import type { Host } from '../host.ts'

/* Messages between the thread of a tonway and the thread that started it. Requests and answers go over the link (base/threads/link.ts). */

export interface Connection {
  readonly type: 'connection'
  readonly port: MessagePort
}

/** `asks`: true if the host answers calls without a connection. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'> & { readonly asks: boolean }
