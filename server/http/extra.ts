import { performance } from 'node:perf_hooks'

/** `@extra` if no lite-server was asked and nothing was timed: envelope errors and unknown paths. */
export const NO_EXTRA = '_'

/** Milliseconds since `started` (a performance.now()), rounded to the microsecond. */
export const elapsed = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000

/**
 * `@extra` of an answer: `<unix seconds>:<lite-server>:<elapsed ms>`, plus `:c` for a cached one. The embedded chain is lite-server 0; `_` means
 * that none was asked (v2.md 1.5).
 */
export const extraOf = (started: number, source: '0' | '_', cached: boolean): string =>
  `${Math.floor(Date.now() / 1000)}:${source}:${elapsed(started)}${cached ? ':c' : ''}`
