import type { NetworkFigures } from './figures.ts'
import type { HeadTimes } from './head-times.ts'

export interface TroubleDeps {
  /** Maximum age of current answers, in seconds. */
  readonly within: number
  readonly times: HeadTimes
  /** Seconds between blocks of an idle chain. 0 if the chain guarantees no such blocks, so that a head is never too old. */
  readonly idle: number
  /** Unix seconds. undefined for a chain whose time can be set, because its blocks do not have the real time. */
  readonly now: (() => number) | undefined
  /** Why the chain produces no blocks; empty if it produces them. */
  readonly trouble?: string
}

/**
 * Reasons why a network's answers are not current, for people and for /ready. Empty if answers are current. `v2_troubles`: those that also affect v2, which
 * does not read the index.
 */
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
  else if (behind > within) troubles.push(`the newest block known is ${behind} s old by the clock of this machine`)
  return troubles
}

/** Says that this machine's clock is behind the chain. Answers are current, but their age cannot be judged. Empty if it is not behind. */
export const clockNotes = (head: NetworkFigures['head'], { within, now }: Pick<TroubleDeps, 'within' | 'now'>): readonly string[] => {
  const ahead = head === undefined || now === undefined ? 0 : head.utime - now()
  return ahead > within ? [`the clock of this machine is wrong: the newest block is ${ahead} s ahead of it`] : []
}

const indexTrouble = ({ phase, seqno, cause }: NonNullable<NetworkFigures['index']>, head: number, floor: number): string | undefined => {
  // Without its database the index cannot be read, even if it is not behind.
  if (cause !== '') return `the index is failing: ${cause}`
  // The chain went back below the block of the index, whose rows are then of blocks that no longer exist.
  if (phase === 'failing' && seqno > head) return 'the index is failing above a chain that went back'
  return seqno < floor ? `the index is ${phase === 'backfill' ? 'catching up' : phase}, ${head - seqno} blocks behind` : undefined
}
