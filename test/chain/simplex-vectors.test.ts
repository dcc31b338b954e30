import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SignatureSet } from '../../server/chain/liteserver.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import { checkSignatures } from '../../server/chain/proofs/signatures.ts'
import { readCandidate } from '../../server/chain/proofs/signed-data.ts'
import type { SigningSet } from '../../server/chain/proofs/signing-set.ts'
import type { BlockId } from '../../server/tlb/ids.ts'

interface Vector {
  readonly name: string
  readonly slot: number
  readonly candidate: string
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[]
  readonly accepted: boolean
}
interface Vectors {
  readonly block: {
    readonly workchain: number
    readonly shard: string
    readonly seqno: number
    readonly root_hash: string
    readonly file_hash: string
  }
  readonly catchain_seqno: number
  readonly validator_set_hash: number
  readonly session_id: string
  readonly validators: readonly { readonly public_key: string; readonly weight: number; readonly adnl_addr: string }[]
  readonly vectors: readonly Vector[]
}

const file = JSON.parse(readFileSync(new URL('../data/simplex/vectors.json', import.meta.url), 'utf8')) as Vectors
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const block: BlockId = {
  workchain: file.block.workchain,
  shard: BigInt(`0x${file.block.shard}`),
  seqno: file.block.seqno,
  rootHash: bytes(file.block.root_hash),
  fileHash: bytes(file.block.file_hash),
}
const set: SigningSet = {
  catchainSeqno: file.catchain_seqno,
  hash: file.validator_set_hash,
  members: file.validators.map((each) => ({
    publicKey: bytes(each.public_key),
    weight: BigInt(each.weight),
    adnlAddr: bytes(each.adnl_addr),
  })),
}
const signed = ({ slot, candidate, signatures }: Vector): SignatureSet => ({
  type: 'simplex',
  validatorSetHash: file.validator_set_hash,
  catchainSeqno: file.catchain_seqno,
  sessionId: bytes(file.session_id),
  slot,
  candidate: bytes(candidate),
  signatures: signatures.map((each) => ({ nodeIdShort: bytes(each.node_id_short), signature: bytes(each.signature) })),
})

describe('simplex signatures, as tonutils-go judges them', () => {
  it.each(file.vectors.map((vector, i) => ({ i, ...vector })))('$i: $name (accepted: $accepted)', (vector) => {
    const check = (): void => checkSignatures(signed(vector), block, set)
    if (vector.accepted) check()
    else expect(check).toThrow(ProofError)
  })

  it('there are vectors of every kind of simplex signature', () => {
    expect(file.vectors.filter(({ accepted }) => accepted)).toHaveLength(6)
    expect(file.vectors.length).toBeGreaterThan(50)
  })

  it('a candidate with a missing or an additional byte is refused', () => {
    for (const { candidate } of file.vectors.filter(({ accepted }) => accepted)) {
      const whole = bytes(candidate)
      expect(readCandidate(whole)).toEqual(block)
      for (let length = 0; length < whole.length; length++) expect(() => readCandidate(whole.subarray(0, length))).toThrow(ProofError)
      expect(() => readCandidate(Buffer.concat([whole, Buffer.alloc(1)]))).toThrow(ProofError)
    }
  })
})
