import { connect } from 'node:net'
import { type Channel, type ChannelOptions, createChannel } from './channel.ts'
import { AdnlError } from './error.ts'
import { greet } from './handshake.ts'

export interface Peer {
  readonly host: string
  readonly port: number
  /** Ed25519 public key, 32 bytes. */
  readonly key: Uint8Array
}

export interface ConnectOptions extends ChannelOptions {
  /** Timeout of connection and handshake together, ms. */
  readonly connectMs: number
  /** Called when the peer has answered the handshake, which proves that the peer has the key. */
  readonly onReady: () => void
}

/** Throws AdnlError for a key of low order. */
export const connectAdnl = (peer: Peer, { connectMs, onReady, onPacket, onClose, ...options }: ConnectOptions): Channel => {
  const { packet, ciphers } = greet(peer.key)
  const socket = connect({ host: peer.host, port: peer.port, noDelay: true })
  let ready = false
  const timeout = setTimeout(() => channel.close(new AdnlError(`no answer to the handshake in ${connectMs} ms`)), connectMs)
  const channel = createChannel(socket, ciphers, {
    ...options,
    onPacket(payload) {
      if (ready) {
        // Empty packets are only keep-alives.
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
