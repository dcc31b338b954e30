import type { Address } from './trace.ts'

/*
 * Facts about the accounts of a trace that are not in its transactions. The index fills this from its tables and stores it with the trace. The trace
 * can then be classified again after owners, sales and pools have changed. The classifier trusts these facts. A jetton wallet may only be listed if
 * its jetton's master names it as the wallet of that owner. An NFT item may only be listed if its collection (if it has one) names it under its
 * index.
 */

/** A jetton wallet that its master confirms. */
export interface JettonWalletFacts {
  readonly owner: Address
  /** The jetton's master. */
  readonly jetton: Address
}

/** An NFT item that its collection confirms, or one without a collection. */
export interface NftItemFacts {
  /** null if the item has none. */
  readonly index: bigint | null
  readonly collection: Address | null
  readonly owner: Address | null
  /** `uri` of the item's own content. It identifies the items of Telegram. */
  readonly uri: string | null
  /** Base64. An item of .ton DNS is identified by this hash or by its collection. */
  readonly codeHash: string | null
}

/** A contract that sells an NFT at a fixed price. */
export interface NftSaleFacts {
  readonly marketplace: Address | null
  readonly item: Address | null
  readonly seller: Address | null
  /** Nanograms. */
  readonly price: bigint | null
}

/** A contract that sells an NFT by auction. */
export interface NftAuctionFacts {
  readonly marketplace: Address | null
  readonly item: Address | null
  readonly seller: Address | null
  /** Nanograms. */
  readonly lastBid: bigint | null
}

/** The stake wallet of a JVault pool, from its data. */
export interface JVaultStakeWalletFacts {
  readonly pool: Address
  /** The jetton that represents the stake. */
  readonly jetton: Address
}

/** All facts of one account. */
export interface AccountFacts {
  readonly jettonWallet?: JettonWalletFacts | undefined
  readonly nftItem?: NftItemFacts | undefined
  readonly nftSale?: NftSaleFacts | undefined
  readonly nftAuction?: NftAuctionFacts | undefined
  /** The two assets of a DeDust pool, of either version; null is Gram. */
  readonly dedustPool?: readonly [Address | null, Address | null] | undefined
  /** Signers of the multisig that an order belongs to. */
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
