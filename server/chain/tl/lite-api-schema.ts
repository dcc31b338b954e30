import { createCodecs } from './codec.ts'
import { readLine } from './schema.ts'

/* lite_api.tl of ton-blockchain/ton, tl/generate/scheme. The constructor numbers of types and functions are computed from these lines. */

/** Fields whose names differ in the chain port. */
const NAMES = {
  account_dispatch_queues: 'queues',
  addr: 'account',
  after_addr: 'after',
  cc_seqno: 'catchainSeqno',
  known_block: 'from',
  library_list: 'hashes',
  param_list: 'params',
  shardblk: 'shardBlock',
  target_block: 'target',
  wc: 'workchain',
}

const ids = [
  'tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId',
  'tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt',
  'tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt',
]

const records = [
  'liteServer.error code:int message:string = liteServer.Error',
  'liteServer.libraryEntry hash:int256 data:bytes = liteServer.LibraryEntry',
  'liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo',
  'liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt',
  'liteServer.currentTime now:int = liteServer.CurrentTime',
  'liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version',
  'liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData',
  'liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState',
  'liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader',
  'liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus',
  'liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo',
  'liteServer.transactionList ids:(vector tonNode.blockIdExt) transactions:bytes = liteServer.TransactionList',
  'liteServer.transactionId#b12f65af mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata = liteServer.TransactionId',
  'liteServer.transactionMetadata mode:# depth:int initiator:liteServer.accountId initiator_lt:long = liteServer.TransactionMetadata',
  'liteServer.transactionId3 account:int256 lt:long = liteServer.TransactionId3',
  'liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:(vector liteServer.transactionId) proof:bytes = liteServer.BlockTransactions',
  'liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt',
  'liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo',
  'liteServer.signature node_id_short:int256 signature:bytes = liteServer.Signature',
  'liteServer.signatureSet.ordinary#f644a6e6 validator_set_hash:int catchain_seqno:int signatures:(vector liteServer.signature) = liteServer.SignatureSet',
  'liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink',
  'liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink',
  'liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:(vector liteServer.BlockLink) = liteServer.PartialBlockProof',
  'liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo',
  'liteServer.libraryResult result:(vector liteServer.libraryEntry) = liteServer.LibraryResult',
  'liteServer.libraryResultWithProof id:tonNode.blockIdExt mode:# result:(vector liteServer.libraryEntry) state_proof:bytes data_proof:bytes = liteServer.LibraryResultWithProof',
  'liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink',
  'liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:(vector liteServer.shardBlockLink) = liteServer.ShardBlockProof',
  'liteServer.lookupBlockResult id:tonNode.blockIdExt mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:(vector liteServer.shardBlockLink) header:bytes prev_header:bytes = liteServer.LookupBlockResult',
  'liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize',
  'liteServer.outMsgQueueSizes shards:(vector liteServer.outMsgQueueSize) ext_msg_queue_size_limit:int = liteServer.OutMsgQueueSizes',
  'liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes = liteServer.BlockOutMsgQueueSize',
  'liteServer.validatorStats mode:# id:tonNode.blockIdExt count:int complete:Bool state_proof:bytes data_proof:bytes = liteServer.ValidatorStats',
  'liteServer.nonfinal.pendingShardBlocks signed_blocks:(vector tonNode.blockIdExt) candidates:(vector tonNode.blockIdExt) = liteServer.nonfinal.PendingShardBlocks',
  'liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState',
  'liteServer.runMethodResult mode:# id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:mode.0?bytes proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int result:mode.2?bytes = liteServer.RunMethodResult',
  'liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo',
  'liteServer.accountDispatchQueueInfo addr:int256 size:long min_lt:long max_lt:long = liteServer.AccountDispatchQueueInfo',
  'liteServer.dispatchQueueInfo mode:# id:tonNode.blockIdExt account_dispatch_queues:(vector liteServer.accountDispatchQueueInfo) complete:Bool proof:mode.0?bytes = liteServer.DispatchQueueInfo',
  'liteServer.dispatchQueueMessage addr:int256 lt:long hash:int256 metadata:liteServer.transactionMetadata = liteServer.DispatchQueueMessage',
  'liteServer.dispatchQueueMessages mode:# id:tonNode.blockIdExt messages:(vector liteServer.dispatchQueueMessage) complete:Bool proof:mode.0?bytes messages_boc:mode.2?bytes = liteServer.DispatchQueueMessages',
  'liteServer.signatureSet.simplex cc_seqno:int validator_set_hash:int signatures:(vector liteServer.signature) session_id:int256 slot:int candidate:bytes = liteServer.SignatureSet',
]

/** A query is one of these functions, with or without the wait prefix. */
export const FUNCTIONS = [
  'liteServer.getMasterchainInfo = liteServer.MasterchainInfo',
  'liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt',
  'liteServer.getTime = liteServer.CurrentTime',
  'liteServer.getVersion = liteServer.Version',
  'liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData',
  'liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState',
  'liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader',
  'liteServer.sendMessage body:bytes = liteServer.SendMsgStatus',
  'liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState',
  'liteServer.getAccountStatePrunned id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState',
  'liteServer.runSmcMethod mode:# id:tonNode.blockIdExt account:liteServer.accountId method_id:long params:bytes = liteServer.RunMethodResult',
  'liteServer.getShardInfo id:tonNode.blockIdExt workchain:int shard:long exact:Bool = liteServer.ShardInfo',
  'liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo',
  'liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo',
  'liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList',
  'liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader',
  'liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult',
  'liteServer.listBlockTransactions id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactions',
  'liteServer.listBlockTransactionsExt id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactionsExt',
  'liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof',
  'liteServer.getConfigAll mode:# id:tonNode.blockIdExt = liteServer.ConfigInfo',
  'liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:(vector int) = liteServer.ConfigInfo',
  'liteServer.getLibraries library_list:(vector int256) = liteServer.LibraryResult',
  'liteServer.getLibrariesWithProof id:tonNode.blockIdExt mode:# library_list:(vector int256) = liteServer.LibraryResultWithProof',
  'liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof',
  'liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes',
  'liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true = liteServer.BlockOutMsgQueueSize',
  'liteServer.getDispatchQueueInfo mode:# id:tonNode.blockIdExt after_addr:mode.1?int256 max_accounts:int want_proof:mode.0?true = liteServer.DispatchQueueInfo',
  'liteServer.getDispatchQueueMessages mode:# id:tonNode.blockIdExt addr:int256 after_lt:long max_messages:int want_proof:mode.0?true one_account:mode.1?true messages_boc:mode.2?true = liteServer.DispatchQueueMessages',
  'liteServer.getValidatorStats#091a58bc mode:# id:tonNode.blockIdExt limit:int start_after:mode.0?int256 modified_after:mode.2?int = liteServer.ValidatorStats',
  'liteServer.nonfinal.getPendingShardBlocks mode:# wc:mode.0?int shard:mode.0?long = liteServer.nonfinal.PendingShardBlocks',
].map((line) => readLine(line, { ...NAMES, messages_boc: 'withMessages' }))

/** QUERY contains a serialized function in `data`. WAIT may precede the function. */
export const QUERY = readLine('liteServer.query data:bytes = Object')
export const WAIT = readLine('liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object')

const VARIANTS = {
  'liteServer.signatureSet.ordinary': 'ordinary',
  'liteServer.signatureSet.simplex': 'simplex',
  'liteServer.blockLinkForward': 'forward',
  'liteServer.blockLinkBack': 'back',
}

export const createLiteCodecs = () => {
  const account = readLine('liteServer.accountId workchain:int id:int256 = liteServer.AccountId', { id: 'hash' })
  const types = [...[...ids, ...records].map((line) => readLine(line, NAMES)), account]
  // A function and a type can have equal result names, so functions are looked up by their own names only.
  const results = createCodecs(types, VARIANTS)
  const args = createCodecs(
    [
      ...types,
      ...FUNCTIONS.map((each) => ({ ...each, result: each.name })),
      { ...QUERY, result: QUERY.name },
      { ...WAIT, result: WAIT.name },
    ],
    VARIANTS,
  )
  return { result: results.boxed, args: args.bare }
}
