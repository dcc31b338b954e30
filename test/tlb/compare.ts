import type {
  Address as CoreAddress,
  CurrencyCollection as CoreCurrency,
  Message as CoreMessage,
  SplitMergeInfo as CoreSplit,
  StateInit as CoreStateInit,
  Transaction as CoreTransaction,
  ExternalAddress,
  TransactionActionPhase,
  TransactionBouncePhase,
  TransactionComputePhase,
  TransactionCreditPhase,
  TransactionStoragePhase,
} from '@ton/core'
import type { ExternAddress, MsgAddressInt } from '../../server/tlb/address.ts'
import type { CurrencyCollection } from '../../server/tlb/currency.ts'
import type { Message } from '../../server/tlb/message/message.ts'
import type { StateInit } from '../../server/tlb/state/state-init.ts'
import type { ComputePhase } from '../../server/tlb/transaction/tr-compute.ts'
import type { ActionPhase, BouncePhase, CreditPhase, StoragePhase } from '../../server/tlb/transaction/tr-phases.ts'
import type { Transaction } from '../../server/tlb/transaction/transaction.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import type { SplitMergeInfo } from '../../server/tlb/transaction/transaction-descr.ts'
import { hex } from './data.ts'

/*
 * Our records and those of @ton/core brought to one shape, so that equality is field by field: numbers and hashes as text, absent as null.
 * Cells are compared by hash.
 */

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

const text = (value: bigint | number | undefined | null): Plain => (value === undefined || value === null ? null : value.toString())
const hash256 = (value: bigint): string => value.toString(16).padStart(64, '0')
const status = (value: string): Plain => ({ uninitialized: 'uninit', 'non-existing': 'nonexist' })[value] ?? value

const ownAddress = (address: MsgAddressInt | undefined): Plain => {
  if (address === undefined) return null
  if (address.type !== 'std') throw new Error('@ton/core reads addr_std only')
  return `${address.workchain}:${hex(address.hash)}`
}
const coreAddress = (address: CoreAddress | null | undefined): Plain => address?.toRawString() ?? null
const ownExtern = (address: ExternAddress | undefined): Plain => (address === undefined ? null : `${address.bits}:${hex(address.data)}`)
const coreExtern = (address: ExternalAddress | null | undefined): Plain => {
  if (!address) return null
  const pad = (8 - (address.bits % 8)) % 8
  return `${address.bits}:${address.bits === 0 ? '' : (address.value << BigInt(pad)).toString(16).padStart(Math.ceil(address.bits / 8) * 2, '0')}`
}

const ownCurrency = (value: CurrencyCollection): Plain => ({
  coins: value.grams.toString(),
  other: [...(value.other ?? [])].map(([id, amount]) => [id, amount.toString()]),
})
const coreCurrency = (value: CoreCurrency): Plain => ({
  coins: value.coins.toString(),
  other: [...(value.other ?? [])].map(([id, amount]) => [id, amount.toString()]).sort(([a], [b]) => Number(a) - Number(b)) as Plain[],
})

const ownInit = (init: StateInit | undefined): Plain =>
  init === undefined
    ? null
    : {
        splitDepth: text(init.splitDepth),
        special: init.special ? { tick: init.special.tick, tock: init.special.tock } : null,
        code: init.code?.hashHex() ?? null,
        data: init.data?.hashHex() ?? null,
        library: init.library !== undefined,
      }
const coreInit = (init: CoreStateInit | null | undefined): Plain =>
  !init
    ? null
    : {
        splitDepth: text(init.splitDepth),
        special: init.special ? { tick: init.special.tick, tock: init.special.tock } : null,
        code: init.code?.hash().toString('hex') ?? null,
        data: init.data?.hash().toString('hex') ?? null,
        library: (init.libraries?.size ?? 0) > 0,
      }

export const ownMessage = (message: Message | undefined): Plain => {
  if (message === undefined) return null
  const { info } = message
  const rest = { init: ownInit(message.init), body: message.body.hashHex() }
  switch (info.type) {
    case 'internal':
      return {
        type: info.type,
        flags: [info.ihrDisabled, info.bounce, info.bounced],
        src: ownAddress(info.src),
        dest: ownAddress(info.dest),
        value: ownCurrency(info.value),
        fees: [info.ihrFee.toString(), info.fwdFee.toString()],
        created: [info.createdLt.toString(), info.createdAt],
        ...rest,
      }
    case 'external-in':
      return { type: info.type, src: ownExtern(info.src), dest: ownAddress(info.dest), importFee: info.importFee.toString(), ...rest }
    case 'external-out':
      return {
        type: info.type,
        src: ownAddress(info.src),
        dest: ownExtern(info.dest),
        created: [info.createdLt.toString(), info.createdAt],
        ...rest,
      }
  }
}
export const coreMessage = (message: CoreMessage | null | undefined): Plain => {
  if (!message) return null
  const { info } = message
  const rest = { init: coreInit(message.init), body: message.body.hash().toString('hex') }
  switch (info.type) {
    case 'internal':
      return {
        type: info.type,
        flags: [info.ihrDisabled, info.bounce, info.bounced],
        src: coreAddress(info.src),
        dest: coreAddress(info.dest),
        value: coreCurrency(info.value),
        fees: [info.ihrFee.toString(), info.forwardFee.toString()],
        created: [info.createdLt.toString(), info.createdAt],
        ...rest,
      }
    case 'external-in':
      return { type: info.type, src: coreExtern(info.src), dest: coreAddress(info.dest), importFee: info.importFee.toString(), ...rest }
    case 'external-out':
      return {
        type: info.type,
        src: coreAddress(info.src),
        dest: coreExtern(info.dest),
        created: [info.createdLt.toString(), info.createdAt],
        ...rest,
      }
  }
}

const ownStorage = (phase: StoragePhase | undefined): Plain =>
  phase === undefined ? null : { collected: text(phase.feesCollected), due: text(phase.feesDue), change: phase.statusChange }
const coreStorage = (phase: TransactionStoragePhase | null | undefined): Plain =>
  !phase ? null : { collected: text(phase.storageFeesCollected), due: text(phase.storageFeesDue), change: phase.statusChange }

const ownCredit = (phase: CreditPhase | undefined): Plain =>
  phase === undefined ? null : { due: text(phase.dueFeesCollected), credit: ownCurrency(phase.credit) }
const coreCredit = (phase: TransactionCreditPhase | null | undefined): Plain =>
  !phase ? null : { due: text(phase.dueFeesColelcted), credit: coreCurrency(phase.credit) }

const ownCompute = (phase: ComputePhase): Plain =>
  phase.type === 'skipped'
    ? { type: 'skipped', reason: phase.reason }
    : {
        type: 'vm',
        flags: [phase.success, phase.msgStateUsed, phase.accountActivated],
        gas: [phase.gasFees, phase.gasUsed, phase.gasLimit, phase.gasCredit].map(text),
        exit: [phase.mode, phase.exitCode, phase.exitArg, phase.vmSteps].map(text),
        hashes: [hex(phase.vmInitStateHash), hex(phase.vmFinalStateHash)],
      }
const coreCompute = (phase: TransactionComputePhase): Plain =>
  phase.type === 'skipped'
    ? {
        type: 'skipped',
        reason: { 'no-state': 'no_state', 'bad-state': 'bad_state', 'no-gas': 'no_gas', suspended: 'suspended' }[phase.reason],
      }
    : {
        type: 'vm',
        flags: [phase.success, phase.messageStateUsed, phase.accountActivated],
        gas: [phase.gasFees, phase.gasUsed, phase.gasLimit, phase.gasCredit].map(text),
        // mode is int8 in the schema; @ton/core reads it unsigned.
        exit: [(phase.mode << 24) >> 24, phase.exitCode, phase.exitArg, phase.vmSteps].map(text),
        hashes: [hash256(phase.vmInitStateHash), hash256(phase.vmFinalStateHash)],
      }

const ownAction = (phase: ActionPhase | undefined): Plain =>
  phase === undefined
    ? null
    : {
        flags: [phase.success, phase.valid, phase.noFunds, phase.statusChange],
        fees: [text(phase.totalFwdFees), text(phase.totalActionFees)],
        result: [text(phase.resultCode), text(phase.resultArg)],
        counts: [phase.totActions, phase.specActions, phase.skippedActions, phase.msgsCreated],
        hash: hex(phase.actionListHash),
        size: [text(phase.totMsgSize.cells), text(phase.totMsgSize.bits)],
      }
const coreAction = (phase: TransactionActionPhase | null | undefined): Plain =>
  !phase
    ? null
    : {
        flags: [phase.success, phase.valid, phase.noFunds, phase.statusChange],
        fees: [text(phase.totalFwdFees), text(phase.totalActionFees)],
        result: [text(phase.resultCode), text(phase.resultArg)],
        counts: [phase.totalActions, phase.specActions, phase.skippedActions, phase.messagesCreated],
        hash: hash256(phase.actionListHash),
        size: [text(phase.totalMessageSize.cells), text(phase.totalMessageSize.bits)],
      }

const ownBounce = (phase: BouncePhase | undefined): Plain => {
  if (phase === undefined || phase.type === 'negfunds') return phase === undefined ? null : { type: 'negfunds' }
  const size = [text(phase.msgSize.cells), text(phase.msgSize.bits)]
  return phase.type === 'ok'
    ? { type: 'ok', size, fees: [text(phase.msgFees), text(phase.fwdFees)] }
    : { type: 'nofunds', size, fees: text(phase.reqFwdFees) }
}
const coreBounce = (phase: TransactionBouncePhase | null | undefined): Plain => {
  if (!phase) return null
  if (phase.type === 'negative-funds') return { type: 'negfunds' }
  const size = [text(phase.messageSize.cells), text(phase.messageSize.bits)]
  return phase.type === 'ok'
    ? { type: 'ok', size, fees: [text(phase.messageFees), text(phase.forwardFees)] }
    : { type: 'nofunds', size, fees: text(phase.requiredForwardFees) }
}

const ownSplit = (info: SplitMergeInfo): Plain => [info.curShardPfxLen, info.accSplitDepth, hex(info.thisAddr), hex(info.siblingAddr)]
const coreSplit = (info: CoreSplit): Plain => [
  info.currentShardPrefixLength,
  info.accountSplitDepth,
  hash256(info.thisAddress),
  hash256(info.siblingAddress),
]

const ownDescr = (tx: Transaction): Plain => {
  const d = tx.description
  switch (d.type) {
    case 'ordinary':
      return {
        type: d.type,
        creditFirst: d.creditFirst,
        storage: ownStorage(d.storage),
        credit: ownCredit(d.credit),
        compute: ownCompute(d.compute),
        action: ownAction(d.action),
        bounce: ownBounce(d.bounce),
        ends: [d.aborted, d.destroyed],
      }
    case 'storage':
      return { type: d.type, storage: ownStorage(d.storage) }
    case 'tick-tock':
    case 'split-prepare':
      return {
        type: d.type,
        which: d.type === 'tick-tock' ? d.isTock : ownSplit(d.split),
        storage: ownStorage(d.storage),
        compute: ownCompute(d.compute),
        action: ownAction(d.action),
        ends: [d.aborted, d.destroyed],
      }
    case 'split-install':
      return {
        type: d.type,
        which: ownSplit(d.split),
        prepare: ownTransaction(loadTransaction(d.prepareTransaction)),
        installed: d.installed,
      }
    default:
      throw new Error(`@ton/core does not read ${d.type}`)
  }
}
const coreDescr = (tx: CoreTransaction): Plain => {
  const d = tx.description
  switch (d.type) {
    case 'generic':
      return {
        type: 'ordinary',
        creditFirst: d.creditFirst,
        storage: coreStorage(d.storagePhase),
        credit: coreCredit(d.creditPhase),
        compute: coreCompute(d.computePhase),
        action: coreAction(d.actionPhase),
        bounce: coreBounce(d.bouncePhase),
        ends: [d.aborted, d.destroyed],
      }
    case 'storage':
      return { type: d.type, storage: coreStorage(d.storagePhase) }
    case 'tick-tock':
    case 'split-prepare':
      return {
        type: d.type,
        which: d.type === 'tick-tock' ? d.isTock : coreSplit(d.splitInfo),
        storage: coreStorage(d.storagePhase),
        compute: coreCompute(d.computePhase),
        action: coreAction(d.actionPhase),
        ends: [d.aborted, d.destroyed],
      }
    case 'split-install':
      return { type: d.type, which: coreSplit(d.splitInfo), prepare: coreTransaction(d.prepareTransaction), installed: d.installed }
    default:
      throw new Error(`@ton/core calls it ${d.type}`)
  }
}

export const ownTransaction = (tx: Transaction): Plain => ({
  hash: tx.root.hashHex(),
  account: hex(tx.account),
  lt: tx.lt.toString(),
  prev: [hex(tx.prevTransHash), tx.prevTransLt.toString()],
  now: tx.now,
  count: tx.outMsgCount,
  status: [tx.origStatus, tx.endStatus],
  inMsg: ownMessage(tx.inMsg),
  outMsgs: tx.outMsgs.map(ownMessage),
  fees: ownCurrency(tx.totalFees),
  update: [hex(tx.stateUpdate.oldHash), hex(tx.stateUpdate.newHash)],
  description: ownDescr(tx),
})
export const coreTransaction = (tx: CoreTransaction): Plain => ({
  hash: tx.hash().toString('hex'),
  account: hash256(tx.address),
  lt: tx.lt.toString(),
  prev: [hash256(tx.prevTransactionHash), tx.prevTransactionLt.toString()],
  now: tx.now,
  count: tx.outMessagesCount,
  status: [status(tx.oldStatus), status(tx.endStatus)],
  inMsg: coreMessage(tx.inMessage),
  outMsgs: tx.outMessages.values().map(coreMessage),
  fees: coreCurrency(tx.totalFees),
  update: [tx.stateUpdate.oldHash.toString('hex'), tx.stateUpdate.newHash.toString('hex')],
  description: coreDescr(tx),
})
