import { Address, internal } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tonCore } from '../../client/adapters/ton-core.ts'
import { createClient, pages, type TonClient } from '../../client/index.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { failing } from './servers.ts'

/* What the client does with an index behind the service. */

let tonway: Tonway
let ton: TonClient
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0, index: true })
  ton = createClient({ url: tonway.url, retry: { times: 30, base: 200, cap: 500 } })
})
afterAll(() => tonway?.close())

const friend = Address.parseRaw(`0:${'99'.repeat(32)}`)

describe('with an index', () => {
  it('v2 and v3 share one POST, a message is found by its hash alone, and rows come page by page', async () => {
    const { wallets } = await ton.local.wallets()
    const { publicKey, secretKey } = await mnemonicToPrivateKey([...wallets.find(({ version }) => version === 'v4R2')!.mnemonic])
    const contract = WalletContractV4.create({ workchain: 0, publicKey })
    const account = contract.address.toString()
    const wallet = tonCore(ton).open(contract)
    for (let i = 0; i < 5; i++) {
      const boc = await signed(contract, await wallet.getSeqno(), secretKey)
      const { hash, hash_norm } = await ton.sendBocReturnHash({ boc })
      const transaction = await ton.waitForMessage(hash_norm)
      expect(transaction).toMatchObject({ account: contract.address.toRawString().toUpperCase(), in_msg: { hash } })
    }
    const [balance, { transactions }] = await Promise.all([
      ton.getAddressBalance({ address: account }),
      ton.v3.transactions({ account: [account], limit: 100 }),
    ])
    expect(balance).toMatch(/^\d+$/)
    expect(transactions.length).toBeGreaterThanOrEqual(5)
    const paged: string[] = []
    for await (const { lt } of pages(ton.v3.transactions, { account: [account], limit: 2 })) paged.push(lt)
    expect(paged).toEqual(transactions.map(({ lt }) => lt))
    expect(await failing(ton.waitForMessage('00'.repeat(32), { timeout: 200 }))).toMatchObject({ kind: 'TIMEOUT' })
  }, 120_000)
})

const signed = async (contract: WalletContractV4, seqno: number, secretKey: Buffer): Promise<string> => {
  const { beginCell, external, storeMessage } = await import('@ton/core')
  const body = contract.createTransfer({ seqno, secretKey, messages: [internal({ to: friend, value: '0.1', bounce: false })] })
  return beginCell()
    .store(storeMessage(external({ to: contract.address, body })))
    .endCell()
    .toBoc()
    .toString('base64')
}
