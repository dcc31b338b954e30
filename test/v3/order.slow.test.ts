import { Address, beginCell, Cell, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { rawOf } from './scene.ts'

/* Transactions that were received in another order than they were sent, in one lt, or that left nothing: how lists and accounts tell them. */

const OPCODE = 0x0abcd123
const MASTER = new Address(-1, Buffer.alloc(32, 0x51))
const LOW = new Address(0, Buffer.alloc(32, 0x12))
const HIGH = new Address(0, Buffer.alloc(32, 0xee))

let service: V3Service
let wallet: WalletContractV4
let gone: WalletContractV4
/** A block with transactions of one lt. */
let tie: number
beforeAll(async () => {
  service = await startV3()
  const { keys } = await service.faucet()
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  gone = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId: 5 })
  const send = async (from: WalletContractV4, seqno: number, sendMode: SendMode, messages: MessageRelaxed[]): Promise<void> => {
    const body = from.createTransfer({ seqno, secretKey: keys.secretKey, sendMode, timeout: 0xffffffff, messages })
    const init = seqno === 0 && from !== wallet ? { init: from.init } : {}
    const boc = beginCell()
      .store(storeMessage(external({ to: from.address, body, ...init })))
      .endCell()
      .toBoc()
      .toString('base64')
    await service.call('sendBoc', { boc })
    await service.settle()
  }
  const op = beginCell().storeUint(OPCODE, 32).endCell()
  const broken = beginCell()
    .storeUint(0, 32)
    .storeBuffer(Buffer.from([0xc3, 0x28]))
    .endCell()
  // What goes to the masterchain is received a block later than what was sent after it.
  await send(wallet, 0, SendMode.PAY_GAS_SEPARATELY, [
    internal({ to: MASTER, value: '0.1', bounce: false, body: op }),
    internal({ to: HIGH, value: '0.1', bounce: false, body: op }),
    internal({ to: LOW, value: '0.1', bounce: false, body: op }),
    internal({ to: gone.address, value: '1', bounce: false, body: broken }),
  ])
  await send(gone, 0, SendMode.CARRY_ALL_REMAINING_BALANCE + SendMode.DESTROY_ACCOUNT_IF_ZERO, [
    internal({ to: wallet.address, value: '0', bounce: false }),
  ])
  // Messages from outside that are received in one block are received in one lt.
  const others = [11, 12, 13, 14, 15, 16].map((walletId) => WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId }))
  for (const other of others) await service.call('local.fund', { address: rawOf(other.address), amount: '1000000000' })
  await Promise.all(
    others.map((other) => send(other, 0, SendMode.PAY_GAS_SEPARATELY, [internal({ to: LOW, value: '0.01', bounce: false })])),
  )
  const { transactions } = await service.call('v3.transactions', { limit: 1000 })
  const lts = transactions.map(({ lt }) => lt)
  tie = transactions.find(({ lt }, i) => lts.indexOf(lt) !== i)!.mc_block_seqno
})
afterAll(() => service?.close())

interface Listed {
  readonly lt: string
  readonly account: string
  readonly mc_block_seqno: number
}
const list = async (path: string): Promise<{ readonly rows: readonly Listed[]; readonly next: string | null }> => {
  const response = await service.get(path)
  const { transactions, error } = response.body as { transactions: Listed[]; error?: string }
  if (error !== undefined) throw new Error(error)
  return { rows: transactions, next: response.headers.get('x-next-cursor') }
}
const place = ({ lt, account }: Listed): string => `${lt} ${account}`
const byLt = (sign: 1 | -1) => (a: Listed, b: Listed) =>
  sign * (a.mc_block_seqno - b.mc_block_seqno || Number(BigInt(a.lt) - BigInt(b.lt))) || (a.account < b.account ? -1 : 1)

describe('lists of transactions', () => {
  it.each([
    ['transactionsByMessage', `opcode=0x${OPCODE.toString(16)}`],
    ['transactionsByMessage', `body_hash=${beginCell().storeUint(OPCODE, 32).endCell().hash().toString('hex')}`],
    ['transactions', 'start_lt=1'],
    ['transactions', 'start_utime=1'],
    ['transactions', 'limit=1000'],
    ['transactionsByMasterchainBlock', () => `seqno=${tie}`],
  ] as const)('%s?%s: by lt, equal ones by account, whole or row by row', async (path, of) => {
    const query = typeof of === 'string' ? of : of()
    for (const [sort, sign] of [
      ['desc', -1],
      ['asc', 1],
    ] as const) {
      const { rows: whole } = await list(`${path}?${query}&limit=1000&sort=${sort}`)
      expect(whole.length).toBeGreaterThan(1)
      expect(whole.map(place)).toEqual([...whole].sort(byLt(sign)).map(place))
      const offsets: Listed[] = []
      for (let i = 0; i < whole.length; i++) offsets.push(...(await list(`${path}?${query}&limit=1&sort=${sort}&offset=${i}`)).rows)
      expect(offsets).toEqual(whole)
      const cursors: Listed[] = []
      for (let next: string | null = ''; next !== null; ) {
        const page = await list(`${path}?${query}&limit=1&sort=${sort}&cursor=${next}`)
        cursors.push(...page.rows)
        next = page.next
      }
      expect(cursors).toEqual(whole)
    }
  })

  it('the newest received message is first, though it was sent first', async () => {
    const { rows } = await list(`transactionsByMessage?opcode=0x${OPCODE.toString(16)}`)
    expect(rows.map(({ account }) => account)).toEqual([rawOf(MASTER), expect.any(String), expect.any(String)])
    expect((await list(`transactionsByMessage?opcode=0x${OPCODE.toString(16)}&limit=1`)).rows).toEqual(rows.slice(0, 1))
  })
})

describe('an account that is gone', () => {
  const address = () => rawOf(gone.address)
  const legacy = async (path: string) => {
    const response = await service.get(`${path}?address=${address()}`)
    return { status: response.status, body: response.body as Record<string, unknown> }
  }

  it('a deleted account is shown as its last transaction left it', async () => {
    const { accounts } = await service.call('v3.accountStates', { address: [address()] })
    const { transactions } = await service.call('v3.transactions', { account: [address()], limit: 1 })
    const last = transactions[0]!
    expect([last.end_status, accounts[0]!.status]).toEqual(['nonexist', 'nonexist'])
    expect(last.account_state_after).toEqual({
      ...{ hash: expect.any(String), balance: null, extra_currencies: null, account_status: null },
      ...{ frozen_hash: null, data_hash: null, code_hash: null },
    })
    expect(last.account_state_before).toMatchObject({ account_status: 'uninit', balance: '1000000000' })

    const { status, body } = await legacy('addressInformation')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ balance: '0', code: null, data: null, frozen_hash: null, status: 'nonexist', suspended: false },
        ...{ last_transaction_lt: last.lt, last_transaction_hash: last.hash },
      },
    })
    expect(await legacy('walletInformation')).toEqual({ status: 409, body: { error: 'not a wallet', code: 409 } })
    const asV2 = await service.call('v3.addressInformation', { address: address(), use_v2: true })
    expect(asV2).toMatchObject({ status: 'uninitialized', last_transaction_lt: '0' })
  })

  it('an opcode is named also if the text behind it is unreadable', async () => {
    const { messages } = await service.call('v3.messages', { destination: address(), source: rawOf(wallet.address) })
    expect(messages.map((m) => [m.opcode, m.decoded_opcode, m.message_content?.decoded])).toEqual([['0x00000000', 'text_comment', null]])
    expect(Cell.fromBase64(messages[0]!.message_content!.body).bits.length).toBe(48)
  })
})

it('answers echo the filters that they used', async () => {
  const response = await service.get('blocks?limit=1')
  expect(response.headers.get('server-timing')).toMatch(/^app;dur=\d+(\.\d+)?$/)
})
