import { type BlockId, shardFromWire } from '../../tlb/ids.ts'
import { must, proving } from './error.ts'

/*
 * Data that validators vote on in the simplex consensus (tl/generate/scheme/ton_api.tl). `id:consensus.CandidateId` is boxed,
 * `parent:consensus.candidateId` is bare.
 *
 * consensus.candidateId#b691cd3f slot:int hash:int256 = consensus.CandidateId;
 * consensus.candidateParent#1a4b9af1 id:consensus.CandidateId = consensus.CandidateParent;
 * consensus.candidateWithoutParents#22cbcca9 = consensus.CandidateParent;
 * consensus.candidateHashDataOrdinary#e8f9bcdc block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent
 *   = consensus.CandidateHashData;
 * consensus.candidateHashDataEmpty#72b4d933 block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData;
 */
const CANDIDATE_ID = 0xb691cd3f
const PARENT = 0x1a4b9af1
const WITHOUT_PARENTS = 0x22cbcca9
const ORDINARY = 0xe8f9bcdc
const EMPTY = 0x72b4d933

const WHAT = 'candidate'
/** Offset after the 4-byte tag and the 80-byte block id, and number of bytes of a bare candidateId. */
const BLOCK_END = 4 + 80
const ID_BYTES = 4 + 32

const hex = (tag: number): string => tag.toString(16).padStart(8, '0')

/** End offset of an ordinary candidate's parent field, which begins at `at`. */
const endOfParent = (candidate: Buffer, at: number): number => {
  const tag = candidate.readUInt32LE(at)
  if (tag === WITHOUT_PARENTS) return at + 4
  must(tag === PARENT, WHAT, () => `${hex(tag)} is no consensus.CandidateParent`)
  const id = candidate.readUInt32LE(at + 4)
  must(id === CANDIDATE_ID, WHAT, () => `${hex(id)} is no consensus.CandidateId`)
  return at + 8 + ID_BYTES
}

/** Returns the block that a complete serialized consensus.CandidateHashData names. Throws ProofError for other bytes. */
export const readCandidate = (bytes: Uint8Array): BlockId =>
  proving(WHAT, () => {
    const candidate = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const tag = candidate.readUInt32LE(0)
    must(tag === ORDINARY || tag === EMPTY, WHAT, () => `${hex(tag)} is no consensus.CandidateHashData`)
    const end = tag === EMPTY ? BLOCK_END + ID_BYTES : endOfParent(candidate, BLOCK_END + 32)
    must(candidate.length === end, WHAT, () => `${candidate.length} bytes instead of ${end}`)
    return {
      workchain: candidate.readInt32LE(4),
      shard: shardFromWire(candidate.readBigInt64LE(8)),
      seqno: candidate.readInt32LE(16),
      rootHash: new Uint8Array(candidate.subarray(20, 52)),
      fileHash: new Uint8Array(candidate.subarray(52, 84)),
    }
  })
