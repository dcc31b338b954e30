import { hexBytesOf, hexOf } from '../bytes.ts'
import { findShard, findTransaction, masterExtraOf, openBlock, readHeader } from './block.ts'
import { type Budget, proofRoot } from './boc.ts'
import type { Cell } from './cell.ts'
import { fail, must, within } from './error.ts'
import { type BlockId, blockId, blockText, holds, itemsOf, MASTERCHAIN, masterBlockId, membersOf, sameBlock } from './ids.ts'
import { followBack } from './links.ts'
import type { TransactionPlace } from './transaction.ts'

/** A block with a proof from a trusted masterchain block. */
export interface ProvenBlock {
  readonly id: BlockId
  /** Seqno of the masterchain block that commits the block. `isFirst`: it is proven to be the first that does. */
  readonly masterSeqno: number
  readonly isFirst: boolean
  /** Root of the block in a proof that shows all its transactions; undefined without such a proof. */
  readonly root: Cell | undefined
}

/** Maximum number of links to a shard block. A lite-server shows no longer chain of shard blocks between two masterchain blocks. */
const MAX_SHARD_LINKS = 8

type Step = Pick<ProvenBlock, 'id' | 'isFirst'>

/** Follows a link: from a masterchain block to a block in its ShardHashes, or from a shard block to the block before it. */
const followShard = (at: BlockId, value: unknown, budget: Budget): Step => {
  const { id: named, proof } = membersOf(value)
  const id = blockId(named)
  const root = proofRoot(proof, budget)
  if (at.workchain !== MASTERCHAIN) {
    must(
      readHeader(root, at)
        .prev()
        .some((prev) => sameBlock(prev, id)),
      () => `${blockText(id)} is not before ${blockText(at)}`,
    )
    return { id, isFirst: false }
  }
  const entry = findShard(masterExtraOf(openBlock(root, at)).shardHashes, id.workchain, id.shard)
  must(entry !== undefined && sameBlock(entry.id, id), () => `${blockText(at)} does not commit ${blockText(id)}`)
  return { id, isFirst: entry.masterSeqno === at.seqno }
}

const proveBlock = (value: unknown, head: BlockId, budget: Budget): ProvenBlock => {
  const { block, proof, mc_id, links, mc_proof } = membersOf(value)
  const master = within('mc_id', () => masterBlockId(mc_id))
  const reached = within('mc_proof', () => followBack(mc_proof, head, budget))
  must(sameBlock(reached, master), () => `${blockText(master)} does not hang on ${blockText(head)}`)
  const id = within('block', () => blockId(block))
  const steps = within('links', () => itemsOf(links))
  must(steps.length <= MAX_SHARD_LINKS, `${steps.length} links`)
  const found = steps.reduce<Step>((at, step, i) => within(`links[${i}]`, () => followShard(at.id, step, budget)), {
    id: master,
    isFirst: true,
  })
  must(sameBlock(found.id, id), () => `the links end in ${blockText(found.id)}, not in ${blockText(id)}`)
  const root = proof === null || proof === undefined || proof === '' ? undefined : within('proof', () => proofRoot(proof, budget))
  return { id, masterSeqno: master.seqno, isFirst: found.isFirst, root }
}

/** Returns a function that proves the block at an index of `proof.blocks`. Each block is proven once. */
export const createProvenBlocks = (blocks: unknown, head: BlockId, budget: Budget): ((index: number) => ProvenBlock) => {
  const proven: ProvenBlock[] = []
  return (index) => {
    proven[index] ??= within('proof.blocks', () =>
      within(`[${index}]`, () => proveBlock(itemsOf(blocks)[index] ?? fail('there is no such block'), head, budget)),
    )
    return proven[index]
  }
}

/**
 * Throws VerifyError if the proof shows that the transaction is not in the block. The proof is `proof`, or without it `block.root`. Returns false if both
 * are absent.
 */
export const holdsTransaction = (block: ProvenBlock, proof: unknown, { account, lt, hash }: TransactionPlace, budget: Budget): boolean => {
  const root = typeof proof === 'string' && proof !== '' ? proofRoot(proof, budget) : block.root
  if (root === undefined) return false
  const { id } = block
  must(holds(id, { workchain: id.workchain, hash: account }), () => `${blockText(id)} cannot hold this account`)
  const found = findTransaction(openBlock(root, id), hexBytesOf(account), lt)
  must(found !== undefined && hexOf(found.hashes[0]!) === hash, () => `${blockText(id)} does not hold this transaction`)
  return true
}
