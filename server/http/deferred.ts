/** A part of the service whose code is loaded on first use, or by `load`. */
export interface Deferred<T> {
  /** The part; undefined until it is loaded. */
  now(): T | undefined
  /** Returns the part. Loads it first if loading has not begun. */
  load(): Promise<T>
  /** Returns whether loading has begun. */
  hasBegun(): boolean
}

/** A deferred part. `load` imports its code and creates it. */
export const defer = <T>(load: () => Promise<T>): Deferred<T> => {
  let loading: Promise<T> | undefined
  let made: T | undefined
  return {
    now: () => made,
    load() {
      loading ??= load().then((part) => {
        made = part
        return part
      })
      return loading
    },
    hasBegun: () => loading !== undefined,
  }
}
