import { TonError } from '../../../shared/errors.ts'
import { checkSize } from '../../base/limits/large-page.ts'
import type { View } from '../../store/queries/view.ts'

/* Limits the bytes that one answer reads. Rows have no fixed size, because accounts, messages and tokens contain data of strangers. */

/** Maximum bytes that are read for one answer. Formatting needs several times as much memory. */
export const MAX_READ = 64 << 20

const bytesOf = (row: object): number => {
  let bytes = 0
  for (const value of Object.values(row) as unknown[]) if (typeof value === 'string' || Buffer.isBuffer(value)) bytes += value.length
  return bytes
}

/** Wraps a view to limit the bytes that are read through it. If `isLarge` is false, LargePage is thrown above the size of a normal page. */
export const bounded = (view: View, isLarge: boolean | undefined): View => {
  let read = 0
  const check = (bytes: number): void => {
    if (isLarge === false) checkSize(bytes)
    if (bytes > MAX_READ)
      throw new TonError(
        'INVALID_PARAMS',
        `the answer would have more than ${MAX_READ} bytes of the index: ask for fewer rows, or without BoCs`,
      )
  }
  const counted = <R>(rows: R[]): R[] => {
    for (const row of rows) read += bytesOf(row as object)
    check(read)
    return rows
  }
  return {
    ...view,
    expectBytes: (bytes) => check(read + bytes),
    rows: async (...query) => counted(await view.rows(...query)),
  }
}
