import type { Socket } from 'node:net'
import { inSharedTurn } from '../../base/yield.ts'
import { type Channel, type ChannelOptions, createChannel } from './channel.ts'
import { AdnlError } from './error.ts'
import { type Ciphers, HANDSHAKE_LENGTH } from './handshake.ts'

export interface AcceptOptions extends ChannelOptions {
  /** Timeout of the handshake, ms. */
  readonly connectMs: number
  readonly onReady: (channel: Channel) => void
}

/** Serves a new connection: waits for the handshake, answers it, then passes packets on. Returns a function that closes the connection at any stage. */
export const acceptAdnl = (
  socket: Socket,
  readHandshake: (packet: Uint8Array) => Ciphers,
  { connectMs, onReady, onPacket, onClose, ...options }: AcceptOptions,
): ((reason?: Error) => void) => {
  let received = Buffer.alloc(0)
  let close = (reason?: Error): void => {
    clearTimeout(timeout)
    close = () => undefined
    socket.destroy()
    onClose(reason)
  }
  const end = (reason?: Error): void => close(reason)
  const gone = (): void => end()
  const timeout = setTimeout(() => end(new AdnlError(`no handshake in ${connectMs} ms`)), connectMs)

  const greeting = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    if (received.length < HANDSHAKE_LENGTH) return
    socket.off('data', greeting).pause()
    // A handshake takes half a millisecond, and hundreds of peers can connect in one turn of the event loop.
    inSharedTurn(answer, options.client)
  }
  const answer = (): void => {
    if (socket.destroyed) return
    let ciphers: Ciphers
    try {
      ciphers = readHandshake(received.subarray(0, HANDSHAKE_LENGTH))
    } catch (error) {
      end(error as Error)
      return
    }
    clearTimeout(timeout)
    socket.off('error', end).off('end', gone).off('close', gone).unshift(received.subarray(HANDSHAKE_LENGTH))
    socket.resume()
    const channel = createChannel(socket, ciphers, {
      ...options,
      onClose,
      onPacket(payload) {
        if (payload.length > 0) onPacket(payload)
      },
    })
    close = channel.close
    channel.send(Buffer.alloc(0))
    onReady(channel)
  }
  socket.on('data', greeting).on('error', end).on('end', gone).on('close', gone)
  return end
}
