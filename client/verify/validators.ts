import { sha256 } from '@noble/hashes/sha2.js'
import { hexOf } from '../bytes.ts'
import type { Cell } from './cell.ts'
import { crc32c } from './crc32c.ts'
import { find, keyOf, walk } from './dict.ts'
import { fail, must, VerifyError } from './error.ts'
import { MASTERCHAIN, WHOLE_SHARD } from './ids.ts'
import { Reader, tag } from './reader.ts'

export interface Validator {
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly address: Uint8Array
}

/** WebCrypto; a page has it only in a secure context (https, or localhost). */
export const webCrypto = (): SubtleCrypto => {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (subtle === undefined)
    throw new VerifyError(
      '',
      'signatures of validators are checked by crypto.subtle, which a page has over https or on localhost alone',
      'NO_ED25519',
    )
  return subtle
}

const param = (config: Cell, id: number): Cell | undefined => find(config, keyOf(id, 32))?.next()

/** Edges of the list of validators: there are at most 65,535, and no network has more than a few hundred. */
const MAX_EDGES = 1 << 13

/*
 * validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
 * validators_ext#12 ... total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 * validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
 * validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
 * ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 */
/** The validators of the masterchain: the first `main` of the set. */
const readSet = (cell: Cell): readonly Validator[] => {
  const r = new Reader(cell)
  const kind = r.uint(8)
  must(kind === 0x11 || kind === 0x12, 'no ValidatorSet')
  const [total, main] = [r.skip(64).uint(16), r.uint(16)]
  const list: Validator[] = []
  walk(
    kind === 0x12 ? r.skip(64).maybeRef() : r.rest(),
    16,
    (key, value) => {
      must(Number.parseInt(key, 2) === list.length, 'a set of validators with a gap')
      const hasAddress = value.uint(8)
      must(hasAddress === 0x53 || hasAddress === 0x73, 'no ValidatorDescr')
      const publicKey = tag(value, 32, 0x8e81278a, 'SigPubKey').bytes(32)
      const weight = value.big(64)
      must(weight > 0n, 'a validator without weight')
      list.push({ publicKey, weight, address: hasAddress === 0x73 ? value.bytes(32) : new Uint8Array(32) })
    },
    MAX_EDGES,
  )
  must(main >= 1 && main <= total && list.length === total, `${list.length} validators, where ${main} of ${total} are said`)
  return list.slice(0, main)
}

/*
 * catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool ... = CatchainConfig;      (parameter 28)
 */
const isShuffled = (config: Cell): boolean => {
  const cell = param(config, 28)
  if (cell === undefined) return false
  const r = new Reader(cell)
  return r.uint(8) === 0xc2 && r.skip(7).flag()
}

/**
 * Shuffles as Config::do_compute_validator_set and ValidatorSetPRNG of crypto/block/mc-config.cpp do: random numbers are words of
 * sha512(seed . shard . workchain . catchain seqno), eight a hash. The seed begins at zero and counts up.
 */
const shuffle = async (list: readonly Validator[], catchainSeqno: number): Promise<readonly Validator[]> => {
  const words: bigint[] = []
  const input = new Uint8Array(48)
  const view = new DataView(input.buffer)
  view.setBigUint64(32, WHOLE_SHARD)
  view.setInt32(40, MASTERCHAIN)
  view.setUint32(44, catchainSeqno)
  for (let seed = 0; words.length < list.length; seed++) {
    view.setUint32(28, seed)
    const hash = new DataView(await webCrypto().digest('SHA-512', input))
    for (let i = 0; i < 64; i += 8) words.push(hash.getBigUint64(i))
  }
  const order: number[] = []
  for (let i = 0; i < list.length; i++) {
    const j = Number((BigInt(i + 1) * words[i]!) >> 64n)
    order[i] = order[j] ?? i
    order[j] = i
  }
  return order.map((i) => list[i]!)
}

/*
 * test0.validatorSet catchain_seqno:int validators:(vector test0.validatorSetItem)      (901660ed)
 * pub.ed25519 key:int256 = PublicKey      (4813b4c6)
 */
const shortHash = (catchainSeqno: number, list: readonly Validator[]): number => {
  const bytes = new Uint8Array(12 + 72 * list.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x901660ed, true)
  view.setUint32(4, catchainSeqno, true)
  view.setUint32(8, list.length, true)
  for (const [i, { publicKey, weight, address }] of list.entries()) {
    bytes.set(publicKey, 12 + 72 * i)
    view.setBigUint64(44 + 72 * i, weight, true)
    bytes.set(address, 52 + 72 * i)
  }
  return crc32c(bytes)
}

const nodeOf = (publicKey: Uint8Array): string => hexOf(sha256(Uint8Array.of(0xc6, 0xb4, 0x13, 0x48, ...publicKey)))

/** The validators that sign masterchain blocks in a session. */
export const createSigningSet = (list: readonly Validator[], catchainSeqno: number) => ({
  catchainSeqno,
  /** validator_list_hash_short, unsigned. */
  hash: shortHash(catchainSeqno, list),
  /** By node id in hex. */
  byNode: new Map(list.map((validator) => [nodeOf(validator.publicKey), validator])),
  totalWeight: list.reduce((sum, { weight }) => sum + weight, 0n),
})

export type SigningSet = ReturnType<typeof createSigningSet>

/** The validators of a configuration: those of parameter 35 if it is there, else of 34. */
export const signingSetOf = async (config: Cell, catchainSeqno: number): Promise<SigningSet> => {
  const list = readSet(param(config, 35) ?? param(config, 34) ?? fail('a configuration without validators'))
  return createSigningSet(isShuffled(config) ? await shuffle(list, catchainSeqno) : list, catchainSeqno)
}
