import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { load } from './messages.ts'

/** The master of the jetton that a pool issues, from the pool's data; undefined for other data. */
export const liquidPoolJetton = (data: Cell): Address | undefined =>
  attempt(() => load('type TonstakePoolData', data).jetton_minter ?? undefined)
