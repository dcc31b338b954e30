import type { Columns, Value } from '../action.ts'
import type { Asset } from '../assets.ts'
import type { Address } from '../trace.ts'
import type { PeerSwap, Side } from './sides.ts'

export const SWAPPED = 'jetton_swap'

/** What a swap tells, whatever exchange made it. */
export interface Swap {
  readonly dex: string
  readonly sender: Address | null
  readonly incoming: Side
  readonly outgoing: Side
  readonly peers: readonly PeerSwap[]
  /** What was given and wanted, where it differs from what went in and came out. */
  readonly sourceAsset?: Asset | undefined
  readonly destinationAsset?: Asset | undefined
  /** Where it was to arrive. */
  readonly destinationWallet?: Address | null | undefined
  /** What the sender wanted at least; undefined where the exchange does not tell. */
  readonly minOut?: bigint | null | undefined
}

/** The columns of a swap. */
export const swapColumns = ({ dex, sender, incoming, outgoing, peers, minOut, ...wanted }: Swap): Columns => ({
  source: incoming.source,
  sourceSecondary: incoming.source_jetton_wallet,
  destination: outgoing.destination,
  destinationSecondary: wanted.destinationWallet ?? outgoing.destination_jetton_wallet,
  asset: wanted.sourceAsset === undefined ? incoming.asset : wanted.sourceAsset,
  asset2: wanted.destinationAsset === undefined ? outgoing.asset : wanted.destinationAsset,
  data: {
    dex,
    sender,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    min_out_amount: minOut ?? null,
    peer_swaps: peers as readonly Value[],
  },
})
