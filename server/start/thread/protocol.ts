import { Duplex } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import type { Host } from '../host.ts'
import { likeSocket } from '../socket-like.ts'

/* Messages between the thread of a tonway and the thread that started it. Requests and answers go over the link (base/threads/link.ts). */

/** One end of a connection, whose streams are transferred. */
export interface ConnectionEnd {
  readonly type: 'connection'
  readonly readable: ReadableStream
  readonly writable: WritableStream
}

/** `asks`: true if the host answers calls without a connection. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'> & { readonly asks: boolean }

export const isConnection = (message: unknown): message is ConnectionEnd =>
  (message as Partial<ConnectionEnd> | null)?.type === 'connection'

export const socketOf = ({ readable, writable }: Omit<ConnectionEnd, 'type'>, waitsForBlock: boolean): Duplex =>
  likeSocket(Duplex.fromWeb({ readable, writable }), waitsForBlock)
