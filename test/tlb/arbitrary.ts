import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import type { ExternAddress, StdAddress } from '../../server/tlb/address.ts'
import type { CurrencyCollection } from '../../server/tlb/currency.ts'
import type { MessageParts } from '../../server/tlb/message/message.ts'
import type { MessageInfo } from '../../server/tlb/message/message-info.ts'
import type { StateInit } from '../../server/tlb/state/state-init.ts'
import type { ComputePhase } from '../../server/tlb/transaction/tr-compute.ts'
import type { ActionPhase, BouncePhase, CreditPhase, StoragePhase, StorageUsed } from '../../server/tlb/transaction/tr-phases.ts'
import type { AccountStatus } from '../../server/tlb/transaction/transaction.ts'
import type { SplitMergeInfo, TransactionDescr } from '../../server/tlb/transaction/transaction-descr.ts'
import { type Arbitrary, fc } from '../kit/property.ts'
import { storeLibraries } from '../kit/tlb/state.ts'
import type { TransactionParts } from '../kit/tlb/transaction.ts'

/* Any record of a kind, valid by its schema. */

const maybe = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })
const uint = (bits: number): Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 })
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const big = (bits: bigint): Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << bits) - 1n })
export const coins = fc.oneof(big(8n), big(64n))
export const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
export const lt = big(64n)

/** A small cell: up to `bits` bits and two small children. */
export const cell = (bits = 400): Arbitrary<Cell> =>
  fc.tuple(fc.uint8Array({ maxLength: bits >> 3 }), fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 2 })).map(([data, children]) => {
    const b = beginCell().storeBytes(data)
    for (const child of children) b.storeRef(beginCell().storeBytes(child).end())
    return b.end()
  })

export const address: Arbitrary<StdAddress> = fc
  .tuple(fc.integer({ min: -128, max: 127 }), hash)
  .map(([workchain, id]) => ({ type: 'std', workchain, hash: id }))
export const extern: Arbitrary<ExternAddress> = fc.integer({ min: 0, max: 511 }).chain((bits) =>
  fc.uint8Array({ minLength: (bits + 7) >> 3, maxLength: (bits + 7) >> 3 }).map((data) => {
    if (bits & 7) data[data.length - 1]! &= 0xff00 >> (bits & 7)
    return { type: 'extern', bits, data }
  }),
)
export const currency: Arbitrary<CurrencyCollection> = fc.record({
  grams: fc.oneof(coins, big(120n)),
  other: maybe(
    fc
      .uniqueArray(fc.tuple(uint(32), big(248n)), { minLength: 1, maxLength: 4, selector: ([id]) => id })
      .map((entries) => new Map(entries.sort(([a], [b]) => a - b))),
  ),
})
const library: Arbitrary<Cell | undefined> = fc
  .uniqueArray(fc.tuple(big(256n), fc.record({ public: fc.boolean(), root: cell(64) })), { maxLength: 3, selector: ([key]) => key })
  .map((entries) => storeLibraries([...new Map(entries)]))
export const stateInit: Arbitrary<StateInit> = fc.record({
  splitDepth: maybe(uint(5)),
  special: maybe(fc.record({ tick: fc.boolean(), tock: fc.boolean() })),
  code: maybe(cell()),
  data: maybe(cell()),
  library,
})

const messageInfo: Arbitrary<MessageInfo> = fc.oneof(
  fc.record({
    type: fc.constant('internal' as const),
    ihrDisabled: fc.boolean(),
    bounce: fc.boolean(),
    bounced: fc.boolean(),
    src: address,
    dest: address,
    value: currency,
    ihrFee: coins,
    fwdFee: coins,
    createdLt: lt,
    createdAt: uint(32),
  }),
  fc.record({ type: fc.constant('external-in' as const), src: maybe(extern), dest: address, importFee: coins }),
  fc.record({ type: fc.constant('external-out' as const), src: address, dest: maybe(extern), createdLt: lt, createdAt: uint(32) }),
)
export const message: Arbitrary<MessageParts> = fc.record({ info: messageInfo, init: maybe(stateInit), body: cell(900) })

const used: Arbitrary<StorageUsed> = fc.record({ cells: big(48n), bits: big(48n) })
const change = fc.constantFrom('unchanged' as const, 'frozen' as const, 'deleted' as const)
const storage: Arbitrary<StoragePhase> = fc.record({ feesCollected: coins, feesDue: maybe(coins), statusChange: change })
const credit: Arbitrary<CreditPhase> = fc.record({ dueFeesCollected: maybe(coins), credit: currency })
// Without cskip_suspended, which @ton/core does not know.
const compute: Arbitrary<ComputePhase> = fc.oneof(
  fc.record({
    type: fc.constant('skipped' as const),
    reason: fc.constantFrom('no_state' as const, 'bad_state' as const, 'no_gas' as const),
  }),
  fc.record({
    type: fc.constant('vm' as const),
    success: fc.boolean(),
    msgStateUsed: fc.boolean(),
    accountActivated: fc.boolean(),
    gasFees: coins,
    gasUsed: big(48n),
    gasLimit: big(48n),
    gasCredit: maybe(uint(16)),
    mode: fc.integer({ min: -128, max: 127 }),
    exitCode: int32,
    exitArg: maybe(int32),
    vmSteps: uint(32),
    vmInitStateHash: hash,
    vmFinalStateHash: hash,
  }),
)
const action: Arbitrary<ActionPhase> = fc.record({
  success: fc.boolean(),
  valid: fc.boolean(),
  noFunds: fc.boolean(),
  statusChange: change,
  totalFwdFees: maybe(coins),
  totalActionFees: maybe(coins),
  resultCode: int32,
  resultArg: maybe(int32),
  totActions: uint(16),
  specActions: uint(16),
  skippedActions: uint(16),
  msgsCreated: uint(16),
  actionListHash: hash,
  totMsgSize: used,
})
const bounce: Arbitrary<BouncePhase> = fc.oneof(
  fc.record({ type: fc.constant('negfunds' as const) }),
  fc.record({ type: fc.constant('nofunds' as const), msgSize: used, reqFwdFees: coins }),
  fc.record({ type: fc.constant('ok' as const), msgSize: used, msgFees: coins, fwdFees: coins }),
)
const split: Arbitrary<SplitMergeInfo> = fc.record({ curShardPfxLen: uint(6), accSplitDepth: uint(6), thisAddr: hash, siblingAddr: hash })
const ends = { aborted: fc.boolean(), destroyed: fc.boolean() }

/** The kinds that @ton/core reads too, and then the two merge kinds, which it does not. `prepared`: the transaction inside an install. */
export const descr = (
  prepared: Arbitrary<Cell>,
): { readonly common: Arbitrary<TransactionDescr>; readonly merge: Arbitrary<TransactionDescr> } => ({
  common: fc.oneof(
    fc.record({
      type: fc.constant('ordinary' as const),
      creditFirst: fc.boolean(),
      storage: maybe(storage),
      credit: maybe(credit),
      compute,
      action: maybe(action),
      bounce: maybe(bounce),
      ...ends,
    }),
    fc.record({ type: fc.constant('storage' as const), storage }),
    fc.record({ type: fc.constant('tick-tock' as const), isTock: fc.boolean(), storage, compute, action: maybe(action), ...ends }),
    fc.record({ type: fc.constant('split-prepare' as const), split, storage: maybe(storage), compute, action: maybe(action), ...ends }),
    fc.record({ type: fc.constant('split-install' as const), split, prepareTransaction: prepared, installed: fc.boolean() }),
  ),
  merge: fc.oneof(
    fc.record({ type: fc.constant('merge-prepare' as const), split, storage, aborted: fc.boolean() }),
    fc.record({
      type: fc.constant('merge-install' as const),
      split,
      prepareTransaction: prepared,
      storage: maybe(storage),
      credit: maybe(credit),
      compute,
      action: maybe(action),
      ...ends,
    }),
  ),
})

const status: Arbitrary<AccountStatus> = fc.constantFrom('uninit' as const, 'frozen' as const, 'active' as const, 'nonexist' as const)
export const transaction = (description: Arbitrary<TransactionDescr>): Arbitrary<TransactionParts> =>
  fc.record({
    account: hash,
    lt,
    prevTransHash: hash,
    prevTransLt: lt,
    now: uint(32),
    outMsgCount: uint(15),
    origStatus: status,
    endStatus: status,
    inMsg: maybe(message),
    outMsgs: fc.array(message, { maxLength: 5 }),
    totalFees: currency,
    stateUpdate: fc.record({ oldHash: hash, newHash: hash }),
    description,
  })
