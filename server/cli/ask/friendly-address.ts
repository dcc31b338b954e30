import type { TonClient } from '../../../client/index.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'

/** User-friendly form of an address: bounceable only for an active contract that is not a wallet. */
export const friendlyOf = async (client: TonClient, address: string): Promise<string> => {
  const { wallet, account_state } = await client.getWalletInformation({ address })
  return formatFriendly(parseAddress(address)!, { bounceable: !wallet && account_state === 'active' })
}
