import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, expectTag, storeHash } from '../common.ts'

/*
 * ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 * validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
 * validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
 * validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
 * validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 */

export interface ValidatorDescr {
  /** ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /** If set, the record is written as validator_addr#73. */
  readonly adnlAddr?: Uint8Array | undefined
}

/** ConfigParam 32 to 37. */
export interface ValidatorSet {
  /** True for validators_ext#12, which states its total weight. False for validators#11. */
  readonly ext: boolean
  readonly utimeSince: number
  readonly utimeUntil: number
  readonly total: number
  /** Number of validators that serve the masterchain. They are the first ones in the list. */
  readonly main: number
  /** The stated weight; for validators#11 the sum of the weights. */
  readonly totalWeight: bigint
  readonly list: readonly ValidatorDescr[]
}

/** Reads an ed25519 public key, 32 bytes. */
export const loadSigPubKey = (s: Slice): Uint8Array => {
  expectTag(s, 32, 0x8e81278a, 'SigPubKey')
  return s.loadBytes(32)
}
const storeSigPubKey = (b: Builder, key: Uint8Array): Builder => storeHash(b.storeUint(0x8e81278a, 32), key)

const loadValidatorDescr = (s: Slice): ValidatorDescr => {
  const tag = s.loadUint(8)
  if (tag !== 0x53 && tag !== 0x73) throw badTag('ValidatorDescr', `0x${tag.toString(16)}`)
  return { publicKey: loadSigPubKey(s), weight: s.loadUintBig(64), adnlAddr: tag === 0x73 ? s.loadBytes(32) : undefined }
}

const storeValidatorDescr = (b: Builder, descr: ValidatorDescr): Builder => {
  storeSigPubKey(b.storeUint(descr.adnlAddr === undefined ? 0x53 : 0x73, 8), descr.publicKey).storeUint(descr.weight, 64)
  return descr.adnlAddr === undefined ? b : storeHash(b, descr.adnlAddr)
}

/**
 * Reads a ValidatorSet with the checks of Config::unpack_validator_set: the keys are 0 to total-1, the weights are positive, and their sum fits 64 bits and is
 * the stated sum.
 */
export const loadValidatorSet = (cell: Cell): ValidatorSet => {
  const s = cell.slice()
  const tag = s.loadUint(8)
  if (tag !== 0x11 && tag !== 0x12) throw badTag('ValidatorSet', `0x${tag.toString(16)}`)
  const head = { utimeSince: s.loadUint(32), utimeUntil: s.loadUint(32), total: s.loadUint(16), main: s.loadUint(16) }
  const stated = tag === 0x12 ? s.loadUintBig(64) : undefined
  const root = tag === 0x12 ? s.loadMaybeRef() : s.asCell()
  if (tag === 0x12) s.end()
  const list: ValidatorDescr[] = []
  for (const [place, value] of dictEntries(root, 16, { cells: MAX_CHECKED_CELLS })) {
    if (place !== BigInt(list.length)) throw new CellError('range', `ValidatorSet: there is no validator at place ${list.length}`)
    const descr = loadValidatorDescr(value)
    value.end()
    if (descr.weight === 0n) throw new CellError('range', `ValidatorSet: validator ${list.length} has no weight`)
    list.push(descr)
  }
  if (head.main < 1 || head.main > head.total || list.length !== head.total) {
    throw new CellError('range', `ValidatorSet: ${list.length} validators, total ${head.total}, main ${head.main}`)
  }
  const totalWeight = list.reduce((sum, { weight }) => sum + weight, 0n)
  if (totalWeight >> 64n !== 0n) throw new CellError('range', 'ValidatorSet: the weights exceed 2^64')
  if (stated !== undefined && stated !== totalWeight)
    throw new CellError('range', `ValidatorSet: weights add to ${totalWeight}, not ${stated}`)
  return { ext: tag === 0x12, ...head, totalWeight, list }
}

export const storeValidatorSet = (set: ValidatorSet): Cell => {
  const b = beginCell()
    .storeUint(set.ext ? 0x12 : 0x11, 8)
    .storeUint(set.utimeSince, 32)
    .storeUint(set.utimeUntil, 32)
  b.storeUint(set.total, 16).storeUint(set.main, 16)
  const root = dictFromEntries(
    16,
    set.list.map((descr, i) => [BigInt(i), storeValidatorDescr(beginCell(), descr)] as const),
  )
  if (set.ext) return b.storeUint(set.totalWeight, 64).storeMaybeRef(root).end()
  if (root === undefined) throw new CellError('range', 'validators#11 cannot be empty')
  return b.storeCell(root).end()
}
