import { yieldToEventLoop } from '../base/yield.ts'
import type { AccountState } from '../chain/chain-port.ts'

/** Accounts with more cells take milliseconds to be written; the largest, of 65,536 cells, takes thirty and more. */
const MANY_CELLS = 1_000n

/** To be awaited before a BoC of an account is written: calls at the same time that waited for one read go on in one turn of the event loop. */
export const ownTurn = ({ account }: AccountState): Promise<void> | undefined =>
  (account?.storageStat.usedCells ?? 0n) > MANY_CELLS ? yieldToEventLoop() : undefined
