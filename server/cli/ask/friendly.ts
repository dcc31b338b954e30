import type { TonClient } from '../../../client/index.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'

/** The user-friendly form of an address. It is bounceable only if the account is a contract other than a wallet. */
export const friendlyOf = async (client: TonClient, address: string): Promise<string> => {
  const { wallet, account_state } = await client.getWalletInformation({ address })
  return formatFriendly(parseAddress(address)!, { bounceable: !wallet && account_state === 'active' })
}
