import { type BlockId, shardFromWire } from '../../tlb/ids.ts'
import { TlError } from '../tl/error.ts'
import { TlReader } from '../tl/reader.ts'

/*
 * What validators vote on under the simplex consensus (tl/generate/scheme/ton_api.tl). `id:consensus.CandidateId` is boxed,
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

const readBareId = (r: TlReader): void => {
  r.int()
  r.fixed(32)
}

const readParent = (r: TlReader): void => {
  const tag = r.uint()
  if (tag === WITHOUT_PARENTS) return
  if (tag !== PARENT) throw new TlError(`${tag.toString(16)} is no consensus.CandidateParent`)
  const id = r.uint()
  if (id !== CANDIDATE_ID) throw new TlError(`${id.toString(16)} is no consensus.CandidateId`)
  readBareId(r)
}

/** Reads a serialized consensus.CandidateHashData to its last byte; gives the block it names. Throws TlError for anything else. */
export const readCandidate = (candidate: Uint8Array): BlockId => {
  const r = new TlReader(candidate)
  const tag = r.uint()
  if (tag !== ORDINARY && tag !== EMPTY) throw new TlError(`${tag.toString(16)} is no consensus.CandidateHashData`)
  const block = {
    workchain: r.int(),
    shard: shardFromWire(BigInt.asIntN(64, r.long())),
    seqno: r.int(),
    rootHash: r.fixed(32),
    fileHash: r.fixed(32),
  }
  if (tag === EMPTY) readBareId(r)
  else {
    r.fixed(32)
    readParent(r)
  }
  r.end()
  return block
}
