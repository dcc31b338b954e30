import { V_RUNVM_LIMITS } from '../versions.ts'
import type { ChildTerms, Machine } from './machine.ts'

/** Makes the child run next: VmState::run_child_vm. The child's gas limits are at most the parent's remaining gas. */
export const startChild = (parent: Machine, child: Machine, terms: ChildTerms): void => {
  if (terms.isolated) {
    parent.use(parent.freeGas)
    parent.signatures = 0
    parent.extraBalances = 0
    parent.freeGas = 0
  } else child.loaded = parent.loaded
  child.maxDataDepth = parent.maxDataDepth
  child.assumeSignaturesValid = parent.assumeSignaturesValid
  child.virtual = parent.virtual
  child.interrupt = parent.interrupt
  child.hashed = parent.hashed
  child.debug = parent.debug
  child.signatures = parent.signatures
  child.extraBalances = parent.extraBalances
  child.freeGas = parent.freeGas
  if (parent.version >= V_RUNVM_LIMITS) {
    child.gasLimit = Math.min(child.gasLimit, parent.gas)
    child.gasMax = Math.min(child.gasMax, parent.gas)
    child.changeGasBase(child.gasLimit)
  }
  // `interrupt` is due at the same point as in the parent. If each child had its own 5,000 gas before the first call, nested children would never call
  // `interrupt`.
  child.floor = Math.max(0, child.gas - Math.max(0, parent.gas - parent.floor))
  child.parent = parent
  child.terms = terms
  parent.child = child
  parent.running = false
}

/** Passes the results of a child to its parent: VmState::restore_parent_vm. */
export const restoreParent = (parent: Machine, child: Machine): void => {
  const terms = child.terms as ChildTerms
  parent.steps += child.steps
  parent.debug = child.debug
  parent.signatures = child.signatures
  parent.extraBalances = child.extraBalances
  parent.freeGas = child.freeGas
  parent.use(Math.min(child.gasConsumed, child.gasLimit + 1))
  const { stack } = parent
  let code = child.exit
  let count = child.stack.length
  if (code === 0 || code === 1) {
    if (terms.returnValues >= 0) {
      if (count >= terms.returnValues) count = terms.returnValues
      else {
        // Fewer values than requested: exit code ~2, and a zero in place of the values.
        count = 0
        code = -3
        stack.push(0)
      }
    }
  } else count = Math.min(count, 1)
  parent.useStack(count)
  for (let i = child.stack.length - count; i < child.stack.length; i++) stack.push(child.stack[i]!)
  stack.push(code)
  if (terms.returnData) stack.push(child.committed4 ?? null)
  if (terms.returnActions) stack.push(child.committed5 ?? null)
  if (terms.returnGas) stack.push(child.gasConsumed)
}
