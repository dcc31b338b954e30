import type { DoorMeter, Meter } from '../../metrics/meter.ts'

/** Groups by which requests are counted. Any path belongs to one of these few. */
const DOORS = ['jsonRPC', 'v2.jsonRPC', 'v2', 'v3', 'emulate', 'other'] as const
type Door = (typeof DOORS)[number]

/** The group of a URL without its network prefix. */
const doorOf = (url: string): Door => {
  if (url.startsWith('/api/v2/')) return url.startsWith('jsonRPC', 8) ? 'v2.jsonRPC' : 'v2'
  if (url.startsWith('/api/v3/')) return 'v3'
  if (url.startsWith('/api/emulate/')) return 'emulate'
  return url.startsWith('/jsonRPC') ? 'jsonRPC' : 'other'
}

/** Counts answered requests by group. `status`: of HTTP. */
export const createDoorCounter = (meter: Meter): ((url: string, status: number, milliseconds: number) => void) => {
  const doors = Object.fromEntries(DOORS.map((door) => [door, meter.door(door)])) as Readonly<Record<Door, DoorMeter>>
  return (url, status, milliseconds) => doors[doorOf(url)].done(status, milliseconds)
}
