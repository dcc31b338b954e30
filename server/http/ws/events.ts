import type { WebSocket } from 'ws'
import { TonError } from '../../../shared/errors.ts'
import type { EventSocket } from '../../base/call.ts'
import type { Outlet, Outlets } from '../../base/outlet/outlet.ts'

/** Events on one WebSocket. */
export interface SocketEvents {
  /** What a call on the socket sees of it. `onAnswered` registers what begins when the call's answer is written. */
  of(onAnswered: EventSocket['onAnswered']): EventSocket
  close(): void
}

/** A WebSocket's close reason has at most this many bytes. */
const REASON = 123

/** `end` closes the socket with a reason: the client may come back at once. */
export const createSocketEvents = (outlets: Outlets, socket: WebSocket, end: (reason: string) => void): SocketEvents => {
  const subscriptions: EventSocket['subscriptions'] = new Map()
  let outlet: Outlet | undefined
  let ids = 0
  const close = (): void => {
    for (const subscription of subscriptions.values()) subscription.close()
    subscriptions.clear()
    outlet?.close()
  }
  const stop = (reason: string): void => {
    close()
    end(reason.slice(0, REASON))
  }
  const open = (): Outlet => {
    const made = outlets.create({
      write: (bytes, done) => socket.send(bytes, { binary: false }, done),
      slow: () => stop(`slow consumer; last cursor ${made.last()}`),
    })
    return made
  }
  return {
    of: (onAnswered) => ({
      get outlet() {
        outlet ??= open()
        return outlet
      },
      subscriptions,
      nextId: () => String(++ids),
      onAnswered,
      fail: (error) => stop(error instanceof TonError ? error.message : 'events cannot be read'),
    }),
    close,
  }
}
