import type { BlockId } from '../../tlb/ids.ts'
import { createCodecs } from '../tl/codec.ts'
import { TlReader } from '../tl/reader.ts'
import { readLine } from '../tl/schema.ts'
import { createTlWriter } from '../tl/writer.ts'
import { proving } from './error.ts'

/* Data that validators sign (tl/generate/scheme/ton_api.tl). In consensus.candidateHashDataEmpty the parent is bare. */

const LINES = [
  'tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt',
  'ton.blockId#c50b6e70 root_hash:int256 file_hash:int256 = ton.BlockId',
  'consensus.candidateId#b691cd3f slot:int hash:int256 = consensus.CandidateId',
  'consensus.candidateParent#1a4b9af1 id:consensus.CandidateId = consensus.CandidateParent',
  'consensus.candidateWithoutParents#22cbcca9 = consensus.CandidateParent',
  'consensus.candidateHashDataOrdinary#e8f9bcdc block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData',
  'consensus.candidateHashDataEmpty#72b4d933 block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData',
  'consensus.dataToSign#a8e33df8 session_id:int256 data:bytes = consensus.DataToSign',
  'consensus.simplex.finalizeVote#40a7e105 id:consensus.CandidateId = consensus.simplex.UnsignedVote',
]
const codecs = createCodecs(
  LINES.map((line) => readLine(line)),
  {},
)

/** Serializes a boxed record of the schema above. */
export const toTl = (type: string, value: object): Buffer => {
  const writer = createTlWriter()
  codecs.boxed(type).write(writer, { ...value })
  return writer.finish()
}

/** Returns the block that a complete serialized consensus.CandidateHashData names. Throws ProofError for other bytes. */
export const readCandidate = (bytes: Uint8Array): BlockId =>
  proving('candidate', () => {
    const reader = new TlReader(bytes)
    const { block } = codecs.boxed('consensus.CandidateHashData').read(reader)
    reader.end()
    return block as BlockId
  })
