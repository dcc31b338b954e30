import { CellError } from '../../server/cell/cell.ts'

/** The kind of the CellError that `run` throws, `none` where it throws nothing; any other error goes on. */
export const kindOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof CellError) return error.kind
    throw error
  }
  return 'none'
}
