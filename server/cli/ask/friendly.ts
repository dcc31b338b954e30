import type { TonClient } from '../../../client/index.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'

/** An address as people read it: bounceable only if there is a contract that is not a wallet. */
export const friendlyOf = async (client: TonClient, address: string): Promise<string> => {
  const { wallet, account_state } = await client.getWalletInformation({ address })
  return formatFriendly(parseAddress(address)!, { bounceable: !wallet && account_state === 'active' })
}
