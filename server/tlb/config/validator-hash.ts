import { createHash } from 'node:crypto'
import { crc32c } from '../../cell/boc/crc32c.ts'
import type { ValidatorDescr } from './validator-set.ts'

/*
 * test0.validatorSet catchain_seqno:int validators:(vector test0.validatorSetItem)      (a TL line that ton_api.tl no longer has)
 * pub.ed25519 key:int256 = PublicKey      (4813b4c6)
 */

const VALIDATOR_SET = -1877581587
const ED25519 = Buffer.from('c6b41348', 'hex')
const ITEM = 32 + 8 + 32

/** A member of a validator group, with its voting weight in that group. */
export type GroupMember = Pick<ValidatorDescr, 'publicKey' | 'weight' | 'adnlAddr'>

/**
 * gen_validator_list_hash_short: crc32c of the catchain seqno and the members of the group, in order (compute_validator_set_hash of crypto/block/block.cpp). A
 * missing ADNL address counts as zero.
 */
export const validatorListHashShort = (catchainSeqno: number, members: readonly GroupMember[]): number => {
  const bytes = Buffer.alloc(12 + members.length * ITEM)
  bytes.writeInt32LE(VALIDATOR_SET, 0)
  bytes.writeUInt32LE(catchainSeqno, 4)
  bytes.writeUInt32LE(members.length, 8)
  members.forEach((member, i) => {
    const at = 12 + i * ITEM
    bytes.set(member.publicKey, at)
    bytes.writeBigUInt64LE(member.weight, at + 32)
    if (member.adnlAddr !== undefined) bytes.set(member.adnlAddr, at + 40)
  })
  return crc32c(bytes)
}

/** node_id_short, which is also the ADNL id: sha256 of the TL-serialized ed25519 public key, 32 bytes. */
export const nodeIdShort = (publicKey: Uint8Array): Buffer => createHash('sha256').update(ED25519).update(publicKey).digest()
