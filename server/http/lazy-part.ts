/** A part of the service whose code is loaded by the first `load`. Until then `now` returns undefined. */
export interface Deferred<T> {
  now(): T | undefined
  load(): Promise<T>
  hasBegun(): boolean
}

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
