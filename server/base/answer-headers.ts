/*
 * HTTP headers that code deep inside a call adds to its answer. They are kept by the call's signal, which reaches that code anyway, so nothing in
 * between has to pass them back.
 */

const told = new WeakMap<AbortSignal, Record<string, string>>()

/** Adds a header to the answer of the call that a signal belongs to; a later one of the same name replaces it. */
export const tellHeader = (signal: AbortSignal, name: string, value: string): void => {
  const headers = told.get(signal)
  if (headers === undefined) told.set(signal, { [name]: value })
  else headers[name] = value
}

/** The headers that were added to a call's answer; undefined if there are none. */
export const toldHeaders = (signal: AbortSignal): Readonly<Record<string, string>> | undefined => told.get(signal)
