import { TonError } from '../../../shared/errors.ts'

/** Runs work with a deadline. After `deadline` milliseconds it aborts the controller and rejects with SOURCE_TIMEOUT and `text`, even if the work continues. */
export const beforeDeadline = <T>(
  deadline: number,
  text: string,
  controller: Pick<AbortController, 'abort'>,
  work: () => Promise<T>,
): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    // The work starts before the timer: if it throws synchronously, no timer is needed.
    const running = work()
    const timer = setTimeout(() => {
      const timeout = new TonError('SOURCE_TIMEOUT', text)
      reject(timeout)
      controller.abort(timeout)
    }, deadline)
    running.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
