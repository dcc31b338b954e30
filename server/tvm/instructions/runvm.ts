import { EMPTY_CELL } from '../../cell/cell.ts'
import { startChild } from '../machine/child.ts'
import { blockOfSlice } from '../machine/code-cache.ts'
import { ordinary } from '../machine/continuation.ts'
import { RANGE_CHECK, TYPE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import { isNaNInteger } from '../machine/integer.ts'
import { Machine } from '../machine/machine.ts'
import { isTuple, type Tuple } from '../machine/value.ts'
import { fixed, INFINITE_GAS, simple } from './define.ts'

/*
 * 0xDB4, 0xDB50: RUNVM, a machine inside the machine. Flags: 1 c3 is the code, 2 push 0 (only with 1), 4 c4 in and out, 8 gas limit in and consumed
 * gas out, 16 c7 in, 32 c5 out, 64 hard gas limit in, 128 own loads and counters, 256 exact number of results.
 */
const RUNVM_GAS = 40

const popGas = (vm: Machine): number => {
  const value = vm.int()
  if (isNaNInteger(value) || value < 0 || value >= 1n << 63n) throw RANGE_CHECK
  return Number(value)
}

const runvm = (vm: Machine, mode: number): void => {
  if (mode >= 512) throw RANGE_CHECK
  vm.use(RUNVM_GAS)
  const hard = mode & 64 ? popGas(vm) : INFINITE_GAS
  const limit = mode & 8 ? popGas(vm) : INFINITE_GAS
  const max = mode & 64 ? Math.max(hard, limit) : limit
  let c7: Tuple = []
  if (mode & 16) {
    const value = vm.pop()
    if (!isTuple(value)) throw TYPE_CHECK
    c7 = value
  }
  const data = mode & 4 ? vm.cell() : EMPTY_CELL
  const returnValues = mode & 256 ? vm.small(2 ** 30) : -1
  const code = vm.slice()
  const count = vm.small(vm.stack.length - 1)
  const stack = vm.stack.splice(vm.stack.length - count, count)
  vm.useStack(count)
  const gas = vm.gas
  const block = blockOfSlice(code, vm.version)
  const child = new Machine(block, stack, data, c7, vm.version, vm.libraries, Math.min(limit, gas), Math.min(max, gas), 0)
  if (mode & 1) {
    child.c3 = ordinary(block)
    if (mode & 2) stack.push(0)
  }
  startChild(vm, child, {
    returnData: (mode & 4) !== 0,
    returnActions: (mode & 32) !== 0,
    returnGas: (mode & 8) !== 0,
    isolated: (mode & 128) !== 0,
    returnValues,
  })
}
const runvmx = (vm: Machine): void => runvm(vm, vm.small(4095))

export const RUNVM: readonly Instruction[] = [
  fixed(0xdb4, 12, 12, 'RUNVM', runvm, { since: 4 }),
  simple(0xdb50, 16, 'RUNVMX', runvmx, undefined, 4),
]
