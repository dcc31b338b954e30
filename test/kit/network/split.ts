import { endSteps } from '../../../server/base/yield.ts'
import { augRootExtra, loadAugE, storeAugE } from '../../../server/cell/aug.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { pathBuffer } from '../../../server/cell/hashmap.ts'
import { readLabel, storeLabel } from '../../../server/cell/label.ts'
import { makeProof } from '../../../server/cell/merkle.ts'
import { createOutQueue, type Enqueued, std } from '../../../server/chain/local/collate/queue.ts'
import { joinShards } from '../../../server/chain/local/fork/join-shards.ts'
import { shardChildren, shardHasAccount, shardParent, shardPrefixLength } from '../../../server/tlb/block/shard-ident.ts'
import { addCurrency } from '../../../server/tlb/currency.ts'
import { loadOutMsgQueueInfo, storeOutMsgQueueInfo } from '../../../server/tlb/state/out-msg-queue.ts'
import { shardAccountsAug } from '../../../server/tlb/state/shard-account.ts'
import { loadShardState, type ShardState, storeShardState } from '../../../server/tlb/state/shard-state.ts'
import { makeUpdate } from '../make-update.ts'

/* The states from which the first block after a split or a merge is made, and its Merkle update, which begins at the states of the shards before. */

const KEY_BITS = 256

/** A state, and how an update from the states before to another one is made. */
export interface Descent {
  readonly state: Cell
  /** `to`: the state after the block. */
  readonly updateTo: (to: Cell) => Cell
}

const accountsCell = (root: Cell | undefined): Cell => {
  const b = beginCell()
  storeAugE(b, shardAccountsAug, root)
  return b.end()
}

const withContents = (
  state: ShardState,
  shard: bigint,
  root: Cell | undefined,
  messages: readonly Enqueued[],
  more: Partial<ShardState>,
): Cell => {
  const queue = createOutQueue(undefined, 0)
  for (const { enqueuedLt, msg, info, envelope } of messages) queue.add(enqueuedLt, msg, info, envelope)
  const { procInfo } = loadOutMsgQueueInfo(state.outMsgQueueInfo)
  const extra = { dispatchQueue: undefined, outQueueSize: queue.size }
  return storeShardState({
    ...state,
    overloadHistory: 0n,
    underloadHistory: 0n,
    ...more,
    shard,
    beforeSplit: false,
    accounts: accountsCell(root),
    totalBalance: augRootExtra(shardAccountsAug, root).balance,
    outMsgQueueInfo: storeOutMsgQueueInfo({ outQueue: endSteps(queue.root()), procInfo, extra }),
  })
}

const accountsOf = ({ accounts }: ShardState): Cell => {
  const root = loadAugE(accounts.slice(), shardAccountsAug)
  if (root === undefined) throw new Error('a shard without accounts neither splits nor merges here')
  return root
}

/** Half a dictionary of accounts: the edge below its first fork, with the label that it has as a root. */
const halfOf = (root: Cell, side: 0 | 1, prefix: number): { readonly edge: Cell; readonly root: Cell } => {
  const path = pathBuffer(KEY_BITS)
  const fork = root.slice()
  if (readLabel(fork, KEY_BITS, path, 0) !== prefix) throw new Error('all accounts of a shard are in one half of it')
  path[prefix >> 3]! |= side << (7 - (prefix & 7))
  const edge = root.ref(side)
  const rest = edge.slice()
  const end = prefix + 1 + readLabel(rest, KEY_BITS - prefix - 1, path, prefix + 1)
  return { edge, root: storeLabel(beginCell(), path, 0, end, KEY_BITS).storeSlice(rest).end() }
}

const halfFees = ({ totalValidatorFees: { grams } }: ShardState, side: 0 | 1): Partial<ShardState> => ({
  totalValidatorFees: { grams: side === 0 ? grams >> 1n : grams - (grams >> 1n) },
})

/** The left or the right half of a shard. Of the other half the update shows nothing, as with TON's own blocks. */
export const splitOff = (parent: Cell, side: 0 | 1, messages: readonly Enqueued[]): Descent => {
  const state = loadShardState(parent)
  const accounts = accountsOf(state)
  const shard = shardChildren(state.shard)[side]
  const { edge, root } = halfOf(accounts, side, shardPrefixLength(state.shard))
  const own = messages.filter(({ info }) => info.src !== undefined && info.src.type === 'std' && shardHasAccount(shard, info.src.hash))
  const onTheWay = new Set([parent, state.accounts, accounts, edge].map((cell) => cell.hashKey()))
  return {
    state: withContents(state, shard, root, own, halfFees(state, side)),
    updateTo(to) {
      // The nodes of the old state that stay lie below this edge.
      const kept = beginCell()
      for (let i = 0; i < edge.refCount; i++) kept.storeRef(edge.ref(i))
      const update = makeUpdate(kept.end(), to)
      const open = new Set(onTheWay)
      const collect = (cell: Cell): void => {
        if (cell.type === 'pruned' || open.has(cell.hashKey(0))) return
        open.add(cell.hashKey(0))
        for (let i = 0; i < cell.refCount; i++) collect(cell.ref(i))
      }
      collect(update.ref(0))
      const old = makeProof(parent, (cell) => open.has(cell.hashKey())).ref(0)
      return mergeUpdate(old, update.ref(1))
    },
  }
}

// !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X = MERKLE_UPDATE X;
const mergeUpdate = (old: Cell, to: Cell): Cell =>
  beginCell()
    .storeUint(4, 8)
    .storeBytes(old.hash(0))
    .storeBytes(to.hash(0))
    .storeUint(old.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(old)
    .storeRef(to)
    .endExotic()

/** Both halves of a shard together. `others`: the shards besides. */
export const mergeBoth = (left: Cell, right: Cell, others: readonly bigint[], messages: readonly Enqueued[]): Descent => {
  const [a, b] = [loadShardState(left), loadShardState(right)]
  const root = joinShards([
    { shard: a.shard, root: accountsOf(a) },
    { shard: b.shard, root: accountsOf(b) },
    ...others.map((shard) => ({ shard, root: undefined })),
  ])
  const newest = a.seqno > b.seqno ? a : b
  const state = withContents(newest, shardParent(a.shard), root, messages, {
    genUtime: Math.max(a.genUtime, b.genUtime),
    genLt: a.genLt > b.genLt ? a.genLt : b.genLt,
    totalValidatorFees: addCurrency(a.totalValidatorFees, b.totalValidatorFees),
  })
  // split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
  const before = beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).end()
  return { state, updateTo: (to) => makeUpdate(before, to) }
}

/** The account that a message goes to. */
export const receiverOf = ({ info }: Pick<Enqueued, 'info'>): Uint8Array => std(info.dest).hash
