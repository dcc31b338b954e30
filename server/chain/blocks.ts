import { createHash } from 'node:crypto'
import { runSteps } from '../base/yield.ts'
import { parseBocRootSteps } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import { type Block, type BlockExtra, loadBlockExtra } from '../tlb/block/block.ts'
import type { BlockInfo } from '../tlb/block/block-info.ts'
import { sameBytes, toHex } from '../tlb/bytes.ts'
import { type AccountId, type BlockId, blockText, MASTERCHAIN, type ShortBlockId, WHOLE_SHARD } from '../tlb/ids.ts'
import type { CheckedQuery } from './checked-query.ts'
import { createConfigs } from './configs.ts'
import { createLibraries } from './libraries.ts'
import type { LiteAnswer, LookupArgs, ZeroStateId } from './liteserver.ts'
import { checkAccount, type ProvenAccount } from './proofs/account.ts'
import { must, ProofError, provingSteps } from './proofs/error.ts'
import { checkBlockRoot, prevBlocksOf } from './proofs/header.ts'
import { checkLookupWithProof, type LtOrTime, reaches } from './proofs/lookup.ts'
import { stateRoot } from './proofs/roots.ts'
import { createAccountChecks } from './shared-account-checks.ts'

/*
 * Blocks, states, accounts, configurations and libraries of a chain, each checked against the requested id. chain.ts and the index use this interface. The
 * `ask` that createBlocks gets decides which errors callers get and how often a query is repeated.
 */

export interface SourceBlock {
  readonly id: BlockId
  readonly root: Cell
  /** Bytes of the serialized block. */
  readonly size: number
  readonly globalId: number
  readonly info: BlockInfo
  /** The previous blocks: two after a merge, otherwise one. */
  readonly prev: readonly BlockId[]
  readonly parts: Block
  readonly extra: BlockExtra
}

export type Blocks = ReturnType<typeof createBlocks>

function* blockSteps(id: BlockId, data: Uint8Array): Generator<void, SourceBlock> {
  const fileHash = createHash('sha256').update(data).digest()
  must(sameBytes(fileHash, id.fileHash), 'block', () => `file hash ${toHex(fileHash)} instead of ${toHex(id.fileHash)}`)
  const root = yield* parseBocRootSteps(data)
  const { block: parts, info } = checkBlockRoot(root, id)
  return {
    id,
    root,
    size: data.length,
    globalId: parts.globalId,
    info,
    prev: prevBlocksOf(info),
    parts,
    extra: loadBlockExtra(parts.extra),
  }
}

function* stateSteps(id: BlockId, rootHash: Uint8Array, data: Uint8Array): Generator<void, Cell> {
  const root = yield* stateRoot(data)
  must(sameBytes(root.hash(0), rootHash), 'state', () => `the state of ${blockText(id)} has another root hash`)
  // The zerostate of a forked chain has pruned branches. The server cannot have pruned them, because the zerostate's file hash is part of the chain's
  // identity.
  const isZero = (): boolean => id.seqno === 0 && sameBytes(createHash('sha256').update(data).digest(), id.fileHash)
  must(root.level === 0 || isZero(), 'state', () => `parts of the state of ${blockText(id)} are pruned`)
  return root
}

export const createBlocks = (ask: CheckedQuery) => {
  const checks = createAccountChecks()
  return {
    /** Identity of the chain: its masterchain zerostate, as reported by the source without a proof. */
    zeroState: (signal: AbortSignal): Promise<ZeroStateId> => ask('getMasterchainInfo', {}, signal, ({ init }) => init),
    block: (id: BlockId, signal: AbortSignal): Promise<SourceBlock> =>
      ask('getBlock', { id }, signal, ({ data }) => runSteps(provingSteps('block', blockSteps(id, data)), signal)),
    state: (id: BlockId, rootHash: Uint8Array, signal: AbortSignal): Promise<Cell> =>
      ask('getState', { id }, signal, ({ data }) => runSteps(provingSteps('state', stateSteps(id, rootHash, data)), signal)),
    /** Id of a masterchain block, as reported by the source without a proof. */
    masterId(seqno: number, signal: AbortSignal): Promise<BlockId> {
      const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
      return ask('lookupBlock', { id, by: { seqno: true } }, signal, ({ id: found }) => {
        const isRequested = found.workchain === MASTERCHAIN && found.shard === WHOLE_SHARD && found.seqno === seqno
        if (!isRequested) throw new ProofError('block lookup', `${blockText(found)} instead of ${blockText({ ...found, ...id })}`)
        return found
      })
    },
    /** Id of a block found by seqno, lt or time, with a proof that this block belongs to the chain that ends with the masterchain block `of`. */
    provenId: (requested: ShortBlockId, by: LookupArgs['by'], of: BlockId, signal: AbortSignal): Promise<BlockId> =>
      ask(
        'lookupBlockWithProof',
        { id: requested, by, mcBlockId: of },
        signal,
        (answer) => checkLookupWithProof(answer, requested, by, of).id,
      ),
    /**
     * Proven id of a shard's block 1; undefined if the requested lt or time is after that block. Lite-servers cannot prove block 1 by lt or time: the proof
     * needs the header of the previous block, and a zerostate has no header.
     */
    firstId(requested: ShortBlockId, by: LtOrTime, of: BlockId, signal: AbortSignal): Promise<BlockId | undefined> {
      const id = { ...requested, seqno: 1 }
      const bySeqno = { seqno: true } as const
      return ask('lookupBlockWithProof', { id, by: bySeqno, mcBlockId: of }, signal, (answer) => {
        const header = checkLookupWithProof(answer, id, bySeqno, of)
        return reaches(header, by) ? header.id : undefined
      })
    },
    /**
     * Reads an account at a masterchain block. `read` gets the proven account and the answer that proves it. If `read` throws a ProofError, the answer is
     * refused.
     */
    account: <T>(
      id: BlockId,
      account: AccountId,
      signal: AbortSignal,
      read: (proven: ProvenAccount, answer: LiteAnswer<'getAccountState'>) => T,
    ): Promise<T> =>
      ask('getAccountState', { id, account }, signal, async (answer) =>
        read(await runSteps(checkAccount(answer, id, account, checks), signal), answer),
      ),
    config: createConfigs(ask),
    libraries: createLibraries(ask),
  }
}
