import { constants } from 'node:crypto'
import { Agent, type AgentOptions } from 'node:https'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { yieldToEventLoop } from '../base/yield.ts'

/**
 * Maximum bytes of a host's handshake. OpenSSL verifies all certificates in one turn, also untrusted ones, and a certificate of 200 bytes can take three
 * milliseconds. Chains of real hosts have 2 to 6 KB.
 */
const MAX_HANDSHAKE = 8 << 10
/** Maximum bytes of a connection: an answer of 1 MiB and its framing. TLS accepts any number of session tickets, and 25 MB of them take two seconds. */
const MAX_RECEIVED = 3 << 19

/**
 * A host chooses the group of a Diffie-Hellman exchange, and one of 10,000 bits takes half a second of the event loop. No browser offers them. In TLS 1.2 a
 * host could ask for another handshake, whose certificates nothing would bound.
 */
const TLS = { ciphers: `${DEFAULT_CIPHERS}:!DHE`, ecdhCurve: 'X25519:P-256:P-384:P-521', secureOptions: constants.SSL_OP_NO_RENEGOTIATION }

/** An agent of https for hosts that anybody chooses: what they send is bounded, and each part of it has a turn of the event loop of its own. */
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
        if (!isSecure && size > MAX_HANDSHAKE) return void socket.destroy(new Error(`the TLS handshake is over ${MAX_HANDSHAKE} bytes`))
        if (size > MAX_RECEIVED) return void socket.destroy(new Error(`the connection has received over ${MAX_RECEIVED} bytes`))
        await yieldToEventLoop()
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
