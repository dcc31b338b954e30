import type { ClientConfig } from 'pg'
import { methodId } from '../../../shared/fields/method-id.ts'
import type { TestServer } from './database.ts'

/*
 * Made-up tokens in addition to the rows of filled.ts, written by SQL with all indexes on. One owner has many of everything, the others have a few.
 */

export const keyOf = (n: string): string => `'\\x00000000'::bytea || sha256((${n})::text::bytea)`
const account = (kind: string, n: string): string => keyOf(`'${kind} ' || (${n})`)
/** The rich owner has every second one. */
const owner = (n: string): string => account('owner', `case when ${n} % 2 = 0 then 0 else ${n} % 997 end`)

/** The get-method of which each kind is found. */
const METHODS = Object.entries({
  wallet: 'get_wallet_data',
  item: 'get_nft_data',
  jetton: 'get_jetton_data',
  collection: 'get_collection_data',
  sale: 'get_sale_data',
})
  .map(([kind, method]) => `('${kind}', ${methodId(method)})`)
  .join(', ')

/** Adds `count` jetton wallets, items, sales and so on. */
export const fillAssets = async (server: Pick<TestServer, 'run'>, connection: ClientConfig, count: number): Promise<void> => {
  const run = (text: string): Promise<unknown[]> => server.run(connection, text)
  const series = `generate_series(1, ${count}) as i`
  const state = (
    kind: string,
  ): string => `insert into accounts (account, mc_seqno, state_hash, status, balance, utime, last_trans_hash, last_trans_lt, first_lt, code_hash, data_hash)
    select ${account(kind, 'i')}, 1, sha256(i::text::bytea), 2, 1000000000, 1700000000, sha256('t'), 1000000 + i, 1000000 + i, sha256('${kind} code'), sha256(i::text::bytea) from ${series}`
  for (const kind of ['wallet', 'item', 'jetton', 'collection', 'sale']) await run(state(kind))
  await run(
    `insert into jetton_masters select ${account('jetton', 'i')}, 1, 1000 * i, true, ${owner('i')}, '{"name":"J","uri":"https://example.org/' || i || '"}', sha256('w'), 1000000 + i from ${series}`,
  )
  await run(
    `insert into jetton_wallets (account, mc_seqno, balance, owner, jetton) select ${account('wallet', 'i')}, 1, i % 1000, ${owner('i')}, ${account('jetton', 'i')} from ${series}`,
  )
  await run(`insert into token_metadata select ${account('jetton', 'i')}, 'https://example.org/' || i, '{"name":"Jetton ' || i || '","symbol":"J","decimals":"9","image":"https://example.org/i.png"}',
    1700000000, 5, 2000000000 from ${series}`)
  await run(`insert into token_flags (account, is_scam, is_nsfw) select ${account('jetton', 'i')}, true, false from ${series}`)
  const order = (from: string): string =>
    `${account(from, 'i % 5000 + 1')}, 1000000 + i * 10, 1 + i / 50, sha256(i::text::bytea), sha256(i::text::bytea), 1700000000 + i / 50`
  await run(
    `insert into jetton_transfers select ${order('wallet')}, i, 5, ${owner('i')}, ${owner('i + 1')}, ${account('jetton', 'i % 100')}, null, null, 1, null from ${series}`,
  )
  await run(
    `insert into jetton_burns select ${order('wallet')}, false, i, 5, ${owner('i')}, ${account('jetton', 'i % 100')}, null, null from ${series}`,
  )
  await run(
    `insert into nft_collections select ${account('collection', 'i')}, 1, i, ${owner('i')}, '{"uri":"x"}', 1000000 + i from ${series}`,
  )
  await run(`insert into nft_items (account, mc_seqno, last_trans_lt, init, index, collection, owner, real_owner, content, first_lt)
    select ${account('item', 'i')}, 1, 1000000 + i, true, i, ${account('collection', 'i % 50 + 1')}, ${owner('i')}, ${owner('i')}, '{"uri":"x' || i || '"}', 1000000 + i from ${series}`)
  await run(
    `insert into nft_transfers select ${order('item')}, false, i, ${account('collection', 'i % 50')}, ${owner('i')}, ${owner('i + 1')}, null, null, 1, null from ${series}`,
  )
  await run(
    `insert into nft_sales select ${account('sale', 'i')}, 1, i % 2, ${account('item', 'i')}, ${owner('i')}, null, 5, true, '{}' from ${series}`,
  )
  await run(
    `insert into dns_entries select ${account('item', 'i')}, 1, 'name' || i || '.ton', null, ${owner('i')}, null, null, ${owner('i')}, 5, 1700000000 + i, null from ${series}`,
  )
  await run(
    `insert into contract_codes select sha256((kind || ' code')::bytea), 1, array[method] from (values ${METHODS}) as of_kind (kind, method)`,
  )
  await run('vacuum analyze')
}
