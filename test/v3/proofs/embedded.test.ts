import { Address, beginCell, type Cell, external, internal, SendMode, storeMessage } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ParamsIn, Result } from '../../../shared/registry.ts'
import { type Checked, checkLinks, checkProof, idOf, type ListProof } from '../../kit/check-proof.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { playScene, rawOf, type Scene, STRANGER } from '../scene.ts'

/* Lists with proofs of an embedded chain, whose bytes are checked by the server's own checkers. */

let service: V3Service
let scene: Scene
let me: string
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  me = rawOf(scene.wallet.address)
})
afterAll(() => service?.close())

type Rows = Result<'v3.transactions'>
interface Slice {
  readonly sort?: string
  readonly limit?: number
  readonly offset?: number
}
const fail = (): never => {
  throw new Error('no row')
}

const head = () => service.tonway.app.network.chain.head().id
const opened = ({ proof, proof_missing }: Pick<Rows, 'proof' | 'proof_missing'>): { proof: ListProof; checked: Checked } => {
  expect(proof_missing).toBeUndefined()
  return { proof: proof!, checked: checkProof(proof!, head()) }
}
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const base64 = (cell: Cell): string => base64Of(cell.hash())

/** Rows beside their cells. */
const expectRows = (rows: Rows['transactions'], { transactions }: Checked): void => {
  expect(transactions.length).toBe(rows.length)
  rows.forEach((row, i) => {
    const { cell, transaction, block } = transactions[i]!
    expect([row.hash, row.lt, row.now]).toEqual([base64(cell), String(transaction.lt), transaction.now])
    expect(row.account.slice(row.account.indexOf(':') + 1)).toBe(transaction.address.toString(16).toUpperCase().padStart(64, '0'))
    expect([row.prev_trans_lt, row.out_msgs.length]).toEqual([String(transaction.prevTransactionLt), transaction.outMessagesCount])
    expect(row.total_fees).toBe(String(transaction.totalFees.coins))
    if (block)
      expect(row.block_ref).toEqual({ workchain: block.workchain, shard: block.shard.toString(16).toUpperCase(), seqno: block.seqno })
  })
}

describe('a page of one account', () => {
  it('a page of an account is proven from the newest transaction on, by the account at the head and the chain of hashes', async () => {
    const answer = await service.call('v3.transactions', { account: [me], limit: 5, proofs: true })
    const { proof, checked } = opened(answer)
    expect([proof.complete, proof.blocks, answer.transactions.length]).toEqual(['from_newest', [], 5])
    expectRows(answer.transactions, checked)
    let next = { lt: checked.accounts.get(me)!.lastTransLt, hash: Buffer.from(checked.accounts.get(me)!.lastTransHash).toString('hex') }
    for (const { cell, transaction } of checked.transactions) {
      expect(next).toEqual({ lt: transaction.lt, hash: cell.hash().toString('hex') })
      next = { lt: transaction.prevTransactionLt, hash: transaction.prevTransactionHash.toString(16).padStart(64, '0') }
    }
  })

  it('a page goes on by cursor and by offset without a proof of the account', async () => {
    const first = await service.call('v3.transactions', { account: [me], limit: 3, cursor: '', proofs: true })
    expect(opened(first).proof.complete).toBe('from_newest')
    for (const more of [{ cursor: first.next_cursor! }, { offset: 3 }]) {
      const second = await service.call('v3.transactions', { account: [me], limit: 3, ...more, proofs: true })
      const { proof, checked } = opened(second)
      expect([proof.complete, proof.accounts]).toEqual(['continues', []])
      expectRows(second.transactions, checked)
      expect(first.transactions.at(-1)!.prev_trans_hash).toBe(base64(checked.transactions[0]!.cell))
    }
  })

  it('a page of an account that never was is proven to be empty', async () => {
    const nobody = `0:${'9F'.repeat(32)}`
    const { proof, checked } = opened(await service.call('v3.transactions', { account: [nobody], proofs: true }))
    expect([proof.complete, proof.transactions, checked.accounts.get(nobody)!.account]).toEqual(['from_newest', [], undefined])
  })

  it.each<[string, ParamsIn<'v3.transactions'>]>([
    ['oldest first', { sort: 'asc' }],
    ['of two accounts', { account: [`0:${'11'.repeat(32)}`, `0:${'22'.repeat(32)}`] }],
    ['within a time', { start_utime: 1 }],
    ['without an account', { account: undefined }],
  ])('%s has a proof of each row and does not claim to be complete', async (_, params) => {
    const answer = await service.call('v3.transactions', { account: [me], limit: 6, ...params, proofs: true })
    const { proof, checked } = opened(answer)
    expect([proof.complete, answer.transactions.length > 0]).toEqual(['none', true])
    expect(proof.transactions.every((each) => each.block !== null && each.proof !== null)).toBe(true)
    expectRows(answer.transactions, checked)
  })
})

describe('an account whose last transaction the state does not name', () => {
  it('an account that was deleted: each row is proven by its block', async () => {
    const { deploy } = scene
    const { keys } = await service.faucet()
    const sendMode = SendMode.CARRY_ALL_REMAINING_BALANCE + SendMode.DESTROY_ACCOUNT_IF_ZERO
    const messages = [internal({ to: scene.wallet.address, value: 0n, bounce: false })]
    const body = deploy.createTransfer({ seqno: 0, secretKey: keys.secretKey, sendMode, timeout: 0xffffffff, messages })
    const message = beginCell()
      .store(storeMessage(external({ to: deploy.address, body })))
      .endCell()
    await service.call('sendBoc', { boc: message.toBoc().toString('base64') })
    await service.settle()
    const answer = await service.call('v3.transactions', { account: [rawOf(deploy.address)], proofs: true })
    expect(answer.transactions[0]).toMatchObject({ end_status: 'nonexist' })
    const { proof, checked } = opened(answer)
    expect([proof.complete, proof.blocks.length]).toEqual(['none', answer.transactions.length])
    expect(checked.accounts.get(rawOf(deploy.address))).toMatchObject({ account: undefined, lastTransLt: 0n })
    expectRows(answer.transactions, checked)
    const state = opened(await service.call('v3.accountStates', { address: [rawOf(deploy.address)], proofs: true }))
    expect(state.checked.accounts.get(rawOf(deploy.address))!.account).toBeUndefined()
  })

  it('an account that local.setAccount set: rows and state are proven all the same', async () => {
    const set = rawOf(STRANGER)
    await service.call('local.setAccount', { address: set, balance: '5000000000' })
    await service.settle()
    const answer = await service.call('v3.transactions', { account: [set], limit: 4, proofs: true })
    expectRows(answer.transactions, opened(answer).checked)
    const states = await service.call('v3.accountStates', { address: [set], proofs: true })
    const { account } = opened(states).checked.accounts.get(set)!
    expect(states.accounts[0]!.account_state_hash).toBe(base64Of(account!.hash()))
  })
})

describe('a page of one block', () => {
  it('a page of a block shows all transactions of the block in the order asked for, and where the page is cut', async () => {
    const { transactions } = await service.call('v3.transactions', { workchain: 0, limit: 100 })
    const texts = transactions.map(({ block_ref }) => JSON.stringify(block_ref))
    const counted = texts.map((text) => texts.filter((each) => each === text).length)
    const fullest = transactions[counted.indexOf(Math.max(...counted))]!.block_ref
    expect(Math.max(...counted)).toBeGreaterThan(1)
    await service.call('local.fund', { address: `-1:${'77'.repeat(32)}`, amount: '1' })
    await service.settle()
    const [{ block_ref: master } = fail()] = (await service.call('v3.transactions', { workchain: -1, limit: 1 })).transactions
    for (const block of [fullest, master]) {
      for (const more of [{}, { sort: 'asc' }, { limit: 1 }, { limit: 1, offset: 1 }] as readonly Slice[]) {
        const answer = await service.call('v3.transactions', { ...block, limit: 50, ...more, proofs: true })
        const { proof, checked } = opened(answer)
        expect([proof.complete, proof.blocks.length]).toEqual(['block', 1])
        expectRows(answer.transactions, checked)
        const all = [...checked.lists[0]!].sort((a, b) => Number(b.lt - a.lt) || (a.account < b.account ? -1 : 1))
        if (more.sort === 'asc') all.sort((a, b) => Number(a.lt - b.lt) || (a.account < b.account ? -1 : 1))
        const at = more.offset ?? 0
        expect(answer.transactions.map(({ hash }) => hash)).toEqual(all.slice(at, at + (more.limit ?? 50)).map(({ hash }) => hash))
      }
    }
  })

  it('a block that the index does not have has no proof, and says why', async () => {
    const none = await service.call('v3.transactions', { workchain: 0, shard: '8000000000000000', seqno: 999_999, proofs: true })
    expect(none).toMatchObject({ transactions: [], proof: null, proof_missing: expect.stringContaining('does not have block') })
  })
})

describe('other lists', () => {
  it('states of accounts are proven at the head, those that are not there too', async () => {
    const nobody = `0:${'9E'.repeat(32)}`
    const master = `-1:${'55'.repeat(32)}`.toUpperCase()
    const address = [me, rawOf(STRANGER), nobody, me, master, `7:${'55'.repeat(32)}`]
    const answer = await service.call('v3.accountStates', { address, proofs: true })
    const { proof, checked } = opened(answer)
    expect([proof.complete, [...checked.accounts.keys()]]).toEqual(['accounts', [...new Set(address)]])
    expect(answer.accounts.length).toBe(3)
    for (const row of answer.accounts) {
      const { account, lastTransLt } = checked.accounts.get(row.address)!
      expect([row.account_state_hash, row.last_transaction_lt ?? '0']).toEqual([base64Of(account!.hash()), String(lastTransLt)])
    }
    expect(proof.accounts.find(({ account }) => account === nobody)).toMatchObject({ state: '' })
    expect(proof.accounts.find(({ account }) => account.startsWith('7:'))).toMatchObject({ state: '', proof: '', shard_block: null })
  })

  it('messages are proven by a transaction that has them', async () => {
    const answer = await service.call('v3.messages', { limit: 20, proofs: true })
    const { proof, checked } = opened(answer)
    expect(proof.complete).toBe('none')
    answer.messages.forEach(({ hash, in_msg_tx_hash, out_msg_tx_hash }, i) => {
      const { cell, transaction } = checked.transactions[i]!
      expect([in_msg_tx_hash, out_msg_tx_hash]).toContain(base64(cell))
      const messages = [transaction.inMessage, ...transaction.outMessages.values()].flatMap((each) =>
        each ? base64(beginCell().store(storeMessage(each)).endCell()) : [],
      )
      expect(messages).toContain(hash)
    })
  })

  it('transfers and burns of jettons are proven by the transactions that carried them out', async () => {
    const { address: jetton } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    await service.call('local.mintJetton', { jetton, owner: me, amount: '1000' })
    await service.settle()
    const { jetton_wallets } = await service.call('v3.jetton.wallets', { owner_address: [me] })
    const to = scene.wallet.address
    const transfer = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).storeCoins(7).storeAddress(STRANGER).storeAddress(to)
    const burn = beginCell().storeUint(0x595f07bc, 32).storeUint(2, 64).storeCoins(5).storeAddress(to).storeBit(0)
    const wallet = Address.parseRaw(jetton_wallets[0]!.address)
    const bodies = [transfer.storeBit(0).storeCoins(0).storeBit(0).endCell(), burn.endCell()]
    const order = scene.order(bodies.map((body) => internal({ to: wallet, value: '0.1', bounce: true, body })))
    await service.call('sendBoc', { boc: order.toBoc().toString('base64') })
    await service.settle()
    const transfers = await service.call('v3.jetton.transfers', { owner_address: [me], proofs: true })
    const burns = await service.call('v3.jetton.burns', { owner_address: [me], proofs: true })
    for (const [answer, rows] of [[transfers, transfers.jetton_transfers] as const, [burns, burns.jetton_burns] as const]) {
      const { proof, checked } = opened(answer)
      expect([proof.complete, rows.length > 0]).toEqual(['none', true])
      expect(rows.map((row) => row.transaction_hash)).toEqual(checked.transactions.map(({ cell }) => base64(cell)))
    }
    expect(opened(await service.call('v3.nft.transfers', { proofs: true })).proof).toMatchObject({ complete: 'none', transactions: [] })
  })

  it('transactions of a masterchain block, of a message and beside another one have a proof of each row', async () => {
    const [newest] = (await service.call('v3.transactions', { account: [rawOf(STRANGER)], limit: 1 })).transactions
    const answers = [
      await service.call('v3.transactionsByMasterchainBlock', { seqno: newest!.mc_block_seqno, proofs: true }),
      await service.call('v3.transactionsByMessage', { msg_hash: [newest!.in_msg!.hash], proofs: true }),
      await service.call('v3.adjacentTransactions', { hash: newest!.hash, proofs: true }),
    ]
    for (const answer of answers) {
      const { proof, checked } = opened(answer)
      expect([proof.complete, answer.transactions.length > 0]).toEqual(['none', true])
      expectRows(answer.transactions, checked)
    }
  })
})

describe('v3.blockProof', () => {
  it('links lead from the zerostate and from a block to the newest, and back', async () => {
    const { chain } = service.tonway.app.network
    const { init } = await chain.masterchainInfo(AbortSignal.timeout(10_000))
    const known = await chain.pin(2, AbortSignal.timeout(10_000))
    const hashes = (of: { rootHash: Uint8Array; fileHash: Uint8Array }) => ({
      root_hash: Buffer.from(of.rootHash).toString('base64'),
      file_hash: Buffer.from(of.fileHash).toString('base64'),
    })
    for (const [params, to] of [
      [{ seqno: 0, ...hashes(init) }, head()],
      [{ seqno: 2, ...hashes(known) }, head()],
      [{ seqno: head().seqno, ...hashes(head()), to_seqno: 2 }, known],
      [{ seqno: 2, ...hashes(known), to_seqno: 2 }, known],
    ] as const) {
      const { complete, from, steps, ...answer } = await service.call('v3.blockProof', params)
      expect([complete, idOf(answer.to).seqno]).toEqual([true, to.seqno])
      checkLinks(steps, idOf(from), { ...to, rootHash: Buffer.from(to.rootHash), fileHash: Buffer.from(to.fileHash) }, true)
    }
  })

  it('a block is refused that is not of this chain', async () => {
    const hash = Buffer.alloc(32, 7).toString('base64url')
    const { status, body } = await service.get<{ error: string }>(`blockProof?seqno=1&root_hash=${hash}&file_hash=${hash}`)
    expect([status, body.error]).toEqual([500, expect.stringContaining('unknown')])
  })
})

describe('bad input', () => {
  const accounts = Array.from({ length: 101 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  it.each([
    ['a large page', 'transactions?limit=101&proofs=true', 'proofs are for at most 100 rows: take a smaller limit'],
    ['a large page of messages', 'messages?limit=1000&proofs=1', 'proofs are for at most 100 rows: take a smaller limit'],
    ['accounts by code', `accountStates?code_hash=${'00'.repeat(32)}&proofs=true`, 'at most 100 accounts that `address` names'],
    ['101 accounts', `accountStates?address=${accounts.join()}&proofs=true`, 'at most 100 accounts that `address` names'],
    ['a list without proofs', 'traces?proofs=true', 'this method has no proofs'],
    ['another list without proofs', 'jetton/wallets?proofs=true', 'this method has no proofs'],
    ['another word than true or false', 'transactions?proofs=maybe', 'proofs'],
  ])('%s is refused', async (_, path, text) => {
    const { status, body } = await service.get<{ error: string }>(path)
    expect([status, body.error]).toEqual([422, expect.stringContaining(text)])
  })

  it('proofs=false is no call with proofs, anywhere', async () => {
    for (const path of ['transactions?limit=200&proofs=false', 'traces?limit=1&proofs=0'])
      expect((await service.get(path)).body).not.toHaveProperty('proof')
  })
})
