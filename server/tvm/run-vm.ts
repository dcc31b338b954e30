import { beginCell } from '../cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../cell/cell.ts'
import { LIBRARY, ORDINARY as ORDINARY_CELL, typeOf } from '../cell/meta-word.ts'
// Registers the table with which code is decoded.
import './instructions/table.ts'
import { restoreParent } from './machine/child.ts'
import { blockOfCell } from './machine/code-cache.ts'
import { ordinary, QUIT_0 } from './machine/continuation.ts'
import type { Block } from './machine/decoded-code.ts'
import { OutOfGas, VmException, VmFatal } from './machine/exceptions.ts'
import { jump, ret, throwException } from './machine/jump.ts'
import { Libraries } from './machine/libraries.ts'
import { Machine } from './machine/machine.ts'
import { StepLog } from './machine/step-log.ts'
import type { Tuple, Value } from './machine/value.ts'
import { runVersion, V_NESTED_JUMPS } from './versions.ts'

const IMPLICIT_JMPREF_GAS = 10
const IMPLICIT_RET_GAS = 5
/** Exit code of a run that ran out of gas. No exception has this code, so a contract cannot fake it. */
export const OUT_OF_GAS_EXIT = -14

export interface VmRequest {
  readonly code: Cell
  /** c4; an empty cell by default. */
  readonly data?: Cell
  /** Values from the bottom to the top. The machine takes over this array and changes it. */
  readonly stack: Value[]
  readonly c7: Tuple
  /** Gas units. `max` is the limit after ACCEPT (default: `limit`). `credit` is the gas of an external message before ACCEPT. */
  readonly gas: { readonly limit: number; readonly max?: number; readonly credit?: number }
  /** Global version of the configuration (parameter 8). */
  readonly version: number
  /** Roots of HashmapE 256 of libraries, searched in this order. */
  readonly libraries?: readonly Cell[]
  /** Maximum number of different libraries that a run may look up (parameter 43, max_transaction_library_loads). */
  readonly maxLibraryLoads?: number
  /** Maximum depth of committed data and actions (parameter 43, max_vm_data_depth); 512 by default. */
  readonly maxDataDepth?: number | undefined
  /** True if signature checks always return true. */
  readonly ignoreSignatures?: boolean
  /** True if ACCEPT and SETGASLIMIT end the run with exit code 0. */
  readonly stopOnAccept?: boolean
  /** True if the cells come from a Merkle proof. A read of a pruned cell then ends the run with exit code 14. */
  readonly virtual?: boolean | undefined
  readonly log?: boolean | undefined
  /** If set, the run appends the cells that it hashes. */
  readonly hashed?: Cell[] | undefined
  /**
   * Called every few thousand gas, and before each operation on a curve (`slow`). `long` means that the operation takes a millisecond or more. If it returns
   * true, the run is dropped: runVm throws VmInterrupted.
   */
  readonly interrupt?: ((slow: boolean, long?: boolean) => boolean) | undefined
}

export type VmResult = Readonly<ReturnType<typeof resultOf>>

/**
 * Maximum gas of a run. Gas is a number, and above 2^53 a number stays the same when a small cost is subtracted: the run would never use up its gas, and
 * `interrupt` would never be called. A configuration may allow more.
 */
const MAX_GAS = 2 ** 51

/** Runs code to its end. Throws VmInterrupted, and CellError if a lazy cell cannot be loaded. */
export const runVm = (request: VmRequest): VmResult => {
  const version = runVersion(request.version)
  const libraries = new Libraries(request.libraries ?? [], request.maxLibraryLoads)
  const block = startBlock(request.code, version, libraries)
  const { limit, max = limit, credit = 0 } = request.gas
  const data = request.data ?? EMPTY_CELL
  const gas = [limit, max, credit].map((amount) => Math.min(amount, MAX_GAS)) as [number, number, number]
  const vm = new Machine(block, request.stack, data, request.c7, version, libraries, ...gas)
  vm.c3 = ordinary(block)
  if (request.maxDataDepth !== undefined) vm.maxDataDepth = request.maxDataDepth
  vm.assumeSignaturesValid = request.ignoreSignatures === true
  vm.stopOnAccept = request.stopOnAccept === true
  vm.virtual = request.virtual === true
  vm.interrupt = request.interrupt
  vm.hashed = request.hashed
  const log = request.log ? new StepLog() : undefined
  runToEnd(vm, log)
  const result = resultOf(vm, log)
  release(vm)
  return result
}

/**
 * The last machine, emptied. V8's compiled code depends on the shape of machines. V8 would drop this code if a garbage collection between two runs found no
 * machine.
 */
const lastMachine: { machine: Machine | undefined } = { machine: undefined }
const release = (vm: Machine): void => {
  vm.stack = []
  vm.c0 = QUIT_0
  vm.c1 = QUIT_0
  vm.c2 = QUIT_0
  vm.c3 = QUIT_0
  vm.c4 = EMPTY_CELL
  vm.c5 = EMPTY_CELL
  vm.c7 = []
  vm.committed4 = undefined
  vm.committed5 = undefined
  vm.loaded = new Set()
  vm.libraries = NO_LIBRARIES
  vm.interrupt = undefined
  vm.hashed = undefined
  vm.debug = undefined
  vm.child = undefined
  lastMachine.machine = vm
}
const NO_LIBRARIES = new Libraries([])

const resultOf = (vm: Machine, log: StepLog | undefined) => ({
  /** 0 and 1 are success; -14 out of gas. */
  exitCode: vm.exit,
  gasUsed: vm.gasConsumed,
  /** Gas limit and credit at the end of the run. A credit of 0 means that an external message was accepted. */
  gasLimit: vm.gasLimit,
  gasCredit: vm.gasCredit,
  steps: vm.steps,
  stack: vm.stack as readonly Value[],
  committed: vm.committed4 !== undefined,
  /** Committed data and actions; undefined if nothing was committed. */
  data: vm.committed4,
  actions: vm.committed4 && vm.committed5,
  /** Hash (hex) of the last library that was not found. */
  missingLibrary: vm.libraries.missing,
  log: log && { steps: log.steps, truncated: log.truncated },
  debug: vm.debug?.texts as readonly string[] | undefined,
})

/**
 * Returns the code that a run starts with. If the code cell cannot be read, the result is code with a reference to the cell. The run jumps to the reference and
 * fails there.
 */
const startBlock = (code: Cell, version: number, libraries: Libraries): Block => {
  let cell: Cell | undefined = code
  if (version >= V_NESTED_JUMPS && typeOf(code.meta) === LIBRARY) cell = libraries.peek(code)
  if (cell === undefined || typeOf(cell.meta) !== ORDINARY_CELL) cell = beginCell().storeRef(code).end()
  return blockOfCell(cell, cell.sliceExotic(), version)
}

const runToEnd = (outermost: Machine, log: StepLog | undefined): void => {
  let vm = outermost
  for (;;) {
    try {
      runInner(vm, log)
    } catch (error) {
      if (error instanceof VmFatal) {
        outermost.exit = error.code
        outermost.debug = vm.debug
        outermost.stack = [0]
        return
      }
      if (error instanceof OutOfGas) outOfGas(vm)
      else throw error
    }
    for (;;) {
      if (vm.child !== undefined) {
        vm = vm.child
        break
      }
      if (vm.parent === undefined) return
      const child = vm
      vm = child.parent!
      vm.child = undefined
      vm.running = true
      try {
        restoreParent(vm, child)
        break
      } catch (error) {
        if (!(error instanceof OutOfGas)) throw error
        outOfGas(vm)
      }
    }
  }
}

const outOfGas = (vm: Machine): void => {
  vm.steps++
  vm.stack = [vm.gasConsumed]
  vm.exit = OUT_OF_GAS_EXIT
  vm.running = false
}

const runInner = (vm: Machine, log: StepLog | undefined): void => {
  while (vm.running) {
    try {
      if (log === undefined) loop(vm)
      else loggedLoop(vm, log)
    } catch (error) {
      const exception = exceptionOf(error)
      vm.steps++
      log?.add(vm, `exception ${exception.code}`)
      try {
        throwException(vm, exception.code, exception.argument)
      } catch (second) {
        // A second exception during the handling of the first one ends the run without a commit.
        vm.exit = exceptionOf(second).code
        vm.running = false
        return
      }
    }
  }
  if (vm.child === undefined && (vm.exit === 0 || vm.exit === 1) && !vm.tryCommit()) {
    vm.stack = [0]
    vm.exit = 8
  }
}

/** Executes instructions. Nearly all time of a run is spent in this loop. */
const loop = (vm: Machine): void => {
  while (vm.running) {
    const { block, ip } = vm
    vm.steps++
    if (ip < block.ops.length) {
      vm.ip = ip + 1
      vm.gas -= block.gas[ip]!
      if (vm.gas < vm.floor) vm.lowGas()
      block.ops[ip]!(vm, block.args[ip] as never)
    } else if (block.returns) {
      vm.use(IMPLICIT_RET_GAS)
      ret(vm)
    } else if (block.decode()) vm.steps--
    else endOfCode(vm, block, ip)
  }
}

const loggedLoop = (vm: Machine, log: StepLog): void => {
  while (vm.running) {
    const { block, ip } = vm
    vm.steps++
    if (ip < block.ops.length || block.decode()) {
      log.add(vm, block.textAt(ip))
      vm.ip = ip + 1
      vm.use(block.gas[ip]!)
      block.ops[ip]!(vm, block.args[ip] as never)
    } else {
      log.add(vm, block.tailRef(ip) === undefined ? 'implicit RET' : 'implicit JMPREF')
      endOfCode(vm, block, ip)
    }
  }
}

/** Called when no bits of code are left. Continues with the next reference, or returns. */
const endOfCode = (vm: Machine, block: Block, ip: number): void => {
  const cell = block.tailRef(ip)
  if (cell === undefined) {
    vm.use(IMPLICIT_RET_GAS)
    ret(vm)
    return
  }
  vm.use(IMPLICIT_JMPREF_GAS)
  const slice = vm.open(cell)
  if (block.tail !== undefined && slice.base === cell) {
    vm.block = block.tail
    vm.ip = 0
    return
  }
  const next = blockOfCell(slice.base, slice, vm.version)
  if (slice.base === cell) block.tail = next
  jump(vm, ordinary(next))
}

const exceptionOf = (error: unknown): VmException => {
  if (error instanceof VmException) return error
  if (error instanceof CellError) {
    if (error.kind === 'underflow') return new VmException(9)
    if (error.kind === 'overflow' || error.kind === 'range') return new VmException(8)
    if (error.kind === 'dict') return new VmException(10)
  }
  throw error
}
