import { Cell } from '../../cell/cell.ts'
import { Slice } from '../../cell/slice.ts'
import { ACTION_CHANGE_LIBRARY, ACTION_RESERVE, ACTION_SEND_MSG, ACTION_SET_CODE } from '../action-tags.ts'
import { EMPTY_BUILDER, type VmBuilder } from '../machine/builder.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, RANGE_CHECK, TYPE_CHECK, UNKNOWN_ERROR } from '../machine/exceptions.ts'
import { finishCell } from '../machine/finish-cell.ts'
import type { Instruction } from '../machine/instruction.ts'
import { fitsUnsigned, fitted, isNaNInteger, unsignedBits } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import { isTuple } from '../machine/value.ts'
import { V_EXTRA_FLAGS, V_NO_ANYCAST, V_NO_IHR, V_SENDMSG_FEES, V_UNPACKED_CONFIG } from '../versions.ts'
import { StorageCount } from './cells/data-size.ts'
import { configCell, parameter, unpackedConfig } from './context.ts'
import { simple } from './define.ts'
import { type ForwardPrices, readForwardPrices } from './fees.ts'
import { readSendmsgMessage, type SendmsgMessage } from './sendmsg-message.ts'
import { entryOf } from './tuples.ts'

/*
 * 0xFB: output actions. Each is a cell in c5 that refers to the previous one.
 * out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
 * action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any)  action_set_code#ad4de08e new_code:^Cell
 * action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection  action_change_library#26fa1dd4 mode:(## 7) libref:LibRef
 */
/** Maximum number of cells of a message if the configuration does not set it. */
const DEFAULT_MESSAGE_CELLS = 8192

const action = (vm: Machine, tag: number): VmBuilder => EMPTY_BUILDER.storeRef(vm.c5).storeInteger(tag, 32)
const install = (vm: Machine, builder: VmBuilder): void => {
  vm.c5 = finishCell(vm, builder)
}

const installSend = (vm: Machine, mode: number, message: Cell): void => {
  install(vm, action(vm, ACTION_SEND_MSG).storeInteger(mode, 8).storeRef(message))
}
const sendrawmsg = (vm: Machine): void => {
  vm.need(2)
  const mode = vm.small(255)
  installSend(vm, mode, vm.cell())
}
const rawreserve = (vm: Machine, extra: boolean): void => {
  vm.need(extra ? 3 : 2)
  const mode = vm.small(31)
  const currencies = extra ? vm.maybeCell() : null
  const amount = vm.finite()
  if (amount < 0) throw RANGE_CHECK
  const bytes = (unsignedBits(BigInt(amount)) + 7) >>> 3
  if (bytes > 15) throw CELL_OVERFLOW
  let builder = action(vm, ACTION_RESERVE).storeInteger(mode, 8).storeInteger(bytes, 4)
  if (bytes > 0) builder = builder.storeInteger(amount, bytes * 8)
  install(vm, currencies === null ? builder.storeSame(0, 1) : builder.storeSame(1, 1).storeRef(currencies))
}
const setcode = (vm: Machine): void => {
  const code = vm.cell()
  install(vm, action(vm, ACTION_SET_CODE).storeRef(code))
}
/** Pops a mode: 0 remove, 1 private, 2 public; plus 16 for a bounce on failure. */
const libraryMode = (vm: Machine): number => {
  vm.need(2)
  const mode = vm.small(31)
  if ((mode & ~16) > 2) throw RANGE_CHECK
  return mode
}
const setlibcode = (vm: Machine): void => {
  const mode = libraryMode(vm)
  const code = vm.cell()
  install(
    vm,
    action(vm, ACTION_CHANGE_LIBRARY)
      .storeInteger(mode * 2 + 1, 8)
      .storeRef(code),
  )
}
const changelib = (vm: Machine): void => {
  const mode = libraryMode(vm)
  const hash = vm.finite()
  if (!fitsUnsigned(hash, 256)) throw RANGE_CHECK
  install(
    vm,
    action(vm, ACTION_CHANGE_LIBRARY)
      .storeInteger(mode * 2, 8)
      .storeInteger(hash, 256),
  )
}

/** The workchain of an address as SENDMSG reads it; exception 5 for an address of another kind. */
const workchainOf = (address: Slice): number => {
  const s = address.clone()
  const bit = (): number => (s.remainingBits > 0 && s.loadBit() ? 1 : 0)
  if (s.remainingBits === 0 || bit() !== 1) throw RANGE_CHECK
  const variable = s.remainingBits === 0 || bit() === 1
  if (bit() === 1 && s.remainingBits >= 5) {
    const depth = s.loadUint(5)
    if (depth <= 30 && depth <= s.remainingBits) s.skip(depth)
  }
  if (variable && s.remainingBits >= 9) s.skip(9)
  const size = variable ? 32 : 8
  return s.remainingBits >= size ? s.loadInt(size) : 0
}

const pricesFor = (vm: Machine, masterchain: boolean): ForwardPrices => {
  if (vm.version >= V_UNPACKED_CONFIG) {
    const slice = entryOf(unpackedConfig(vm), masterchain ? 4 : 5)
    if (!(slice instanceof Slice)) throw UNKNOWN_ERROR
    return readForwardPrices(slice)
  }
  const root = parameter(vm, 9)
  const cell = configCell(vm, root instanceof Cell ? root : null, masterchain ? 24 : 25)
  if (cell === null) throw UNKNOWN_ERROR
  return readForwardPrices(vm.open(cell))
}

/** size_limits_config#01, _v2#02, _v3#03 max_msg_bits:uint32 max_msg_cells:uint32 ... */
const maxMessageCells = (vm: Machine): number => {
  if (vm.version < V_UNPACKED_CONFIG) return DEFAULT_MESSAGE_CELLS
  const slice = entryOf(unpackedConfig(vm), 6)
  if (!(slice instanceof Slice)) return DEFAULT_MESSAGE_CELLS
  const s = slice.clone()
  const bits = s.remainingBits
  const tag = bits >= 8 ? s.loadUint(8) : 0
  if (!((tag === 1 && bits === 168) || (tag === 2 && bits >= 368) || (tag === 3 && bits >= 432))) throw CELL_UNDERFLOW
  return s.skip(32).loadUint(32)
}

const amountOf = (vm: Machine, index: number): { readonly amount: bigint; readonly hasExtra: boolean } => {
  const balance = parameter(vm, index)
  if (!isTuple(balance)) throw TYPE_CHECK
  const amount = entryOf(balance, 0)
  if ((typeof amount !== 'number' && typeof amount !== 'bigint') || isNaNInteger(amount)) throw TYPE_CHECK
  return { amount: BigInt(amount), hasExtra: vm.version < V_NO_ANYCAST && entryOf(balance, 1) instanceof Cell }
}

const uint64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
/** Number of bits of a stored amount: a length of 4 bits, then full bytes. */
const amountLength = (value: bigint): number => 4 + ((unsignedBits(value < 0n ? 0n : value) + 7) & ~7)

type Fees = ReturnType<typeof feesOf>
const feesOf = (vm: Machine, prices: ForwardPrices, message: SendmsgMessage, cells: number, bits: number) => {
  const noIhr = message.ihrDisabled || vm.version >= V_NO_IHR
  const forward = uint64(prices.lump + uint64((prices.bit * BigInt(bits) + prices.cell * BigInt(cells) + 0xffffn) >> 16n))
  const ihr = noIhr ? 0n : uint64((forward * prices.ihrFactor) >> 16n)
  if (vm.version >= V_SENDMSG_FEES) return { forward, ihr }
  const flags = vm.version >= V_EXTRA_FLAGS ? 0n : message.flags
  return { forward: max(forward, message.forwardFee), ihr: noIhr ? ihr : max(ihr, flags) }
}

/** The fee of a message: for the cells below its root, and for the parts that do not fit the root. */
const messageFee = (
  vm: Machine,
  message: SendmsgMessage,
  myAddress: Slice,
  prices: ForwardPrices,
  count: StorageCount,
  mode: number,
): Fees => {
  let { value, hasExtra } = message
  if (!message.external && mode & 128) {
    const balance = amountOf(vm, 7)
    value = balance.amount
    hasExtra ||= balance.hasExtra
  } else if (!message.external && mode & 64) {
    const incoming = amountOf(vm, 11)
    value += incoming.amount
    hasExtra ||= incoming.hasExtra
  }
  let { cells, bits } = count
  let fees = feesOf(vm, prices, message, cells, bits)
  const { init, body } = message
  let initInRef = init?.inRef ?? false
  let bodyInRef = body.inRef
  const rootBits = (): number => {
    const addresses = myAddress.remainingBits + message.destination.remainingBits
    let total = addresses + 96
    if (message.external) total += 2
    else {
      const firstPart = (fees.forward * prices.firstFraction) >> 16n
      const flags = vm.version >= V_EXTRA_FLAGS ? message.flagsLength : amountLength(fees.ihr)
      total += 5 + amountLength(value) + amountLength(fees.forward - firstPart) + flags
    }
    total += init === undefined ? 1 : 2 + (initInRef ? 0 : init.bits)
    return total + 1 + (bodyInRef ? 0 : body.bits)
  }
  const rootRefs = (): number => {
    const own = !message.external && hasExtra ? 1 : 0
    return own + (init === undefined ? 0 : initInRef ? 1 : init.refs) + (bodyInRef ? 1 : body.refs)
  }
  const tooLarge = (): boolean => rootBits() > 1023 || rootRefs() > 4
  if (init !== undefined && !initInRef && tooLarge()) {
    initInRef = true
    cells++
    bits += init.bits
    fees = feesOf(vm, prices, message, cells, bits)
  }
  if (!bodyInRef && tooLarge()) {
    bodyInRef = true
    cells++
    bits += body.bits
    fees = feesOf(vm, prices, message, cells, bits)
  }
  return fees
}

const sendmsg = (vm: Machine): void => {
  vm.need(2)
  const flags = vm.small(2047)
  const mode = flags & ~1024
  if (mode >= 256) throw RANGE_CHECK
  const cell = vm.cell()
  const message = readSendmsgMessage(vm.open(cell))
  if (message === undefined) throw UNKNOWN_ERROR
  const myAddress = parameter(vm, 8)
  if (!(myAddress instanceof Slice)) throw TYPE_CHECK
  const masterchain = workchainOf(myAddress) === -1 || (!message.external && workchainOf(message.destination) === -1)
  const prices = pricesFor(vm, masterchain)
  const count = new StorageCount(vm, maxMessageCells(vm))
  const root = vm.open(cell)
  root.skip(root.remainingBits)
  if (vm.version >= V_NO_ANYCAST && message.hasExtra) root.skipRefs(1)
  count.addSlice(root)
  const fees = messageFee(vm, message, myAddress, prices, count, mode)
  vm.stack.push(fitted(fees.forward + fees.ihr, false))
  if ((flags & 1024) === 0) installSend(vm, mode, cell)
}

export const MESSAGES: readonly Instruction[] = [
  simple(0xfb00, 16, 'SENDRAWMSG', sendrawmsg),
  simple(0xfb02, 16, 'RAWRESERVE', rawreserve, false),
  simple(0xfb03, 16, 'RAWRESERVEX', rawreserve, true),
  simple(0xfb04, 16, 'SETCODE', setcode),
  simple(0xfb06, 16, 'SETLIBCODE', setlibcode),
  simple(0xfb07, 16, 'CHANGELIB', changelib),
  simple(0xfb08, 16, 'SENDMSG', sendmsg, undefined, 4),
]
