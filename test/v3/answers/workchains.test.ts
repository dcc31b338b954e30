import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, ask, post } from '../../kit/service/client.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'

/*
 * Workchains that a chain does not have. TON Center's v3 takes the workchains of the friendly form, -128 to 127, and knows no account of the fifth;
 * its v2 asks tonlib, which refuses what a lite-server says of a workchain without shards (block::AccountState::validate).
 */

const HEX = 'ab'.repeat(32).toUpperCase()
const ABSENT = `5:${HEX}`
const FAR = `128:${HEX}`
const BODY = 'te6cckEBAQEAAgAAAEysuc0='
const REFUSED = 'VALIDATE_ACCOUNT_STATE: the chain has no workchain 5'

describe('workchains that are not there', () => {
  let service: V3Service
  beforeAll(async () => {
    service = await startV3()
    await service.indexed()
  })
  afterAll(() => service?.close())

  const told = async (asked: Promise<Answer>): Promise<readonly [number, string]> => {
    const { status, body } = await asked
    const { error } = body as { error?: unknown }
    return [status, typeof error === 'string' ? error : '']
  }
  const v2 = (method: string, address: string) => told(ask(`${service.url}/api/v2/${method}?address=${address}`))
  const v2Post = (method: string, body: object) => told(post(`${service.url}/api/v2/${method}`, body))

  const OF_V2 = [
    ...['getAddressInformation', 'getExtendedAddressInformation', 'getWalletInformation', 'getAddressBalance', 'getAddressState'],
    ...['getTransactions', 'getTokenData'],
  ]
  it.each(OF_V2)('%s refuses accounts of workchain 5 as tonlib does, and 128 as no address', async (method) => {
    expect(await v2(method, ABSENT)).toEqual([500, REFUSED])
    expect((await v2(method, FAR))[0]).toBe(422)
  })

  it('runGetMethod and estimateFee refuse accounts of unknown workchains', async () => {
    for (const [address, status] of [[ABSENT, 500] as const, [FAR, 422] as const]) {
      expect((await v2Post('runGetMethod', { address, method: 'seqno', stack: [] }))[0]).toBe(status)
      expect((await v2Post('estimateFee', { address, body: BODY }))[0]).toBe(status)
      expect((await told(service.post('runGetMethod', { address, method: 'seqno', stack: [] })))[0]).toBe(status)
      expect((await told(service.post('estimateFee', { address, body: BODY })))[0]).toBe(status)
    }
  })

  it('v3.addressInformation and v3.walletInformation refuse accounts of unknown workchains', async () => {
    for (const path of ['addressInformation', 'walletInformation', 'account', 'wallet'])
      expect([path, await told(service.get(`${path}?address=${ABSENT}`))]).toEqual([path, [500, REFUSED]])
    for (const path of ['addressInformation', 'walletInformation'])
      expect((await told(service.get(`${path}?address=${FAR}`)))[0], path).toBe(422)
  })

  it('lists of v3 know no account of workchain 5, and refuse 128', async () => {
    for (const path of [
      'accountStates?address=',
      'transactions?account=',
      'jetton/wallets?owner_address=',
      'messages?source=',
      'nft/items?address=',
    ]) {
      const answered = await service.get(path + ABSENT)
      const [list] = Object.values(answered.body as Record<string, unknown>)
      expect([path, answered.status, list]).toEqual([path, 200, []])
      expect((await told(service.get(path + FAR)))[0], path).toBe(422)
    }
  })

  it('the forms of addresses are of the same workchains', async () => {
    for (const method of ['detectAddress', 'packAddress', 'unpackAddress']) {
      expect((await v2(method, ABSENT))[0], method).toBe(200)
      expect((await v2(method, FAR))[0], method).toBe(422)
      expect((await v2(method, `-129:${HEX}`))[0], method).toBe(422)
    }
  })

  it('missing accounts of the masterchain and of workchain 0 are still shown as such', async () => {
    for (const workchain of [0, -1]) {
      const response = await ask(`${service.url}/api/v2/getAddressInformation?address=${workchain}:${HEX}`)
      expect(response.body).toMatchObject({ ok: true, result: { balance: '0', state: 'uninitialized' } })
    }
  })

  it('address=a,b of addressBook and metadata is two addresses', async () => {
    const { wallets } = await service.call('local.wallets', {})
    const [a, b] = [wallets[0]!.address, wallets[1]!.address]
    for (const path of ['addressBook', 'metadata']) {
      const apart = (await service.get(`${path}?address=${a}&address=${b}`)).body
      expect((await service.get(`${path}?address=${a},${b}`)).body).toEqual(apart)
      expect((await service.get(`${path}?address=${a},,${b},`)).body).toEqual(apart)
    }
    expect(Object.keys(await service.call('v3.addressBook', { address: `${a},${b}` }))).toEqual([a, b])
    // Where a piece is none, the text is one spelling that nobody knows, and the answer's key.
    const strange = `${a},nobody`
    expect(await service.call('v3.addressBook', { address: strange })).toEqual({
      [strange]: { user_friendly: null, domain: null, interfaces: [] },
    })
    const many = Array.from({ length: 1025 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
    const over = await service.post('addressBook', { address: many.join(',') })
    expect(over.status).toBeGreaterThanOrEqual(400)
    const [status] = await told(service.get(`addressBook?address=${many.slice(0, 700).join(',')}`))
    expect(status).toBe(200)
  })
})
