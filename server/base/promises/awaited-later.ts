/** Prevents an unhandled rejection while nobody awaits the promise yet. */
export const awaitedLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => {})
  return promise
}
