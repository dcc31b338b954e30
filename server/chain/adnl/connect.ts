import { connect } from 'node:net'
import { type Channel, type ChannelOptions, createChannel } from './channel.ts'
import { AdnlError } from './error.ts'
import { greet } from './handshake.ts'

export interface Peer {
  readonly host: string
  readonly port: number
  /** Ed25519, 32 bytes. */
  readonly key: Uint8Array
}

export interface ConnectOptions extends ChannelOptions {
  /** Milliseconds for the connection and the handshake together. */
  readonly connectMs: number
  /** Called when the peer answered the handshake, which shows that it has the key. */
  readonly onReady: () => void
}

/** Opens a connection to a peer. Callbacks report its progress. */
export const connectAdnl = (peer: Peer, { connectMs, onReady, onPacket, onClose, ...options }: ConnectOptions): Channel => {
  const socket = connect({ host: peer.host, port: peer.port, noDelay: true })
  const { packet, ciphers } = greet(peer.key)
  let ready = false
  const timeout = setTimeout(() => channel.close(new AdnlError(`no answer to the handshake in ${connectMs} ms`)), connectMs)
  const channel = createChannel(socket, ciphers, {
    ...options,
    onPacket(payload) {
      if (ready) {
        // Empty packets only keep the connection alive.
        if (payload.length > 0) onPacket(payload)
        return
      }
      if (payload.length > 0) {
        channel.close(new AdnlError('the answer to the handshake is not an empty packet'))
        return
      }
      ready = true
      clearTimeout(timeout)
      onReady()
    },
    onClose(reason) {
      clearTimeout(timeout)
      onClose(reason ?? (ready ? undefined : new AdnlError('the peer closed the connection during the handshake')))
    },
  })
  socket.write(packet)
  return channel
}
