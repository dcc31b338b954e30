/*
 * HTTP headers that what runs deep within a call has to tell of its answer. A call's signal goes wherever the call goes, so nothing in between has to pass
 * them back.
 */

const told = new WeakMap<AbortSignal, Record<string, string>>()

/** Adds a header to the answer of the call that a signal belongs to; a later one of the same name counts. */
export const tellHeader = (signal: AbortSignal, name: string, value: string): void => {
  const headers = told.get(signal)
  if (headers === undefined) told.set(signal, { [name]: value })
  else headers[name] = value
}

/** The headers that were told of a call; undefined where none was. */
export const toldHeaders = (signal: AbortSignal): Readonly<Record<string, string>> | undefined => told.get(signal)
