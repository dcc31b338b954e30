import { sha256 } from '@noble/hashes/sha2.js'
import { bytesOf, hexBytesOf, hexOf } from '../bytes.ts'
import { fail, must, VerifyError, within } from './error.ts'
import { type BlockId, blockText, itemsOf, type Members, membersOf, sameBlock } from './ids.ts'
import { type SigningSet, type Validator, webCrypto } from './validators.ts'

/*
 * ton.blockId#c50b6e70 root_cell_hash:int256 file_hash:int256 = ton.BlockId;
 * consensus.dataToSign#a8e33df8 session_id:int256 data:bytes = consensus.DataToSign;
 * consensus.simplex.finalizeVote#40a7e105 id:consensus.CandidateId = consensus.simplex.UnsignedVote;
 * consensus.candidateId#b691cd3f slot:int hash:int256 = consensus.CandidateId;
 * consensus.candidateHashDataOrdinary#e8f9bcdc block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent
 *   = consensus.CandidateHashData;
 * consensus.candidateHashDataEmpty#72b4d933 block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData;
 * consensus.candidateParent#1a4b9af1 id:consensus.CandidateId = consensus.CandidateParent;
 * consensus.candidateWithoutParents#22cbcca9 = consensus.CandidateParent;
 */

const word = (value: number): readonly number[] => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]

const hash32 = (value: unknown): Uint8Array => {
  const bytes = bytesOf(String(value))
  must(bytes.length === 32, `${bytes.length} bytes where 32 are expected`)
  return bytes
}

const number = (value: unknown): number => (Number.isInteger(value) ? (value as number) >>> 0 : fail('not a whole number'))

/** Sizes in bytes: a constructor tag with a block id, a candidateId without its tag, a hash. */
const [BLOCK, CANDIDATE, HASH] = [84, 36, 32]

/** The block that the description of a candidate names. */
const blockOfCandidate = (bytes: Uint8Array): BlockId => {
  must(bytes.length >= BLOCK + CANDIDATE, 'a candidate that is cut off')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kind = view.getUint32(0, true)
  must(kind === 0xe8f9bcdc || kind === 0x72b4d933, 'no consensus.CandidateHashData')
  let end = BLOCK + CANDIDATE
  if (kind === 0xe8f9bcdc) {
    const parent = view.getUint32(BLOCK + HASH, true)
    must(parent === 0x22cbcca9 || parent === 0x1a4b9af1, 'no consensus.CandidateParent')
    end = BLOCK + HASH + 4
    if (parent === 0x1a4b9af1) {
      must(bytes.length > end + 4 && view.getUint32(end, true) === 0xb691cd3f, 'no consensus.CandidateId')
      end += 4 + CANDIDATE
    }
  }
  must(bytes.length === end, `a candidate of ${bytes.length} bytes instead of ${end}`)
  return {
    workchain: view.getInt32(4, true),
    shard: view.getBigUint64(8, true),
    seqno: view.getUint32(16, true),
    root: hexOf(bytes.subarray(20, 52)),
    file: hexOf(bytes.subarray(52, 84)),
  }
}

/** What validators sign under the simplex consensus: a vote to finalize a candidate, which names the block. */
const voteFor = ({ session_id, slot, candidate }: Members, block: BlockId): Uint8Array => {
  const bytes = bytesOf(String(candidate))
  const named = blockOfCandidate(bytes)
  must(sameBlock(named, block), () => `the candidate is ${blockText(named)}, not ${blockText(block)}`)
  const vote = [...word(0x40a7e105), ...word(0xb691cd3f), ...word(number(slot)), ...sha256(bytes)]
  // TL bytes: one byte of length, then the data, padded to a multiple of four.
  return Uint8Array.of(...word(0xa8e33df8), ...hash32(session_id), vote.length, ...vote, 0, 0, 0)
}

const messageOf = (signed: Members, block: BlockId): Uint8Array => {
  if (signed['type'] === 'simplex') return voteFor(signed, block)
  must(signed['type'] === 'ordinary', `unknown signatures ${String(signed['type'])}`)
  return Uint8Array.of(...word(0xc50b6e70), ...hexBytesOf(block.root), ...hexBytesOf(block.file))
}

const keyOf = async ({ publicKey }: Validator): Promise<CryptoKey> => {
  const subtle = webCrypto()
  try {
    return await subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify'])
  } catch (error) {
    const what = 'signatures of validators are checked by Ed25519 of WebCrypto: Chrome 137, Firefox 129, Safari 17, Node 20 or newer'
    throw new VerifyError('', what, 'NO_ED25519', { cause: error })
  }
}

/**
 * Refuses unless more than two thirds of the weight of a set signed a block. Each signer must be of the set and occur once, and each signature must hold, as in
 * BlockSignatureSet::check_signatures of the C++ node.
 */
export const checkSignatures = async (value: unknown, block: BlockId, set: SigningSet): Promise<void> => {
  const signed = membersOf(value)
  must(number(signed['catchain_seqno']) === set.catchainSeqno, 'signatures of another session')
  must(number(signed['validator_set_hash']) === set.hash, 'signatures of another set of validators')
  const message = messageOf(signed, block)
  const left = new Map(set.byNode)
  const signers = itemsOf(signed['signatures']).map((each, i) =>
    within(`[${i}]`, () => {
      const { node_id_short, signature } = membersOf(each)
      const node = hexOf(hash32(node_id_short))
      const validator = left.get(node) ?? fail('signed by nobody of the set, or twice')
      left.delete(node)
      return { validator, signature: bytesOf(String(signature)) }
    }),
  )
  const weight = signers.reduce((sum, { validator }) => sum + validator.weight, 0n)
  must(weight * 3n > set.totalWeight * 2n, `${weight} of weight ${set.totalWeight} signed, more than two thirds are needed`)
  const holds = await Promise.all(
    signers.map(async ({ validator, signature }) =>
      webCrypto().verify('Ed25519', await keyOf(validator), new Uint8Array(signature), new Uint8Array(message)),
    ),
  )
  const wrong = holds.indexOf(false)
  must(wrong < 0, `signature ${wrong} does not hold`)
}
