import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

const ENTRY_BYTES = 6

/** Offsets of step records by seqno: 8 bytes per step in memory, 6 in a file. Because of the file, a start need not read the whole log. */
export const openStepIndex = (path: string) => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT)
  let count = Math.floor(fstatSync(file).size / ENTRY_BYTES)
  let places = new Float64Array(Math.max(1024, count * 2))
  const stored = readFileSync(path)
  for (let i = 0; i < count; i++) places[i] = stored.readUIntLE(ENTRY_BYTES * i, ENTRY_BYTES)
  const entry = Buffer.alloc(ENTRY_BYTES)
  return {
    count: (): number => count,
    at: (seqno: number): number => {
      if (!(seqno >= 0 && seqno < count)) throw new RangeError(`no step ${seqno}`)
      return places[seqno]! * 8
    },
    /** Adds the next step. If the file system fails, throws its error and adds nothing. */
    push: (at: number): void => {
      if (count === places.length) {
        const larger = new Float64Array(count * 2)
        larger.set(places)
        places = larger
      }
      places[count] = at / 8
      entry.writeUIntLE(at / 8, 0, ENTRY_BYTES)
      for (let done = 0; done < ENTRY_BYTES; ) done += writeSync(file, entry, done, ENTRY_BYTES - done, count * ENTRY_BYTES + done)
      count++
    },
    truncate: (length: number): void => {
      count = Math.min(count, length)
      ftruncateSync(file, count * ENTRY_BYTES)
    },
    close: (): void => closeSync(file),
  }
}
export type StepIndex = ReturnType<typeof openStepIndex>
