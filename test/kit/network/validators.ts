import { createHash, type KeyObject, sign } from 'node:crypto'
import type { Cell } from '../../../server/cell/cell.ts'
import { keyFromSeed, privateKey } from '../../../server/chain/adnl/keys.ts'
import type { Validator } from '../../../server/chain/local/validator.ts'
import { type SigningSet, signingSetOf } from '../../../server/chain/proofs/signing-set.ts'
import { toHex } from '../../../server/tlb/bytes.ts'
import { nodeIdShort } from '../../../server/tlb/config/validator-hash.ts'
import { storeValidatorSet } from '../../../server/tlb/config/validator-set.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'

/* As many validators as sign mainnet's masterchain. They sign as the simplex consensus does, with a little more than two thirds of the weight. */

const SIGNERS = 100
const NEEDED = 67
const WEIGHT = 1n << 50n

const words = (...values: readonly (number | Uint8Array)[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      if (typeof value !== 'number') return value
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(value | 0)
      return bytes
    }),
  )
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

// consensus.candidateHashDataOrdinary#e8f9bcdc block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent
const candidateOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockId): Buffer => {
  const prefix = Buffer.alloc(8)
  prefix.writeBigUInt64LE(shard)
  return words(0xe8f9bcdc, workchain, prefix, seqno, rootHash, fileHash, sha256(rootHash), 0x22cbcca9)
}

/** The members of parameter 34 in one round, whose keys follow from the seed of the network and the number of the round. */
const seedOf = (seed: number, round: number, member: number): Buffer => sha256(Buffer.from(`validator ${seed} ${round} ${member}`))

export interface Validators {
  /** Parameter 34 of a round; its validators can sign from then on. */
  param(round: number, since: number): Cell
  /** The validators as a configuration names them, as the block writer of the embedded chain takes them. */
  under(config: Cell): Validator
}

export const createValidators = (seed: number): Validators => {
  const keys = new Map<string, KeyObject>()
  return {
    param(round, since) {
      const list = Array.from({ length: SIGNERS }, (_, member) => {
        const own = seedOf(seed, round, member)
        const { publicKey } = keyFromSeed(own)
        keys.set(toHex(publicKey), privateKey('ed25519', own))
        return { publicKey, weight: WEIGHT, adnlAddr: new Uint8Array(nodeIdShort(publicKey)) }
      })
      const count = list.length
      return storeValidatorSet({
        ext: true,
        utimeSince: since,
        utimeUntil: 0xffffffff,
        total: count,
        main: count,
        totalWeight: WEIGHT * BigInt(count),
        list,
      })
    },
    under(config) {
      const groups = new Map<number, SigningSet>()
      const groupAt = (catchainSeqno: number): SigningSet => {
        const group = groups.get(catchainSeqno) ?? signingSetOf(config, catchainSeqno)
        groups.set(catchainSeqno, group)
        return group
      }
      const [first] = groupAt(0).members
      return {
        descr: { ...first!, adnlAddr: undefined },
        setHash: (catchainSeqno) => groupAt(catchainSeqno).hash,
        sign(block, catchainSeqno) {
          const { members, hash } = groupAt(catchainSeqno)
          const candidate = candidateOf(block)
          const sessionId = sha256(Buffer.from(`session ${catchainSeqno}`))
          const slot = block.seqno
          const vote = words(0x40a7e105, 0xb691cd3f, slot, sha256(candidate))
          const data = words(0xa8e33df8, sessionId, Buffer.of(vote.length), vote, Buffer.alloc(3))
          const signatures = members.slice(0, NEEDED).map(({ publicKey }) => ({
            nodeIdShort: new Uint8Array(nodeIdShort(publicKey)),
            signature: new Uint8Array(sign(null, data, keys.get(toHex(publicKey))!)),
          }))
          return { type: 'simplex', validatorSetHash: hash, catchainSeqno, signatures, sessionId, slot, candidate }
        },
      }
    },
  }
}
