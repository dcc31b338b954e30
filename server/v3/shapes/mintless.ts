import { findFetchedContents, type JettonWalletRow } from '../../store/queries/jettons.ts'
import type { View } from '../../store/queries/view.ts'
import { distinct } from '../../store/row-keys.ts'

/* Mintless jettons (TEP-176, TEP-177). Balances are stored off-chain in a Merkle tree until their owner claims them with a payload from an API. */

export interface MintlessInfo {
  readonly amount: string | null
  readonly start_from: number | null
  readonly expire_at: number | null
  readonly custom_payload_api_uri: string[]
}

const API = 'custom_payload_api_uri'

/** URLs of the API from a jetton's off-chain content, which has one URL or a list. */
const urisIn = (json: string): string[] => {
  const said = (JSON.parse(json) as Record<string, unknown> | null)?.[API]
  return [said].flat().filter((uri) => typeof uri === 'string')
}

/** `mintless_info` of wallets with an unclaimed allocation, by the hex key of their master. Amounts are null, because the tree is off-chain. */
export const mintlessInfos = async (view: View, wallets: readonly JettonWalletRow[]): Promise<ReadonlyMap<string, MintlessInfo>> => {
  const open = wallets.filter(({ claimed }) => claimed === false)
  if (open.length === 0) return new Map()
  const masters = distinct(open.map(({ jetton }) => jetton))
  const contents = await findFetchedContents(view, masters)
  return new Map(
    masters.map((master) => {
      const key = master.toString('hex')
      const fetched = contents.get(key)
      const uris = fetched === undefined ? [] : urisIn(fetched)
      return [key, { amount: null, start_from: null, expire_at: null, custom_payload_api_uri: uris }]
    }),
  )
}
