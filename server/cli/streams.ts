/** Output of the program; main.ts passes the real streams. */
export interface Streams {
  /** A line on standard output. */
  readonly print: (text: string) => void
  /** A line on standard error. */
  readonly printError: (text: string) => void
  /** Whether standard output is a terminal, and no file or log. */
  readonly isTerminal: boolean
  /** Whether standard output shows colours. */
  readonly colour: boolean
  /** Replaces the last line of a terminal; undefined if there is no terminal. */
  readonly draw: ((text: string) => void) | undefined
}

/**
 * Whether a standard output shows colours: on a terminal, unless NO_COLOR has any text (https://no-color.org). FORCE_COLOR with any text but `0` wants them
 * anywhere (https://force-color.org); NO_COLOR goes before it.
 */
export const showsColours = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return isTerminal && TERM !== 'dumb'
}
