import type { Bench } from './bench.ts'
import { besideLarge, type Filled, get, LARGEST, type Seen, startFilled } from './large-pages.ts'

/* The largest pages of the index, as one caller may ask for them, and what others feel of it. */

const AT_ONCE = 12
/** Unit of a target that compares with the same service while no large page is made. */
const TIMES_IDLE = 'times idle'

interface Figures {
  readonly alone: { readonly ms: number; readonly rss: number }
  readonly idle: Seen
  readonly busy: Seen
}

const measure = async (filled: Filled): Promise<Figures> => {
  // Compiled and warm first.
  for (let i = 0; i < 2; i++) await get(filled.service.url, LARGEST)
  const { ms, status } = await get(filled.service.url, LARGEST)
  if (status !== 200) throw new Error(`a large page alone: status ${status}`)
  const rss = filled.service.rss()
  return { alone: { ms, rss }, idle: await besideLarge(filled, 0), busy: await besideLarge(filled, AT_ONCE) }
}

let made: Promise<Figures> | undefined
/** Measured once for all lines. */
const figures = (): Promise<Figures> => {
  made ??= startFilled().then(async (filled) => {
    try {
      return await measure(filled)
    } finally {
      await filled.close()
    }
  })
  return made
}

const WHAT = `v3.traces limit=1000 of 254 transactions each (35 MB), ${AT_ONCE} at once`

const line = (
  name: string,
  target: Bench['target'],
  read: (of: Figures) => readonly [ours: number, yardstick: number, unit: string],
): Bench => ({
  name,
  target,
  async measure() {
    const [ours, yardstick, unit] = read(await figures())
    const isRelative = 'atLeast' in target || ('unit' in target && target.unit === TIMES_IDLE)
    return { ours, yardstick, ratio: isRelative ? ours / yardstick : ours, unit }
  },
})

export const benches: readonly Bench[] = [
  line('v3.traces limit=1000 of 254 transactions each (35 MB), one alone', { atMost: 2_500, unit: 'ms' }, ({ alone }) => [
    alone.ms,
    alone.ms,
    'ms',
  ]),
  line(`${WHAT}: whole answers`, { atLeast: 1 }, ({ busy }) => [
    busy.pages.filter(({ status }) => status === 200).length,
    AT_ONCE,
    'answers',
  ]),
  line(`${WHAT}: p99 of v2 beside them`, { atMost: 2, unit: TIMES_IDLE }, ({ idle, busy }) => [busy.v2p99, idle.v2p99, 'ms']),
  line(`${WHAT}: p99 of small v3 calls beside them`, { atMost: 2, unit: TIMES_IDLE }, ({ idle, busy }) => [busy.v3p99, idle.v3p99, 'ms']),
  line(`${WHAT}: memory of the service`, { atMost: 600, unit: 'MB' }, ({ alone, busy }) => [busy.rss, alone.rss, 'MB']),
]
