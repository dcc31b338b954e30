import type { Cell } from '../../cell/cell.ts'
import { sameBytes } from '../../tlb/bytes.ts'
import { type BlockId, blockFullText, blockText, isMasterchain, sameBlock } from '../../tlb/ids.ts'
import { loadMcStateExtra } from '../../tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../tlb/state/shard-state.ts'
import type { BlockLink, PartialBlockProof } from '../liteserver.ts'
import { keyBlockConfig } from './config.ts'
import { must, ProofError, proving } from './error.ts'
import { checkHeader, type ProvenBlock } from './header.ts'
import { checkOldBlock } from './old-blocks.ts'
import { proofRoot } from './roots.ts'
import { checkSignatures, mustBeSetOf } from './signatures.ts'
import { type SigningSet, signingSetOf } from './signing-set.ts'
import { checkSeparateState } from './state.ts'

const WHAT = 'block link'

/**
 * Returns the validators that must sign a forward link, from the configuration of the link's first block (a key block or the zerostate); undefined if any
 * signer is trusted.
 */
export type SignersOf = (proof: Uint8Array, from: BlockId, catchainSeqno: number) => SigningSet | undefined

/** For an embedded chain, which always signs with its own key. The chain's configuration may name other validators. */
export const anySigners: SignersOf = () => undefined

const signersOf: SignersOf = (proof, from, catchainSeqno) => signingSetOf(sourceConfig(proof, from), catchainSeqno)

/**
 * Like signersOf, but caches the last configuration and its validators: the links to successive heads start from the same key block, with the same proof
 * bytes.
 */
export const createSigners = (): SignersOf => {
  let last: { readonly proof: Uint8Array; readonly from: BlockId; readonly config: Cell } | undefined
  let set: SigningSet | undefined
  return (proof, from, catchainSeqno) => {
    if (last === undefined || !sameBlock(last.from, from) || Buffer.compare(last.proof, proof) !== 0) {
      last = { proof: Uint8Array.from(proof), from, config: sourceConfig(proof, from) }
      set = undefined
    }
    if (set?.catchainSeqno !== catchainSeqno) set = signingSetOf(last.config, catchainSeqno)
    return set
  }
}

const sourceConfig = (proof: Uint8Array, from: BlockId): Cell => {
  if (from.seqno > 0) return keyBlockConfig(checkHeader(proof, from))
  const root = proofRoot(proof, WHAT)
  must(sameBytes(root.hash(0), from.rootHash), WHAT, 'the proof is not of the zerostate it starts from')
  const { custom } = loadShardState(root)
  if (custom === undefined) throw new ProofError(WHAT, 'a zerostate without masterchain extra')
  return loadMcStateExtra(custom).config.config
}

const checkForward = (link: BlockLink & { readonly type: 'forward' }, to: ProvenBlock | undefined, signers: SignersOf): void => {
  must(link.from.seqno < link.to.seqno && to !== undefined, WHAT, 'a forward link that does not go forward')
  const set = signers(link.configProof, link.from, to.info.genCatchainSeqno)
  if (set === undefined) return
  mustBeSetOf(set, to.info)
  checkSignatures(link.signatures, link.to, set)
}

const checkBack = (link: BlockLink & { readonly type: 'back' }): void => {
  must(link.from.seqno > link.to.seqno, WHAT, 'a backward link that does not go backward')
  const state = checkSeparateState(link.proof, link.stateProof, link.from, WHAT)
  checkOldBlock(state, link.to)
}

/**
 * @internal Checks one link between masterchain blocks (BlockProofLink::validate of crypto/block/check-proof.cpp). Back link: the target must be among the
 * previous blocks in the source's state. Forward link: validators with more than two thirds of the weight in the source's configuration must have signed
 * the target.
 * Returns the target's header, or undefined for the zerostate.
 */
export const checkLink = (link: BlockLink, signers: SignersOf = signersOf): ProvenBlock | undefined =>
  proving(WHAT, () => {
    must(isMasterchain(link.from) && isMasterchain(link.to), WHAT, 'between blocks that are not of the masterchain')
    const to = link.to.seqno > 0 ? checkHeader(link.destProof, link.to) : undefined
    must(to === undefined || to.info.keyBlock === link.toKeyBlock, WHAT, () => `to_key_block is wrong for ${blockText(link.to)}`)
    if (link.type === 'forward') checkForward(link, to, signers)
    else checkBack(link)
    return to
  })

/** Throws unless the links of an answer form a chain from `from` to the block `to` of the answer. */
const checkOrder = (answer: PartialBlockProof, from: BlockId, target: BlockId | undefined): void => {
  must(sameBlock(answer.from, from), WHAT, () => `the chain starts at ${blockFullText(answer.from)}, not at ${blockFullText(from)}`)
  const reached = answer.steps.at(-1)?.to ?? answer.from
  must(sameBlock(answer.to, reached), WHAT, 'the chain does not end where the answer says')
  const done = target === undefined ? answer.complete : sameBlock(answer.to, target)
  must(answer.complete === done, WHAT, 'the answer is wrong about being complete')
  let at = from
  for (const link of answer.steps) {
    must(sameBlock(link.from, at), WHAT, () => `a link starts at ${blockText(link.from)}, the one before it ended in ${blockText(at)}`)
    at = link.to
  }
}

/**
 * Checks a chain of links from a trusted block. Each link must begin where the previous link ended, and the last link must end in `to` of the answer.
 * Yields between links, because a link can contain hundreds of signatures and three proofs.
 */
export function* checkBlockProof(
  answer: PartialBlockProof,
  from: BlockId,
  target: BlockId | undefined,
  signers: SignersOf = signersOf,
): Generator<void, readonly (ProvenBlock | undefined)[]> {
  checkOrder(answer, from, target)
  const proven: (ProvenBlock | undefined)[] = []
  for (const link of answer.steps) {
    if (proven.length > 0) yield
    proven.push(checkLink(link, signers))
  }
  return proven
}
