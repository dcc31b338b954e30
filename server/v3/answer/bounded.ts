import { TonError } from '../../../shared/errors.ts'
import { checkSize, LargePage } from '../../base/limits/large-page.ts'
import type { View } from '../../store/queries/view.ts'

/* Limits the bytes that one answer reads. Rows have no fixed size, because accounts, messages and tokens contain data of strangers. */

/** Maximum bytes that are read for one answer. Formatting needs several times as much memory. */
export const MAX_READ = 64 << 20

/** Maximum rows that one statement gives to a normal page: the main thread reads them, those of several answers in one turn. */
const MOST_ROWS = 4_096

const bytesOf = (row: object): number => {
  let bytes = 0
  for (const value of Object.values(row) as unknown[]) if (typeof value === 'string' || Buffer.isBuffer(value)) bytes += value.length
  return bytes
}

/** Wraps a view to limit the bytes that are read through it. If `isLarge` is false, LargePage is thrown above the size of a normal page. */
export const bounded = (view: View, isLarge: boolean | undefined): View => {
  const mostRows = isLarge === false ? MOST_ROWS : undefined
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
    if (mostRows !== undefined && rows.length > mostRows) throw new LargePage(read)
    check(read)
    return rows
  }
  return {
    ...view,
    mostRows,
    expectBytes: (bytes) => check(read + bytes),
    rows: async (...query) => counted(await view.rows(...query)),
  }
}
