import { Cell, EMPTY_CELL } from '../../cell/cell.ts'
import { LIBRARY, ORDINARY, PRUNED, typeOf } from '../../cell/meta-word.ts'
import { Slice } from '../../cell/slice.ts'
import { V_LIBRARY_ONCE } from '../versions.ts'
import { VmBuilder } from './builder.ts'
import { Continuation, EXCEPTION_QUIT, QUIT_0, QUIT_1, QUIT_11 } from './continuation.ts'
import type { DebugTexts } from './debug-texts.ts'
import type { Block } from './decoded-code.ts'
import { CELL_UNDERFLOW, INTEGER_OVERFLOW, NO_GAS, RANGE_CHECK, STACK_UNDERFLOW, TYPE_CHECK, VmFatal, VmInterrupted } from './exceptions.ts'
import { isNaNInteger } from './integer.ts'
import type { Libraries } from './libraries.ts'
import { type Integer, isTuple, type Tuple, type Value } from './value.ts'

const LOAD_GAS = 100
const RELOAD_GAS = 25
/** Number of stack entries that are moved for free. */
const FREE_STACK = 32
/** Gas between two calls of `interrupt`. */
const CHECK_GAS = 5_000
const FREE_SIGNATURES = 10
const SIGNATURE_GAS = 4_000

/** Options of a RUNVM child. */
export interface ChildTerms {
  readonly returnData: boolean
  readonly returnActions: boolean
  readonly returnGas: boolean
  /** True if the child counts gas and loads separately from its parent. */
  readonly isolated: boolean
  /** Values to return; -1 for all. */
  readonly returnValues: number
}

export class Machine {
  stack: Value[]
  /** `block` is the running code, and `ip` the index of its next instruction. */
  block: Block
  ip = 0
  c0: Continuation = QUIT_0
  c1: Continuation = QUIT_1
  c2: Continuation = EXCEPTION_QUIT
  c3: Continuation = QUIT_11
  c4: Cell
  c5: Cell = EMPTY_CELL
  c7: Tuple
  committed4: Cell | undefined
  committed5: Cell | undefined

  gas: number
  /** Below this amount of gas, `lowGas` is called: either `interrupt` is due, or gas is out. */
  floor: number
  gasBase: number
  gasLimit: number
  gasMax: number
  gasCredit: number
  steps = 0
  readonly version: number
  running = true
  exit = 0

  loaded = new Set<string>()
  libraries: Libraries
  signatures = 0
  extraBalances = 0
  freeGas = 0
  maxDataDepth = 512
  /** True if signature checks always return true, for fee estimates. */
  assumeSignaturesValid = false
  /** True if ACCEPT and SETGASLIMIT end the run. */
  stopOnAccept = false
  /** True if the cells come from a Merkle proof. Hashes and levels are then those of the original cells, and a pruned cell ends the run. */
  virtual = false
  /**
   * Called between instructions, and before each operation on a curve (`slow`). `long` means that the operation takes a millisecond or more. Returns true to
   * drop the run.
   */
  interrupt: ((slow: boolean, long?: boolean) => boolean) | undefined
  /** Gas that loads may still cost within a cheap GETEXTRABALANCE; -1 outside of this instruction. */
  cheap = -1
  /** If set, `open` appends each cell that it opens. It is set during the look-up of a method. */
  onLoad: Cell[] | undefined
  /** If set, HASHCU and HASHBU append the cells that they hash. */
  hashed: Cell[] | undefined
  debug: DebugTexts | undefined
  parent: Machine | undefined
  terms: ChildTerms | undefined
  /** Set by RUNVM: the machine that runs next. */
  child: Machine | undefined

  constructor(
    block: Block,
    stack: Value[],
    data: Cell,
    c7: Tuple,
    version: number,
    libraries: Libraries,
    limit: number,
    max: number,
    credit: number,
  ) {
    this.block = block
    this.stack = stack
    this.c4 = data
    this.c7 = c7
    this.version = version
    this.libraries = libraries
    this.gasLimit = limit
    this.gasMax = max
    this.gasCredit = credit
    this.gasBase = limit + credit
    this.gas = this.gasBase
    this.floor = Math.max(0, this.gas - CHECK_GAS)
  }

  use(amount: number): void {
    this.gas -= amount
    if (this.gas < this.floor) this.lowGas()
  }

  lowGas(): void {
    if (this.gas < 0) throw NO_GAS
    this.floor = Math.max(0, this.gas - CHECK_GAS)
    if (this.interrupt?.(false)) throw new VmInterrupted('the run was dropped')
  }

  /** Must be called before an operation that takes hundreds of microseconds. `long` means a millisecond or more. */
  beforeSlow(long = true): void {
    if (this.interrupt?.(true, long)) throw new VmInterrupted('the run was dropped before a slow instruction')
  }

  get gasConsumed(): number {
    return this.gasBase - this.gas
  }

  /** Sets a new gas limit and clears the credit (ACCEPT, SETGASLIMIT). */
  changeGasLimit(limit: number): void {
    this.gasCredit = 0
    this.gasLimit = Math.min(Math.max(limit, 0), this.gasMax)
    this.changeGasBase(this.gasLimit)
  }

  /** Changes the total amount of gas. The consumed gas, and the gas until `interrupt` is due, stay the same. */
  changeGasBase(base: number): void {
    const added = base - this.gasBase
    this.gas += added
    this.gasBase = base
    this.floor = Math.max(0, this.floor + added)
  }

  useStack(depth: number): void {
    if (depth > FREE_STACK) this.use(depth - FREE_STACK)
  }

  countSignature(): void {
    if (++this.signatures > FREE_SIGNATURES) this.use(SIGNATURE_GAS)
    else this.freeGas += SIGNATURE_GAS
  }

  need(count: number): void {
    if (this.stack.length < count) throw STACK_UNDERFLOW
  }

  pop(): Value {
    const { stack } = this
    if (stack.length === 0) throw STACK_UNDERFLOW
    return stack.pop() as Value
  }

  int(): Integer {
    const value = this.pop()
    if (typeof value !== 'number' && typeof value !== 'bigint') throw TYPE_CHECK
    return value
  }

  finite(): Integer {
    const value = this.int()
    if (isNaNInteger(value)) throw INTEGER_OVERFLOW
    return value
  }

  bool(): boolean {
    return this.finite() !== 0
  }

  small(max: number, min = 0): number {
    const value = this.int()
    if (typeof value !== 'number' || !(value <= max && value >= min)) throw RANGE_CHECK
    return value
  }

  cell(): Cell {
    const value = this.pop()
    if (!(value instanceof Cell)) throw TYPE_CHECK
    return value
  }

  maybeCell(): Cell | null {
    const value = this.pop()
    if (value !== null && !(value instanceof Cell)) throw TYPE_CHECK
    return value
  }

  /** The caller must clone the slice before moving it. */
  slice(): Slice {
    const value = this.pop()
    if (!(value instanceof Slice)) throw TYPE_CHECK
    return value
  }

  builder(): VmBuilder {
    const value = this.pop()
    if (!(value instanceof VmBuilder)) throw TYPE_CHECK
    return value
  }

  continuation(): Continuation {
    const value = this.pop()
    if (!(value instanceof Continuation)) throw TYPE_CHECK
    return value
  }

  tuple(max = 255, min = 0): Tuple {
    const value = this.pop()
    if (!isTuple(value) || value.length > max || value.length < min) throw TYPE_CHECK
    return value
  }

  hashOf(cell: Cell): string {
    return this.virtual ? cell.hashKey(0) : cell.hashKey()
  }

  /** Charges for loading a cell. The first load of a cell in a run costs more than later loads. */
  load(cell: Cell): void {
    const { loaded } = this
    const before = loaded.size
    loaded.add(this.hashOf(cell))
    const gas = loaded.size > before ? LOAD_GAS : RELOAD_GAS
    if (this.cheap < 0) this.use(gas)
    else this.useCheap(gas)
  }

  /** Charges a load of GETEXTRABALANCE up to the remaining allowance. The rest is counted as free gas. */
  private useCheap(gas: number): void {
    const paid = Math.min(gas, this.cheap)
    this.use(paid)
    this.cheap -= paid
    if (this.cheap === 0) this.freeGas += gas - paid
  }

  /** Charges for loading a cell and returns its slice. For a library cell, returns the slice of the library. */
  open(cell: Cell): Slice {
    this.load(cell)
    this.onLoad?.push(cell)
    if (typeOf(cell.meta) === ORDINARY) return cell.sliceExotic()
    return this.openExotic(cell)
  }

  private openExotic(exotic: Cell): Slice {
    let cell = exotic
    let resolved = false
    for (;;) {
      const type = typeOf(cell.meta)
      if (type === ORDINARY) return cell.sliceExotic()
      if (type === PRUNED && this.virtual) throw new VmFatal(14)
      if (type !== LIBRARY || resolved) throw CELL_UNDERFLOW
      const found = this.libraries.find(cell)
      if (found === undefined) throw CELL_UNDERFLOW
      cell = found
      if (this.version >= V_LIBRARY_ONCE) resolved = true
      else this.load(cell)
    }
  }

  /** Commits c4 and c5. Returns false if they are too deep or not of level 0. */
  tryCommit(): boolean {
    const { c4, c5 } = this
    if (this.depthOf(c4) > this.maxDataDepth || this.depthOf(c5) > this.maxDataDepth) return false
    if (!this.virtual && (c4.levelMask !== 0 || c5.levelMask !== 0)) return false
    this.committed4 = c4
    this.committed5 = c5
    return true
  }

  depthOf(cell: Cell): number {
    return cell.depth(this.virtual ? 0 : 3)
  }
}
