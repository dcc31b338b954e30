import { Address, beginCell, Dictionary } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { rawOf } from '../scene.ts'

/* Accounts that parameter 44 of the configuration suspends, in the four answers of v3 that say so, beside v2's word. */

const LISTED = new Address(0, Buffer.alloc(32, 0x41))
const OTHER = new Address(0, Buffer.alloc(32, 0x42))

const listOf = (until: number, ...addresses: readonly Address[]): string => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(288), { serialize: () => undefined, parse: () => true })
  for (const { workChain, hash } of addresses) dict.set((BigInt(workChain >>> 0) << 256n) | BigInt(`0x${hash.toString('hex')}`), true)
  return beginCell().storeUint(0, 8).storeDict(dict).storeUint(until, 32).endCell().toBoc().toString('base64')
}

describe('suspended accounts', () => {
  let service: V3Service
  beforeAll(async () => {
    service = await startV3()
    for (const address of [LISTED, OTHER]) await service.call('local.fund', { address: rawOf(address), amount: '1000000000' })
    await service.settle()
  })
  afterAll(() => service?.close())

  /** What each answer says of an account; v2 first. */
  const say = async (address: Address): Promise<unknown[]> => {
    const [named, list] = [{ address: rawOf(address) }, { address: [rawOf(address)] }]
    return [
      (await service.call('getAddressInformation', named)).suspended,
      (await service.call('v3.addressInformation', named)).suspended,
      (await service.call('v3.walletInformation', named)).suspended,
      (await service.call('v3.accountStates', list)).accounts[0]!.suspended,
      (await service.call('v3.walletStates', list)).wallets[0]!.suspended,
    ]
  }
  const all = (value: boolean): boolean[] => Array.from({ length: 5 }, () => value)
  const setList = async (list: string | null): Promise<void> => {
    await service.call('local.setConfig', { params: { '44': list } })
    await service.settle()
  }
  const now = async (): Promise<number> => (await service.call('getAddressInformation', { address: rawOf(OTHER) })).sync_utime

  it('no account is suspended without the parameter', async () => {
    expect(await say(LISTED)).toEqual(all(false))
  })

  it('the listed account is suspended in each answer, until the time of the list', async () => {
    await setList(listOf((await now()) + 1_000, LISTED, new Address(-1, OTHER.hash)))
    expect(await say(LISTED)).toEqual(all(true))
    expect(await say(OTHER)).toEqual(all(false))
    await service.call('local.increaseTime', { seconds: 2_000 })
    await service.settle()
    expect(await say(LISTED)).toEqual(all(false))
    await setList(listOf((await now()) + 1_000, OTHER))
    expect([await say(LISTED), await say(OTHER)]).toEqual([all(false), all(true)])
  })

  it('a large page, which a thread makes, has the same', async () => {
    const many = Array.from({ length: 256 }, (_, i) => rawOf(new Address(0, Buffer.alloc(32, i))))
    const { accounts } = await service.call('v3.accountStates', { address: [...many, rawOf(LISTED), rawOf(OTHER)] })
    expect(accounts.filter(({ suspended }) => suspended).map(({ address }) => address)).toEqual([rawOf(OTHER)])
  })

  it('nobody is suspended once the parameter is removed', async () => {
    await setList(null)
    expect(await say(OTHER)).toEqual(all(false))
  })
})

describe('an index without the configuration contract', () => {
  it('it does not say whether an account is suspended', async () => {
    const service = await startV3({ indexAccounts: [rawOf(LISTED)] })
    try {
      await service.call('local.fund', { address: rawOf(LISTED), amount: '1000000000' })
      await service.settle()
      const [account] = (await service.call('v3.accountStates', { address: [rawOf(LISTED)] })).accounts
      expect(account).toMatchObject({ status: 'uninit' })
      expect(account).not.toHaveProperty('suspended')
      expect((await service.call('v3.addressInformation', { address: rawOf(LISTED) })).suspended).toBe(false)
    } finally {
      await service.close()
    }
  })
})
