import type { Cell } from '../../cell/cell.ts'
import type { MsgAddressInt } from '../../tlb/address.ts'
import type { MsgForwardPrices } from '../../tlb/config/prices.ts'
import type { ComputePhase, SkippedComputePhase } from '../../tlb/transaction/tr-compute.ts'
import type { BouncePhase, CreditPhase, StoragePhase } from '../../tlb/transaction/tr-phases.ts'
import { VmInterrupted } from '../machine/exceptions.ts'
import type { AccountBefore } from './account-before.ts'
import type { ActionState } from './action-phase/state.ts'
import type { ExecutorConfig } from './config.ts'
import { type Money, NO_MONEY } from './currency.ts'
import type { GasTable } from './gas.ts'
import type { InMessage } from './in-message.ts'
import type { StorageStat } from './storage-stat.ts'

/** The cause of a transaction: a message, or the start (tick) or end (tock) of a masterchain block. */
export type TransactionKind = 'message' | 'tick' | 'tock'

/** Status during a transaction. `nonexist` occurs only at the end; `deleted` becomes `nonexist`. */
export type RunStatus = 'nonexist' | 'uninit' | 'frozen' | 'active' | 'deleted'

export interface Computed {
  readonly phase: ComputePhase
  readonly skipped: SkippedComputePhase['reason'] | undefined
  readonly accepted: boolean
  readonly success: boolean
  readonly exitCode: number
  readonly gasUsed: bigint
  readonly gasFees: bigint
  readonly steps: number
  /** Committed c4 and c5; undefined if the phase did not succeed. */
  readonly data: Cell | undefined
  readonly actions: Cell | undefined
  /** Hash (hex) of the last library that was not found. */
  readonly missingLibrary: string | undefined
}

/** Returns true if the run must end. `slow`: a slow step is next; `long`: a single step that takes several milliseconds. */
export type Interrupt = ((slow: boolean, long?: boolean) => boolean) | undefined

/** Called before each step of work that needs no gas, such as an action. Throws VmInterrupted if the run must end. */
export const mayGoOn = (interrupt: Interrupt): void => {
  if (interrupt?.(false)) throw new VmInterrupted('the run was dropped')
}

/** Number of cells above which measuring takes long, because the storage dictionary needs two hashes for each cell. */
export const MANY_CELLS = 4_096

/** Called before the state of an account with so many cells is measured. Throws VmInterrupted if the run must end. */
export const mayMeasure = ({ interrupt }: TransactionRun, cells: bigint): void => {
  if (cells > MANY_CELLS && interrupt?.(true, true)) throw new VmInterrupted('the run was dropped before its account is measured')
}

/**
 * The state of a running transaction (`block::transaction::Transaction`). The phases run one after another and change it in place. Each call of the executor
 * has its own object.
 */
export class TransactionRun {
  readonly kind: TransactionKind
  readonly config: ExecutorConfig
  readonly account: AccountBefore
  readonly message: InMessage | undefined
  readonly now: number
  readonly startLt: bigint
  endLt: bigint

  status: RunStatus
  balance: Money
  /** The original balance of reserve modes +4 and +8. */
  originalBalance: Money
  /** The part of the received message's value that is not spent yet. */
  messageBalance: Money = NO_MONEY
  totalFees = 0n
  duePayment: bigint
  lastPaid: number
  code: Cell | undefined
  data: Cell | undefined
  library: Cell | undefined
  tick: boolean
  tock: boolean
  fixedPrefixLength: number
  address: MsgAddressInt

  interrupt: Interrupt
  /** The newest result of `measureState`, by the hashes of what was measured. */
  measured: { readonly key: string; readonly stat: StorageStat } | undefined

  wasActivated = false
  wasFrozen = false
  wasDeleted = false

  storage: StoragePhase | undefined
  credit: CreditPhase | undefined
  computed: Computed | undefined
  action: ActionState | undefined
  bounce: BouncePhase | undefined
  outMsgs: Cell[] = []

  constructor(
    kind: TransactionKind,
    config: ExecutorConfig,
    account: AccountBefore,
    message: InMessage | undefined,
    now: number,
    lt: bigint,
  ) {
    this.kind = kind
    this.config = config
    this.account = account
    this.message = message
    this.now = now
    const least = account.endLt > lt ? account.endLt : lt
    const created = message?.createdLt ?? 0n
    this.startLt = message !== undefined && !message.external && created >= least ? created + 1n : least
    this.endLt = this.startLt + 1n
    this.status = account.status === 'nonexist' ? 'uninit' : account.status
    this.balance = account.balance
    this.originalBalance = account.balance
    this.duePayment = account.duePayment
    this.lastPaid = account.lastPaid
    this.code = account.init.code
    this.data = account.init.data
    this.library = account.init.library
    this.tick = account.init.special?.tick ?? false
    this.tock = account.init.special?.tock ?? false
    this.fixedPrefixLength = account.init.splitDepth ?? 0
    this.address = account.address
  }

  get masterchain(): boolean {
    return this.account.id.workchain === -1
  }
  get gasTable(): GasTable {
    return this.masterchain ? this.config.gas.masterchain : this.config.gas.basechain
  }
  /** Masterchain prices if the source or the destination is in the masterchain. */
  forwardPrices(toMasterchain: boolean): MsgForwardPrices {
    return toMasterchain || this.masterchain ? this.config.forward.masterchain : this.config.forward.basechain
  }
  addGrams(nanotons: bigint): void {
    this.balance = { grams: this.balance.grams + nanotons, extra: this.balance.extra }
  }
}
