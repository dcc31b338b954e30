import { fitsFriendly, formatFriendly, formatRaw } from '../../shared/fields/address.ts'
import type { accounts } from '../../shared/v2/accounts.ts'
import type { Handlers } from '../base/call.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import { suspension } from '../tlb/config/special-contracts.ts'
import { readWallet } from '../tlb/contracts/wallets.ts'
import { shardAccountCell } from '../tlb/state/shard-account.ts'
import { dnsResolver } from './dns.ts'
import { tokenReader } from './token/index.ts'
import { typedState } from './typed-state.ts'
import { accountAddress, base64, blockIdExt, bocInTurns, extraCurrencies, maybeBocInTurns, transactionId } from './wire.ts'

const codeAndData = (state: AccountState) => {
  const account = state.account?.state
  return account?.type === 'active' ? account.init : {}
}
const lastTransaction = (state: AccountState) => transactionId(state.lastTransLt, state.lastTransHash)

export const accountHandlers = ({ chain }: { readonly chain: Chain }): Pick<Handlers, keyof typeof accounts> => {
  const readToken = tokenReader(chain)
  const resolveDns = dnsResolver(chain)
  return {
    async getAddressInformation({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      const config = await chain.config(state.block.seqno, signal)
      const suspended = suspension(config.param(44))(address, state.genUtime)
      const { code, data } = codeAndData(state)
      const frozen = state.account?.state.type === 'frozen' ? base64(state.account.state.stateHash) : ''
      return {
        '@type': 'raw.fullAccountState',
        balance: state.balance.grams.toString(),
        extra_currencies: extraCurrencies(state.balance),
        last_transaction_id: lastTransaction(state),
        block_id: blockIdExt(state.block),
        code: await maybeBocInTurns(code, signal),
        data: await maybeBocInTurns(data, signal),
        frozen_hash: frozen,
        sync_utime: state.genUtime,
        state: state.status,
        suspended,
      }
    },

    async getExtendedAddressInformation({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      return {
        '@type': 'fullAccountState',
        address: accountAddress(fitsFriendly(address) ? formatFriendly(address, address) : formatRaw(address, 'upper')),
        balance: state.balance.grams.toString(),
        extra_currencies: extraCurrencies(state.balance),
        last_transaction_id: lastTransaction(state),
        block_id: blockIdExt(state.block),
        sync_utime: state.genUtime,
        ...(await typedState(state, signal)),
      }
    },

    async getWalletInformation({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      const { code, data } = codeAndData(state)
      const wallet = code && readWallet(code, data)
      return {
        '@type': 'ext.accounts.walletInformation',
        wallet: wallet !== undefined,
        balance: state.balance.grams.toString(),
        account_state: state.status,
        last_transaction_id: lastTransaction(state),
        ...wallet,
      }
    },

    async getAddressBalance({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      return state.balance.grams.toString()
    },

    async getAddressState({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      return state.status
    },

    async getTokenData({ address, seqno }, call) {
      return await readToken(address, seqno, call)
    },

    async getShardAccountCell({ address, seqno }, { signal }) {
      const state = await chain.account(address, seqno, signal)
      return { '@type': 'tvm.cell', bytes: await bocInTurns(shardAccountCell(state), signal) }
    },

    async dnsResolve({ address, name, ttl, seqno }, call) {
      return { '@type': 'dns.resolved', entries: await resolveDns(address, name ?? '', ttl ?? 0, seqno, call) }
    },
  }
}
