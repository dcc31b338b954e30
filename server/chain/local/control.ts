import type { Cell } from '../../cell/cell.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { LiteServer } from '../liteserver.ts'
import type { AccountInput, InternalInput } from './model.ts'

/* What only the embedded chain can do. Amounts are nanotons, times unix seconds. */

/** The minter, from whom faucet coins come: the account of configuration parameter 2. */
export const MINTER: AccountId = { workchain: -1, hash: new Uint8Array(32) }

export interface FaucetWallet {
  readonly version: 'v4R2' | 'v5R1'
  readonly address: AccountId
  readonly mnemonic: readonly string[]
  readonly publicKey: Uint8Array
}

export interface LocalControl {
  wallets(): readonly FaucetWallet[]
  /** Adds coins out of nothing by an internal message from the minter; resolves in the block that holds it. */
  fund(to: AccountId, amount: bigint, signal: AbortSignal): Promise<BlockId>
  /** Makes `count` masterchain blocks now (at most 100,000 a call). */
  mine(count: number, signal: AbortSignal): Promise<BlockId>
  /** The next block's time; it may not lie before the last block's. */
  setTime(utime: number, signal: AbortSignal): Promise<number>
  increaseTime(seconds: number, signal: AbortSignal): Promise<number>
  /** Marks the present; the id is given to revert. At most 1,000 are kept. */
  snapshot(signal: AbortSignal): Promise<string>
  /** Undoes every block after the snapshot and forgets later snapshots. */
  revert(snapshot: string, signal: AbortSignal): Promise<BlockId>
  /** Replaces an account's state in the next block; undefined members stay. */
  setAccount(
    id: AccountId,
    state: Pick<AccountInput, 'balance' | 'code' | 'data' | 'library' | 'tickTock'>,
    signal: AbortSignal,
  ): Promise<BlockId>
  /** Delivers an internal message from any source address without a sender's transaction. */
  sendInternal(message: InternalInput, signal: AbortSignal): Promise<BlockId>
  /** Replaces configuration parameters (undefined removes one); the next masterchain block is a key block. */
  setConfig(params: ReadonlyMap<number, Cell | undefined>, signal: AbortSignal): Promise<BlockId>
}

/** The embedded chain: the chain port plus its controls. */
export interface LocalChain extends LiteServer {
  readonly control: LocalControl
  /** What people should know of this chain, a sentence each: where it is not what a new one would be. */
  readonly notes: readonly string[]
  /** Why blocks cannot be kept, for people; empty where they can. */
  trouble(): string
  /** Stops block production, writes what is open, releases files. */
  close(): Promise<void>
}
