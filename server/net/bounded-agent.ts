import { Agent, type AgentOptions } from 'node:https'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { yieldToEventLoop } from '../base/yield.ts'

/** Maximum bytes of a host's handshake. OpenSSL verifies all certificates in one turn, also untrusted ones. A hundred kilobytes take most of a second. */
const MAX_HANDSHAKE = 16 << 10

/** A host chooses the group of a Diffie-Hellman exchange, and one of 10,000 bits takes half a second of the event loop. No browser offers them. */
const TLS = { ciphers: `${DEFAULT_CIPHERS}:!DHE`, ecdhCurve: 'X25519:P-256:P-384:P-521' }

/** An agent of https for hosts that anybody chooses: their handshakes are bounded, and each has turns of the event loop of its own. */
export class BoundedAgent extends Agent {
  constructor(options: AgentOptions = {}) {
    super({ ...options, ...TLS })
  }

  override createConnection(options: TcpNetConnectOpts): Duplex | null | undefined {
    const tcp = connect(options)
    let isSecure = false
    let size = 0
    async function* received(): AsyncGenerator<Buffer> {
      for await (const chunk of tcp as AsyncIterable<Buffer>) {
        size += chunk.length
        if (!isSecure) {
          if (size > MAX_HANDSHAKE) return void socket.destroy(new Error(`the TLS handshake is over ${MAX_HANDSHAKE} bytes`))
          await yieldToEventLoop()
        }
        yield chunk
      }
    }
    const readable = Readable.from(received(), { objectMode: false })
    const socket = super.createConnection({ ...options, socket: Duplex.from({ readable, writable: tcp }) as Socket } as never) as TLSSocket
    return socket.once('secureConnect', () => {
      isSecure = true
    })
  }
}
