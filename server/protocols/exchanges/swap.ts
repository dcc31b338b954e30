import type { Columns, Value } from '../../actions/action.ts'
import type { Address } from '../../actions/trace.ts'
import type { Asset } from '../jettons/assets.ts'
import type { PeerSwap, Side } from './sides.ts'

/* The columns of jetton_swap, the same for every exchange. */

export const SWAPPED = 'jetton_swap'

export interface Swap {
  readonly dex: string
  readonly sender: Address | null
  readonly incoming: Side
  readonly outgoing: Side
  readonly peers: readonly PeerSwap[]
  /** The assets that the order names, if they differ from the assets that were paid in and out. */
  readonly sourceAsset?: Asset | undefined
  readonly destinationAsset?: Asset | undefined
  /** The wallet that should receive the payout. */
  readonly destinationWallet?: Address | null | undefined
  /** The least amount that the sender accepts; undefined if the exchange does not report it. */
  readonly minOut?: bigint | null | undefined
  readonly failed?: boolean
}

export const swapColumns = ({ dex, sender, incoming, outgoing, peers, minOut, failed = false, ...rest }: Swap): Columns => ({
  source: incoming.source,
  sourceSecondary: incoming.source_jetton_wallet,
  destination: outgoing.destination,
  destinationSecondary: rest.destinationWallet ?? outgoing.destination_jetton_wallet,
  asset: rest.sourceAsset === undefined ? incoming.asset : rest.sourceAsset,
  asset2: rest.destinationAsset === undefined ? outgoing.asset : rest.destinationAsset,
  data: {
    dex,
    sender,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    min_out_amount: minOut ?? null,
    peer_swaps: peers as readonly Value[],
  },
  success: !failed,
})
