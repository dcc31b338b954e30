import { runSteps, yieldToEventLoop } from '../../../base/yield.ts'
import type { Cell } from '../../../cell/cell.ts'
import { compact } from '../../../cell/copy-cells.ts'
import { loadValueFlow } from '../../../tlb/block/value-flow.ts'
import type { CurrencyCollection } from '../../../tlb/currency.ts'
import type { AccountId, BlockId } from '../../../tlb/ids.ts'
import { loadShardState } from '../../../tlb/state/shard-state.ts'
import { createBlocks } from '../../blocks.ts'
import { createRawQuery } from '../../checked-query.ts'
import type { LiteServer } from '../../liteserver.ts'
import { checkAccount } from '../../proofs/account.ts'
import { checkConfig } from '../../proofs/config.ts'
import { proving } from '../../proofs/error.ts'
import { checkLibrariesWithProof } from '../../proofs/libraries.ts'
import { mustBeWhole, proofRoot, twoProofRoots } from '../../proofs/roots.ts'
import { checkAllShards, masterExtraOf, type ProvenShard } from '../../proofs/shards.ts'
import { augRootOf } from '../../proofs/skip-pruned.ts'
import { createAccountChecks } from '../../shared-account-checks.ts'
import { TREE, treeOf } from './dictionary-paths.ts'
import { type Grafted, graft } from './graft-proof.ts'

/* Reads the forked network at the block at which the fork begins. Every answer is checked against that block. */

/** The state at the beginning of a chain, without its accounts. */
export interface ForkState {
  readonly globalId: number
  readonly utime: number
  /** Logical times of the chain begin here. In a fork it is the end lt of the masterchain block at which the fork begins. */
  readonly endLt: bigint
  readonly config: Cell
  readonly configAddr: Uint8Array
}

export interface ForkAccount extends Grafted {
  readonly account: Cell | undefined
}

const accountsIn = (proof: Uint8Array): Cell | undefined => augRootOf(loadShardState(twoProofRoots(proof, 'account state')[1]).accounts)

/** Mode bit: the proof includes up to 16 accounts that publish a library. */
const WITH_PUBLISHERS = 1

export const createForkReads = (source: LiteServer, block: BlockId) => {
  const ask = createRawQuery(source)
  const blocks = createBlocks(ask)
  // Shared by all accounts, because all are read at one block.
  const checks = createAccountChecks()
  return {
    block,
    state: (signal: AbortSignal): Promise<ForkState> =>
      ask('getConfigAll', { mode: 0, id: block }, signal, async (answer) => {
        const { root, state } = await runSteps(checkConfig(answer, block), signal)
        const { globalId, genUtime, genLt } = state.state
        const { configAddr } = masterExtraOf(state).config
        return { globalId, utime: genUtime, endLt: genLt, config: compact(mustBeWhole(root, 'configuration')), configAddr }
      }),

    shards: (signal: AbortSignal): Promise<readonly ProvenShard[]> =>
      ask('getAllShardsInfo', { id: block }, signal, ({ proof, data }) =>
        checkAllShards(proof, data, block).filter(({ id }) => id.workchain === 0),
      ),

    /** Undefined if no shard contains the account. */
    account: (id: AccountId, signal: AbortSignal): Promise<ForkAccount | undefined> =>
      ask('getAccountState', { id: block, account: id }, signal, async (answer) => {
        const { account } = await runSteps(checkAccount(answer, block, id, checks), signal)
        // An account may have 65,536 cells. Reading the last of them used up a part of this event-loop turn, so they are copied in the next turn.
        await yieldToEventLoop()
        return proving('account state', () => {
          const root = answer.proof.length === 0 ? undefined : accountsIn(answer.proof)
          if (root === undefined) return undefined
          const sent = new Map(account === undefined ? [] : [[account.hashKey(), account]])
          return { ...graft(root, treeOf(id.workchain), sent), account }
        })
      }),

    /** Total coins in a shard after block `shard`. Read from the block, because a proof of an account prunes the extra currencies in the sum. */
    total: (shard: BlockId, signal: AbortSignal): Promise<CurrencyCollection> =>
      blocks.block(shard, signal).then(({ parts }) => proving('block', () => loadValueFlow(parts.valueFlow).toNextBlk)),

    /** The paths to at most 16 libraries; undefined if the network has no libraries. */
    libraries: (hashes: readonly Uint8Array[], signal: AbortSignal): Promise<Grafted | undefined> =>
      ask('getLibrariesWithProof', { id: block, mode: WITH_PUBLISHERS, hashes }, signal, async (answer) => {
        const libraries = await runSteps(checkLibrariesWithProof(answer, block, hashes), signal)
        const sent = new Map(libraries.map(({ code }) => [code.hashKey(), code]))
        return proving('libraries', () => {
          const { libraries } = loadShardState(proofRoot(answer.dataProof, 'libraries'))
          return libraries && graft(libraries, TREE.libraries, sent)
        })
      }),
  }
}
export type ForkReads = ReturnType<typeof createForkReads>
