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

export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'>

export const isConnection = (message: unknown): message is ConnectionEnd =>
  (message as Partial<ConnectionEnd> | null)?.type === 'connection'

/** A socket of the two streams. (In node 20, Duplex.fromWeb leaves a rejection to nobody if a write fails.) */
export const socketOf = ({ readable, writable }: Omit<ConnectionEnd, 'type'>, waitsForBlock: boolean): Duplex => {
  const [reader, writer] = [readable.getReader(), writable.getWriter()]
  const socket = new Duplex({
    read() {
      reader.read().then(
        ({ done, value }) => socket.push(done ? null : value),
        (error) => socket.destroy(error),
      )
    },
    write: (chunk, _encoding, done) => void writer.write(chunk).then(() => done(), done),
    final: (done) => void writer.close().then(() => done(), done),
    destroy(error, done) {
      for (const end of [reader.cancel(), writer.abort()]) end.catch(() => {})
      done(error)
    },
  })
  return likeSocket(socket, waitsForBlock)
}
