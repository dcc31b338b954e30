import { loadAddress, skipCoins } from '../../actions/read.ts'
import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'

/**
 * The master of the jetton that a pool issues, from the pool's data; undefined for other data.
 * pool#_ state:uint8 is_halted:Bool total_balance:Coins minters:^[ jetton_minter:MsgAddress ... ] ... = Data;
 */
export const liquidPoolJetton = (data: Cell): Address | undefined => {
  try {
    const s = data.slice().skip(8 + 1)
    skipCoins(s)
    return loadAddress(s.loadRef().slice()) ?? undefined
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}
