import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { load } from './messages.ts'

/** The master of the jetton that a pool issues, from the pool's data; undefined for other data. */
export const liquidPoolJetton = (data: Cell): Address | undefined => {
  try {
    return load('type TonstakePoolData', data).jetton_minter ?? undefined
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}
