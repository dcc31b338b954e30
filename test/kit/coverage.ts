import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Row } from './results-file.ts'

/* The lines and branches that tests cover, by room, from a coverage-summary.json in the folder coverage/ of a project. */

interface Counts {
  readonly total: number
  readonly covered: number
}
interface Covered {
  readonly lines: Counts
  readonly branches: Counts
}

export const HEAD: Row = ['room', 'lines', 'lines covered', 'before', 'branches covered', 'before']

/** `server/chain/...` belongs to `server/chain`, `client/...` to `client`. */
const roomOf = (file: string): string => {
  const [top, room] = file.split('/')
  return top === 'server' ? `server/${room}` : top!
}

const add = (a: Counts, b: Counts): Counts => ({ total: a.total + b.total, covered: a.covered + b.covered })

const readRooms = (summary: string): ReadonlyMap<string, Covered> => {
  const root = dirname(dirname(resolve(summary)))
  const rooms = new Map<string, Covered>()
  for (const [path, { lines, branches }] of Object.entries(JSON.parse(readFileSync(summary, 'utf8')) as Record<string, Covered>)) {
    const room = path === 'total' ? 'all' : roomOf(relative(root, path))
    const sum = rooms.get(room)
    rooms.set(room, sum === undefined ? { lines, branches } : { lines: add(sum.lines, lines), branches: add(sum.branches, branches) })
  }
  return rooms
}

const percent = (counts: Counts | undefined): string =>
  counts === undefined ? '-' : `${((100 * counts.covered) / Math.max(1, counts.total)).toFixed(1)} %`

/** A row for each room. `before`: the summary of another commit. */
export const coverageRows = (summary: string, before: string | undefined): Row[] => {
  const earlier = before === undefined ? new Map<string, Covered>() : readRooms(before)
  return [...readRooms(summary)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([room, { lines, branches }]) => [
      ...[room, String(lines.total), percent(lines), percent(earlier.get(room)?.lines)],
      ...[percent(branches), percent(earlier.get(room)?.branches)],
    ])
}
