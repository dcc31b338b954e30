import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { ownBytes } from '../../base/threads/own-bytes.ts'
import { likeSocket } from '../socket-like.ts'

/*
 * A connection between two threads. Each end has one port of a MessageChannel. Messages are bytes, `null` after the last bytes, or the number of bytes that
 * the receiver has read. Closing a port ends the connection after the data that was sent before.
 */

type SocketMessage = Uint8Array | number | null

/** Maximum bytes that are sent and not yet read by the receiver. At this number the sender waits. */
const MAX_UNDERWAY = 1 << 18

export class ThreadSocket extends Duplex {
  readonly #port: MessagePort
  /** Bytes that were sent and not yet read by the receiver. */
  #underway = 0
  /** Callback of the pending write. Called when fewer than MAX_UNDERWAY bytes are unread. */
  #taken: (() => void) | undefined
  /** Bytes that were received while the read buffer was full. They are acknowledged when reading continues. */
  #unread = 0
  #ended = false

  constructor(port: MessagePort, waitsForBlock = false) {
    super()
    likeSocket(this, waitsForBlock)
    this.#port = port
    port.on('message', (message: SocketMessage) => this.#receive(message))
    port.once('close', () => this.#closed())
    port.unref()
  }

  #receive(message: SocketMessage): void {
    if (typeof message === 'number') {
      this.#underway -= message
      if (this.#underway < MAX_UNDERWAY) this.#goOn()
    } else if (message === null) this.#end()
    else if (!this.destroyed && !this.#ended) {
      if (this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) this.#port.postMessage(message.byteLength)
      else this.#unread += message.byteLength
    }
  }

  #goOn(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  /** The peer has closed its end. This end is destroyed after all received data is read. */
  #closed(): void {
    if (this.readableEnded) {
      this.destroy()
      return
    }
    this.once('end', () => this.destroy())
    this.#end()
  }

  #end(): void {
    if (!this.#ended) this.push(null)
    this.#ended = true
  }

  override _read(): void {
    if (this.#unread === 0) return
    this.#port.postMessage(this.#unread)
    this.#unread = 0
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const bytes = ownBytes(chunk)
    this.#underway += bytes.byteLength
    this.#port.postMessage(bytes)
    if (this.#underway < MAX_UNDERWAY) done()
    else this.#taken = done
  }

  override _final(done: () => void): void {
    this.#port.postMessage(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#goOn()
    this.#port.close()
    done(error)
  }
}
