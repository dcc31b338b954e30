import { join } from 'node:path'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import { createLocalChain } from '../../../server/chain/local/create.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createSource } from '../../../server/index/follow/source.ts'
import type { ShardTop } from '../../../server/index/follow/tops.ts'
import type { ChainSource } from '../../../server/network/chain-source.ts'
import { loadBlockTransactions } from '../../../server/tlb/block/block-transactions.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { loadAccount } from '../../../server/tlb/state/account.ts'
import { type OwnWallet, ownWallet, seqnoOf } from '../../kit/chain/own-wallet.ts'
import { createNetwork } from '../../kit/network/network.ts'
import { createNetworkStore } from '../../kit/network/store.ts'
import type { Random } from '../../kit/random.ts'
import { inlineTvm } from './inline-tvm.ts'

/* The chain of a simulation, and what it has: every block with its transactions, and the blocks that were undone. */

export interface ChainTransaction {
  /** Base64. */
  readonly hash: string
  readonly account: string
  readonly lt: bigint
  readonly inMessage: string | undefined
  readonly fees: bigint
}

export interface ChainBlock {
  readonly seqno: number
  /** Base64. */
  readonly root: string
  /** Of the masterchain block and of the shard blocks that it commits. */
  readonly transactions: readonly ChainTransaction[]
  readonly blocks: number
}

export interface Transfer {
  readonly boc: Uint8Array
  /** Base64. */
  readonly hash: string
  /** Called when the message was acknowledged or refused. */
  done(): void
}

export interface SimulatedChain {
  readonly from: ChainSource
  /** Blocks by seqno: the present ones. */
  readonly blocks: ReadonlyMap<number, ChainBlock>
  /** How often blocks were undone. */
  undone(): number
  /** Whether a block of this root hash was undone at any time. An equal block may have come again. */
  wasUndone(root: string): boolean
  /** All blocks that the chain ever had, by root hash. */
  readonly byRoot: ReadonlyMap<string, ChainBlock>
  head(): number
  readonly wallets: readonly OwnWallet[]
  /** Accounts that are there from the beginning. */
  readonly addresses: readonly string[]
  /** A message of a wallet that has none on its way: a transfer to another one, or to a new address. Undefined if all have one. */
  transfer(random: Random): Promise<Transfer | undefined>
  /** Whether messages wait for a block. */
  hasWaiting(): Promise<boolean>
  /** Makes a block. */
  mine(): Promise<void>
  /** Undefined where the chain cannot go back. */
  readonly revert: ((random: (limit: number) => number) => Promise<number>) | undefined
  close(): Promise<void>
}

const WALLETS = 6
/** Part of the transfers that go to addresses that nobody has used. */
const TO_STRANGERS = 0.2
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const rawOf = (id: AccountId): string => `${id.workchain}:${Buffer.from(id.hash).toString('hex').toUpperCase()}`
const signal = new AbortController().signal

/** Reads the blocks of a source one after the other. */
const createHistory = (source: LiteServer) => {
  const reader = createSource(source)
  const blocks = new Map<number, ChainBlock>()
  const byRoot = new Map<string, ChainBlock>()
  const undone = new Set<string>()
  const tops = new Map<number, readonly ShardTop[]>()
  return {
    blocks,
    byRoot,
    undone,
    /** Forgets the blocks above a seqno. */
    cut(to: number): void {
      for (const { seqno, root } of [...blocks.values()]) {
        if (seqno <= to) continue
        blocks.delete(seqno)
        undone.add(root)
      }
    },
    async follow(): Promise<void> {
      const { id } = source.head!()
      for (let seqno = blocks.size + 1; seqno <= id.seqno; seqno++) {
        const own = (await reader.masterId(seqno, signal))!
        const before = tops.get(seqno - 1) ?? []
        const master = await reader.master(own, signal)
        const shards = await reader.shards(master.tops, before, signal)
        tops.set(seqno, master.tops)
        const transactions = [...shards, master.block].flatMap(({ id: block, root }) =>
          [...loadBlockTransactions(root)].map((tx) => ({
            hash: base64(tx.root.hash()),
            account: rawOf({ workchain: block.workchain, hash: tx.account }),
            lt: tx.lt,
            inMessage: tx.inMsg && base64(tx.inMsg.root.hash()),
            fees: tx.totalFees.grams,
          })),
        )
        const root = base64(own.rootHash)
        const block = { seqno, root, transactions, blocks: shards.length + 1 }
        blocks.set(seqno, block)
        byRoot.set(root, block)
      }
    },
  }
}

export interface ChainDeps {
  /** Lets time pass until a promise is settled. */
  drive<T>(work: Promise<T>): Promise<T>
  onLine(event: string): void
}

/** The embedded chain, in this thread. It makes blocks when it is told to. */
export const startEmbeddedChain = async ({ drive, onLine }: ChainDeps): Promise<SimulatedChain> => {
  const wallets = Array.from({ length: WALLETS }, (_, n) => ownWallet(n))
  const starting = createLocalChain(
    { blockTimeMs: 0, globalId: -3, accounts: wallets.map(({ account }) => account) },
    {
      tvm: inlineTvm,
      clock: { now: () => Math.floor(Date.now() / 1000) },
      log: { debug: () => {}, info: () => {}, warn: onLine, error: onLine },
    },
  )
  const local: LocalChain = await drive(starting)
  const { control } = local
  control.setAutomine(false)
  const history = createHistory(local)
  const snapshots: { readonly id: string; readonly seqno: number }[] = []
  /** Wallets with a message that is not in a block yet, and whether it was acknowledged or refused. */
  const busy = new Map<OwnWallet, boolean>()
  const reader = createSource(local)
  const seqnoAtHead = async ({ id }: OwnWallet): Promise<number> => {
    const cell = (await reader.account(local.head!().id, id, signal))?.account
    const account = cell && loadAccount(cell)
    return account?.state.type === 'active' ? seqnoOf(account.state.init.data!) : 0
  }
  let undone = 0
  const take = async (): Promise<void> => {
    await history.follow()
    snapshots.push({ id: await drive(control.snapshot(signal)), seqno: local.head!().id.seqno })
  }
  await take()
  return {
    from: {
      source: local,
      control,
      notes: [],
      fork: undefined,
      trouble: () => '',
      reverts: true,
      isTransient: false,
      pool: undefined,
      close: () => Promise.resolve(),
    },
    blocks: history.blocks,
    byRoot: history.byRoot,
    undone: () => undone,
    wasUndone: (root) => history.undone.has(root),
    head: () => local.head!().id.seqno,
    wallets,
    addresses: [...wallets.map(({ id }) => id), ...control.wallets().map(({ address }) => address)].map(rawOf),
    async transfer(random) {
      const free = wallets.filter((wallet) => !busy.has(wallet))
      if (free.length === 0) return undefined
      const from = random.pick(free)
      const to = random.chance(TO_STRANGERS) ? { workchain: 0, hash: random.bytes(32) } : random.pick(wallets).id
      busy.set(from, false)
      const boc = from.transfer(await seqnoAtHead(from), to, BigInt(1_000_000 + random.below(100_000_000)))
      return { boc, hash: base64(parseBocRoot(boc).hash()), done: () => busy.set(from, true) }
    },
    hasWaiting: () => drive(control.messagesWait(signal)),
    async mine() {
      await drive(control.mine(1, signal))
      for (const [wallet, isDone] of busy) if (isDone) busy.delete(wallet)
      await take()
    },
    async revert(below) {
      const back = 1 + below(Math.min(4, snapshots.length - 1))
      const to = snapshots.at(-1 - back)
      if (to === undefined) return 0
      await drive(control.revert(to.id, signal))
      snapshots.splice(snapshots.indexOf(to) + 1)
      history.cut(to.seqno)
      // Messages of undone blocks may wait for a block again.
      for (const wallet of wallets) if (!busy.has(wallet)) busy.set(wallet, true)
      undone++
      return to.seqno
    },
    close: () => local.close(),
  }
}

const NETWORK = { stepMs: 400, pace: 4, mostShards: 4, keyEvery: 10, wallets: 24, perStep: 2, burst: 20, burstEvery: 12 }
const refuse = (): Promise<never> => Promise.reject(new LiteServerError(0, 'this network takes no messages and runs no methods'))

/** A made-up network whose shards split and merge. It makes its own transfers, takes no messages and does not go back. */
export const startMadeUpNetwork = async (seed: number, folder: string, { drive }: ChainDeps): Promise<SimulatedChain> => {
  const network = createNetwork({ ...NETWORK, seed, utime: Math.floor(Date.now() / 1000) })
  const store = createNetworkStore(network.genesis, join(folder, 'network.blocks'))
  const clock = { now: () => Math.floor(Date.now() / 1000) }
  const { query } = createAnswers({ store, tvm: { runGetMethod: refuse }, sendMessage: refuse, clock })
  const source: LiteServer = { query, heads: store.heads, head: store.head }
  const history = createHistory(source)
  const step = async (): Promise<void> => {
    store.add(await drive(network.step()))
    await history.follow()
  }
  await step()
  return {
    from: {
      source,
      control: undefined,
      notes: [],
      fork: undefined,
      trouble: () => '',
      reverts: false,
      isTransient: false,
      pool: undefined,
      close: () => Promise.resolve(),
    },
    blocks: history.blocks,
    byRoot: history.byRoot,
    undone: () => 0,
    wasUndone: () => false,
    head: () => source.head!().id.seqno,
    wallets: Array.from({ length: WALLETS }, (_, n) => ownWallet(n)),
    addresses: [],
    transfer: () => Promise.resolve(undefined),
    hasWaiting: () => Promise.resolve(false),
    mine: step,
    revert: undefined,
    close: () => Promise.resolve(store.close()),
  }
}
