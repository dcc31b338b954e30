import type { Loaded } from './load-config.ts'

export interface Streams {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly isTerminal: boolean
  readonly colour: boolean
  /** Replaces the last line of a terminal; undefined if there is no terminal. */
  readonly draw: ((text: string) => void) | undefined
}

/** A command as it was given. */
export type Given = Pick<Loaded, 'command' | 'action' | 'config' | 'flags' | 'positionals'>

/** Runs a command. Resolves with the exit code; with undefined if the command goes on until a signal arrives. */
export type Command = (given: Given, streams: Streams) => Promise<number | undefined>

/**
 * Returns whether standard output shows colours. It does on a terminal if NO_COLOR is unset or empty (https://no-color.org). FORCE_COLOR with any text but
 * `0` enables colours on any output (https://force-color.org). NO_COLOR wins over FORCE_COLOR.
 */
export const showsColours = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return isTerminal && TERM !== 'dumb'
}
