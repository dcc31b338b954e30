import { TonError } from '../../shared/errors.ts'
import { runSteps } from '../base/yield.ts'
import { type BlockId, isMasterchain, sameBlock, WHOLE_SHARD } from '../tlb/ids.ts'
import type { Chain } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import { type BlockLink, FROM_LATER, type ZeroStateId } from './liteserver.ts'
import { must } from './proofs/error.ts'
import { anySigners, checkBlockProof } from './proofs/links.ts'
import { checkShardLinks } from './proofs/shard-links.ts'

/** Maximum number of answers for one proof chain, each of up to 16 links. A longer chain is refused. */
const MAX_ANSWERS = 64

export interface BlockProofsDeps {
  readonly ask: CheckedQuery
  readonly pin: Chain['pin']
  readonly zeroState: (signal: AbortSignal) => Promise<ZeroStateId>
  readonly isOwn: boolean
}

export const createBlockProofs = ({
  ask,
  pin,
  zeroState,
  isOwn,
}: BlockProofsDeps): Pick<Chain, 'signatures' | 'shardBlockProof' | 'shardLinks' | 'masterchainLinks' | 'blockProof'> => {
  const signers = isOwn ? anySigners : undefined
  const blockProof: Chain['blockProof'] = (from, target, signal) =>
    ask('getBlockProof', { from, target, mode: FROM_LATER }, signal, async (proof) => {
      await runSteps(checkBlockProof(proof, from, target, signers), signal)
      must(proof.steps.length > 0 || sameBlock(from, target), 'block link', 'the chain leads nowhere')
      return proof
    })
  const masterchainLinks: Chain['masterchainLinks'] = async (trusted, target, signal) => {
    const links: BlockLink[] = []
    let at = trusted
    for (let i = 0; i < MAX_ANSWERS && !sameBlock(at, target); i += 1) {
      const answer = await blockProof(at, target, signal)
      links.push(...answer.steps)
      at = answer.to
    }
    if (!sameBlock(at, target)) throw new TonError('CHAIN', 'INVALID_PROOF: block link: the chain does not reach the block')
    return links
  }

  const masterAt = async (seqno: number, signal: AbortSignal): Promise<BlockId> =>
    seqno > 0 ? pin(seqno, signal) : { ...(await zeroState(signal)), shard: WHOLE_SHARD, seqno: 0 }

  const shardLinks: Chain['shardLinks'] = async (id, signal) => {
    if (isMasterchain(id)) return { mcId: id, links: [] }
    return await ask('getShardBlockProof', { id }, signal, ({ masterchainId, links }) => {
      checkShardLinks(masterchainId, links, id)
      return { mcId: masterchainId, links }
    })
  }

  return {
    shardLinks,
    masterchainLinks,
    blockProof,

    async signatures(seqno, signal) {
      const id = await pin(seqno, signal)
      const last = (await masterchainLinks(await masterAt(seqno - 1, signal), id, signal)).at(-1)
      if (last?.type !== 'forward') throw new TonError('CHAIN', 'no forward link ends in the block')
      return { id, signatures: last.signatures }
    },

    async shardBlockProof(id, from, signal) {
      const start = from ?? (await pin(undefined, signal))
      const { mcId, links } = await shardLinks(id, signal)
      return { from: start, mcId, links, mcProof: await masterchainLinks(start, mcId, signal) }
    },
  }
}
