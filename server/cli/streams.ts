/** How the program speaks; main.ts gives the real ones. */
export interface Streams {
  /** A line on standard output. */
  readonly print: (text: string) => void
  /** A line on standard error. */
  readonly complain: (text: string) => void
  /** Draws over the last line of a terminal; undefined where there is none. */
  readonly draw: ((text: string) => void) | undefined
}
