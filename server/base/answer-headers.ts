import { CallSignal } from './abort.ts'

/*
 * HTTP headers that code deep inside a call adds to the answer. They are stored by the call's signal, which reaches that code anyway, so no function in
 * between has to return them.
 */

/** Adds a header to the answer of the call that a signal belongs to; a later one of the same name replaces it. Signals of other work take none. */
export const tellHeader = (signal: AbortSignal, name: string, value: string): void => {
  if (!(signal instanceof CallSignal)) return
  signal.headers ??= {}
  signal.headers[name] = value
}

/** The headers that were added to a call's answer; undefined if there are none. */
export const toldHeaders = (signal: CallSignal): Readonly<Record<string, string>> | undefined => signal.headers
