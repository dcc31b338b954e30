import { createColours } from '../cli/ask/colours.ts'
import { localTraceLines } from '../cli/ask/local-trace.ts'
import type { Trace } from './types.ts'

/** Characters of the text; the rest is cut. */
const MOST_CHARACTERS = 20_000

/** The tree of a trace in the text of an error, with exit codes in words. */
export const traceText = (trace: Trace): string => {
  const text = localTraceLines(trace, createColours(false)).join('\n')
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n...` : text
}
