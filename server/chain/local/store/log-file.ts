import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/*
 * An append-only file of records: magic, type, length and CRC-32 stand before each body. A process or machine that dies while it writes leaves a
 * torn tail, which is cut when the file is opened. Damage that whole records follow is no torn tail: nothing is cut then (see `LogDamage`).
 * What `append` has returned from survives the death of the process, since it is in the kernel's hands; `sync` is for the death of the machine.
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

/** A log with damage before its end: a record that is not whole, or one out of order. */
export class LogDamage extends Error {
  /** Where the record that is not whole begins: what stands before it can be kept. */
  readonly at: number
  /** Where the next whole record begins. */
  readonly next: number
  constructor(at: number, next: number) {
    super(`the log is damaged at byte ${at}, and whole records follow from byte ${next} on`)
    this.at = at
    this.next = next
  }
}

export interface LogFile {
  /** End of the last whole record: where the next one will begin. */
  end(): number
  /** Adds a record and returns where it begins. Throws what the file system throws; nothing is added then. */
  append(type: number, body: Buffer): number
  /** Takes the records from a place on off the end. */
  cut(at: number): void
  /** Bytes at a place, fewer at the end of the file. */
  read(at: number, length: number): Buffer
  /** The same into a buffer; returns how many. */
  readInto(target: Buffer, at: number): number
  /** The record that begins at a place, if one does; `whole` also checks its body. */
  recordAt(at: number, whole: boolean): LogRecord | undefined
  /** Where the record after one begins. */
  afterRecord(record: LogRecord): number
  /** Where the first whole record at or after a place begins. */
  nextWhole(from: number): number | undefined
  /** Bytes of the file, what is not whole included. */
  size(): number
  /**
   * Visits the records from a place on. What follows the last whole one is a torn tail and is cut; returns its length in bytes. Throws
   * LogDamage, and changes nothing, if a whole record follows what is not one; throws an Error if the file is no log at all.
   */
  recover(from: number, visit: (record: LogRecord) => void): number
  /** Resolves when everything appended so far is on the disk. */
  sync(): Promise<void>
  close(): void
}

const MAGIC_BYTES = Buffer.alloc(4)
MAGIC_BYTES.writeUInt32LE(MAGIC)
const SEARCH_BYTES = 1 << 20

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
    // Nothing is reserved for a length that the file does not have.
    if (record.bodyAt + length > fstatSync(file).size) return undefined
    const body = read(record.bodyAt, length)
    return body.length === length && checksum(header, body) === header.readUInt32LE(12) ? record : undefined
  }

  const afterRecord = ({ bodyAt, length }: LogRecord): number => padded(bodyAt + length)
  const beginsAsLog = (): boolean => read(0, 4).equals(MAGIC_BYTES)

  const nextWhole = (from: number): number | undefined => {
    const size = fstatSync(file).size
    for (let start = padded(from); start < size; start += SEARCH_BYTES) {
      const chunk = read(start, SEARCH_BYTES)
      for (let i = chunk.indexOf(MAGIC_BYTES); i >= 0; i = chunk.indexOf(MAGIC_BYTES, i + 4)) {
        if (i % 8 === 0 && recordAt(start + i, true)) return start + i
      }
    }
    return undefined
  }

  return {
    end: () => end,
    afterRecord,
    nextWhole,
    size: () => fstatSync(file).size,
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
    cut: (at) => {
      end = at
      ftruncateSync(file, at)
    },
    read,
    readInto,
    recordAt,
    recover: (from, visit) => {
      let at = from
      for (;;) {
        const record = recordAt(at, true)
        if (!record) break
        at = afterRecord(record)
        visit(record)
      }
      const torn = Math.max(0, fstatSync(file).size - at)
      const next = torn > 0 ? nextWhole(at + 8) : undefined
      if (next !== undefined) throw new LogDamage(at, next)
      if (at === 0 && torn > 0 && !beginsAsLog()) throw new Error(`${path} is not the log of a chain`)
      end = at
      ftruncateSync(file, end)
      return torn
    },
    sync: () => new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
    close: () => closeSync(file),
  }
}
