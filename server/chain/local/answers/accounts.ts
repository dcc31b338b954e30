import { inOwnTurn } from '../../../base/yield.ts'
import { type Cell, untracked } from '../../../cell/cell.ts'
import { find } from '../../../cell/hashmap.ts'
import { accountPrefix, shardHasAccount, shardOfPrefix } from '../../../tlb/block/shard-ident.ts'
import { type AccountId, type BlockId, isMasterchain, MASTERCHAIN } from '../../../tlb/ids.ts'
import { loadAccount } from '../../../tlb/state/account.ts'
import { loadShardAccount } from '../../../tlb/state/shard-account.ts'
import type { LiteAnswer } from '../../liteserver.ts'
import type { ProvenAccount } from '../../proofs/account.ts'
import { augRootOf, readCurrency } from '../../proofs/skip-pruned.ts'
import type { BlockStore } from '../model.ts'
import { type Answers, type AnswersDeps, type BlockAndState, blockAndState, isValidFull, refuse } from './find-or-refuse.ts'
import { boc, bocInTurns, NO_BYTES, prove, proveHeader } from './prove.ts'
import { readState } from './read-with-references.ts'
import { NO_BLOCK, proveShard } from './shards.ts'

/** `genUtime` and `genLt` are 0 if no shard contains the account. */
export interface FoundAccount extends Pick<ProvenAccount, 'shardBlock' | 'account' | 'genUtime' | 'genLt'> {
  readonly reference: BlockId
  readonly shardProof: Uint8Array
  readonly proof: Uint8Array
  /** Undefined if the reference block is a shard block. */
  readonly master: BlockAndState | undefined
}

/** In the masterchain, seqno -1 means the latest block. */
const isLatest = (id: BlockId): boolean => isMasterchain(id) && (id.seqno === -1 || id.seqno === 0xffffffff)

/** Reads an account after block `id`, with the proofs for getAccountState. If the account does not exist, `proof` shows its absence. */
export const findAccount = async (store: BlockStore, id: BlockId, account: AccountId): Promise<FoundAccount> => {
  if (!isLatest(id) && !isValidFull(id)) throw refuse('invalid BlockIdExt')
  if (id.workchain !== MASTERCHAIN && id.workchain !== account.workchain) {
    throw refuse('reference block for a getAccountState() must belong to the masterchain')
  }
  if (account.workchain === id.workchain && !shardHasAccount(id.shard, account.hash)) {
    throw refuse('requested account id is not contained in the shard of the reference block')
  }
  const reference = isLatest(id) ? store.head().id : id
  const at = await blockAndState(store, reference)
  const master = reference.workchain === MASTERCHAIN ? at : undefined
  // The indexer requests all accounts of a block together, so each proof may wait for a later event-loop turn.
  if (master === undefined || account.workchain === MASTERCHAIN)
    return inOwnTurn(() => inShard(at, account, { reference, shardProof: NO_BYTES, master }))
  const shard = await inOwnTurn(() => proveShard(at, account.workchain, shardOfPrefix(accountPrefix(account.hash), 60), false))
  if (shard.id === undefined) {
    return { reference, shardBlock: NO_BLOCK, shardProof: shard.proof, proof: NO_BYTES, account: undefined, genUtime: 0, genLt: 0n, master }
  }
  const inItsShard = await blockAndState(store, shard.id)
  return inOwnTurn(() => inShard(inItsShard, account, { reference, shardProof: shard.proof, master }))
}

const inShard = (
  { block, state }: BlockAndState,
  account: AccountId,
  context: Pick<FoundAccount, 'reference' | 'shardProof' | 'master'>,
): FoundAccount => {
  const { proof, value } = prove(state, (root) => {
    const { accounts, genUtime, genLt } = readState(root)
    const leaf = find(augRootOf(accounts), 256, account.hash, false)
    if (leaf === undefined) return { account: undefined, genUtime, genLt }
    leaf.skip(5)
    readCurrency(leaf)
    return { account: untracked(loadShardAccount(leaf).accountCell), genUtime, genLt }
  })
  return { ...context, ...value, shardBlock: block.id, proof: boc([proveHeader(block.root), proof]) }
}

/** Prunes code, data and libraries. The proof contains the cells that t_Account.validate_ref reads. */
const pruneAccount = (account: Cell): Cell => prove(account, loadAccount).proof

export const accountAnswers = ({ store }: AnswersDeps): Answers<'getAccountState' | 'getAccountStatePrunned'> => {
  const answer = async (
    id: BlockId,
    account: AccountId,
    shape: (cell: Cell) => Cell,
    signal: AbortSignal,
  ): Promise<LiteAnswer<'getAccountState'>> => {
    const found = await findAccount(store, id, account)
    const { reference, shardBlock, shardProof, proof } = found
    const state = found.account === undefined ? NO_BYTES : await bocInTurns(shape(found.account), signal)
    return { id: reference, shardBlock, shardProof, proof, state }
  }
  return {
    getAccountState: ({ id, account }, signal) => answer(id, account, (cell) => cell, signal),
    getAccountStatePrunned: ({ id, account }, signal) => answer(id, account, pruneAccount, signal),
  }
}
