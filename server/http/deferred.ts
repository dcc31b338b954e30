/** A part of the service whose code is loaded when it is first needed, or before. */
export interface Deferred<T> {
  /** The part, if it is loaded. */
  now(): T | undefined
  /** Loads it, if that has not begun. */
  load(): Promise<T>
  /** Whether loading has begun. */
  hasBegun(): boolean
}

/** A part that `load` makes, which imports its code. */
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
