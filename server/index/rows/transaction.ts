import { ACCOUNT_STATUSES, BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../store/codes.ts'
import type { ComputePhase } from '../../tlb/tr-compute.ts'
import type { ActionPhase, BouncePhase, CreditPhase, StoragePhase } from '../../tlb/tr-phases.ts'
import type { Transaction } from '../../tlb/transaction.ts'
import type { SplitMergeInfo, TransactionDescr } from '../../tlb/transaction-descr.ts'
import type { AccountFacts } from '../account-facts.ts'
import { bool, bytes, extra, line, maybe, maybeBool, maybeBytes, NULL } from './text.ts'

type DescrType = (typeof DESCR_TYPES)[number]

const TYPES: { readonly [T in TransactionDescr['type']]: DescrType } = {
  ordinary: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
}

/** Columns of a part that is not there; parts are several columns as one text. */
const nulls = (count: number): string => line(Array.from({ length: count }, () => NULL))
const NO_STORAGE = nulls(3)
const NO_CREDIT = nulls(3)
const NO_COMPUTE = nulls(14)
const SKIPPED_COMPUTE = nulls(13)
const NO_ACTION = nulls(15)
const NO_BOUNCE = nulls(6)
const NO_BOUNCE_SIZE = nulls(5)
const NO_SPLIT = nulls(4)
const NO_STATE = nulls(5)
const ZERO_HASH = '\\\\x'.padEnd(67, '0')

const status = (name: (typeof ACCOUNT_STATUSES)[number]): string => String(ACCOUNT_STATUSES.indexOf(name))
const change = (name: (typeof STATUS_CHANGES)[number]): string => String(STATUS_CHANGES.indexOf(name))

const storage = (phase: StoragePhase | undefined): string =>
  phase === undefined ? NO_STORAGE : line([String(phase.feesCollected), maybe(phase.feesDue), change(phase.statusChange)])

const credit = (phase: CreditPhase | undefined): string =>
  phase === undefined ? NO_CREDIT : line([maybe(phase.dueFeesCollected), String(phase.credit.grams), extra(phase.credit.other)])

/** A hash that validators leave zero is null. */
const stateHash = (hash: Uint8Array): string => {
  const text = bytes(hash)
  return text === ZERO_HASH ? NULL : text
}

const compute = (phase: ComputePhase | undefined): string => {
  if (phase === undefined) return NO_COMPUTE
  if (phase.type === 'skipped') return line([String(SKIP_REASONS.indexOf(phase.reason)), SKIPPED_COMPUTE])
  return line([
    NULL,
    bool(phase.success),
    bool(phase.msgStateUsed),
    bool(phase.accountActivated),
    String(phase.gasFees),
    String(phase.gasUsed),
    String(phase.gasLimit),
    maybe(phase.gasCredit),
    String(phase.mode),
    String(phase.exitCode),
    maybe(phase.exitArg),
    String(phase.vmSteps),
    stateHash(phase.vmInitStateHash),
    stateHash(phase.vmFinalStateHash),
  ])
}

const action = (phase: ActionPhase | undefined): string =>
  phase === undefined
    ? NO_ACTION
    : line([
        bool(phase.success),
        bool(phase.valid),
        bool(phase.noFunds),
        change(phase.statusChange),
        maybe(phase.totalFwdFees),
        maybe(phase.totalActionFees),
        String(phase.resultCode),
        maybe(phase.resultArg),
        String(phase.totActions),
        String(phase.specActions),
        String(phase.skippedActions),
        String(phase.msgsCreated),
        bytes(phase.actionListHash),
        String(phase.totMsgSize.cells),
        String(phase.totMsgSize.bits),
      ])

const bounce = (phase: BouncePhase | undefined): string => {
  if (phase === undefined) return NO_BOUNCE
  const type = String(BOUNCE_TYPES.indexOf(phase.type))
  if (phase.type === 'negfunds') return line([type, NO_BOUNCE_SIZE])
  const [cells, bits] = [String(phase.msgSize.cells), String(phase.msgSize.bits)]
  if (phase.type === 'nofunds') return line([type, cells, bits, String(phase.reqFwdFees), NULL, NULL])
  return line([type, cells, bits, NULL, String(phase.msgFees), String(phase.fwdFees)])
}

const split = (info: SplitMergeInfo | undefined): string =>
  info === undefined
    ? NO_SPLIT
    : line([String(info.curShardPfxLen), String(info.accSplitDepth), bytes(info.thisAddr), bytes(info.siblingAddr)])

/** Any description: members that a type does not have are undefined. */
interface AnyDescr {
  readonly aborted?: boolean
  readonly destroyed?: boolean
  readonly creditFirst?: boolean
  readonly isTock?: boolean
  readonly installed?: boolean
  readonly storage?: StoragePhase | undefined
  readonly credit?: CreditPhase | undefined
  readonly compute?: ComputePhase
  readonly action?: ActionPhase | undefined
  readonly bounce?: BouncePhase | undefined
  readonly split?: SplitMergeInfo
}

const description = (descr: TransactionDescr): string => {
  const all: AnyDescr = descr
  return line([
    String(DESCR_TYPES.indexOf(TYPES[descr.type])),
    maybeBool(all.aborted),
    maybeBool(all.destroyed),
    maybeBool(all.creditFirst),
    maybeBool(all.isTock),
    maybeBool(all.installed),
    storage(all.storage),
    credit(all.credit),
    compute(all.compute),
    action(all.action),
    bounce(all.bounce),
    split(all.split),
  ])
}

const stateAfter = (after: AccountFacts | undefined): string =>
  after === undefined
    ? NO_STATE
    : line([
        String(after.balance),
        extra(after.extra),
        maybeBytes(after.codeHash),
        maybeBytes(after.dataHash),
        maybeBytes(after.frozenHash),
      ])

export interface TransactionPlace {
  readonly account: string
  readonly hash: string
  readonly traceId: string
  readonly mcSeqno: number
  readonly workchain: number
  readonly shard: bigint
  readonly blockSeqno: number
}

/** A row of transactions. `after`: the account as the block leaves it, given for its last transaction in the block. */
export const transactionRow = (tx: Transaction, place: TransactionPlace, after: AccountFacts | undefined): string =>
  line([
    place.account,
    String(tx.lt),
    place.hash,
    place.traceId,
    String(place.mcSeqno),
    String(place.workchain),
    BigInt.asIntN(64, place.shard).toString(),
    String(place.blockSeqno),
    String(tx.now),
    bytes(tx.prevTransHash),
    String(tx.prevTransLt),
    status(tx.origStatus),
    status(tx.endStatus),
    String(tx.totalFees.grams),
    extra(tx.totalFees.other),
    bytes(tx.stateUpdate.oldHash),
    bytes(tx.stateUpdate.newHash),
    stateAfter(after),
    description(tx.description),
  ])
