import { createHash } from 'node:crypto'
import { Slice } from '../../../cell/slice.ts'
import { curves } from '../../crypto/load-curves.ts'
import { EMPTY_BUILDER, VmBuilder } from '../../machine/builder.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, RANGE_CHECK, TYPE_CHECK } from '../../machine/exceptions.ts'
import { finishCell } from '../../machine/finish-cell.ts'
import type { Instruction } from '../../machine/instruction.ts'
import { fromBytes } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import { V_EARLY_UNDERFLOW } from '../../versions.ts'
import { fixed, simple } from '../define.ts'

/* 0xF900..0xF907, 0xF916: hashes. */

const hashcu = (vm: Machine): void => {
  const cell = vm.cell()
  vm.hashed?.push(cell)
  vm.stack.push(fromBytes(cell.hash(vm.virtual ? 0 : 3)))
}
const hashsu = (vm: Machine): void => {
  const slice = vm.slice()
  vm.stack.push(fromBytes(finishCell(vm, EMPTY_BUILDER.storeSlice(slice)).hash()))
}
const hashbu = (vm: Machine): void => {
  const cell = vm.builder().end()
  vm.hashed?.push(cell)
  vm.stack.push(fromBytes(cell.hash()))
}

export const wholeBytes = (slice: Slice): Uint8Array => {
  if (slice.remainingBits & 7) throw CELL_UNDERFLOW
  return slice.preloadBits(slice.remainingBits)
}
const sha256u = (vm: Machine): void => {
  vm.stack.push(fromBytes(createHash('sha256').update(wholeBytes(vm.slice())).digest()))
}

interface Hasher {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

const keccak = (name: 'keccak256' | 'keccak512') => (): Hasher => {
  const hasher = curves()[name].init()
  return { update: (bytes) => hasher.update(bytes), digest: () => hasher.digest('binary') }
}

/** The hashes of HASHEXT by number. `bytesPerGas` is the number of bytes that cost one gas. */
const HASHES: readonly { readonly bytesPerGas: number; readonly create: () => Hasher }[] = [
  { bytesPerGas: 33, create: () => createHash('sha256') },
  { bytesPerGas: 16, create: () => createHash('sha512') },
  { bytesPerGas: 19, create: () => createHash('blake2b512') },
  { bytesPerGas: 11, create: keccak('keccak256') },
  { bytesPerGas: 6, create: keccak('keccak512') },
]

interface Ext {
  /** Number of the hash; 255 if the number is on the stack. */
  readonly hash: number
  readonly reversed: boolean
  readonly appends: boolean
}
class Joined {
  readonly bytes = Buffer.alloc(1024)
  bits = 0

  add(source: Uint8Array, count: number, flush: (bytes: Uint8Array) => void): void {
    const shift = this.bits & 7
    let at = this.bits >>> 3
    if (shift === 0) this.bytes.set(source, at)
    else {
      for (const byte of source) {
        this.bytes[at]! |= byte >>> shift
        this.bytes[++at] = byte << (8 - shift)
      }
    }
    this.bits += count
    const whole = this.bits >>> 3
    if (whole < 512) return
    flush(this.bytes.subarray(0, whole))
    const rest = this.bytes[whole]!
    this.bytes.fill(0)
    this.bytes[0] = rest
    this.bits &= 7
  }
}

const hashext = (vm: Machine, { hash, reversed, appends }: Ext): void => {
  const early = vm.version >= V_EARLY_UNDERFLOW
  let id = hash
  if (id === 255) {
    vm.need(early ? 2 : 0)
    id = vm.small(254)
  }
  const count = vm.small(vm.stack.length - 1 - (early && appends ? 1 : 0))
  const kind = HASHES[id]
  if (kind === undefined) throw RANGE_CHECK
  const hasher = kind.create()
  const joined = new Joined()
  let totalBits = 0
  let paid = 0
  const top = vm.stack.length - 1
  for (let i = 0; i < count; i++) {
    const value = vm.stack[top - (reversed ? i : count - 1 - i)]!
    if (!(value instanceof Slice || value instanceof VmBuilder)) throw TYPE_CHECK
    const bits = value instanceof Slice ? value.remainingBits : value.bits
    totalBits += bits
    const gas = i + 1 + Math.floor(Math.floor(totalBits / 8) / kind.bytesPerGas)
    vm.use(gas - paid)
    paid = gas
    joined.add(value instanceof Slice ? value.preloadBits(bits) : value.data(), bits, (bytes) => hasher.update(Buffer.from(bytes)))
  }
  vm.stack.length -= count
  if (joined.bits & 7) throw CELL_UNDERFLOW
  hasher.update(joined.bytes.subarray(0, joined.bits >>> 3))
  const digest = hasher.digest()
  if (appends) {
    const builder = vm.builder()
    if (!builder.fits(digest.length * 8, 0)) throw CELL_OVERFLOW
    vm.stack.push(builder.storeBytes(digest))
  } else if (digest.length <= 32) vm.stack.push(fromBytes(digest))
  else vm.stack.push([fromBytes(digest.subarray(0, 32)), fromBytes(digest.subarray(32))])
}

const extForms = [0, 1, 2, 3].map((form) => {
  const reversed = (form & 1) !== 0
  const appends = (form & 2) !== 0
  return fixed(0xf904 + form, 16, 8, `HASHEXT${appends ? 'A' : ''}${reversed ? 'R' : ''}`, hashext, {
    map: (hash) => ({ hash, reversed, appends }),
    text: (hash) => String(hash === 255 ? -1 : hash),
    since: 4,
  })
})

export const HASH_INSTRUCTIONS: readonly Instruction[] = [
  simple(0xf900, 16, 'HASHCU', hashcu),
  simple(0xf901, 16, 'HASHSU', hashsu),
  simple(0xf902, 16, 'SHA256U', sha256u),
  ...extForms,
  simple(0xf916, 16, 'HASHBU', hashbu, undefined, 12),
]
