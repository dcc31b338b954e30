/*
 * HTTP headers that code deep inside a call adds to the answer. They are stored by the call's signal, which reaches that code anyway, so no function in
 * between has to return them.
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
