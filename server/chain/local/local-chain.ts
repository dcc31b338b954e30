import type { Cell } from '../../cell/cell.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { LiteServer } from '../liteserver.ts'
import type { AccountInput, InternalInput, SendInput } from './model.ts'
import type { StateJson } from './state-file.ts'

/* Controls that only the embedded chain has. Amounts are nanograms, times are unix seconds. */

/** The minter, the account of configuration parameter 2. Faucet coins come from its address. */
export const MINTER: AccountId = { workchain: -1, hash: new Uint8Array(32) }

export interface FaucetWallet {
  readonly version: 'v4R2' | 'v5R1'
  readonly address: AccountId
  readonly mnemonic: readonly string[]
  /** Whether every embedded chain has this wallet, so that everybody knows its mnemonic. The wallets of a genesis are not public. */
  readonly isPublic: boolean
  readonly publicKey: Uint8Array
}

/** The masterchain block in which an account sent a message without its key, and the account's transaction. */
export interface Sent {
  readonly block: BlockId
  readonly lt: bigint
  /** Hash of the transaction. */
  readonly hash: Uint8Array
}

export interface LocalControl {
  wallets(): readonly FaucetWallet[]
  /** Creates coins with an internal message from the minter; resolves with the block that holds it. */
  fund(to: AccountId, amount: bigint, signal: AbortSignal): Promise<BlockId>
  /** Makes `count` masterchain blocks now (1 to 100,000 per call); resolves with the last one. */
  mine(count: number, signal: AbortSignal): Promise<BlockId>
  /** While it is off, messages wait until `mine`, and no idle blocks are made; the other controls still make a block of their own. */
  setAutomine(on: boolean): void
  /**
   * While it is on, new blocks are made but come into the chain only when it is turned off. Lite-server queries find them by full id, and list the newest
   * shard block as pending. No idle blocks are made, and at most 20 with messages. A revert drops them. Resolves with the number of withheld shard blocks.
   */
  holdShardBlocks(on: boolean | undefined, signal: AbortSignal): Promise<{ readonly hold: boolean; readonly blocks: number }>
  /** Sets the next block's time, which may not be before the last block's. `isStill`: all further blocks have it, until it is set again. */
  setTime(utime: number, signal: AbortSignal, isStill?: boolean): Promise<number>
  increaseTime(seconds: number, signal: AbortSignal): Promise<number>
  /** Marks the current block and time; resolves with an id for `revert`, the same one again if nothing has changed since. The newest 1,000 are stored. */
  snapshot(signal: AbortSignal): Promise<string>
  /** Undoes every block after the snapshot and removes later snapshots. NOT_FOUND if there is no such snapshot. */
  revert(snapshot: string, signal: AbortSignal): Promise<BlockId>
  /** Replaces an account's state in the next block; absent members stay as they are. */
  setAccount(
    id: AccountId,
    state: Pick<AccountInput, 'balance' | 'code' | 'data' | 'library' | 'tickTock' | 'splitDepth'>,
    signal: AbortSignal,
  ): Promise<BlockId>
  /** Delivers an internal message from any source address without a sender's transaction. */
  sendInternal(message: InternalInput, signal: AbortSignal): Promise<BlockId>
  /** Lets an account send a message without its key, in a transaction of its own. INVALID_PARAMS if it has no contract or cannot pay. */
  impersonate(message: SendInput, signal: AbortSignal): Promise<Sent>
  /** The state as a genesis for another chain. INVALID_PARAMS while messages wait for a block; TOO_LARGE. */
  exportState(signal: AbortSignal): Promise<StateJson>
  /**
   * Resolves when an external message is in a block; while automine is off, at once. Rejects with TonError if it was accepted and will be in none. Called before
   * the message is sent. `hashKey`: of its cell.
   */
  arrival(hashKey: string, signal: AbortSignal): Promise<void>
  /** What a transaction of this process has printed by debug instructions. `hashKey`: of its cell. */
  printed(hashKey: string): readonly string[]
  /** Resolves when no message waits for a block; at once while automine is off. */
  settled(signal: AbortSignal): Promise<void>
  /** Whether messages wait for a block: external ones, and those between accounts. */
  messagesWait(signal: AbortSignal): Promise<boolean>
  /** Replaces configuration parameters (undefined removes one). The next masterchain block is a key block. */
  setConfig(params: ReadonlyMap<number, Cell | undefined>, signal: AbortSignal): Promise<BlockId>
}

/** The embedded chain: a lite-server plus its controls. */
export interface LocalChain extends LiteServer {
  readonly control: LocalControl
  /** Sentences for users about how this chain differs from a new one. */
  readonly notes: readonly string[]
  /** Name of the network that it is a fork of, also where the settings do not name it; undefined for other chains. */
  readonly fork: string | undefined
  /** Why blocks cannot be written, as a text for users; empty if they can. */
  trouble(): string
  /** Stops block production, syncs the log and closes the files. */
  close(): Promise<void>
}
