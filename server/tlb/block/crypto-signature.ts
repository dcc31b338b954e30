import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, expectTag, storeHash } from '../common.ts'

/*
 * ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 * ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
 * certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
 * signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
 * chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
 * sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
 */

/** A signature; a chained one is made with a temporary key that a certificate vouches for (kept as its cell). */
export interface CryptoSignature {
  /** R and s, 64 bytes. */
  readonly signature: Uint8Array
  /** SignedCertificate of a chained signature. */
  readonly certificate?: Cell | undefined
}

export interface CryptoSignaturePair extends CryptoSignature {
  /** sha256 of the TL-serialized public key, 32 bytes. */
  readonly nodeIdShort: Uint8Array
}

/** SigPubKey: 32 bytes of an ed25519 public key. */
export const loadSigPubKey = (s: Slice): Uint8Array => {
  expectTag(s, 32, 0x8e81278a, 'SigPubKey')
  return s.loadBytes(32)
}
export const storeSigPubKey = (b: Builder, key: Uint8Array): Builder => storeHash(b.storeUint(0x8e81278a, 32), key)

const loadSimple = (s: Slice): Uint8Array => {
  expectTag(s, 4, 5, 'CryptoSignatureSimple')
  return s.loadBytes(64)
}
const storeSimple = (b: Builder, signature: Uint8Array): Builder => {
  if (signature.length !== 64) throw new CellError('range', `an ed25519 signature has 64 bytes, not ${signature.length}`)
  return b.storeUint(5, 4).storeBytes(signature)
}

const loadCryptoSignature = (s: Slice): CryptoSignature => {
  const tag = s.preloadUint(4)
  if (tag === 5) return { signature: loadSimple(s) }
  if (tag !== 0xf) throw badTag('CryptoSignature', tag)
  s.skip(4)
  return { certificate: s.loadRef(), signature: loadSimple(s) }
}

const storeCryptoSignature = (b: Builder, sign: CryptoSignature): Builder =>
  storeSimple(sign.certificate === undefined ? b : b.storeUint(0xf, 4).storeRef(sign.certificate), sign.signature)

/** HashmapE 16 CryptoSignaturePair: keys are positions 0, 1, 2, ... */
export const loadSignatures = (root: Cell | undefined): CryptoSignaturePair[] =>
  [...dictEntries(root, 16)].map(([, s]) => ({ nodeIdShort: s.loadBytes(32), ...loadCryptoSignature(s) }))

export const storeSignatures = (signatures: readonly CryptoSignaturePair[]): Cell | undefined =>
  dictFromEntries(
    16,
    signatures.map((pair, i) => [BigInt(i), storeCryptoSignature(storeHash(beginCell(), pair.nodeIdShort), pair)] as const),
  )
