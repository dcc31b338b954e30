import { connect } from 'node:net'
import { TICKS } from '../../../server/access/window.ts'

/* What a Redis did, as its MONITOR shows it: each call of the limiter's script, and what the script wrote. */

/** A call of the script. */
export interface Counted {
  readonly bucket: string
  readonly limit: number
  readonly weight: number
  /** Whether the units were of finished work, which is counted whether it fits or not. */
  readonly done: boolean
  /** Tick of the moment at which Redis took the call. */
  readonly from: number
  /** Tick with which the units were written, by the clock of Redis; undefined if they were refused. */
  tick?: number
}

/** Microseconds of a tick. */
const MICROSECONDS = 1_000_000 / TICKS
const PREFIX = 'tonway:limit:'
const MONITORED = /^\+(\d+)\.(\d{6}) \[\d+ (\S+)\] (.*)$/

const wordsOf = (text: string): string[] => [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!)

/** The calls of a script in lines of MONITOR. Throws if their clock went back, because then the script counts all units as new. */
const countedOf = (lines: readonly string[]): Counted[] => {
  const all: Counted[] = []
  let current: Counted | undefined
  let hasRun = false
  const end = (): void => {
    // A call by a hash that Redis does not have runs nothing, and comes again with the text.
    if (current !== undefined && hasRun) all.push(current)
    current = undefined
    hasRun = false
  }
  for (const line of lines) {
    const [, seconds, micros, source, text] = MONITORED.exec(line) ?? []
    if (text === undefined) continue
    const [command, ...words] = wordsOf(text)
    if (source !== 'lua') {
      end()
      if (command !== 'evalsha' && command !== 'eval') continue
      const [, , key, limit, weight, , done] = words
      const from = Number(seconds) * TICKS + Math.floor(Number(micros) / MICROSECONDS)
      current = { bucket: key!.slice(PREFIX.length), limit: Number(limit), weight: Number(weight), done: done !== '', from }
    } else if (current !== undefined) {
      if (command === 'DEL')
        throw new Error('the clock by which Redis counts went back: it is one of the processes, or that of the machine was set')
      if (command === 'PEXPIRE') hasRun = true
      // What is written before that makes an empty bucket.
      else if (hasRun && (command === 'RPUSH' || command === 'LSET')) current.tick = Number(words.at(-1)!.split(' ')[0])
    }
  }
  end()
  return all
}

export interface Journal {
  /** Every call so far. `mark`: sends something that shows in MONITOR with this text. */
  read(mark: (text: string) => Promise<unknown>): Promise<Counted[]>
  close(): void
}

/** Begins to listen to a Redis. */
export const openJournal = async (url: string): Promise<Journal> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines: string[] = []
  let rest = ''
  let onLine: (line: string) => void = () => {}
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\r\n')
    rest = parts.pop()!
    for (const line of parts) {
      lines.push(line)
      onLine(line)
    }
  })
  const seen = (has: (line: string) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      onLine = (line) => has(line) && resolve()
      socket.once('close', () => reject(new Error('Redis ended its MONITOR')))
      socket.once('error', reject)
    })
  const begun = seen((line) => line === '+OK')
  socket.write('MONITOR\r\n')
  await begun
  return {
    async read(mark) {
      const name = `end:${lines.length}`
      const isThere = seen((line) => line.includes(name))
      await mark(name)
      await isThere
      return countedOf(lines)
    },
    close: () => void socket.destroy(),
  }
}
