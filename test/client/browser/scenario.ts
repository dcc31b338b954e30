import { Address, beginCell, external, internal, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import type { tonCore as TonCoreAdapter } from '../../../client/adapters/ton-core.ts'
import type * as ClientPackage from '../../../client/index.ts'

/** What a new user does, in a page and in Node alike: balances, a get-method, a signed transfer and its confirmation. */
export const scenario = async (
  { createClient, messageId, webSocket }: typeof ClientPackage,
  tonCore: typeof TonCoreAdapter,
  url: string,
  to: string,
  show: (what: string, text: string) => void,
): Promise<void> => {
  const ton = createClient({ url })
  const friend = Address.parse(to)

  const { wallets } = await ton.local.wallets()
  const [first, second] = await Promise.all(wallets.slice(0, 2).map(({ address }) => ton.getAddressBalance({ address })))
  show('balances', `${first} ${second}`)

  const keys = await mnemonicToPrivateKey([...wallets.find(({ version }) => version === 'v4R2')!.mnemonic])
  const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  const wallet = tonCore(ton).open(contract)
  const seqno = await wallet.getSeqno()
  show('seqno', String(seqno))

  const body = contract.createTransfer({
    seqno,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: friend, value: '1.5', bounce: false })],
  })
  const message = beginCell()
    .store(storeMessage(external({ to: contract.address, init: seqno === 0 ? contract.init : undefined, body })))
    .endCell()
  const boc = message.toBoc().toString('base64')
  const { hash_norm } = await ton.sendBocReturnHash({ boc })
  const transaction = await ton.waitForMessage(messageId(boc))
  show('sent', `${hash_norm === messageId(boc).hash} ${transaction.out_msgs[0]?.value}`)
  // By its hash alone: what a page does that was told of the message by somebody else.
  const again = await ton.waitForMessage({ address: contract.address.toString(), hash: hash_norm })
  show('found', String(again.transaction_id.lt === transaction.transaction_id.lt))

  if (typeof WebSocket !== 'undefined') {
    const live = createClient({ transport: webSocket({ url }) })
    const [state, info] = await Promise.all([live.getAddressState({ address: contract.address.toString() }), live.getMasterchainInfo()])
    show('socket', `${state} ${info.last.seqno > 0}`)
    live.close()
  }

  try {
    await ton.getAddressBalance({ address: 'nowhere' })
  } catch (error) {
    show('refused', (error as InstanceType<typeof ClientPackage.TonClientError>).kind)
  }
  for (let balance = '0'; balance === '0'; balance = await ton.getAddressBalance({ address: to })) show('arrived', balance)
  show('arrived', await ton.getAddressBalance({ address: to }))
  show('end', 'confirmed')
}
