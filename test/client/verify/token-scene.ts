import { Address, type Builder, beginCell, type Cell } from '@ton/core'
import type { V3Service } from '../../kit/service/service.ts'
import { rawOf, type Scene, STRANGER } from '../../v3/scene.ts'

/* Transfers and burns of a jetton and transfers of an NFT, with all forms of payloads and parties, some of which fail. */

const base64 = (body: Builder): string => body.endCell().toBoc().toString('base64')

const BOB = new Address(0, Buffer.alloc(32, 0x33))
const payloadCell: Cell = beginCell().storeUint(0, 32).storeStringTail('with a payload').endCell()

export const playTokens = async (service: V3Service, { wallet }: Pick<Scene, 'wallet'>) => {
  const me = rawOf(wallet.address)
  const { address: jetton } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
  await service.call('local.mintJetton', { jetton, owner: me, amount: '1000000' })
  const { address: collection } = await service.call('local.deployCollection', { name: 'Leaves' })
  const { address: item } = await service.call('local.mintNft', { collection, owner: me, name: 'Leaf' })
  await service.settle()
  const [{ address: jettonWallet } = { address: '' }] = (await service.call('v3.jetton.wallets', { owner_address: [me] })).jetton_wallets
  const order = (to: string, body: Builder) => service.call('local.impersonate', { from: me, to, amount: '200000000', body: base64(body) })

  const transfer = (queryId: number, amount: number) =>
    beginCell().storeUint(0x0f8a7ea5, 32).storeUint(queryId, 64).storeCoins(amount).storeAddress(STRANGER)
  await order(jettonWallet, transfer(0, 7).storeAddress(null).storeBit(0).storeCoins(0).storeBit(0))
  await order(
    jettonWallet,
    transfer(1, 8).storeAddress(wallet.address).storeMaybeRef(payloadCell).storeCoins(1).storeBit(1).storeRef(payloadCell),
  )
  await order(
    jettonWallet,
    transfer(2, 9).storeAddress(BOB).storeBit(0).storeCoins(1).storeBit(0).storeUint(0, 32).storeStringTail('inline'),
  )
  await order(jettonWallet, transfer(3, 9_999_999).storeAddress(BOB).storeBit(0).storeCoins(0).storeBit(0))

  const burn = (queryId: number, amount: number) => beginCell().storeUint(0x595f07bc, 32).storeUint(queryId, 64).storeCoins(amount)
  await order(jettonWallet, burn(4, 5).storeAddress(wallet.address).storeBit(0))
  await order(jettonWallet, burn(5, 6).storeAddress(null).storeMaybeRef(payloadCell))
  await order(jettonWallet, burn(6, 9_999_999).storeAddress(wallet.address).storeBit(0))

  const give = (queryId: number, to: Address) => beginCell().storeUint(0x5fcc3d14, 32).storeUint(queryId, 64).storeAddress(to)
  const byStranger = base64(give(7, STRANGER).storeAddress(null).storeBit(0).storeCoins(0).storeBit(0))
  await service.call('local.sendInternal', { from: rawOf(STRANGER), to: item, amount: '100000000', body: byStranger })
  await order(item, give(8, wallet.address).storeAddress(null).storeBit(0).storeCoins(1).storeBit(0))
  await order(item, give(9, BOB).storeAddress(wallet.address).storeMaybeRef(payloadCell).storeCoins(1).storeBit(1).storeRef(payloadCell))
  await service.settle()
  return { me, jetton, jettonWallet, collection, item, bob: rawOf(BOB) }
}
export type Tokens = Awaited<ReturnType<typeof playTokens>>
