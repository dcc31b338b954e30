import { TonError } from '../../../shared/errors.ts'
import { formatFriendly, formatRaw, type ParsedAddress } from '../../../shared/fields/address.ts'
import type { Call } from '../../base/call.ts'
import { CellError } from '../../cell/cell.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { methodCaller } from '../get-method.ts'
import { jettonMaster, jettonWallet } from './jetton.ts'
import { nftCollection, nftItem } from './nft.ts'

const CHECKS = [jettonMaster, jettonWallet, nftCollection, nftItem] as const

export type TokenData = NonNullable<Awaited<ReturnType<(typeof CHECKS)[number]>>>

const echo = (address: ParsedAddress): string => (address.form === 'raw' ? formatRaw(address, 'upper') : formatFriendly(address, address))

/** Reads a token. Tries the four kinds of tokens in order and returns the first kind whose get-methods fit. Throws NOT_A_TOKEN if none fits. */
export const tokenReader =
  (chain: Chain) =>
  async (address: ParsedAddress, seqno: number | undefined, caller: Call): Promise<TokenData> => {
    const state = await chain.account(address, seqno, caller.signal)
    const call = methodCaller(chain, state.block, caller)
    for (const check of state.status === 'active' ? CHECKS : []) {
      try {
        const data = await check(address, echo(address), call, caller.signal)
        if (data) return data
      } catch (error) {
        // The cells do not follow the standard, so the contract is not a token of this kind.
        if (!(error instanceof CellError)) throw error
      }
    }
    throw new TonError('NOT_A_TOKEN', 'Smart contract is not Jetton or NFT')
  }
