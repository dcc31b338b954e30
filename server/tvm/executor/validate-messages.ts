import { type Budget, MAX_CHECKED_CELLS, spendCell } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'
import { skipLabel } from '../../tlb/visit-leaves.ts'
import { ACTION_CHANGE_LIBRARY, ACTION_RESERVE, ACTION_SEND_MSG, ACTION_SET_CODE } from '../action-tags.ts'

/*
 * Checks of untrusted messages and actions, exactly as strict as the node's. Each function moves the slice past the part that it checks, and returns whether
 * the part is valid. The checks follow the validators generated from block.tlb (gen::) and, where noted, the stricter validators of block-parse.cpp. The result
 * code of an action depends on which of the two the node uses.
 *
 * message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
 * value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * out_list_node$_ prev:^Cell action:OutAction = OutListNode;
 */

type Check = (s: Slice, budget: Budget) => boolean

const validCell = (cell: Cell, check: Check, budget: Budget): boolean => {
  spendCell(budget)
  if (cell.exotic) return false
  const s = cell.slice()
  return check(s, budget) && s.remainingBits === 0 && s.remainingRefs === 0
}

const maybeRef = (s: Slice): void => {
  if (s.loadBit()) s.skipRefs(1)
}

/** Moves past a VarUInteger 2^lenBits. Leading zeros are allowed. */
const varUint = (s: Slice, lenBits: number): boolean => {
  s.skip(s.loadUint(lenBits) * 8)
  return true
}

const hashmap =
  (n: number, value: Check): Check =>
  (s, budget) => {
    const left = n - skipLabel(s, n)
    if (left < 0) return false
    if (left === 0) return value(s, budget)
    const branch = hashmap(left - 1, value)
    return validCell(s.loadRef(), branch, budget) && validCell(s.loadRef(), branch, budget)
  }
const hashmapE =
  (n: number, value: Check): Check =>
  (s, budget) =>
    !s.loadBit() || validCell(s.loadRef(), hashmap(n, value), budget)

const currencies: Check = (s, budget) => varUint(s, 4) && hashmapE(32, (value) => varUint(value, 5))(s, budget)

/** Moves past a VarUInteger without a leading zero byte. With `positive` (extra currencies), zero is also invalid (block-parse.cpp). */
const strictVarUint = (s: Slice, lenBits: number, positive: boolean): boolean => {
  const length = s.loadUint(lenBits)
  if (length === 0) return !positive
  if (s.preloadUint(8) === 0) return false
  s.skip(length * 8)
  return true
}
const strictCurrencies: Check = (s, budget) =>
  strictVarUint(s, 4, false) && hashmapE(32, (value) => strictVarUint(value, 5, true))(s, budget)

/** Returns whether a whole slice passes the strict check of CurrencyCollection: `block::tlb::t_CurrencyCollection.validate_csr`. */
export const validCurrencies = (s: Slice): boolean =>
  attempt(() => {
    const rest = s.clone()
    return strictCurrencies(rest, { cells: MAX_CHECKED_CELLS }) && rest.remainingBits === 0 && rest.remainingRefs === 0
  }) ?? false

/** Moves past a StateInit without checking its cells. */
export const skipStateInit = (s: Slice): boolean => {
  if (s.loadBit()) s.skip(5)
  if (s.loadBit()) s.skip(2)
  maybeRef(s)
  maybeRef(s)
  maybeRef(s)
  return true
}

/** simple_lib$_ public:Bool root:^Cell = SimpleLib; */
const simpleLib: Check = (s) => {
  s.skip(1).skipRefs(1)
  return true
}
const stateInitWithLibs: Check = (s, budget) => {
  if (s.loadBit()) s.skip(5)
  if (s.loadBit()) s.skip(2)
  maybeRef(s)
  maybeRef(s)
  return hashmapE(256, simpleLib)(s, budget)
}

/** Returns whether a cell is a StateInit whose libraries are a dictionary of SimpleLib: `gen::t_StateInitWithLibs.validate_ref`. */
export const validStateInit = (cell: Cell): boolean =>
  attempt(() => validCell(cell, stateInitWithLibs, { cells: MAX_CHECKED_CELLS })) ?? false

const anycast = (s: Slice): boolean => {
  if (!s.loadBit()) return true
  const depth = s.loadUint(5)
  if (depth < 1 || depth > 30) return false
  s.skip(depth)
  return true
}
export const addressInt = (s: Slice): boolean => {
  const tag = s.loadUint(2)
  if (tag < 2 || !anycast(s)) return false
  if (tag === 2) s.skip(8 + 256)
  else s.skip(s.loadUint(9) + 32)
  return true
}
export const addressExt = (s: Slice): boolean => {
  const tag = s.loadUint(2)
  if (tag === 1) s.skip(s.loadUint(9))
  return tag < 2
}
export const anyAddress = (s: Slice): boolean => (s.preloadUint(2) < 2 ? addressExt(s) : addressInt(s))

const infoRelaxed: Check = (s, budget) => {
  if (!s.loadBit()) {
    s.skip(3)
    if (!(anyAddress(s) && addressInt(s) && currencies(s, budget) && varUint(s, 4) && varUint(s, 4))) return false
  } else if (!(s.loadBit() && anyAddress(s) && addressExt(s))) return false
  s.skip(64 + 32)
  return true
}

const rest: Check = (s) => {
  s.skip(s.remainingBits).skipRefs(s.remainingRefs)
  return true
}
const initRelaxed: Check = (s, budget) => {
  if (!s.loadBit()) return true
  return s.loadBit() ? validCell(s.loadRef(), skipStateInit, budget) : skipStateInit(s)
}
const messageRelaxed: Check = (s, budget) => {
  if (!infoRelaxed(s, budget) || !initRelaxed(s, budget)) return false
  return s.loadBit() ? validCell(s.loadRef(), rest, budget) : rest(s, budget)
}

const outAction: Check = (s, budget) => {
  switch (s.loadUint(32)) {
    case ACTION_SEND_MSG:
      s.skip(8)
      return validCell(s.loadRef(), messageRelaxed, budget)
    case ACTION_SET_CODE:
      s.skipRefs(1)
      return true
    case ACTION_RESERVE:
      s.skip(8)
      return currencies(s, budget)
    case ACTION_CHANGE_LIBRARY:
      if (s.skip(7).loadBit()) s.skipRefs(1)
      else s.skip(256)
      return true
    default:
      return false
  }
}

/** Returns whether a cell is an OutListNode: `gen::t_OutListNode.validate_ref`. */
export const validActionNode = (cell: Cell): boolean =>
  attempt(() => validCell(cell, (s, budget) => outAction(s.skipRefs(1), budget), { cells: MAX_CHECKED_CELLS })) ?? false
