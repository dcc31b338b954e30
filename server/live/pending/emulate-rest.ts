import { byteText } from '../../base/memory/byte-text.ts'
import type { Chain } from '../../chain/chain-port.ts'
import type { Emulator } from '../../emulate/emulator.ts'
import { EmulationError } from '../../emulate/error.ts'
import type { EmulatedTrace, Start } from '../../emulate/trace.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import { emulateOn } from './emulate-on-pending.ts'
import {
  accountIn,
  accountOf,
  accountText,
  emulationOf,
  type FollowedTrace,
  type FollowedTraces,
  type StatesAfter,
} from './followed-traces.ts'
import type { InBlocks } from './in-blocks.ts'

export interface EmulateRestDeps {
  readonly chain: Pick<Chain, 'account'>
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
  readonly followed: FollowedTraces
  /** Has to publish the trace, which was emulated again. The returned promise is awaited, so that few traces are in memory at a time. */
  readonly changed: (entry: FollowedTrace, trace: EmulatedTrace) => Promise<void>
}

type States = ReadonlyMap<string, ShardAccount>

/** States of accounts after the transactions that were found in signed blocks, by strings of `accountText`. */
const statesIn = (inBlocks: InBlocks | undefined): States =>
  new Map(inBlocks?.nodes.flatMap(({ account, after }) => (after === undefined ? [] : [[accountText(account), after]])))

/**
 * Returns a function that emulates the part of a trace that is in no block yet, on the newest state, and publishes the complete trace. `starts`: the
 * messages with which this part begins; may be empty.
 */
export const createEmulateRest = ({ chain, emulator, now, followed, changed }: EmulateRestDeps) => {
  /** States of accounts after signed blocks, on which later messages are emulated. The chain's own states do not include signed blocks yet. */
  const signedAfter = async (states: States, after: StatesAfter, head: BlockId, signal: AbortSignal): Promise<StatesAfter> => {
    const all = await Promise.all(
      [...states].map(async ([account, state]) => {
        const inBlock = await chain.account(accountOf(account), head, signal)
        if (inBlock.lastTransLt >= state.lastTransLt || accountIn(after, account) !== undefined) return []
        return [{ ...state, account, base: byteText(inBlock.lastTransHash, 'latin1') }]
      }),
    )
    return all.flat()
  }
  return async (entry: FollowedTrace, starts: readonly Start[], head: BlockId, signal: AbortSignal): Promise<void> => {
    const { pending, order, inBlocks } = entry
    const states = statesIn(inBlocks)
    const on = { to: pending.to, at: head, now: now(), order, states }
    const { trace, after } = await emulateOn(followed, emulator, { ...on, starts }, signal).catch(async (error: unknown) => {
      // If the part outside of blocks cannot be emulated, the part in blocks is published as an incomplete trace.
      if (!(error instanceof EmulationError) || inBlocks === undefined || starts.length === 0) throw error
      const { trace, after } = await emulateOn(followed, emulator, { ...on, starts: [] }, signal)
      return { trace: { ...trace, isIncomplete: true }, after }
    })
    const nodes = [...(inBlocks?.nodes ?? []), ...trace.nodes]
    const whole = { ...trace, nodes, isIncomplete: trace.isIncomplete || inBlocks?.isCut === true }
    const all = [...after, ...(await signedAfter(states, after, head, signal))]
    if (followed.replace(entry, emulationOf(whole), all)) await changed(entry, whole)
  }
}
