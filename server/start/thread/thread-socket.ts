import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { ownBytes } from '../../base/threads/own-bytes.ts'
import { likeSocket } from '../memory.ts'

/*
 * A connection between two threads. Each end has one port of a MessageChannel. Messages are bytes, `null` after the last bytes, and `true` when the receiver
 * has read the bytes. Closing a port ends the connection after the data that was sent before.
 */

type SocketMessage = Uint8Array | null | true

export class ThreadSocket extends Duplex {
  readonly #port: MessagePort
  /** Callback of the last write, which is called when the receiver has read its bytes. Further writes wait for that. */
  #written: (() => void) | undefined
  /** True if the sender waits until its bytes are read. */
  #isAwaited = false

  constructor(port: MessagePort, waitsForBlock = false) {
    super()
    likeSocket(this, waitsForBlock)
    this.#port = port
    port.on('message', (message: SocketMessage) => this.#receive(message))
    port.once('close', () => this.#closed())
    port.unref()
  }

  #receive(message: SocketMessage): void {
    if (message === true) this.#endWrite()
    else {
      this.#isAwaited = message !== null
      this.push(message && Buffer.from(message.buffer, message.byteOffset, message.byteLength))
    }
  }

  #endWrite(): void {
    const written = this.#written
    this.#written = undefined
    written?.()
  }

  /** The peer has closed its end. This end is destroyed after all received data is read. */
  #closed(): void {
    if (this.readableEnded) this.destroy()
    this.once('end', () => this.destroy())
    this.push(null)
  }

  override _read(): void {
    if (this.#isAwaited) this.#port.postMessage(true)
    this.#isAwaited = false
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // node's HTTP ends a message with an empty write. It must not wait for the reader, because a connection is used again only after that.
    if (chunk.length === 0) done()
    else {
      this.#written = done
      this.#port.postMessage(ownBytes(chunk))
    }
  }

  override _final(done: () => void): void {
    this.#port.postMessage(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#endWrite()
    this.#port.close()
    done(error)
  }
}
