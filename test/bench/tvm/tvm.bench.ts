import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ristretto255 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { stdAddress, storeAddressInt } from '../../../server/tlb/address.ts'
import { storeVmStack } from '../../../server/tlb/vm-stack/store.ts'
import { verifyP256 } from '../../../server/tvm/crypto/openssl.ts'
import { unpackConfig } from '../../../server/tvm/executor/config.ts'
import { runVmGetMethod } from '../../../server/tvm/get-method.ts'
import { fromBytes } from '../../../server/tvm/machine/integer.ts'
import type { Value } from '../../../server/tvm/machine/value.ts'
import { runVm } from '../../../server/tvm/run-vm.ts'
import { readData } from '../../kit/data.ts'
import { createEmulator } from '../../kit/tvm/emulator/emulator.ts'
import { emulatorConfig } from '../../kit/tvm/emulator/forms.ts'
import { compileEmulator } from '../../kit/tvm/emulator/wasm.ts'
import { configOf } from '../../tvm/oracle/configs.ts'
import type { Bench, Rig } from '../bench.ts'
import { heldMemory } from './held-memory.ts'
import { walletTransfer } from './transfer.ts'
import { worst } from './worst.ts'
import '../../kit/tvm/curves.ts'

/* The machine alone, in one thread beside the WebAssembly emulator in the same one, or beside the library that an instruction calls. */

const bytesOf = (cell: Cell): Uint8Array => serializeBoc(cell, { crc32c: false })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const NOW = 1_790_000_000
const SEED = Buffer.alloc(32, 1)
const ADDRESS = stdAddress(0, Buffer.alloc(32, 0x11))

/** A get-method that both engines run; `methodId` and the number of calls in one run of the bench. */
interface Method {
  readonly code: Cell
  readonly data: Cell
  readonly methodId: number
  readonly calls: number
}

/** The emulator's call as text, with the little of a configuration that a get-method needs. */
const emulatorCall = async ({ code, data, methodId }: Method): Promise<() => { exit: number; gas: number }> => {
  const emulator = await createEmulator(await compileEmulator())
  const config = emulator.keep(emulatorConfig(configOf(12, 'usual')).own)
  const stack = bytesOf(storeVmStack([]))
  const codeBytes = bytesOf(code)
  const dataBytes = bytesOf(data)
  return () => {
    const params = {
      code: base64(codeBytes),
      data: base64(dataBytes),
      verbosity: 0,
      libs: '',
      address: `0:${'11'.repeat(32)}`,
      unixtime: NOW,
      balance: '1000000000',
      rand_seed: '01'.repeat(32),
      gas_limit: '1000000',
      method_id: methodId,
      debug_enabled: false,
    }
    const answer = JSON.parse(emulator.runGetMethod(JSON.stringify(params), stack, config)) as {
      output: { vm_exit_code: number; gas_used: string }
    }
    return { exit: answer.output.vm_exit_code, gas: Number(answer.output.gas_used) }
  }
}

/** Both engines; the own one with cells at hand, or (`boc`) from the bytes each time. */
const methodRig = async (method: Method, boc: boolean): Promise<Rig> => {
  const theirs = await emulatorCall(method)
  const config = unpackConfig(configOf(12, 'usual'))
  const codeBytes = bytesOf(method.code)
  const dataBytes = bytesOf(method.data)
  const own = () =>
    runVmGetMethod({
      code: boc ? parseBocRoot(codeBytes) : method.code,
      data: boc ? parseBocRoot(dataBytes) : method.data,
      address: ADDRESS,
      balance: 1_000_000_000n,
      config,
      methodId: method.methodId,
      stack: [],
      now: NOW,
      randomSeed: SEED,
      gasLimit: 1_000_000,
    })
  const { exitCode, gasUsed } = own()
  const expected = theirs()
  // An endless loop is told apart by its gas: the emulator says how much it took to find the end.
  if (exitCode !== expected.exit || gasUsed !== expected.gas)
    throw new Error(`exit ${exitCode} gas ${gasUsed}, not ${JSON.stringify(expected)}`)
  // V8 compiles what has run for a while; a server's life is longer than this.
  for (let i = 0; i < 40 * Math.min(method.calls, 500) + 40; i++) own()
  const times = (run: () => unknown) => () => {
    for (let i = 0; i < method.calls; i++) run()
  }
  return { ours: times(own), yardstick: times(theirs) }
}

const SEQNO = 85_143
const GET_WALLET_DATA = 97_026
const wallet = (): Method => ({
  code: parseBocRoot(readData('codes/wallet_v4r2.boc')),
  data: beginCell()
    .storeUint(5, 32)
    .storeUint(698_983_191, 32)
    .storeUint(1n << 200n, 256)
    .storeBit(0)
    .end(),
  methodId: SEQNO,
  calls: 1_000,
})
const jettonWallet = (): Method => {
  const code = parseBocRoot(readData('codes/token-contract-jetton-wallet.boc'))
  const data = storeAddressInt(storeAddressInt(beginCell().storeCoins(12_345n), ADDRESS), ADDRESS)
  return { code, data: data.storeRef(code).end(), methodId: GET_WALLET_DATA, calls: 1_000 }
}
/** DROP, PUSHINT 0, PUSHCONT { INC }, AGAIN. */
const loop = (): Method => ({
  code: beginCell().storeBytes(Buffer.from('307091a4ea', 'hex')).end(),
  data: EMPTY_CELL,
  methodId: SEQNO,
  calls: 4,
})

const methods: readonly (readonly [name: string, method: () => Method, boc: boolean, atLeast: number])[] = [
  ['wallet v4 seqno, from cells, beside the emulator', wallet, false, 20],
  ['wallet v4 seqno, from BoC, beside the emulator', wallet, true, 5],
  ['jetton get_wallet_data, from cells, beside the emulator', jettonWallet, false, 20],
  ['jetton get_wallet_data, from BoC, beside the emulator', jettonWallet, true, 5],
  ['a loop of a million gas, four times, beside the emulator', loop, false, 100],
]

/** Code of one instruction that is run with the same stack each time. */
const instruction = (hex: string, stack: readonly Value[]) => {
  const code = beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
  return () => {
    const { exitCode, stack: left } = runVm({ code, stack: [...stack], c7: [], gas: { limit: 10_000_000 }, version: 15 })
    if (exitCode !== 0 || left.at(-1) === 0) throw new Error(`exit ${exitCode}`)
  }
}
const sliceOf = (bytes: Uint8Array): Value => beginCell().storeBytes(bytes).end().slice()
/** The instruction and the library's own call, so often. */
const beside = (times: number, ours: () => unknown, yardstick: () => unknown): Rig => {
  const repeat = (run: () => unknown) => () => {
    for (let i = 0; i < times; i++) run()
  }
  return { ours: repeat(ours), yardstick: repeat(yardstick) }
}

const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const blsVerify = async (): Promise<Rig> => {
  const secret = 123_456_789n
  const message = Buffer.from('a message to sign')
  const key = G1.BASE.multiply(secret).toBytes()
  const hash = bls12_381.longSignatures.hash(message, DST)
  const signature = bls12_381.G2.hashToCurve(message, { DST }).multiply(secret).toBytes()
  const ours = instruction('f93000', [sliceOf(key), sliceOf(message), sliceOf(signature)])
  return beside(3, ours, () => bls12_381.longSignatures.verify(signature, hash, key))
}
const blsPairing = async (): Promise<Rig> => {
  const p = G1.BASE.multiply(5n)
  const q = G2.BASE.multiply(7n)
  const pairs: Value[] = [sliceOf(p.toBytes()), sliceOf(q.toBytes()), sliceOf(p.negate().toBytes()), sliceOf(q.toBytes()), 2]
  const batch = [
    { g1: p, g2: q },
    { g1: p.negate(), g2: q },
  ]
  return beside(5, instruction('f93030', pairs), () => bls12_381.pairingBatch(batch))
}
const ecrecover = async (): Promise<Rig> => {
  const hash = Buffer.alloc(32, 3)
  const signed = secp256k1.sign(hash, Buffer.alloc(32, 9), { prehash: false, format: 'recovered' })
  const [v, r, s] = [signed[0]!, signed.slice(1, 33), signed.slice(33)]
  const ours = instruction('f912', [fromBytes(hash), v, fromBytes(r), fromBytes(s)])
  return beside(50, ours, () => secp256k1.recoverPublicKey(signed, hash, { prehash: false }))
}
const p256 = async (): Promise<Rig> => {
  const { generateKeyPairSync, sign } = await import('node:crypto')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const last = Buffer.from(y!, 'base64url').at(-1)!
  const key = Buffer.concat([Buffer.of(2 + (last & 1)), Buffer.from(x!, 'base64url')])
  const data = Buffer.alloc(32, 5)
  const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const ours = instruction('f914', [fromBytes(data), sliceOf(signature), sliceOf(key)])
  return beside(200, ours, () => verifyP256(key, data, signature))
}
const ristretto = async (): Promise<Rig> => {
  const point = ristretto255.Point.BASE.multiply(12_345n)
  const factor = (1n << 251n) + 7n
  const ours = instruction('f924', [fromBytes(point.toBytes()), factor])
  return beside(30, ours, () => ristretto255.Point.fromBytes(point.toBytes()).multiply(factor).toBytes())
}

const curves: readonly (readonly [name: string, setup: () => Promise<Rig>])[] = [
  ['BLS_VERIFY', blsVerify],
  ['BLS_PAIRING of two', blsPairing],
  ['ECRECOVER', ecrecover],
  ['P256_CHKSIGNU', p256],
  ['RIST255_MUL', ristretto],
]

export const benches: Bench[] = [
  ...methods.map(
    ([name, method, boc, atLeast]): Bench => ({ name, target: { atLeast }, basis: 'cpu', setup: () => methodRig(method(), boc) }),
  ),
  walletTransfer,
  ...curves.map(([name, setup]): Bench => ({ name: `${name}, beside the library alone`, target: { atLeast: 0.5 }, basis: 'cpu', setup })),
  worst,
  heldMemory,
]
