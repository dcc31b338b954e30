import type { Matcher } from '../../actions/matcher.ts'
import { CALL, deployedBy, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'

export const NFT_MINTED = 'nft_mint'

export interface NftMint {
  readonly item: Address
  readonly index: bigint | null
}
export const nftMintOf = (step: Step): NftMint => step.info as NftMint

export const nftMint: Matcher = {
  at: [CALL, TRANSFER],
  build(step, _found, run) {
    const item = deployedBy(step)
    const facts = item === undefined ? undefined : run.nftItem(item)
    if (item === undefined || facts === undefined) return
    const columns = {
      source: step.source,
      destination: item,
      asset: facts.collection,
      assetSecondary: item,
      opcode: step.message.opcode,
      data: { nft_item_index: facts.index },
    }
    run.group(NFT_MINTED, [step], columns, { info: { item, index: facts.index } satisfies NftMint })
  },
}
