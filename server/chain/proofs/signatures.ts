import { createHash, verify } from 'node:crypto'
import { toHex } from '../../tlb/bytes.ts'
import { type GroupMember, nodeIdShort } from '../../tlb/config/validator-hash.ts'
import { type BlockId, blockText, sameBlock } from '../../tlb/ids.ts'
import { ed25519Key } from '../../tvm/crypto/openssl.ts'
import type { SignatureSet } from '../liteserver.ts'
import { must, ProofError } from './error.ts'
import { readCandidate, toTl } from './signed-data.ts'
import type { SigningSet } from './signing-set.ts'

const WHAT = 'block signatures'

/** Bytes that validators sign for a block in the catchain consensus. */
export const blockToSign = (block: BlockId): Buffer => toTl('ton.BlockId', block)

/** Bytes that validators sign in the simplex consensus: a vote to finalize the candidate, whose serialized description names the block. */
const candidateToSign = (set: SignatureSet & { readonly type: 'simplex' }, block: BlockId): Buffer => {
  const named = readCandidate(set.candidate)
  must(sameBlock(named, block), WHAT, () => `the candidate is ${blockText(named)}, not the block ${blockText(block)}`)
  must(set.sessionId.length === 32, WHAT, 'a session id has 32 bytes')
  const hash = createHash('sha256').update(set.candidate).digest()
  const data = toTl('consensus.simplex.UnsignedVote', { id: { slot: set.slot, hash } })
  return toTl('consensus.DataToSign', { sessionId: set.sessionId, data })
}

/**
 * Throws unless validators with more than two thirds of the set's weight signed the block. Every signer must be a member of the set and occur once, and
 * every signature must be valid, as in the C++ node (BlockSignatureSet::check_signatures).
 */
export const checkSignatures = (signed: SignatureSet, block: BlockId, set: SigningSet): void => {
  must(signed.catchainSeqno === set.catchainSeqno, WHAT, () => `catchain seqno ${signed.catchainSeqno} instead of ${set.catchainSeqno}`)
  must(signed.validatorSetHash >>> 0 === set.hash, WHAT, () => `validator set ${signed.validatorSetHash >>> 0} instead of ${set.hash}`)
  const byNode = new Map<string, GroupMember>(set.members.map((member) => [toHex(nodeIdShort(member.publicKey)), member]))
  const signers = signed.signatures.map(({ nodeIdShort, signature }) => {
    const node = toHex(nodeIdShort)
    const validator = byNode.get(node)
    if (validator === undefined) throw new ProofError(WHAT, `${node} is not a validator of the set, or signed twice`)
    byNode.delete(node)
    return { node, validator, signature }
  })
  const message = signed.type === 'simplex' ? candidateToSign(signed, block) : blockToSign(block)
  const total = set.members.reduce((sum, { weight }) => sum + weight, 0n)
  let weight = 0n
  for (const { node, validator, signature } of signers) {
    const key = set.keys?.get(node) ?? ed25519Key(validator.publicKey)
    set.keys?.set(node, key)
    const valid = signature.length === 64 && verify(null, message, key, signature)
    must(valid, WHAT, () => `the signature of validator ${toHex(validator.publicKey)} does not hold`)
    weight += validator.weight
  }
  must(weight * 3n > total * 2n, WHAT, () => `${weight} of weight ${total} signed, more than two thirds are needed`)
}

/** Throws unless the signers' validator set is the set that the block's header names. */
export const mustBeSetOf = (
  set: SigningSet,
  header: { readonly genCatchainSeqno: number; readonly genValidatorListHashShort: number },
): void => {
  must(set.catchainSeqno === header.genCatchainSeqno, WHAT, 'another catchain seqno than in the header')
  must(set.hash === header.genValidatorListHashShort >>> 0, WHAT, 'another validator set than in the header')
}
