import { createHash } from 'node:crypto'
import { Cell } from '../../cell/cell.ts'
import { Slice } from '../../cell/slice.ts'
import { QUIT_0 } from '../machine/continuation.ts'
import { lookup } from '../machine/dictionary.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, DICT_ERROR, NO_GAS, RANGE_CHECK, TYPE_CHECK, UNKNOWN_ERROR } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import { fitsUnsigned, fromBytes, normal, toBytes32 } from '../machine/integer.ts'
import { jump } from '../machine/jump.ts'
import type { Machine } from '../machine/machine.ts'
import { type Integer, isTuple, type Tuple, type Value } from '../machine/value.ts'
import { V_UNPACKED_CONFIG } from '../versions.ts'
import { INFINITE_GAS, popped, ranged, simple } from './define.ts'
import { integerKey } from './dictionaries/keys.ts'
import { entryOf, tupleIn, withEntry } from './tuples.ts'

/* 0xF800..0xF8AF: gas, random numbers, c7 (contract, message, configuration), globals. Fees are in fees.ts. */

/* Entries of c7[0]. */
const SEED = 6
const BALANCE = 7
const CONFIG_ROOT = 9
const PREVIOUS_BLOCKS = 13
export const UNPACKED_CONFIG = 14
const MESSAGE = 17
/* Number of cheap look-ups of extra currencies, and the maximum gas of one such look-up. */
const CHEAP_LOOKUPS = 5
const CHEAP_GAS = 200

const setGas = (vm: Machine, limit: number): void => {
  if (limit < vm.gasConsumed) throw NO_GAS
  vm.changeGasLimit(limit)
  if (vm.stopOnAccept) jump(vm, QUIT_0)
}
const accept = (vm: Machine): void => setGas(vm, INFINITE_GAS)
const setgaslimit = (vm: Machine): void => {
  const limit = vm.finite()
  setGas(vm, limit > 0 ? Math.min(Number(limit), INFINITE_GAS) : 0)
}
const gasconsumed = (vm: Machine): void => {
  vm.stack.push(vm.gasConsumed)
}
const commit = (vm: Machine): void => {
  if (!vm.tryCommit()) throw CELL_OVERFLOW
}

/** c7[0]: SmartContractInfo. */
const info = (vm: Machine): Tuple => tupleIn(vm.c7, 0)
export const parameter = (vm: Machine, index: number): Value => entryOf(info(vm), index)
/** c7[0][14]: configuration parameters as slices. */
export const unpackedConfig = (vm: Machine): Tuple => tupleIn(info(vm), UNPACKED_CONFIG)

const getparam = (vm: Machine, index: number): void => {
  vm.stack.push(parameter(vm, index))
}
const inmsgparam = (vm: Machine, index: number): void => {
  const message = parameter(vm, MESSAGE)
  if (!isTuple(message)) throw TYPE_CHECK
  vm.stack.push(entryOf(message, index))
}
const prevblocks = (vm: Machine, index: number): void => {
  vm.stack.push(entryOf(tupleIn(info(vm), PREVIOUS_BLOCKS), index))
}

const configdict = (vm: Machine): void => {
  getparam(vm, CONFIG_ROOT)
  vm.stack.push(32)
}
export const configCell = (vm: Machine, root: Cell | null, index: Integer): Cell | null => {
  const key = integerKey(index, 32, true)
  const value = key === undefined ? undefined : lookup(vm, root, 32, key)
  if (value === undefined) return null
  if (value.remainingBits !== 0 || value.remainingRefs !== 1) throw DICT_ERROR
  return value.preloadRef()
}
const configparam = (vm: Machine, optional: boolean): void => {
  const index = vm.int()
  const root = parameter(vm, CONFIG_ROOT)
  if (root !== null && !(root instanceof Cell)) throw TYPE_CHECK
  const cell = configCell(vm, root, index)
  if (optional) vm.stack.push(cell)
  else if (cell === null) vm.stack.push(0)
  else vm.stack.push(cell, -1)
}
const globalid = (vm: Machine): void => {
  if (vm.version >= V_UNPACKED_CONFIG) {
    const slice = entryOf(unpackedConfig(vm), 1)
    if (!(slice instanceof Slice)) throw TYPE_CHECK
    if (slice.remainingBits < 32) throw CELL_UNDERFLOW
    vm.stack.push(slice.clone().loadInt(32))
    return
  }
  const root = parameter(vm, 19)
  if (!(root instanceof Cell)) throw TYPE_CHECK
  const cell = configCell(vm, root, 19)
  if (cell === null) throw UNKNOWN_ERROR
  const slice = vm.open(cell)
  if (slice.remainingBits < 32) throw UNKNOWN_ERROR
  vm.stack.push(slice.loadInt(32))
}

const getglob = (vm: Machine, index: number): void => {
  vm.stack.push(index < vm.c7.length ? vm.c7[index]! : null)
}
const getglobvar = (vm: Machine): void => getglob(vm, vm.small(254))
const setglob = (vm: Machine, index: number): void => {
  const { tuple, gas } = withEntry(vm.c7, index, vm.pop())
  vm.use(gas)
  vm.c7 = tuple as Tuple
}

const setInfo = (vm: Machine, index: number, value: Value): void => {
  const { tuple, gas } = withEntry(info(vm), index, value)
  vm.use(gas)
  const c7 = vm.c7.slice()
  c7[0] = tuple
  vm.use(c7.length)
  vm.c7 = c7
}
const seedOf = (vm: Machine): Buffer => {
  const seed = parameter(vm, SEED)
  if (typeof seed !== 'number' && typeof seed !== 'bigint') throw TYPE_CHECK
  const bytes = toBytes32(seed)
  if (bytes === undefined) throw RANGE_CHECK
  return bytes
}
const random = (vm: Machine): bigint => {
  const hash = createHash('sha512').update(seedOf(vm)).digest()
  setInfo(vm, SEED, fromBytes(hash.subarray(0, 32)))
  return BigInt(fromBytes(hash.subarray(32)))
}
const randu256 = (vm: Machine): void => {
  vm.stack.push(normal(random(vm)))
}
const rand = (vm: Machine): void => {
  const x = vm.finite()
  vm.stack.push(normal((BigInt(x) * random(vm)) >> 256n))
}
const setrand = (vm: Machine, mix: boolean): void => {
  const x = vm.finite()
  if (!fitsUnsigned(x, 256)) throw RANGE_CHECK
  info(vm)
  setInfo(vm, SEED, mix ? fromBytes(createHash('sha256').update(seedOf(vm)).update(toBytes32(x)!).digest()) : x)
}

const getextrabalance = (vm: Machine): void => {
  const id = vm.small(2 ** 32 - 1)
  const root = entryOf(tupleIn(info(vm), BALANCE), 1)
  if (root !== null && !(root instanceof Cell)) throw TYPE_CHECK
  vm.cheap = ++vm.extraBalances <= CHEAP_LOOKUPS ? CHEAP_GAS : -1
  try {
    const value = lookup(vm, root, 32, integerKey(id, 32, false)!)
    if (value === undefined) {
      vm.stack.push(0)
      return
    }
    if (value.remainingBits < 5) throw CELL_UNDERFLOW
    const bits = value.loadUint(5) * 8
    if (value.remainingBits < bits) throw CELL_UNDERFLOW
    vm.stack.push(normal(value.loadUintBig(bits)))
  } finally {
    vm.cheap = -1
  }
}

const named = ['NOW', 'BLOCKLT', 'LTIME', 'RANDSEED', 'BALANCE', 'MYADDR', 'CONFIGROOT', 'MYCODE', 'INCOMINGVALUE', 'STORAGEFEES']
const later = ['PREVBLOCKSINFOTUPLE', 'UNPACKEDCONFIGTUPLE', 'DUEPAYMENT']
const messageParts = ['BOUNCE', 'BOUNCED', 'SRC', 'FWDFEE', 'LT', 'UTIME', 'ORIGVALUE', 'VALUE', 'VALUEEXTRA', 'STATEINIT']

export const CONTEXT: readonly Instruction[] = [
  simple(0xf800, 16, 'ACCEPT', accept),
  simple(0xf801, 16, 'SETGASLIMIT', setgaslimit),
  simple(0xf807, 16, 'GASCONSUMED', gasconsumed, undefined, 4),
  simple(0xf80f, 16, 'COMMIT', commit),
  simple(0xf810, 16, 'RANDU256', randu256),
  simple(0xf811, 16, 'RAND', rand),
  simple(0xf814, 16, 'SETRAND', setrand, false),
  simple(0xf815, 16, 'ADDRAND', setrand, true),
  ranged(0xf820, 0xf822, 16, 4, 'GETPARAM', getparam),
  ...[...named, ...later].map((name, i) => simple(0xf823 + i, 16, name, getparam, i + 3)),
  simple(0xf830, 16, 'CONFIGDICT', configdict),
  simple(0xf832, 16, 'CONFIGPARAM', configparam, false),
  simple(0xf833, 16, 'CONFIGOPTPARAM', configparam, true),
  simple(0xf83400, 24, 'PREVMCBLOCKS', prevblocks, 0, 4),
  simple(0xf83401, 24, 'PREVKEYBLOCK', prevblocks, 1, 4),
  simple(0xf83402, 24, 'PREVMCBLOCKS_100', prevblocks, 2, 9),
  simple(0xf835, 16, 'GLOBALID', globalid, undefined, 4),
  simple(0xf839, 16, 'GETPRECOMPILEDGAS', getparam, 16, 6),
  simple(0xf840, 16, 'GETGLOBVAR', getglobvar),
  ranged(0xf841, 0xf85f, 16, 5, 'GETGLOB', getglob),
  simple(0xf860, 16, 'SETGLOBVAR', popped(2, 254, setglob)),
  ranged(0xf861, 0xf87f, 16, 5, 'SETGLOB', setglob),
  simple(0xf880, 16, 'GETEXTRABALANCE', getextrabalance, undefined, 10),
  ranged(0xf88100, 0xf88110, 24, 8, 'GETPARAMLONG', getparam, { since: 11 }),
  simple(0xf88111, 24, 'INMSGPARAMS', getparam, MESSAGE, 11),
  ranged(0xf88112, 0xf881fe, 24, 8, 'GETPARAMLONG', getparam, { since: 11 }),
  ...messageParts.map((name, i) => simple(0xf890 + i, 16, `INMSG_${name}`, inmsgparam, i, 11)),
  ranged(0xf89a, 0xf89f, 16, 4, 'INMSGPARAM', inmsgparam, { since: 11 }),
]
