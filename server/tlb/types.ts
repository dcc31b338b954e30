/* Decoded TL-B records as plain data; each type stands beside its loader and storer. Amounts are nanotons, times unix seconds. */

export type { ExternAddress, MsgAddressExt, MsgAddressInt, StdAddress, VarAddress } from './address.ts'
export type { AccountBlock } from './block/account-block.ts'
export type { Block, BlockExtra, StateUpdate } from './block/block.ts'
export type { BlockInfo, GlobalVersion } from './block/block-info.ts'
export type { BlockProof, BlockSignatures } from './block/block-proof.ts'
export type { CryptoSignature, CryptoSignaturePair } from './block/crypto-signature.ts'
export type { ExtBlkRef } from './block/ext-blk-ref.ts'
export type { InMsg } from './block/in-msg.ts'
export type { ImportFees } from './block/in-msg-descr.ts'
export type { McBlockExtra } from './block/mc-block-extra.ts'
export type { OutMsg } from './block/out-msg.ts'
export type { FutureSplitMerge, ShardDescr } from './block/shard-descr.ts'
export type { ShardFeeCreated } from './block/shard-fees.ts'
export type { ShardEntry } from './block/shard-hashes.ts'
export type { ShardIdent } from './block/shard-ident.ts'
export type { ValueFlow } from './block/value-flow.ts'
export type { ValidatorDescr, ValidatorSet } from './config/validator-set.ts'
export type { CurrencyCollection } from './currency.ts'
export type { Message, MessageLayout, MessageParts } from './message/message.ts'
export type { ExternalInMessageInfo, ExternalOutMessageInfo, InternalMessageInfo, MessageInfo } from './message/message-info.ts'
export type { IntermediateAddress, MsgEnvelope, MsgMetadata } from './message/msg-envelope.ts'
export type { Account, AccountState, StorageInfo } from './state/account.ts'
export type { BlockCreateStats, Counters, CreatorStats } from './state/block-create-stats.ts'
export type { LibDescr } from './state/lib-descr.ts'
export type { ConfigParams, McStateExtra, ValidatorInfo } from './state/mc-state-extra.ts'
export type { KeyExtBlkRef, KeyMaxLt } from './state/old-mc-blocks.ts'
export type { AccountDispatchQueue, EnqueuedMsg, OutMsgQueueExtra, OutMsgQueueInfo, ProcessedUpto } from './state/out-msg-queue.ts'
export type { DepthBalanceInfo, ShardAccount } from './state/shard-account.ts'
export type { ShardState, ShardStateTotals } from './state/shard-state.ts'
export type { SimpleLib, StateInit } from './state/state-init.ts'
export type { HashUpdate } from './transaction/hash-update.ts'
export type { ComputePhase, SkippedComputePhase, VmComputePhase } from './transaction/tr-compute.ts'
export type { AccStatusChange, ActionPhase, BouncePhase, CreditPhase, StoragePhase, StorageUsed } from './transaction/tr-phases.ts'
export type { AccountStatus, Transaction, TransactionParts } from './transaction/transaction.ts'
export type {
  MergeInstallDescr,
  OrdinaryDescr,
  SplitMergeInfo,
  SplitPrepareDescr,
  TickTockDescr,
  TransactionDescr,
} from './transaction/transaction-descr.ts'
export type { VmContKind, VmStackValue } from './vm-stack/value.ts'
