import { yieldToEventLoop } from '../base/yield.ts'
import type { AccountState } from '../chain/chain-port.ts'

/** Number of cells above which serializing an account takes milliseconds. The largest accounts (65,536 cells) take 30 ms and more. */
const MANY_CELLS = 1_000n

/** Await this before serializing a large account. Otherwise all calls that waited for the same read would serialize in one event-loop turn. */
export const ownTurn = ({ account }: AccountState): Promise<void> | undefined =>
  (account?.storageStat.usedCells ?? 0n) > MANY_CELLS ? yieldToEventLoop() : undefined
