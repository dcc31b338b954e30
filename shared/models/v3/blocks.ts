import { decimal, flag, hash44, int, int32, lt, many, model } from '../value-formats.ts'
import { nextCursor } from './book.ts'
import { fullBlockId, v3BlockId } from './values.ts'

const v3Block = model('V3Block', {
  ...fullBlockId,
  global_id: int32('Id of the network: -239 is mainnet, -3 testnet.', -239),
  version: int('Version of the format of blocks.', 0),
  after_merge: flag('Whether this is the first block after two shards became one.'),
  before_split: flag('Whether the shard is split in two after this block.'),
  after_split: flag('Whether this is the first block after the shard was split in two.'),
  want_merge: flag('Whether the shard asks to be merged with its sibling.'),
  want_split: flag('Whether the shard asks to be split.'),
  key_block: flag('Whether the block carries the whole configuration.'),
  vert_seqno_incr: flag('Whether the block increases the vertical seqno, which means a repair of the chain.'),
  flags: int('Flags of the block header.', 1),
  gen_utime: decimal('When the block was made, in unix seconds.', '1735689600'),
  start_lt: lt('Logical time at which the block begins.'),
  end_lt: lt('Logical time at which the block ends.'),
  validator_list_hash_short: int32('CRC32C of the list of the validators that made the block, signed.', -1044856381),
  gen_catchain_seqno: int('Number of the validator session.'),
  min_ref_mc_seqno: int('Oldest masterchain block that the state still refers to.', 1000),
  prev_key_block_seqno: int('Number of the key block before this block.', 900),
  vert_seqno: int('Vertical seqno: how often the chain was repaired.', 0),
  master_ref_seqno: int('Newest masterchain block that a shard block knew of; 0 for a masterchain block.', 1000),
  rand_seed: hash44('Seed of the random numbers in the block.'),
  created_by: hash44('Public key of the validator that made the block.'),
  tx_count: int('How many transactions the block holds.', 3),
  masterchain_block_ref: v3BlockId.describe('The masterchain block that commits this block.'),
  prev_blocks: many('The block before this one; two of them after a merge.', v3BlockId),
})

export const v3MasterchainInfo = model('V3MasterchainInfo', {
  last: v3Block.describe('The newest masterchain block of the index.'),
  first: v3Block.describe('The oldest masterchain block of the index.'),
})

export const v3Blocks = model('V3Blocks', { blocks: many('The blocks that were found.', v3Block), ...nextCursor })
