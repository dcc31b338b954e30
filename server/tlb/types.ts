/* Decoded TL-B records as plain data; each type stands beside its loader and storer. Amounts are nanotons, times unix seconds. */

export type { Account, AccountState, StorageInfo } from './account.ts'
export type { AccountBlock } from './account-block.ts'
export type { ExternAddress, MsgAddressExt, MsgAddressInt, StdAddress, VarAddress } from './address.ts'
export type { Block, BlockExtra, StateUpdate } from './block.ts'
export type { BlockCreateStats, Counters, CreatorStats } from './block-create-stats.ts'
export type { BlockInfo, GlobalVersion } from './block-info.ts'
export type { BlockProof, BlockSignatures } from './block-proof.ts'
export type { CryptoSignature, CryptoSignaturePair } from './crypto-signature.ts'
export type { CurrencyCollection } from './currency.ts'
export type { ExtBlkRef } from './ext-blk-ref.ts'
export type { HashUpdate } from './hash-update.ts'
export type { InMsg } from './in-msg.ts'
export type { ImportFees } from './in-msg-descr.ts'
export type { LibDescr } from './lib-descr.ts'
export type { McBlockExtra } from './mc-block-extra.ts'
export type { ConfigParams, McStateExtra, ValidatorInfo } from './mc-state-extra.ts'
export type { Message, MessageLayout, MessageParts } from './message.ts'
export type { ExternalInMessageInfo, ExternalOutMessageInfo, InternalMessageInfo, MessageInfo } from './message-info.ts'
export type { IntermediateAddress, MsgEnvelope, MsgMetadata } from './msg-envelope.ts'
export type { KeyExtBlkRef, KeyMaxLt } from './old-mc-blocks.ts'
export type { OutMsg } from './out-msg.ts'
export type { AccountDispatchQueue, EnqueuedMsg, OutMsgQueueExtra, OutMsgQueueInfo, ProcessedUpto } from './out-msg-queue.ts'
export type { DepthBalanceInfo, ShardAccount } from './shard-account.ts'
export type { FutureSplitMerge, ShardDescr } from './shard-descr.ts'
export type { ShardFeeCreated } from './shard-fees.ts'
export type { ShardEntry } from './shard-hashes.ts'
export type { ShardIdent } from './shard-ident.ts'
export type { ShardState, ShardStateTotals } from './shard-state.ts'
export type { SimpleLib, StateInit } from './state-init.ts'
export type { ComputePhase, SkippedComputePhase, VmComputePhase } from './tr-compute.ts'
export type { AccStatusChange, ActionPhase, BouncePhase, CreditPhase, StoragePhase, StorageUsed } from './tr-phases.ts'
export type { AccountStatus, Transaction, TransactionParts } from './transaction.ts'
export type {
  MergeInstallDescr,
  OrdinaryDescr,
  SplitMergeInfo,
  SplitPrepareDescr,
  TickTockDescr,
  TransactionDescr,
} from './transaction-descr.ts'
export type { ValidatorDescr, ValidatorSet } from './validator-set.ts'
export type { ValueFlow } from './value-flow.ts'
export type { VmContKind, VmStackValue } from './vm-stack-value.ts'
