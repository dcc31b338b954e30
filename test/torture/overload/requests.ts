import { get, post, rpcText } from '../../kit/wire/connection.ts'

/* What clients of an overloaded service ask for. */

const ACCOUNTS = 500

/** A mix of cheap and dear calls; number `n` of it. `wallet`: an account with a get-method and transactions. */
export const mixedRequest = (n: number, wallet: string): string => {
  const kind = n % 10
  if (kind < 4) return get('/api/v2/getMasterchainInfo')
  if (kind < 7) {
    const address = `0:${(n % ACCOUNTS).toString(16).padStart(64, '0')}`
    return post('/jsonRPC', rpcText('getAddressInformation', { address }))
  }
  // The argument makes it a call that is in no cache.
  if (kind < 9) return post('/jsonRPC', rpcText('runGetMethod', { address: wallet, method: 'seqno', stack: [['num', String(n)]] }))
  return get(`/api/v3/transactions?limit=10&offset=${n % 50}`)
}

/** A page that has as many rows as v3 gives at a time. */
export const largePage = (n: number): string => {
  const pages = [
    `transactions?limit=1000&sort=${n % 4 ? 'asc' : 'desc'}`,
    'traces?limit=1000&include_actions=true',
    'actions?limit=1000',
    'messages?limit=1000',
  ]
  return get(`/api/v3/${pages[n % pages.length]}`)
}

/** A subscription to many accounts that nobody has used. */
export const subscription = (n: number): object => ({
  types: n % 2 ? ['transactions', 'actions'] : ['blocks', 'account_state_change'],
  ...(n % 2 && { addresses: Array.from({ length: 10 }, (_, i) => `0:${(n * 10 + i).toString(16).padStart(64, 'e')}`) }),
})
