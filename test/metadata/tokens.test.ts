import { Address } from '@ton/core'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'

/* token.holders and token.domains. */

let server: TestServer
let service: V3Service
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  const connection = await server.database()
  service = await startV3({ databaseUrl: urlOf(connection) })
  client = new Client(connection)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await service?.close()
  await server?.close()
})

it('token.holders counts the wallets of a jetton that have a balance, and says so when there are more than it counts', async () => {
  const { address } = await service.call('local.deployJetton', { name: 'Acorn' })
  const mint = (owner: string, amount: string) => service.call('local.mintJetton', { jetton: address, owner, amount })
  await mint(`0:${'11'.repeat(32)}`, '5')
  await mint(`0:${'22'.repeat(32)}`, '7')
  await mint(`0:${'33'.repeat(32)}`, '0')
  await service.settle()
  const holders = () => service.call('token.holders', { address })
  expect(await holders()).toEqual({ holders: 2, more: false })
  const more = (count: number) =>
    client.query(
      `insert into jetton_wallets (account, mc_seqno, balance, owner, jetton, claimed)
        select sha256(($1 || ' ' || i)::bytea) || '\\x00000000', mc_seqno, 1, owner, jetton, claimed
          from (select * from jetton_wallets where balance > 0 limit 1) one, generate_series(1, $1::int) i`,
      [String(count)],
    )
  await more(998)
  expect(await holders()).toEqual({ holders: 1000, more: false })
  await more(1)
  expect(await holders()).toEqual({ holders: 1000, more: true })
})

it('token.holders counts none for an account that is no jetton, and refuses what is no address', async () => {
  expect(await service.call('token.holders', { address: `0:${'99'.repeat(32)}` })).toEqual({ holders: 0, more: false })
  await expect(service.call('token.holders', { address: 'acorn' })).rejects.toThrow(/ton_addr: 'acorn'/)
})

it('token.domains tells the names among NFTs, and not what other NFTs call themselves', async () => {
  const owner = `0:${'11'.repeat(32)}`
  const { address: zone } = await service.call('local.deployCollection', { kind: 'dns', name: 'Names' })
  const { address: leaves } = await service.call('local.deployCollection', { name: 'Leaves' })
  const { address: name } = await service.call('local.mintNft', { collection: zone, owner, domain: 'oak' })
  const { address: other } = await service.call('local.mintNft', { collection: leaves, owner, name: 'ash.ton' })
  await service.settle()
  const asked = { address: [name, other, owner] }
  expect(await service.call('token.domains', asked)).toEqual({
    domains: [{ address: Address.parse(name).toRawString().toUpperCase(), domain: 'oak.ton' }],
  })
  await expect(service.call('token.domains', { address: [] })).rejects.toThrow(/at least 1 address required/)
})
