import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { ownBytes } from '../../base/threads/packed.ts'
import { likeSocket } from '../socket-like.ts'

/*
 * A connection between two threads. Each end has one port of a MessageChannel. Messages are bytes, `null` after the last of them, and the number of bytes that
 * the receiver has taken. A port that is closed ends the connection, after what was sent before.
 */

type SocketMessage = Uint8Array | number | null

/** Bytes that may be on their way. More wait at the sender until the receiver has taken some. */
const MAX_UNDERWAY = 1 << 18

/** One end of a connection to another thread. It does not keep the process alive. */
export class ThreadSocket extends Duplex {
  readonly #port: MessagePort
  /** Bytes that were sent and are not taken yet. */
  #underway = 0
  /** Called when enough of them are taken. */
  #taken: (() => void) | undefined
  /** Bytes that were received while the reader had enough; they are taken when it reads on. */
  #unread = 0
  /** Whether nothing more comes from the other end. */
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

  /** The other end is closed: this one is too, when what was sent before is read. */
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
