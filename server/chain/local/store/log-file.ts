import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createPauses } from '../../../base/yield.ts'

/*
 * An append-only file of records. Each body has a header with magic, type, length and CRC-32. If a process or machine dies during a write, an incomplete
 * record remains at the end (a torn tail); opening the file cuts it. Damage before a complete record is no torn tail: then nothing is cut (see
 * `LogDamage`).
 * A record survives the death of the process once `append` has returned, and the death of the machine once `sync` has resolved.
 *
 *   magic:uint32 type:uint32 length:uint32 crc32(type length body):uint32 body padding to a multiple of 8       (little-endian)
 */

export const HEADER_BYTES = 16
const MAGIC = 0x59574e54
/** Maximum number of bytes of a body. A record with a longer length is damaged. */
const MAX_BODY = 1 << 30

/** Rounds up to a multiple of 8, because records begin at such offsets. Does not use bit operators, because offsets may exceed 32 bits. */
export const padded = (length: number): number => Math.ceil(length / 8) * 8

export interface LogRecord {
  readonly type: number
  readonly at: number
  readonly bodyAt: number
  readonly length: number
}

/** The log is damaged before its end: a record is broken or in the wrong order. */
export class LogDamage extends Error {
  /** Offset of the damaged record. All records before it are intact. */
  readonly at: number
  readonly next: number
  constructor(at: number, next: number) {
    super(`the log is damaged at byte ${at}, and whole records follow from byte ${next} on`)
    this.at = at
    this.next = next
  }
}

const MAGIC_BYTES = Buffer.alloc(4)
MAGIC_BYTES.writeUInt32LE(MAGIC)
const SEARCH_BYTES = 1 << 20
/** Bytes of a body from which on its parts are written one after another. */
const LARGE_BODY = 1 << 20

const checksum = (header: Buffer, body: readonly Uint8Array[]): number =>
  body.reduce((sum, part) => crc32(part, sum), crc32(header.subarray(4, 12)))

/**
 * Makes the reads of an open log file. `isClosed`: reads after the close must fail here, because the system may have reused the file descriptor for another
 * file, a pipe or a socket.
 */
const createReads = (file: number, isClosed: () => boolean) => {
  const readInto = (target: Buffer, at: number): number => {
    if (isClosed()) throw new Error('the log of a chain is read after it was closed')
    let done = 0
    while (done < target.length) {
      const count = readSync(file, target, done, target.length - done, at + done)
      if (count === 0) break
      done += count
    }
    return done
  }
  /** Reads `length` bytes at an offset. The result is shorter if the file ends before. */
  const read = (at: number, length: number): Buffer => {
    const target = Buffer.allocUnsafeSlow(length)
    const count = readInto(target, at)
    return count === length ? target : target.subarray(0, count)
  }
  /** The record at an offset; undefined if there is none. `whole`: verifies the checksum of the body too. */
  const recordAt = (at: number, whole: boolean): LogRecord | undefined => {
    const header = read(at, HEADER_BYTES)
    if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== MAGIC) return undefined
    const length = header.readUInt32LE(8)
    if (length > MAX_BODY) return undefined
    const record = { type: header.readUInt32LE(4), at, bodyAt: at + HEADER_BYTES, length }
    if (!whole) return record
    // Compared before the body is read, so that a damaged length beyond the file's end allocates no memory.
    if (record.bodyAt + length > fstatSync(file).size) return undefined
    const body = read(record.bodyAt, length)
    return body.length === length && checksum(header, [body]) === header.readUInt32LE(12) ? record : undefined
  }
  return { read, readInto, recordAt }
}

export const openLogFile = (path: string) => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT)
  let closed = false
  const reads = createReads(file, () => closed)
  const { read, recordAt } = reads
  let end = fstatSync(file).size

  const afterRecord = ({ bodyAt, length }: LogRecord): number => padded(bodyAt + length)
  const beginsAsLog = (): boolean => read(0, 4).equals(MAGIC_BYTES)

  /** Offset of the first intact record at or after `from`. */
  const nextWhole = async (from: number): Promise<number | undefined> => {
    const size = fstatSync(file).size
    const pause = createPauses()
    for (let start = padded(from); start < size; start += SEARCH_BYTES) {
      const chunk = read(start, SEARCH_BYTES)
      for (let i = chunk.indexOf(MAGIC_BYTES); i >= 0; i = chunk.indexOf(MAGIC_BYTES, i + 4)) {
        if (i % 8 === 0 && recordAt(start + i, true)) return start + i
      }
      await pause()
    }
    return undefined
  }

  return {
    ...reads,
    end: (): number => end,
    afterRecord,
    nextWhole,
    size: (): number => fstatSync(file).size,
    /** Appends a record with a body of these parts and returns its offset. If the file system fails, throws its error and appends nothing. */
    append: (type: number, ...body: readonly Uint8Array[]): number => {
      const length = body.reduce((sum, part) => sum + part.length, 0)
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeUInt32LE(MAGIC, 0)
      header.writeUInt32LE(type, 4)
      header.writeUInt32LE(length, 8)
      header.writeUInt32LE(checksum(header, body), 12)
      const padding = Buffer.alloc(padded(length) - length)
      // A large part is not copied. Small parts are one write, because each write is a call of the system.
      const parts = length < LARGE_BODY ? [Buffer.concat([header, ...body, padding])] : [header, ...body, padding]
      const at = end
      let next = end
      for (const part of parts) {
        for (let done = 0; done < part.length; ) done += writeSync(file, part, done, part.length - done, next + done)
        next += part.length
      }
      end = next
      return at
    },
    cut: (at: number): void => {
      end = at
      ftruncateSync(file, at)
    },
    /**
     * Visits the records at and after `from`, cuts the torn tail after the last intact record and returns the tail's length in bytes. If an intact record
     * follows a broken record, throws LogDamage and changes nothing. Throws an Error if the file is not a log. Yields to the event loop regularly, because a
     * log can have many gigabytes.
     */
    recover: async (from: number, visit: (record: LogRecord) => void): Promise<number> => {
      let at = from
      const pause = createPauses()
      for (;;) {
        const record = recordAt(at, true)
        if (!record) break
        at = afterRecord(record)
        visit(record)
        await pause()
      }
      const torn = Math.max(0, fstatSync(file).size - at)
      const next = torn > 0 ? await nextWhole(at + 8) : undefined
      if (next !== undefined) throw new LogDamage(at, next)
      if (at === 0 && torn > 0 && !beginsAsLog()) throw new Error(`${path} is not the log of a chain`)
      end = at
      ftruncateSync(file, end)
      return torn
    },
    /** Resolves when everything appended so far is on the disk. */
    sync: () => new Promise<void>((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
    close(): void {
      if (closed) return
      closed = true
      closeSync(file)
    },
  }
}
export type LogFile = ReturnType<typeof openLogFile>
