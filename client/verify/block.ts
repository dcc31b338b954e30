import { hexOf } from '../bytes.ts'
import { type Cell, MERKLE_UPDATE } from './cell.ts'
import { find, keyOf, walk } from './dict.ts'
import { must } from './error.ts'
import { type BlockId, blockText, halvesOf, MASTERCHAIN, parentOf, WHOLE_SHARD } from './ids.ts'
import { bitsOf, Reader, tag } from './reader.ts'
import type { TransactionPlace } from './transaction.ts'

/*
 * block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
 * block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
 *   rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
 */

/** Opens a block after checking its root hash. `root` may come from a Merkle proof with pruned branches. */
export const openBlock = (root: Cell, id: BlockId) => {
  must(hexOf(root.hashes[0]!) === id.root, () => `a block with another root hash than ${blockText(id)}`)
  const r = tag(new Reader(root), 32, 0x11ef55aa, 'Block').skip(32)
  const info = r.next()
  r.next()
  return { info, stateUpdate: r.next(), extra: r.next() }
}

type Block = ReturnType<typeof openBlock>

/** ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; */
export const readBlockRef = (r: Reader): Pick<BlockId, 'seqno' | 'root' | 'file'> => ({
  seqno: r.skip(64).uint(32),
  root: hexOf(r.bytes(32)),
  file: hexOf(r.bytes(32)),
})

/** shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent; */
export const readShard = (r: Reader): Pick<BlockId, 'workchain' | 'shard'> => {
  const bits = tag(r, 2, 0, 'ShardIdent').uint(6)
  must(bits <= 60, 'a shard prefix of more than 60 bits')
  const workchain = r.int(32)
  const end = 1n << BigInt(63 - bits)
  return { workchain, shard: (r.big(64) & ~(2n * end - 1n)) | end }
}

export interface Header {
  readonly id: BlockId
  readonly isKey: boolean
  readonly time: number
  readonly endLt: bigint
  readonly validatorSet: number
  readonly catchainSeqno: number
  readonly block: Block
  /** The blocks before it. After a merge the left half comes first. */
  prev(): readonly BlockId[]
}

const prevOf = (id: BlockId, cell: Cell, afterMerge: boolean, afterSplit: boolean): readonly BlockId[] => {
  const r = new Reader(cell)
  const refs = afterMerge ? [readBlockRef(new Reader(r.next())), readBlockRef(new Reader(r.next()))] : [readBlockRef(r)]
  must(!(afterMerge && afterSplit), 'a block after a split and a merge')
  must(id.seqno === Math.max(...refs.map(({ seqno }) => seqno)) + 1, 'a seqno that does not follow the blocks before it')
  must(!(afterMerge || afterSplit) || refs.every(({ seqno }) => seqno > 0), 'a split or merge of an initial state')
  const shards = afterMerge ? halvesOf(id.shard) : [afterSplit ? parentOf(id.shard) : id.shard]
  return refs.map((ref, i) => ({ workchain: id.workchain, shard: shards[i]!, ...ref }))
}

/*
 * block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 *   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
 *   seq_no:# vert_seq_no:# { vert_seq_no >= vert_seqno_incr } shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64
 *   gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32
 *   gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
 *   prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
 * prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;      prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
 */
/** The header of a block, checked against its id. */
export const readHeader = (root: Cell, id: BlockId): Header => {
  const block = openBlock(root, id)
  const r = tag(new Reader(block.info), 32, 0x9bc7a987, 'BlockInfo')
  must(r.uint(32) === 0, 'a block of an unknown version')
  const [notMaster, afterMerge, , afterSplit, , , isKey, isVertical] = Array.from({ length: 8 }, () => r.flag())
  must(r.uint(8) <= 1, 'a block with unknown flags')
  const seqno = r.uint(32)
  const { workchain, shard } = readShard(r.skip(32))
  must(seqno === id.seqno && workchain === id.workchain && shard === id.shard, () => `the header is not of ${blockText(id)}`)
  must(notMaster === (workchain !== MASTERCHAIN), 'not_master does not agree with the workchain')
  must(workchain !== MASTERCHAIN || shard === WHOLE_SHARD, 'a masterchain block of a split shard')
  must(workchain !== MASTERCHAIN || !isVertical || isKey!, 'vert_seqno_incr outside of a key block')
  const time = r.uint(32)
  const endLt = r.skip(64).big(64)
  const [validatorSet, catchainSeqno] = [r.uint(32), r.uint(32)]
  if (notMaster) r.next()
  const prev = r.next()
  return { id, isKey: isKey!, time, endLt, validatorSet, catchainSeqno, block, prev: () => prevOf(id, prev, afterMerge!, afterSplit!) }
}

/** Hash of the state after a block: !merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X */
export const stateHashOf = ({ block: { stateUpdate } }: Header): string => {
  must(stateUpdate.type === MERKLE_UPDATE, 'the proof leaves out the update of the state')
  return hexOf(stateUpdate.refs[1]!.hashes[0]!)
}

const extraOf = ({ extra }: Block): Reader => tag(new Reader(extra), 32, 0x4a33f6fd, 'BlockExtra')

/** The dictionary of all AccountBlocks: root of HashmapAug 256 AccountBlock CurrencyCollection. */
const accountBlocksOf = (block: Block): Cell | undefined => {
  const r = extraOf(block)
  r.next()
  r.next()
  return new Reader(r.next()).maybeRef()
}

/** currencies$_ grams:Grams other:(HashmapE 32 (VarUInteger 32)) = CurrencyCollection; */
const skipCurrency = (r: Reader): void => {
  r.coins()
  r.maybeRef()
}

/*
 * acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 *   state_update:^(HASH_UPDATE Account) = AccountBlock;
 */
/** Transactions of one account: root of the dictionary, which lies inline in the rest of the cell. */
const transactionsOf = (r: Reader, account: string): Cell => {
  skipCurrency(r)
  must(tag(r, 4, 5, 'AccountBlock').text(256) === account, 'an AccountBlock under another key')
  return r.rest()
}

const transactionIn = (r: Reader): Cell => {
  skipCurrency(r)
  return r.next()
}

/** Finds the transaction of an account (32 bytes) at an lt. The returned cell can be a pruned branch with the transaction's hash. */
export const findTransaction = (block: Block, account: Uint8Array, lt: bigint): Cell | undefined => {
  const key = bitsOf(account)
  const found = find(accountBlocksOf(block), key)
  const leaf = found && find(transactionsOf(found, key), keyOf(lt, 64))
  return leaf && transactionIn(leaf)
}

/** All transactions of a block, by account, then lt. */
export const listTransactions = (block: Block): readonly TransactionPlace[] => {
  const rows: TransactionPlace[] = []
  walk(accountBlocksOf(block), 256, (account, r) =>
    walk(transactionsOf(r, account), 64, (lt, leaf) =>
      rows.push({ account, lt: BigInt(`0b${lt}`), hash: hexOf(transactionIn(leaf).hashes[0]!) }),
    ),
  )
  return rows
}

/*
 * masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *   ^[ ... ] config:key_block?ConfigParams = McBlockExtra;
 * _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
 * _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
 * _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
 */
/** ShardHashes of a masterchain block, and the configuration of a key block. */
export const masterExtraOf = (block: Block): { readonly shardHashes: Cell | undefined; readonly config: Cell | undefined } => {
  const extra = extraOf(block).skip(512)
  extra.ref = 3
  const r = tag(new Reader(extra.maybeRef() ?? extra.next()), 16, 0xcca5, 'McBlockExtra')
  const isKey = r.flag()
  const shardHashes = r.maybeRef()
  if (!isKey) return { shardHashes, config: undefined }
  r.maybeRef()
  skipCurrency(r)
  skipCurrency(r)
  r.next()
  return { shardHashes, config: r.skip(256).next() }
}

/*
 * _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
 * bt_leaf$0 leaf:X = BinTree X;      bt_fork$1 left:^(BinTree X) right:^(BinTree X) = BinTree X;
 * shard_descr#b (or shard_descr_new#a) seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256 ...
 */
/** Finds the shard that contains a 64-bit prefix: a shard id, or the start of an account id. Undefined if `root` provably lacks the workchain. */
export const findShard = (root: Cell | undefined, workchain: number, prefix: bigint) => {
  let cell = find(root, keyOf(workchain, 32))?.next()
  let shard = WHOLE_SHARD
  for (let bit = 63n; cell !== undefined; bit--) {
    must(bit >= 3n, 'a shard prefix of more than 60 bits')
    const r = new Reader(cell)
    if (!r.flag()) {
      must((r.uint(4) & 14) === 10, 'no ShardDescr')
      // `masterSeqno`: of the masterchain block that committed this shard block (reg_mc_seqno).
      const [seqno, masterSeqno] = [r.uint(32), r.uint(32)]
      const [root, file] = [hexOf(r.skip(128).bytes(32)), hexOf(r.bytes(32))]
      return { id: { workchain, shard, seqno, root, file }, masterSeqno }
    }
    const side = Number((prefix >> bit) & 1n)
    shard = halvesOf(shard)[side]!
    cell = [r.next(), r.next()][side]
  }
  return undefined
}
