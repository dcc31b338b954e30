/** A promise with the function that resolves it. */
export const createDeferred = <T = void>() => {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
