import type { Cell } from '../../cell/cell.ts'
import type { Chain } from '../../chain/types.ts'
import type { Emulator } from '../../emulate/engine.ts'
import { toHex } from '../../tlb/block-id.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { normalizedHash } from '../../tlb/message/message.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import { accountText, type Kept, type KeptTraces, type PendingTrace } from './kept-traces.ts'

/** Transactions of an account in which its message is looked for. */
const LOOKED_AT = 16

/** Emulates a message on the traces sent before it (all of them, unless it is one of them). */
export const emulateOn = async (
  kept: KeptTraces,
  emulator: Emulator,
  { message, at, now, self }: { readonly message: Cell; readonly at: BlockId; readonly now: number; readonly self: Kept | undefined },
  signal: AbortSignal,
) => {
  const bases = new Map<string, string>()
  const before: Kept[] = []
  for (const entry of kept.all()) {
    if (entry === self) break
    if (entry.pending.committedAt === undefined) before.push(entry)
  }
  const stateOf = (id: AccountId, inBlock: ShardAccount): ShardAccount | undefined => {
    const key = accountText(id)
    const base = toHex(inBlock.lastTransHash)
    bases.set(key, base)
    const known = kept.ofAccount(key)
    if (known === undefined) return undefined
    const last = before.findLast((entry) => known.has(entry) && entry.after.get(key)?.base === base)
    return last?.after.get(key)?.state
  }
  const trace = await emulator.trace({ starts: [{ message }], at, now, stateOf }, signal)
  const after = new Map<string, { readonly state: ShardAccount; readonly base: string }>()
  for (const node of trace.nodes) {
    const key = accountText(node.account)
    after.set(key, { state: node.after, base: bases.get(key)! })
  }
  return { trace, after }
}

/** Whether the message is among the newest transactions of its account. */
export const isInBlock = async (chain: Pick<Chain, 'transactions'>, pending: PendingTrace, signal: AbortSignal): Promise<boolean> => {
  const toLt = pending.trace.nodes[0]!.transaction.prevTransLt
  const query = { from: undefined, limit: LOOKED_AT, toLt }
  const { transactions: found } = await chain.transactions(pending.to, query, signal)
  return found.some(({ transaction: { inMsg } }) => {
    if (inMsg === undefined || inMsg.info.type !== 'external-in') return false
    return inMsg.root.hashKey() === pending.hash || Buffer.from(normalizedHash(inMsg)).toString('latin1') === pending.hashNorm
  })
}
