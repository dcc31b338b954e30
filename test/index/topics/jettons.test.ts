import { Address, beginCell, type Cell, comment, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Assets,
  account,
  b64,
  compiled,
  jettonBurn,
  jettonTransfer,
  laidOutByTact,
  libraryCell,
  raw,
  speaking,
  startAssets,
} from './kit.ts'

/* The governed jetton as it stands on mainnet (its wallets' code is a library), from the mint to the burn. */

const [ADMIN, ALICE, BOB] = [account(0xa1), account(0xa2), account(0xa3)]
const MASTER = account(0x72)

describe('a jetton with the codes of mainnet', () => {
  let assets: Assets
  const minterCode = () => compiled('stablecoin-JettonMinter')
  const walletCode = () => compiled('stablecoin-JettonWallet')

  beforeAll(async () => {
    assets = await startAssets()
    await assets.publish(walletCode())
    // total_supply:Coins admin:MsgAddress next_admin:MsgAddress wallet_code:^Cell metadata_uri:^Cell
    const data = beginCell()
      .storeCoins(0n)
      .storeAddress(ADMIN)
      .storeAddress(null)
      .storeRef(libraryCell(walletCode()))
      .storeRef(beginCell().storeStringTail('https://example.org/usd.json').endCell())
      .endCell()
    await assets.put(MASTER, minterCode(), data)
  })
  afterAll(() => assets?.close())

  /** mint#642b7d07 query_id:uint64 to:MsgAddress ton_amount:Coins master_msg:^[internal_transfer#178d4519 ...] */
  const mint = async (to: Address, amount: bigint): Promise<void> => {
    const transfer = beginCell()
      .storeUint(0x178d4519, 32)
      .storeUint(0, 64)
      .storeCoins(amount)
      .storeAddress(null)
      .storeAddress(ADMIN)
      .storeCoins(0)
      .storeBit(0)
      .endCell()
    const body = beginCell()
      .storeUint(0x642b7d07, 32)
      .storeUint(1, 64)
      .storeAddress(to)
      .storeCoins(toNano('0.2'))
      .storeRef(transfer)
      .endCell()
    await assets.tell(ADMIN, MASTER, body)
  }
  const walletOf = async (owner: Address) => {
    const { jetton_wallets } = await assets.call('v3.jetton.wallets', { owner_address: [raw(owner)], jetton_address: [raw(MASTER)] })
    return jetton_wallets[0]!
  }

  it('a jetton with the codes of mainnet is a master with its content, and every holder has a wallet', async () => {
    await mint(ALICE, 1000n)
    const { jetton_masters, metadata, address_book } = await assets.call('v3.jetton.masters', { address: [raw(MASTER)] })
    expect(jetton_masters).toMatchObject([
      {
        address: raw(MASTER),
        total_supply: '1000',
        mintable: true,
        admin_address: raw(ADMIN),
        jetton_content: { uri: 'https://example.org/usd.json', decimals: '6' },
        jetton_wallet_code_hash: libraryCell(walletCode()).hash().toString('base64'),
        code_hash: minterCode().hash().toString('base64'),
      },
    ])
    expect(address_book[raw(MASTER)]).toMatchObject({ interfaces: ['jetton_master'] })
    expect(metadata[raw(MASTER)]).toMatchObject({ is_indexed: false, token_info: [{ type: 'jetton_masters', extra: { decimals: '6' } }] })
    expect(await walletOf(ALICE)).toMatchObject({ balance: '1000', owner: raw(ALICE), jetton: raw(MASTER) })
  })

  it('a jetton of Tact 1.6, whose get-methods are in a continuation, is a master too', async () => {
    const master = account(0x73)
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail('https://example.org/tact.json').endCell() }
    const admin = { slice: beginCell().storeAddress(ADMIN).endCell() }
    await assets.put(
      master,
      laidOutByTact(speaking({ get_jetton_data: [5n, -1n, admin, content, { cell: beginCell().endCell() }], get_wallet_address: [admin] })),
    )
    const { jetton_masters, address_book } = await assets.call('v3.jetton.masters', { address: [raw(master)] })
    expect(jetton_masters).toMatchObject([
      { total_supply: '5', admin_address: raw(ADMIN), jetton_content: { uri: 'https://example.org/tact.json' } },
    ])
    expect(address_book[raw(master)]).toMatchObject({ interfaces: ['jetton_master'] })
  })

  it('transfers of a jetton are listed, with the balances after them', async () => {
    const wallet = Address.parse((await walletOf(ALICE)).address)
    await assets.tell(ALICE, wallet, jettonTransfer(300n, BOB, ALICE, 1n, comment('rent')))
    const { jetton_transfers } = await assets.call('v3.jetton.transfers', { owner_address: [raw(BOB)], direction: 'in' })
    expect(jetton_transfers).toMatchObject([
      {
        query_id: '7',
        source: raw(ALICE),
        destination: raw(BOB),
        amount: '300',
        source_wallet: raw(wallet),
        jetton_master: raw(MASTER),
        transaction_aborted: false,
        response_destination: raw(ALICE),
        forward_ton_amount: '1',
        forward_payload: b64(comment('rent')),
        decoded_forward_payload: { type: 'text_comment', '@type': 'text_comment', comment: 'rent' },
        custom_payload: null,
        decoded_custom_payload: null,
      },
    ])
    expect((await walletOf(ALICE)).balance).toBe('700')
    expect((await walletOf(BOB)).balance).toBe('300')
    const { messages } = await assets.call('v3.messages', { destination: raw(wallet), opcode: '0x0f8a7ea5' })
    expect(messages).toMatchObject([
      {
        decoded_opcode: 'jetton_transfer',
        message_content: {
          decoded: {
            '@type': 'jetton_transfer',
            query_id: '7',
            amount: { '@type': 'var_uint', len: '2', value: '300' },
            destination: { '@type': 'addr_std', workchain_id: '0', address: BOB.hash.toString('hex').toUpperCase() },
            forward_payload: { value: { '@type': 'text_comment', text: 'rent' } },
          },
        },
      },
    ])
    // Too much: the wallet refuses, and there was no transfer.
    await assets.tell(ALICE, wallet, jettonTransfer(701n, BOB, ALICE))
    expect((await assets.call('v3.jetton.transfers', { jetton_wallet: [raw(wallet)] })).jetton_transfers).toHaveLength(1)
  })

  it('burns of a jetton are listed, failed ones too; supply and balances add up', async () => {
    const wallet = Address.parse((await walletOf(BOB)).address)
    // Of this jetton the admin alone burns: call_to#235caf52 query_id:uint64 owner:MsgAddress ton_amount:Coins order:^Cell
    const callTo = (owner: Address, order: Cell): Cell =>
      beginCell().storeUint(0x235caf52, 32).storeUint(2, 64).storeAddress(owner).storeCoins(toNano('0.2')).storeRef(order).endCell()
    await assets.tell(BOB, wallet, jettonBurn(301n, BOB))
    await assets.tell(ADMIN, MASTER, callTo(BOB, jettonBurn(50n, ADMIN)))
    const { jetton_burns } = await assets.call('v3.jetton.burns', { jetton_master: raw(MASTER), sort: 'asc' })
    expect(jetton_burns.map(({ amount, transaction_aborted }) => [amount, transaction_aborted])).toEqual([
      ['301', true],
      ['50', false],
    ])
    const { jetton_wallets } = await assets.call('v3.jetton.wallets', { jetton_address: [raw(MASTER)], sort: 'desc' })
    const total = jetton_wallets.reduce((sum, { balance }) => sum + BigInt(balance), 0n)
    const [master] = (await assets.call('v3.jetton.masters', { address: [raw(MASTER)] })).jetton_masters
    expect([total, BigInt(master!.total_supply)]).toEqual([950n, 950n])
  })
})
