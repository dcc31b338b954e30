import { TonError } from '../../../shared/errors.ts'

/** Runs work with a deadline. After `deadline` milliseconds it aborts the controller and rejects with SOURCE_TIMEOUT and `text`, even if the work continues. */
export const beforeDeadline = async <T>(
  deadline: number,
  text: string,
  controller: Pick<AbortController, 'abort'>,
  work: () => Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const timeout = new TonError('SOURCE_TIMEOUT', text)
      reject(timeout)
      controller.abort(timeout)
    }, deadline)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
