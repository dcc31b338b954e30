import { hexBytesOf, hexOf } from '../bytes.ts'
import { depthBalanceOf, readDepthBalance } from './account.ts'
import { findShard, type Header, readBlockRef, readHeader, readShard, stateHashOf } from './block.ts'
import { type Budget, proofRoots, wholeRoot } from './boc.ts'
import type { Cell } from './cell.ts'
import { find, keyOf } from './dict.ts'
import { fail, must, within } from './error.ts'
import { type AccountId, type BlockId, blockId, blockText, holds, MASTERCHAIN, membersOf, rawOf, sameBlock, WHOLE_SHARD } from './ids.ts'
import { bitsOf, Reader, tag } from './reader.ts'

/** What a proof shows of the state after a block. */
interface State {
  readonly accounts: Cell
  readonly custom: Cell | undefined
}

/*
 * shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 *   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
 *   ^[ ... ] custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
 */
const readState = (root: Cell) => {
  const r = tag(new Reader(root), 32, 0x9023afe2, 'ShardStateUnsplit').skip(32)
  const id = { ...readShard(r), seqno: r.uint(32) }
  const time = r.skip(32).uint(32)
  const endLt = r.big(64)
  r.next()
  const accounts = r.skip(32 + 1).next()
  r.next()
  return { id, time, endLt, accounts, custom: r.maybeRef() }
}

/** The state after a block, by the hash of it in the block's header. */
export const stateAfter = (root: Cell, header: Header): State => {
  must(hexOf(root.hashes[0]!) === stateHashOf(header), () => `the state is not that after ${blockText(header.id)}`)
  const state = readState(root)
  must(sameBlock({ ...header.id, ...state.id }, header.id), 'the state is of another block')
  must(state.time === header.time && state.endLt === header.endLt, 'the state has another time than its block')
  return state
}

/** A bag of two Merkle proofs: of a block, and of the state after it. */
const twoProofs = (text: unknown, id: BlockId, budget: Budget): State => {
  const [block, state] = proofRoots(text, 2, budget) as [Cell, Cell]
  return stateAfter(state, readHeader(block, id))
}

/*
 * masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
 *   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo ... ] global_balance:CurrencyCollection = McStateExtra;
 * _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
 * validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
 */
const masterState = ({ custom }: State) => {
  const r = tag(new Reader(custom ?? fail('a masterchain state without its extra')), 16, 0xcc26, 'McStateExtra')
  const shardHashes = r.maybeRef()
  const config = r.skip(256).next()
  const info = r.next()
  // The root of HashmapAug 32 KeyExtBlkRef KeyMaxLt.
  return { shardHashes, config, oldBlocks: () => new Reader(info).skip(16 + 65).maybeRef() }
}

/** The configuration in a zerostate. */
export const zerostateConfig = (root: Cell, id: BlockId): Cell => {
  must(hexOf(root.hashes[0]!) === id.root, 'the proof is not of the zerostate')
  return masterState(readState(root)).config
}

/*
 * _ key:Bool max_end_lt:uint64 = KeyMaxLt;
 * _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
 * _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;      (key: seqno)
 */
/** Refuses unless a masterchain block is among the earlier ones of a state. */
export const mustBeOld = (state: State, id: BlockId): void => {
  const r = find(masterState(state).oldBlocks(), keyOf(id.seqno, 32))
  const old = r && { workchain: MASTERCHAIN, shard: WHOLE_SHARD, ...readBlockRef(r.skip(65 + 1)) }
  must(old !== undefined && sameBlock(old, id), () => `${blockText(id)} is not a block before it`)
}

export interface ProvenAccount {
  /** Undefined if the account provably does not exist. */
  readonly cell: Cell | undefined
  /** Hex. */
  readonly lastHash: string
  readonly lastLt: bigint
}

const ABSENT: ProvenAccount = { cell: undefined, lastHash: '0'.repeat(64), lastLt: 0n }

const shardOf = (proof: unknown, head: BlockId, { workchain, hash }: AccountId, budget: Budget) =>
  findShard(masterState(twoProofs(proof, head, budget)).shardHashes, workchain, BigInt(`0x${hash.slice(0, 16)}`))

/*
 * _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
 * depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
 * account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
 */
const accountIn = (proof: unknown, state: unknown, block: BlockId, id: AccountId, budget: Budget): ProvenAccount => {
  const { accounts } = within('proof', () => twoProofs(proof, block, budget))
  const found = find(new Reader(accounts).maybeRef(), bitsOf(hexBytesOf(id.hash)))
  if (found === undefined) {
    must(state === '' || state === null || state === undefined, 'the proof shows no account, but one was sent')
    return ABSENT
  }
  const listed = readDepthBalance(found)
  const expected = found.next()
  const cell = within('state', () => wholeRoot(state, budget))
  must(hexOf(cell.hashes[0]!) === hexOf(expected.hashes[0]!), 'the account is not the one of the proof')
  must(depthBalanceOf(cell) === listed, 'the account has another balance than the proof says')
  return { cell, lastHash: hexOf(found.bytes(32)), lastLt: found.big(64) }
}

/** An account at a trusted masterchain block, by what a lite-server answers to getAccountState. */
export const proveAccount = (value: unknown, id: AccountId, head: BlockId, budget: Budget): ProvenAccount => {
  const { shard_block, shard_proof, proof, state } = membersOf(value)
  if (id.workchain === MASTERCHAIN) return accountIn(proof, state, head, id, budget)
  const shard = within('shard_proof', () => shardOf(shard_proof, head, id, budget))
  if (shard === undefined) {
    must(!state && !proof, 'a state for an account that no shard holds')
    return ABSENT
  }
  const block = within('shard_block', () => blockId(shard_block))
  must(sameBlock(block, shard.id), () => `${blockText(block)} is not the block of the shard, ${blockText(shard.id)} is`)
  must(holds(block, id), () => `${blockText(block)} cannot hold ${rawOf(id)}`)
  return accountIn(proof, state, block, id, budget)
}
