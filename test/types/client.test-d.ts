import type { TonCore } from '../../client/adapters/ton-core.ts'
import {
  type Client,
  type ClientErrorKind,
  createClient,
  type ErrorKind,
  pages,
  type Settled,
  type TonClient,
  type TonClientError,
} from '../../client/index.ts'
import type { RetriedKind } from '../../client/methods.ts'
import type { WriteMethod } from '../../client/write-methods.ts'
import type { MethodName, ParamsIn, Registry, Result } from '../../shared/registry.ts'

/* Checked by `npm run types`; nothing here runs. */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <_A extends true>(): void => {}
declare const ton: TonClient
declare const signal: AbortSignal

/* Methods: names, params, results */

same<Equal<Awaited<ReturnType<typeof ton.getAddressBalance>>, string>>()
same<Equal<Awaited<ReturnType<typeof ton.getTransactions>>, Result<'getTransactions'>>>()
same<Equal<Parameters<typeof ton.getTransactions>[0], ParamsIn<'getTransactions'>>>()
same<Equal<Awaited<ReturnType<typeof ton.local.fund>>, Result<'local.fund'>>>()
same<Equal<Awaited<ReturnType<typeof ton.rpc.discover>>, Result<'rpc.discover'>>>()
same<Equal<Awaited<ReturnType<typeof ton.v3.transactions>>, Result<'v3.transactions'>>>()
ton.getAddressBalance({ address: 'EQ' }, { signal })
ton.v3.transactions({ account: ['EQ'], limit: 5 })
ton.getMasterchainInfo()
ton.getMasterchainInfo({})
ton.getMasterchainInfo(undefined, { signal })
ton.getTransactions({ address: 'EQ', lt: 5n, hash: 'x', limit: 5 })
ton.local.mine({ count: 3 })
// @ts-expect-error no such method
ton.getAddressBalanse({ address: 'EQ' })
// @ts-expect-error names are case-sensitive
ton.getaddressBalance({ address: 'EQ' })
// @ts-expect-error a namespace is no method
ton.local({})
// @ts-expect-error params are required
ton.getAddressBalance()
// @ts-expect-error address is required
ton.getAddressBalance({})
// @ts-expect-error an address is a text
ton.getAddressBalance({ address: 5 })
// @ts-expect-error no such parameter
ton.getAddressBalance({ address: 'EQ', at: 5 })
// @ts-expect-error nothing is taken
ton.getMasterchainInfo({ x: 1 })
// @ts-expect-error the balance is a text
ton.getAddressBalance({ address: 'EQ' }).then((balance: number) => balance)
// @ts-expect-error only a signal
ton.getAddressBalance({ address: 'EQ' }, { timeout: 5 })

/* By name */

same<Equal<ReturnType<typeof ton.request<'getShards'>>, Promise<Result<'getShards'>>>>()
ton.request('getMasterchainInfo')
ton.request('local.mine', { count: 2 }, { signal })
// @ts-expect-error no such method
ton.request('getShard', { seqno: 1 })
// @ts-expect-error params are required
ton.request('getShards')
// @ts-expect-error params of another method
ton.request('getShards', { address: 'EQ' })

/* Aliases */

same<Equal<typeof ton.shards, typeof ton.getShards>>()
// @ts-expect-error an alias has the params of its method
ton.shards({ address: 'EQ' })

/* An explicit group */

const group = ton.batch([{ method: 'getAddressBalance', params: { address: 'EQ' } }, { method: 'getMasterchainInfo' }])
same<Equal<Awaited<typeof group>, [Settled<string>, Settled<Result<'getMasterchainInfo'>>]>>()
group.then(([balance]) => {
  if (balance.ok) balance.result satisfies string
  else balance.error satisfies TonClientError
  // @ts-expect-error it may have failed
  balance.result
})
// @ts-expect-error no such method
ton.batch([{ method: 'getBalance', params: { address: 'EQ' } }])
// @ts-expect-error params are required
ton.batch([{ method: 'getAddressBalance' }])
// @ts-expect-error params of another method
ton.batch([{ method: 'getAddressBalance', params: { seqno: 1 } }])

/* Methods of a registry to come: v3 names are paths */

interface Pretend {
  readonly getThing: { readonly params: { readonly id: number }; readonly result: string; readonly effect: 'read' }
  readonly 'v3.transactions': {
    readonly params: { readonly account?: string | readonly string[]; readonly limit?: number; readonly offset?: number }
    readonly result: { readonly transactions: { readonly hash: string }[]; readonly address_book: Record<string, string> }
    readonly effect: 'read'
  }
  readonly 'v3.jetton.transfers': {
    readonly params: { readonly owner_address: readonly string[]; readonly limit?: number; readonly offset?: number }
    readonly result: { readonly jetton_transfers: { readonly amount: string }[]; readonly metadata: Record<string, string> }
    readonly effect: 'read'
  }
  /** A leaf that is a namespace too. */
  readonly 'v3.jetton': { readonly params: Record<string, never>; readonly result: 1; readonly effect: 'read' }
}
declare const next: Client<Pretend>
same<Equal<Awaited<ReturnType<typeof next.v3.jetton.transfers>>['jetton_transfers'], { readonly amount: string }[]>>()
next.getThing({ id: 1 })
next.v3.transactions()
next.v3.transactions({ account: ['EQ'] })
next.v3.jetton.transfers({ owner_address: ['EQ'] }, { signal })
next.v3.jetton()
next.request('v3.jetton.transfers', { owner_address: [] })
// @ts-expect-error no such path
next.v3.jetton.burns({})
// @ts-expect-error params are required
next.v3.jetton.transfers()
// @ts-expect-error that is of v2
next.v3.getThing({ id: 1 })
// @ts-expect-error this registry has no getShards, so there is no alias of it
next.shards
// @ts-expect-error wrong params by name
next.request('v3.transactions', { owner: 'EQ' })
same<Equal<typeof created, Client<Pretend>>>()
const created = createClient<Pretend>({ url: '' })
same<Equal<ReturnType<typeof createClient>, TonClient>>()

/* Pages */

for await (const row of pages(next.v3.jetton.transfers, { owner_address: ['EQ'], limit: 10 })) row.amount satisfies string
for await (const row of pages(next.v3.transactions, {})) row.hash satisfies string
for await (const row of pages(ton.getTransactions, { address: 'EQ' })) row.transaction_id.lt satisfies string
for await (const row of pages(ton.getTransactionsStd, { address: 'EQ' }, { signal })) row['@type'] satisfies 'raw.transaction'
for await (const row of pages(ton.getBlockTransactions, { workchain: 0, shard: 1n, seqno: 1 })) row.account satisfies string
// @ts-expect-error params are those of the method
pages(ton.getTransactions, { seqno: 1 })
// @ts-expect-error an answer without a list
pages(ton.getMasterchainInfo, {})
// @ts-expect-error a list that does not come in pages
pages(ton.getShards, { seqno: 1 })

/* Errors */

declare const error: TonClientError
same<Equal<ClientErrorKind, ErrorKind | 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL' | 'ANSWER_TOO_LARGE' | 'QUEUE_FULL' | 'HTTP'>>()
same<Equal<RetriedKind, 'RATE_LIMITED' | 'UNAVAILABLE' | 'SOURCE_TIMEOUT' | 'NO_WORKERS'>>()
error.kind === 'RATE_LIMITED'
error.kind === 'NETWORK'
// @ts-expect-error no such kind
error.kind === 'RATELIMITED'
error.retryAfterMs satisfies number | undefined
error.method satisfies string
error.endpoint satisfies string
// @ts-expect-error an error holds no key
error.key

/* Writes: a forgotten one does not compile */

same<Equal<WriteMethod, { [M in MethodName]: Registry[M]['effect'] extends 'write' ? M : never }[MethodName]>>()
// @ts-expect-error sendBoc alone is not all of them
;({ sendBoc: true }) satisfies Record<WriteMethod, true>
same<Equal<Exclude<MethodName, WriteMethod>, { [M in MethodName]: Registry[M]['effect'] extends 'read' ? M : never }[MethodName]>>()

/* The adapter */

declare const core: TonCore
same<Equal<ReturnType<TonCore['pinned']>, Promise<TonCore>>>()
core.at(5).open satisfies TonCore['open']

/* Options */

createClient({ url: 'http://x', key: 'k', timeout: 5, batch: { count: 10 }, retry: { times: 1 } })
createClient({ url: 'http://x', batch: false, retry: false, fetch, headers: async () => ({ a: 'b' }) })
// @ts-expect-error where to?
createClient({})
// @ts-expect-error no such option
createClient({ url: 'http://x', retries: 5 })
