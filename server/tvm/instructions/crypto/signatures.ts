import { curves } from '../../crypto/load-curves.ts'
import { verifyEd25519, verifyP256 } from '../../crypto/openssl.ts'
import { CELL_UNDERFLOW, RANGE_CHECK } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import { fromBytes, toBytes32 } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Integer } from '../../machine/value.ts'
import { V_CRYPTO_CHECKS } from '../../versions.ts'
import { simple } from '../define.ts'
import { wholeBytes } from './hashes.ts'

/* 0xF910..0xF915: signatures. */

const RECOVER_GAS = 1_500
const TWEAK_GAS = 1_250
const P256_GAS = 3_500

const bytes32 = (value: Integer): Buffer => {
  const bytes = toBytes32(value)
  if (bytes === undefined) throw RANGE_CHECK
  return bytes
}

/** Keys 00..00 and 01 00..00. The latter is the neutral element, for which anyone can make signatures. */
const isTrivial = (key: Buffer): boolean => key[0]! <= 1 && key.subarray(1).every((byte) => byte === 0)

const chksign = (vm: Machine, fromSlice: boolean): void => {
  vm.need(3)
  const keyInteger = vm.int()
  const signature = vm.slice()
  const data = fromSlice ? wholeBytes(vm.slice()) : bytes32(vm.int())
  if (signature.remainingBits < 512) throw CELL_UNDERFLOW
  const key = bytes32(keyInteger)
  vm.countSignature()
  if (vm.version >= V_CRYPTO_CHECKS && isTrivial(key)) {
    vm.stack.push(vm.assumeSignaturesValid ? -1 : 0)
    return
  }
  if (vm.assumeSignaturesValid) {
    vm.stack.push(-1)
    return
  }
  vm.beforeSlow(false)
  vm.stack.push(verifyEd25519(key, data, signature.preloadBits(512)) ? -1 : 0)
}

/** Pushes the first byte of an uncompressed key, its two integers, and true. Without a key it pushes only false. */
const pushKey = (vm: Machine, key: Uint8Array | undefined): void => {
  if (key === undefined) vm.stack.push(0)
  else vm.stack.push(key[0]!, fromBytes(key.subarray(1, 33)), fromBytes(key.subarray(33)), -1)
}

const ecrecover = (vm: Machine): void => {
  vm.need(4)
  const sInteger = vm.int()
  const rInteger = vm.int()
  let v = vm.small(255)
  const hashInteger = vm.int()
  const r = bytes32(rInteger)
  const s = bytes32(sInteger)
  if (vm.version >= V_CRYPTO_CHECKS && (v === 27 || v === 28)) v -= 27
  const hash = bytes32(hashInteger)
  vm.use(RECOVER_GAS)
  vm.beforeSlow()
  pushKey(vm, curves().recoverSecp256k1(hash, r, s, v))
}

const tweakAdd = (vm: Machine): void => {
  vm.need(2)
  const tweakInteger = vm.int()
  const key = bytes32(vm.int())
  const tweak = bytes32(tweakInteger)
  vm.use(TWEAK_GAS)
  vm.beforeSlow()
  pushKey(vm, curves().tweakSecp256k1(key, tweak))
}

const p256Chksign = (vm: Machine, fromSlice: boolean): void => {
  vm.need(3)
  const key = vm.slice()
  const signature = vm.slice()
  const data = fromSlice ? wholeBytes(vm.slice()) : bytes32(vm.int())
  if (signature.remainingBits < 512 || key.remainingBits < 264) throw CELL_UNDERFLOW
  vm.use(P256_GAS)
  if (vm.assumeSignaturesValid) {
    vm.stack.push(-1)
    return
  }
  vm.beforeSlow(false)
  vm.stack.push(verifyP256(key.preloadBits(264), data, signature.preloadBits(512)) ? -1 : 0)
}

export const SIGNATURES: readonly Instruction[] = [
  simple(0xf910, 16, 'CHKSIGNU', chksign, false),
  simple(0xf911, 16, 'CHKSIGNS', chksign, true),
  simple(0xf912, 16, 'ECRECOVER', ecrecover, undefined, 4),
  simple(0xf913, 16, 'SECP256K1_XONLY_PUBKEY_TWEAK_ADD', tweakAdd, undefined, 9),
  simple(0xf914, 16, 'P256_CHKSIGNU', p256Chksign, false, 4),
  simple(0xf915, 16, 'P256_CHKSIGNS', p256Chksign, true, 4),
]
