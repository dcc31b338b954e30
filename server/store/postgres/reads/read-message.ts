import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import { innerOf } from '../driver-extras.ts'
import { ReadBatch } from './read-batch.ts'

/*
 * The messages of the server, as a reader's connection takes them. The driver makes strings of all columns of a row and passes each message on as an event. Here
 * rows go to the batch that they answer as bytes. All other messages, and those of other queries, go the driver's way.
 */

/** Bytes before the content of a message: its kind and its length. */
const HEAD = 5

const ROW = 'D'.charCodeAt(0)
const PARSED = '1'.charCodeAt(0)
const BOUND = '2'.charCodeAt(0)
const COMPLETE = 'C'.charCodeAt(0)
const NO_COLUMNS = 'n'.charCodeAt(0)

/** Takes a message whose content is at `at`. `kind`: its letter. False: the message is for the driver. */
type Take = (kind: number, bytes: Buffer, at: number) => boolean

/**
 * Returns a function that takes the bytes of a connection as they come, and gives each whole message away.
 * @internal
 */
export const createMessageReader = (take: Take, others: (message: Buffer) => void): ((chunk: Buffer) => void) => {
  /** The beginning of a message whose end has not come yet. */
  let waiting: Buffer[] = []
  let length = 0
  /** Bytes that the message has, once its head has come. */
  let wanted = HEAD

  const read = (bytes: Buffer): void => {
    let at = 0
    for (;;) {
      const left = bytes.length - at
      wanted = left < HEAD ? HEAD : 1 + bytes.readUInt32BE(at + 1)
      if (left < wanted) break
      if (!take(bytes[at]!, bytes, at + HEAD)) others(bytes.subarray(at, at + wanted))
      at += wanted
    }
    waiting = at < bytes.length ? [bytes.subarray(at)] : []
    length = bytes.length - at
  }

  return (chunk) => {
    if (length === 0) return read(chunk)
    waiting.push(chunk)
    length += chunk.length
    // Joined once the message is whole: a long one comes in hundreds of pieces.
    if (length >= wanted) read(Buffer.concat(waiting, length))
  }
}

/** A client whose batches get their rows as bytes. */
export class ReadClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    const inner = innerOf(this)
    const { connection } = inner
    const attach = connection.attachListeners
    const take: Take = (kind, bytes, at) => {
      const batch = inner._activeQuery
      if (!(batch instanceof ReadBatch)) return false
      if (kind === ROW) batch.takeRow(bytes, at)
      else if (kind === COMPLETE) batch.handleCommandComplete()
      else if (kind === PARSED) batch.takeParsed()
      // The driver does not tell of it, and the statement would be described each time.
      else if (kind === NO_COLUMNS) batch.handleRowDescription({ fields: [] })
      else return kind === BOUND
      return true
    }
    // Called by the connection when its socket is open, and encrypted if it has to be.
    connection.attachListeners = (stream: Duplex): void => {
      const driver = new EventEmitter() as Duplex
      attach.call(connection, driver)
      stream.on(
        'data',
        createMessageReader(take, (message) => driver.emit('data', message)),
      )
    }
  }
}
