import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import type { BlockLink } from '../../../server/chain/liteserver.ts'
import { keyBlockConfig } from '../../../server/chain/proofs/config.ts'
import { checkHeader } from '../../../server/chain/proofs/header.ts'
import { signingSetOf } from '../../../server/chain/proofs/signing-set.ts'
import { toHex } from '../../../server/tlb/bytes.ts'
import { nodeIdShort } from '../../../server/tlb/config/validator-hash.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { type IndexRow, readSet, signaturesOf } from '../../kit/index/replay-store.ts'
import { loadBlockProof } from '../../kit/tlb/block-proof.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const idOf = ({ workchain, shard, seqno, root_hash, file_hash }: IndexRow): BlockId => ({
  workchain,
  shard: BigInt(`0x${shard}`),
  seqno,
  rootHash: bytes(root_hash),
  fileHash: bytes(file_hash),
})

type Forward = BlockLink & { readonly type: 'forward' }

/** Links from mainnet's key block 3082181 to the twenty blocks after it, and how many signatures of each make more than two thirds of the weight. */
export const recordedLinks = (): readonly { readonly link: Forward; readonly needed: number }[] => {
  const { index, rows } = readSet('mainnet-mc-3082181-3082201')
  const proofs = rows.map((row) => parseBocRoot(Buffer.from(row.proof!, 'base64')))
  const from = idOf(index[0]!)
  const configProof = serializeBoc(loadBlockProof(proofs[0]!).root)
  const config = keyBlockConfig(checkHeader(configProof, from))
  return proofs.slice(1).map((proof, i) => {
    const row = index[i + 1]!
    const signatures = signaturesOf(proof)!
    const destProof = serializeBoc(loadBlockProof(proof).root)
    const link: Forward = { type: 'forward', toKeyBlock: row.key_block, from, to: idOf(row), destProof, configProof, signatures }
    const { members } = signingSetOf(config, signatures.catchainSeqno)
    const weights = new Map(members.map(({ publicKey, weight }) => [toHex(nodeIdShort(publicKey)), weight]))
    const total = members.reduce((sum, { weight }) => sum + weight, 0n)
    let [sum, needed] = [0n, 0]
    for (const { nodeIdShort: node } of signatures.signatures) {
      if (sum * 3n > total * 2n) break
      sum += weights.get(toHex(node))!
      needed += 1
    }
    return { link, needed }
  })
}
