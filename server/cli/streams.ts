import type { Loaded } from './load-config.ts'

export interface Streams {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly isTerminal: boolean
  /** Replaces the last line of a terminal; undefined if there is no terminal. */
  readonly draw: ((text: string) => void) | undefined
}

/** A command as it was given. */
export type Given = Pick<Loaded, 'command' | 'action' | 'config' | 'flags' | 'positionals'>

/** Runs a command. Resolves with the exit code; with undefined if the command goes on until a signal arrives. */
export type Command = (given: Given, streams: Streams) => Promise<number | undefined>
