import type { NetworkFigures } from './figures.ts'
import type { HeadTimes } from './head-times.ts'

export interface TroubleDeps {
  /** Seconds that answers may be behind. */
  readonly within: number
  readonly times: HeadTimes
  /** Seconds between blocks of an idle chain; 0 if it promises none, and then no head is too old. */
  readonly idle: number
  /** Unix seconds, if blocks carry real time; undefined for a chain whose time can be set. */
  readonly now: (() => number) | undefined
  /** Why the chain makes no blocks; empty if it makes them. */
  readonly trouble?: string
}

/** Why a network's answers are not current, for people and for /ready; empty if they are. `v2_troubles`: those that v2 has too, which reads no index. */
export const troublesOf = (
  { head, index }: Pick<NetworkFigures, 'head' | 'index'>,
  deps: TroubleDeps,
): Pick<NetworkFigures, 'troubles' | 'v2_troubles'> => {
  const ofChain = chainTroubles(head, deps)
  const ofIndex = head && index && indexTrouble(index, head.seqno, deps.times.floor())
  return { troubles: ofIndex === undefined ? ofChain : [...ofChain, ofIndex], v2_troubles: ofChain }
}

const chainTroubles = (head: NetworkFigures['head'], { within, times, idle, now, trouble = '' }: TroubleDeps): readonly string[] => {
  if (head === undefined) return ['there is no block yet']
  const troubles = trouble === '' ? [] : [trouble]
  const age = times.age()
  const behind = now === undefined ? 0 : now() - head.utime
  if (idle > 0 && age > Math.max(within, idle * 10)) troubles.push(`no new block for ${Math.round(age)} s`)
  else if (behind > within) troubles.push(`the newest block known is ${behind} s old`)
  return troubles
}

const indexTrouble = ({ phase, seqno, cause }: NonNullable<NetworkFigures['index']>, head: number, floor: number): string | undefined => {
  // Without its database the index cannot be read, however close to the head it is.
  if (cause !== '') return `the index is failing: ${cause}`
  // The index is stuck above a chain that went back: its rows are of blocks that no longer exist.
  if (phase === 'failing' && seqno > head) return 'the index is failing above a chain that went back'
  return seqno < floor ? `the index is ${phase}, ${head - seqno} blocks behind` : undefined
}
