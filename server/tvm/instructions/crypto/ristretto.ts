import { curves } from '../../crypto/load-curves.ts'
import { RANGE_CHECK } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import { fromBytes, isNaNInteger, toBytes32 } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer } from '../../machine/value.ts'
import { V_CRYPTO_CHECKS } from '../../versions.ts'
import { simple } from '../define.ts'

/* 0xF920..0xF926, quiet forms with prefix 0xB7: the ristretto255 group. Elements are integers of 32 bytes. */

const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n

const MUL_GAS = 2_000
const MULBASE_GAS = 750
const ADD_GAS = 600
const FROM_HASH_GAS = 600
const VALIDATE_GAS = 200

const decode = (value: Integer) => {
  const bytes = toBytes32(value)
  return bytes === undefined ? undefined : curves().decodeRistretto(bytes)
}

const give = (vm: Machine, result: Integer | undefined, quiet: boolean): void => {
  if (result === undefined) {
    if (!quiet) throw RANGE_CHECK
    vm.stack.push(0)
    return
  }
  vm.stack.push(result)
  if (quiet) vm.stack.push(-1)
}

const fromHash = (vm: Machine): void => {
  vm.need(2)
  const second = vm.int()
  const first = vm.int()
  vm.use(FROM_HASH_GAS)
  const a = toBytes32(first)
  const b = toBytes32(second)
  if (a === undefined || b === undefined) throw RANGE_CHECK
  vm.beforeSlow()
  vm.stack.push(fromBytes(curves().ristrettoFromHash(Buffer.concat([a, b]))))
}
const validate = (vm: Machine, quiet: boolean): void => {
  const x = vm.int()
  vm.use(VALIDATE_GAS)
  vm.beforeSlow()
  const valid = decode(x) !== undefined
  if (quiet) vm.stack.push(valid ? -1 : 0)
  else if (!valid) throw RANGE_CHECK
}
const combine = (vm: Machine, { quiet, subtract }: { readonly quiet: boolean; readonly subtract: boolean }): void => {
  vm.need(2)
  const second = vm.int()
  const first = vm.int()
  vm.use(ADD_GAS)
  vm.beforeSlow()
  const x = decode(first)
  const y = x && decode(second)
  const { addRistretto, subtractRistretto } = curves()
  give(vm, x && y && fromBytes(subtract ? subtractRistretto(x, y) : addRistretto(x, y)), quiet)
}

const reduced = (n: Integer): bigint => {
  const rest = BigInt(n) % ORDER
  return rest < 0n ? rest + ORDER : rest
}

const mul = (vm: Machine, quiet: boolean): void => {
  vm.need(2)
  const factor = vm.int()
  const x = vm.int()
  vm.use(MUL_GAS)
  const checks = vm.version >= V_CRYPTO_CHECKS
  if (isNaNInteger(factor)) {
    give(vm, undefined, quiet)
    return
  }
  const n = reduced(factor)
  if (n === 0n && !checks) {
    give(vm, 0, quiet)
    return
  }
  vm.beforeSlow()
  const point = decode(x)
  if (point === undefined) give(vm, undefined, quiet)
  else if (n === 0n || point.is0()) give(vm, checks ? 0 : undefined, quiet)
  else give(vm, fromBytes(curves().multiplyRistretto(point, n)), quiet)
}
const mulBase = (vm: Machine, quiet: boolean): void => {
  const factor = vm.int()
  vm.use(MULBASE_GAS)
  if (isNaNInteger(factor)) {
    give(vm, undefined, quiet)
    return
  }
  const n = reduced(factor)
  if (n === 0n) {
    give(vm, 0, quiet)
    return
  }
  vm.beforeSlow()
  give(vm, fromBytes(curves().multiplyRistrettoBase(n)), quiet)
}
const pushOrder = (vm: Machine): void => {
  vm.stack.push(ORDER)
}

const forms = (quiet: boolean): Instruction[] => {
  const base = quiet ? 0xb7f920 : 0xf920
  const bits = quiet ? 24 : 16
  const name = quiet ? 'RIST255_Q' : 'RIST255_'
  return [
    simple(base + 1, bits, `${name}VALIDATE`, validate, quiet, 4),
    simple(base + 2, bits, `${name}ADD`, combine, { quiet, subtract: false }, 4),
    simple(base + 3, bits, `${name}SUB`, combine, { quiet, subtract: true }, 4),
    simple(base + 4, bits, `${name}MUL`, mul, quiet, 4),
    simple(base + 5, bits, `${name}MULBASE`, mulBase, quiet, 4),
  ]
}

export const RISTRETTO: readonly Instruction[] = [
  simple(0xf920, 16, 'RIST255_FROMHASH', fromHash, undefined, 4),
  ...forms(false),
  simple(0xf926, 16, 'RIST255_PUSHL', pushOrder, undefined, 4),
  ...forms(true),
]
