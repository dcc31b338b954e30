import * as z from 'zod'
import { base64, decimal, flag, hash44, int, int32, lt, many, rawLower, tlModel, tlObject, utime } from './value-formats.ts'

/** `shard` is a signed decimal. */
export const blockIdExt = tlModel('BlockIdExt', 'ton.blockIdExt', {
  workchain: int32('The workchain of the block: -1 is the masterchain, 0 the basechain.', -1),
  shard: decimal('The shard of the block: its prefix with the terminating bit, as a signed 64-bit number.', '-9223372036854775808'),
  seqno: int('The number of the block in its shard.', 1000),
  root_hash: hash44('Hash of the root cell of the block.'),
  file_hash: hash44("SHA-256 of the block's BoC."),
})

/** `lt` and `hash` are zero if there is no transaction. */
export const transactionId = tlModel('TransactionId', 'internal.transactionId', {
  lt: lt('Logical time of the transaction.'),
  hash: hash44('Hash of the transaction.'),
})

export const masterchainInfo = tlModel('MasterchainInfo', 'blocks.masterchainInfo', {
  last: blockIdExt.describe('The newest masterchain block.'),
  state_root_hash: hash44('Root hash of the masterchain state after that block.'),
  init: blockIdExt.describe('The zerostate, which is the first state of the chain.'),
})

const blockSignature = tlModel('BlockSignature', 'blocks.signature', {
  node_id_short: hash44("Short id of the validator: SHA-256 of its public key's TL form."),
  signature: base64('Its ed25519 signature, 64 bytes.'),
})

const signedBlock = blockIdExt.describe('The masterchain block that is signed.')
const signatures = many('Signatures of the validators.', blockSignature)

/** Signatures of validators. The simplex form also contains the data that the signatures cover. */
export const blockSignatures = z
  .discriminatedUnion('@type', [
    tlObject('blocks.blockSignatures', { id: signedBlock, signatures }),
    tlObject('blocks.blockSignatures.simplex', {
      id: signedBlock,
      signatures,
      session_id: hash44('Id of the validator session.'),
      slot: int('Number of the slot in which the block was proposed.'),
      candidate: base64('What the signatures cover: the candidate in TL form.'),
    }),
  ])
  .meta({ id: 'BlockSignatures' })

const shardBlockLink = tlModel('ShardBlockLink', 'blocks.shardBlockLink', {
  id: blockIdExt.describe('The shard block that is proven.'),
  proof: base64('Merkle proof, as a BoC: the block before in `links`, or the masterchain block, holds its hash.'),
})

const blockLinkBack = tlModel('BlockLinkBack', 'blocks.blockLinkBack', {
  to_key_block: flag('Whether the block that the link leads to is a key block.'),
  from: blockIdExt.describe('The block from which the link leads back.'),
  to: blockIdExt.describe('The earlier block that it leads to.'),
  dest_proof: base64('Proof of the header of the earlier block, as a BoC.'),
  proof: base64('Proof of the header of the later block, as a BoC.'),
  state_proof: base64('Proof that the state of the later block holds the earlier one, as a BoC.'),
})

/** Proof that a masterchain block commits a shard block, and a proof of that masterchain block that starts at `from`. */
export const shardBlockProof = tlModel('ShardBlockProof', 'blocks.shardBlockProof', {
  from: blockIdExt.describe('The masterchain block from which the proof leads.'),
  mc_id: blockIdExt.describe('The masterchain block that commits the shard block.'),
  links: many('From the masterchain block to the shard block, step by step.', shardBlockLink),
  mc_proof: many('From `from` back to the masterchain block, step by step; empty if they are the same.', blockLinkBack),
})

export const consensusBlock = tlModel('ConsensusBlock', 'ext.blocks.consensusBlock', {
  consensus_block: int32('Number of the newest masterchain block that is final.', 1000),
  timestamp: utime('When that was found out.'),
})

export const shards = tlModel('Shards', 'blocks.shards', { shards: many('The newest block of every shard.', blockIdExt) })

/** `validator_list_hash_short` is signed. `prev_blocks` has two elements after a merge. */
export const blockHeader = tlModel('BlockHeader', 'blocks.header', {
  id: blockIdExt.describe('The block.'),
  global_id: int32('Id of the network: -239 is mainnet, -3 testnet.', -239),
  version: int('Version of the format of blocks.', 0),
  after_merge: flag('Whether this is the first block after two shards became one.'),
  after_split: flag('Whether this is the first block after the shard was split in two.'),
  before_split: flag('Whether the shard is split in two after this block.'),
  want_merge: flag('Whether the shard asks to be merged with its sibling.'),
  want_split: flag('Whether the shard asks to be split.'),
  validator_list_hash_short: int32('CRC32C of the list of the validators that made the block, signed.', -1044856381),
  catchain_seqno: int('Number of the validator session.'),
  min_ref_mc_seqno: int('Oldest masterchain block that the state still refers to.', 1000),
  is_key_block: flag('Whether the block carries the whole configuration.'),
  prev_key_block_seqno: int('Number of the key block before this block.', 900),
  start_lt: lt('Logical time at which the block begins.'),
  end_lt: lt('Logical time at which the block ends.'),
  gen_utime: utime('When the block was made.'),
  prev_blocks: many('The block before this one; two of them after a merge.', blockIdExt),
})

const outMsgQueueSize = tlModel('OutMsgQueueSize', 'blocks.outMsgQueueSize', {
  id: blockIdExt.describe('The newest block of the shard.'),
  size: int('How many messages wait in its outbound queue.', 0),
})

export const outMsgQueueSizes = tlModel('OutMsgQueueSizes', 'blocks.outMsgQueueSizes', {
  shards: many('The masterchain and every shard.', outMsgQueueSize),
  ext_msg_queue_size_limit: int('Longest queue with which a shard still takes external messages.', 8000),
})

const shortTxId = tlModel('ShortTxId', 'blocks.shortTxId', {
  mode: int('Which members are present, as bits: account 1, lt 2, hash 4.', 135),
  account: rawLower('The account of the transaction.'),
  lt: lt('Logical time of the transaction.'),
  hash: hash44('Hash of the transaction.'),
})

export const listOfBlock = {
  id: blockIdExt.describe('The block.'),
  req_count: int('How many transactions were asked for.', 40),
  incomplete: flag('Whether more transactions follow the last one.'),
}

/** Transactions of a block, ordered by account id, then by lt. `incomplete`: there are more transactions after the last one. */
export const blockTransactions = tlModel('BlockTransactions', 'blocks.transactions', {
  ...listOfBlock,
  transactions: many('The transactions, by account, then by logical time.', shortTxId),
})
