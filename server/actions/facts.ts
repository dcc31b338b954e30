import type { Address } from './trace.ts'

/*
 * Facts about the accounts of a trace that its transactions do not contain. The index reads them from its tables and stores them with the trace, so that
 * the trace can be classified again after owners, sales and pools have changed. The classifier trusts these facts: list a jetton wallet only if the
 * jetton's master names it as the wallet of that owner, and an NFT item only if its collection (if any) names it under its index.
 */

export interface JettonWalletFacts {
  readonly owner: Address
  /** Address of the jetton's master. */
  readonly jetton: Address
}

export interface NftItemFacts {
  readonly index: bigint | null
  readonly collection: Address | null
  readonly owner: Address | null
  /** `uri` of the item's own content. Items of Telegram are recognized by this link. */
  readonly uri: string | null
  /** Base64. A DNS item of .ton is recognized by its code hash or its collection. */
  readonly codeHash: string | null
}

export interface NftSaleFacts {
  readonly marketplace: Address | null
  readonly item: Address | null
  readonly seller: Address | null
  /** Nanograms. */
  readonly price: bigint | null
}

export interface NftAuctionFacts extends Omit<NftSaleFacts, 'price'> {
  /** Nanograms. */
  readonly lastBid: bigint | null
}

export interface JVaultStakeWalletFacts {
  readonly pool: Address
  /** The jetton that represents the stake. */
  readonly jetton: Address
}

export interface AccountFacts {
  readonly jettonWallet?: JettonWalletFacts | undefined
  readonly nftItem?: NftItemFacts | undefined
  readonly nftSale?: NftSaleFacts | undefined
  readonly nftAuction?: NftAuctionFacts | undefined
  /** The two assets of a DeDust pool (v1 or v2); null is Gram. */
  readonly dedustPool?: readonly [Address | null, Address | null] | undefined
  /** Signers of the multisig to which the order account belongs. */
  readonly multisigOrder?: { readonly signers: readonly Address[] } | undefined
  readonly nominatorPool?: boolean | undefined
  /** A liquid-staking pool, with the jetton that it issues for stakes. The jetton's master names the pool as its admin. */
  readonly liquidPool?: { readonly jetton: Address } | undefined
  readonly jvaultStakeWallet?: JVaultStakeWalletFacts | undefined
  /** The wallet in which a JVault pool keeps the staked jettons. */
  readonly jvaultPool?: { readonly lockWallet: Address } | undefined
}

/** Facts by raw address. Accounts without facts are left out. */
export type Facts = ReadonlyMap<Address, AccountFacts>
