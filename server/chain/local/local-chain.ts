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
  /** True for the faucet wallets of every embedded chain, whose mnemonics are public. False for the wallets of a genesis. */
  readonly isPublic: boolean
  readonly publicKey: Uint8Array
}

/** The masterchain block in which an account sent a message without its private key, and the lt of the account's transaction. */
export interface Sent {
  readonly block: BlockId
  readonly lt: bigint
  readonly hash: Uint8Array
}

export interface LocalControl {
  wallets(): readonly FaucetWallet[]
  /** Creates coins with an internal message from the minter; resolves with the block that includes the message. */
  fund(to: AccountId, amount: bigint, signal: AbortSignal): Promise<BlockId>
  /** Makes `count` masterchain blocks now (1 to 100,000 per call); resolves with the last block. */
  mine(count: number, signal: AbortSignal): Promise<BlockId>
  /** While automine is off, messages wait until `mine`, and no idle blocks are made. Every other control that makes a block still does. */
  setAutomine(on: boolean): void
  /**
   * True withholds new blocks from the chain, false adds the withheld blocks, undefined changes nothing. Lite-server queries find withheld blocks by full
   * id, and list the newest withheld shard block as pending. Meanwhile no idle blocks are made, and at most 20 blocks with messages. A revert drops
   * withheld blocks. Resolves with the number of withheld shard blocks.
   */
  holdShardBlocks(on: boolean | undefined, signal: AbortSignal): Promise<{ readonly hold: boolean; readonly blocks: number }>
  /** Sets the next block's time, which must not be before the last block's time. `isStill`: all later blocks get the same time, until the time is set again. */
  setTime(utime: number, signal: AbortSignal, isStill?: boolean): Promise<number>
  increaseTime(seconds: number, signal: AbortSignal): Promise<number>
  /**
   * Saves a snapshot of the current block and time; resolves with its id for `revert`. If nothing changed since the last snapshot, resolves with that
   * snapshot's id. The newest 1,000 snapshots are stored.
   */
  snapshot(signal: AbortSignal): Promise<string>
  /** Removes every block after the snapshot, and all later snapshots. NOT_FOUND if there is no such snapshot. */
  revert(snapshot: string, signal: AbortSignal): Promise<BlockId>
  /** Replaces an account's state in the next block; absent members do not change. */
  setAccount(
    id: AccountId,
    state: Pick<AccountInput, 'balance' | 'code' | 'data' | 'library' | 'tickTock' | 'splitDepth'>,
    signal: AbortSignal,
  ): Promise<BlockId>
  /** Delivers an internal message that no transaction sent, from any source address. */
  sendInternal(message: InternalInput, signal: AbortSignal): Promise<BlockId>
  /** Makes an account send a message without its private key, in a separate transaction. INVALID_PARAMS if the account has no contract or cannot pay. */
  impersonate(message: SendInput, signal: AbortSignal): Promise<Sent>
  /** Exports the state as a genesis for another chain. INVALID_PARAMS while messages wait for a block; TOO_LARGE if the state is too large. */
  exportState(signal: AbortSignal): Promise<StateJson>
  /**
   * Resolves when a block includes the external message; at once while automine is off. Rejects with TonError if the message was accepted but is dropped.
   * Must be called before the message is sent. `hashKey`: of the message's cell.
   */
  arrival(hashKey: string, signal: AbortSignal): Promise<void>
  /** Output of debug instructions of a transaction that this process ran. `hashKey`: of the transaction's cell. */
  printed(hashKey: string): readonly string[]
  /** Resolves when no message waits for a block; at once while automine is off. Never, if a contract sends messages to itself without an end. */
  idle(signal: AbortSignal): Promise<void>
  /** Like `idle`, but gives up once messages have been delivered for eight seconds without a break. */
  idleOrBusyTooLong(signal: AbortSignal): Promise<void>
  /** True if messages wait for a block: external messages, or messages between accounts. */
  messagesWait(signal: AbortSignal): Promise<boolean>
  /** Replaces configuration parameters (undefined removes the parameter). The next masterchain block is a key block. */
  setConfig(params: ReadonlyMap<number, Cell | undefined>, signal: AbortSignal): Promise<BlockId>
}

export interface LocalChain extends LiteServer {
  readonly control: LocalControl
  readonly notes: readonly string[]
  /** Name of the forked network, even if the settings do not name it; undefined if the chain is not a fork. */
  readonly fork: string | undefined
  /** Error text for users if blocks cannot be written; empty otherwise. */
  trouble(): string
  close(): Promise<void>
}
