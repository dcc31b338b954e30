// ton-lite-client against the service at TONWAY_URL; run.mjs puts this file beside the package.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { LiteClient, LiteSingleEngine } = require('ton-lite-client')
const { Address } = require('@ton/core')
const url = process.env.TONWAY_URL

const check = (condition, what) => {
  if (!condition) throw new Error(what)
}
const config = await (await fetch(`${url}/global.config.json`)).json()
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} })
const { result } = await (await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).json()
const [server] = config.liteservers
const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${server.port}`, publicKey: Buffer.from(server.id.key, 'base64') })
await new Promise((ready) => engine.once('ready', ready))
const client = new LiteClient({ engine })

const { last } = await client.getMasterchainInfo()
const address = Address.parse(result.wallets[0].address)
check((await client.getAccountState(address, last)).balance.coins > 0n, 'no balance')
check((await client.runMethod(address, 'seqno', Buffer.alloc(0), last)).exitCode === 0, 'seqno does not run')
const before = { seqno: last.seqno - 1, shard: '-9223372036854775808', workchain: -1 }
check((await client.lookupBlockByID(before)).id.seqno === before.seqno, 'another block')
check((await client.getFullBlock(last.seqno)).shards.length > 0, 'no shards')
await client.listBlockTransactions(last, { count: 20 })
await client.getAllShardsInfo(last)
await client.getBlockHeader(last)
await client.getConfig(last)
console.log(`read at ${last.seqno}`)
process.exit(0)
