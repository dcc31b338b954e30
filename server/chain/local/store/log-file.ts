import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/*
 * An append-only file of records. A record is whole or not there: magic, type, length and CRC-32 stand before its body, and a torn tail is cut
 * when the file is opened. What `append` has returned from survives the death of the process, since it is in the kernel's hands; `sync` is for
 * the death of the machine.
 *
 *   magic:uint32 type:uint32 length:uint32 crc32(type length body):uint32 body padding to a multiple of 8       (little-endian)
 */

export const HEADER_BYTES = 16
const MAGIC = 0x59574e54
/** Longer records are damage. */
const MAX_BODY = 1 << 30

/** Records begin at multiples of 8; the file may grow beyond what 32-bit operators count. */
export const padded = (length: number): number => Math.ceil(length / 8) * 8

export interface LogRecord {
  readonly type: number
  readonly at: number
  /** Where the body begins. */
  readonly bodyAt: number
  readonly length: number
}

export interface LogFile {
  /** End of the last whole record: where the next one will begin. */
  end(): number
  /** Adds a record and returns where it begins. Throws what the file system throws; nothing is added then. */
  append(type: number, body: Buffer): number
  /** Bytes at a place, fewer at the end of the file. */
  read(at: number, length: number): Buffer
  /** The same into a buffer; returns how many. */
  readInto(target: Buffer, at: number): number
  /** The record that begins at a place, if one does; `whole` also checks its body. */
  recordAt(at: number, whole: boolean): LogRecord | undefined
  /** Visits the records from a place on and cuts the file after the last whole one. */
  recover(from: number, visit: (record: LogRecord) => void): void
  /** Resolves when everything appended so far is on the disk. */
  sync(): Promise<void>
  close(): void
}

export const openLogFile = (path: string): LogFile => {
  const fd = openSync(path, 'a+')
  closeSync(fd)
  const file = openSync(path, 'r+')
  let end = fstatSync(file).size

  const readInto = (target: Buffer, at: number): number => {
    let done = 0
    while (done < target.length) {
      const count = readSync(file, target, done, target.length - done, at + done)
      if (count === 0) break
      done += count
    }
    return done
  }
  const read = (at: number, length: number): Buffer => {
    const target = Buffer.allocUnsafeSlow(length)
    const count = readInto(target, at)
    return count === length ? target : target.subarray(0, count)
  }
  const checksum = (header: Buffer, body: Buffer): number => crc32(body, crc32(header.subarray(4, 12)))

  const recordAt = (at: number, whole: boolean): LogRecord | undefined => {
    const header = read(at, HEADER_BYTES)
    if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== MAGIC) return undefined
    const length = header.readUInt32LE(8)
    if (length > MAX_BODY) return undefined
    const record = { type: header.readUInt32LE(4), at, bodyAt: at + HEADER_BYTES, length }
    if (!whole) return record
    const body = read(record.bodyAt, length)
    return body.length === length && checksum(header, body) === header.readUInt32LE(12) ? record : undefined
  }

  return {
    end: () => end,
    append: (type, body) => {
      const record = Buffer.alloc(padded(HEADER_BYTES + body.length))
      record.writeUInt32LE(MAGIC, 0)
      record.writeUInt32LE(type, 4)
      record.writeUInt32LE(body.length, 8)
      record.writeUInt32LE(checksum(record, body), 12)
      record.set(body, HEADER_BYTES)
      for (let done = 0; done < record.length; ) done += writeSync(file, record, done, record.length - done, end + done)
      const at = end
      end += record.length
      return at
    },
    read,
    readInto,
    recordAt,
    recover: (from, visit) => {
      let at = from
      for (;;) {
        const record = recordAt(at, true)
        if (!record) break
        at = padded(record.bodyAt + record.length)
        visit(record)
      }
      end = at
      ftruncateSync(file, end)
    },
    sync: () => new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
    close: () => closeSync(file),
  }
}
