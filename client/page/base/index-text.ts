import { useRef } from 'preact/hooks'
import { counted } from './format.ts'
import type { Status } from './live.ts'

/** Masterchain blocks that are on their way to the index. */
const CLOSE = 3
/** Milliseconds after which such a block should be there. */
const SOON = 10_000

/** Milliseconds for which a number has been the same. The view is drawn again with each new /status. */
export const useAge = (value: number): number => {
  const seen = useRef({ value, at: Date.now() })
  if (seen.current.value !== value) seen.current = { value, at: Date.now() }
  return Date.now() - seen.current.at
}

/** The state of the index, in a few words. `age`: milliseconds since it came to its present block. */
export const indexText = (index: Status['index'], age: number): string => {
  if (index === undefined) return 'off'
  if (index.error !== '') return 'stopped'
  if (index.phase === 'starting') return 'starting'
  if (index.lag <= 0 || (index.lag < CLOSE && age < SOON)) return 'up to date'
  return `${counted(index.lag, 'block')} behind`
}
