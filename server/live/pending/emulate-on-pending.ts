import { byteText } from '../../base/memory/byte-text.ts'
import type { Emulator } from '../../emulate/emulator.ts'
import { isFinal } from '../../emulate/error.ts'
import type { EmulatedTrace, EmulateRequest } from '../../emulate/trace.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import { type AccountAfter, accountIn, accountText, type FollowedTrace, type FollowedTraces, type StatesAfter } from './followed-traces.ts'

export interface OnPending extends Pick<EmulateRequest, 'starts' | 'at' | 'now'> {
  /** Receiver of the message, as a string of `accountText`. */
  readonly to: string
  /** Number of this trace in the order of sending. Only traces with a lower number count as sent before. */
  readonly order: number
  /** States of accounts after the trace's own transactions in signed blocks, by strings of `accountText`. */
  readonly states?: ReadonlyMap<string, ShardAccount> | undefined
}

const emulateAfter = async (
  emulator: Emulator,
  { starts, to, at, now, states }: OnPending,
  newest: (key: string, base: string) => FollowedTrace | undefined,
  signal: AbortSignal,
): Promise<{ readonly trace: EmulatedTrace; readonly after: StatesAfter }> => {
  const bases = new Map<string, string>()
  const stateOf = (id: AccountId, inBlock: ShardAccount): ShardAccount | undefined => {
    const key = accountText(id)
    const base = byteText(inBlock.lastTransHash, 'latin1')
    bases.set(key, base)
    const last = accountIn(newest(key, base)?.after ?? [], key)
    if (last !== undefined) return last
    const signed = states?.get(key)
    return signed !== undefined && signed.lastTransLt > inBlock.lastTransLt ? signed : undefined
  }
  const trace = await emulator.trace({ starts, at, now, stateOf }, signal)
  const after = new Map<string, AccountAfter>()
  for (const node of trace.nodes) {
    const text = accountText(node.account)
    // Uses the same string object as `to`, to save memory.
    const account = text === to ? to : text
    after.set(account, { ...node.after!, account, base: bases.get(account)! })
  }
  return { trace, after: [...after.values()] }
}

/**
 * Emulates messages on top of the traces that were sent before. An external message that the account then refuses may be meant to replace earlier messages
 * to the account. So the message is emulated without all earlier ones, then without the last one, then without the last two. Throws EmulationError.
 */
export const emulateOn = async (followed: FollowedTraces, emulator: Emulator, on: OnPending, signal: AbortSignal) => {
  /** Returns whether a trace was sent before and is in no block up to `on.at`. It may be in a later block by now. */
  const isBefore = ({ order, pending: { committedAt } }: FollowedTrace): boolean =>
    order < on.order && (committedAt === undefined || committedAt > on.at.seqno)
  const own = followed.ofAccount(on.to).filter((entry) => isBefore(entry) && entry.pending.to === on.to)
  let refusal: unknown
  for (const count of new Set([own.length, 0, own.length - 1, own.length - 2])) {
    if (count < 0) continue
    const without = new Set(own.slice(count))
    const newest = (account: string, base: string): FollowedTrace | undefined =>
      followed
        .ofAccount(account)
        .findLast((entry) => isBefore(entry) && !without.has(entry) && accountIn(entry.after, account)?.base === base)
    try {
      return await emulateAfter(emulator, on, newest, signal)
    } catch (error) {
      if (!isFinal(error)) throw error
      refusal ??= error
    }
  }
  throw refusal
}
