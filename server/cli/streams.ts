/** Output of the program; main.ts passes the real streams. */
export interface Streams {
  /** A line on standard output. */
  readonly print: (text: string) => void
  /** A line on standard error. */
  readonly complain: (text: string) => void
  /** Whether standard output shows colours. */
  readonly colour: boolean
  /** Replaces the last line of a terminal; undefined if there is no terminal. */
  readonly draw: ((text: string) => void) | undefined
}
