import { useRef } from 'preact/hooks'
import { counted } from './format.ts'
import type { Status } from './live.ts'

/** An index with a lag below CLOSE masterchain blocks counts as up to date if it advanced within SOON milliseconds. */
const CLOSE = 3
const SOON = 10_000

export const useAge = (value: number): number => {
  const seen = useRef({ value, at: Date.now() })
  if (seen.current.value !== value) seen.current = { value, at: Date.now() }
  return Date.now() - seen.current.at
}

/** The state of the index, in a few words. `age`: milliseconds since the index reached its current block. */
export const indexText = (index: Status['index'], age: number): string => {
  if (index === undefined) return 'off'
  if (index.error !== '') return 'stopped'
  if (index.phase === 'starting') return 'starting'
  if (index.lag <= 0 || (index.lag < CLOSE && age < SOON)) return 'up to date'
  return `${counted(index.lag, 'block')} behind`
}
