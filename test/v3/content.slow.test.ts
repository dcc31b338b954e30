import { Address, beginCell, Cell, internal, loadMessage } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, post } from '../kit/service/client.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { ECHO_OPCODE, NOBODY, playScene, rawOf, type Scene, STRANGER } from './scene.ts'

/* What the answers say: against v2 on the same accounts, against the messages that were sent, and in every spelling of a question. */

let service: V3Service
let scene: Scene
let me: string
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  me = rawOf(scene.wallet.address)
})
afterAll(() => service?.close())

const json = async <T>(path: string): Promise<T> => {
  const { status, body, text } = await service.get<T>(path)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return body
}
const status = async (path: string): Promise<[number, string]> => {
  const answer = await service.get<{ error: string }>(path)
  return [answer.status, answer.body.error]
}
const b64 = (cell: Cell): string => cell.hash().toString('base64')
const hexOf = (hash: string): string => Buffer.from(hash, 'base64').toString('hex')
const urlOf = (hash: string): string => Buffer.from(hash, 'base64').toString('base64url')
const q = encodeURIComponent

describe('v2 and v3 agree', () => {
  const accounts = (): Address[] => [
    scene.wallet.address,
    scene.deploy.address,
    STRANGER,
    NOBODY,
    Address.parse('-1:3333333333333333333333333333333333333333333333333333333333333333'),
  ]

  it('v2 and v3 agree on the states of accounts', async () => {
    for (const address of accounts()) {
      const v2 = await service.call('getAddressInformation', { address: address.toString() })
      const { accounts: rows } = await service.call('v3.accountStates', { address: [address.toString()] })
      if (address.equals(NOBODY)) {
        expect(rows.map((row) => [row.status, row.balance]).filter(([word]) => word !== 'uninit' && word !== 'nonexist')).toEqual([])
        continue
      }
      expect(rows.length, rawOf(address)).toBe(1)
      const [v3] = rows
      expect({
        address: v3!.address,
        balance: v3!.balance,
        status: v3!.status === 'uninit' ? 'uninitialized' : v3!.status,
        code: v3!.code_boc ? b64(Cell.fromBase64(v3!.code_boc)) : '',
        data: v3!.data_boc ? b64(Cell.fromBase64(v3!.data_boc)) : '',
        lt: v3!.last_transaction_lt ?? '0',
        hash: v3!.last_transaction_hash ?? Buffer.alloc(32).toString('base64'),
      }).toEqual({
        address: rawOf(address),
        balance: v2.balance,
        status: v2.state,
        code: v2.code ? b64(Cell.fromBase64(v2.code)) : '',
        data: v2.data ? b64(Cell.fromBase64(v2.data)) : '',
        lt: v2.last_transaction_id.lt,
        hash: v2.last_transaction_id.hash,
      })
      expect([v3!.code_hash, v3!.data_hash]).toEqual(
        v3!.code_boc ? [b64(Cell.fromBase64(v3!.code_boc)), b64(Cell.fromBase64(v3!.data_boc!))] : [undefined, undefined],
      )
    }
  })

  it('v2 and v3 agree on the transactions of accounts, their messages, amounts and fees', async () => {
    // v2 walks back from the account, which is not there any more where everything came back.
    for (const address of accounts().filter((one) => !one.equals(NOBODY))) {
      const v2 = await service.call('getTransactions', { address: address.toString(), limit: 100 })
      const { transactions: v3 } = await service.call('v3.transactions', { account: [address.toString()], limit: 100 })
      const message2 = (m: (typeof v2)[number]['out_msgs'][number]) => ({
        hash: m.hash,
        source: m.source && rawOf(Address.parse(m.source)),
        destination: m.destination && rawOf(Address.parse(m.destination)),
        value: m.value,
        fwd_fee: m.fwd_fee,
        created_lt: m.created_lt,
        body: m.body_hash,
      })
      const message3 = (m: (typeof v3)[number]['out_msgs'][number]) => ({
        hash: m.hash,
        source: m.source ?? '',
        destination: m.destination ?? '',
        value: m.value ?? '0',
        fwd_fee: m.fwd_fee ?? '0',
        created_lt: m.created_lt ?? '0',
        body: m.message_content!.hash,
      })
      expect(
        v3.map((t) => ({
          lt: t.lt,
          hash: t.hash,
          now: t.now,
          in: t.in_msg && message3(t.in_msg),
          out: t.out_msgs.map(message3),
        })),
      ).toEqual(
        v2.map((t) => ({
          lt: t.transaction_id.lt,
          hash: t.transaction_id.hash,
          now: t.utime,
          in: t.in_msg ? message2(t.in_msg) : null,
          out: t.out_msgs.map(message2),
        })),
      )
    }
  })

  it('v2 and v3 agree on blocks', async () => {
    const { last, first } = await service.call('v3.masterchainInfo', {})
    const v2 = await service.call('getMasterchainInfo', {})
    expect([last.seqno, last.root_hash, last.file_hash]).toEqual([v2.last.seqno, v2.last.root_hash, v2.last.file_hash])
    expect(first.seqno).toBe(1)
    for (const seqno of [1, 2, last.seqno]) {
      const header = await service.call('getBlockHeader', { workchain: -1, shard: '-9223372036854775808', seqno })
      const [block] = (await service.call('v3.blocks', { workchain: -1, seqno })).blocks
      expect(block).toMatchObject({
        root_hash: header.id.root_hash,
        file_hash: header.id.file_hash,
        start_lt: header.start_lt,
        end_lt: header.end_lt,
        gen_utime: String(header.gen_utime),
        key_block: header.is_key_block,
        prev_blocks: [{ workchain: -1, shard: '8000000000000000', seqno: seqno - 1 }],
      })
      const { shards } = await service.call('getShards', { seqno })
      const state = await service.call('v3.masterchainBlockShardState', { seqno })
      expect(state.blocks.filter((one) => one.workchain === 0).map((one) => one.root_hash)).toEqual(
        shards.filter((one) => one.seqno > 0).map((one) => one.root_hash),
      )
      expect(state.blocks.some((one) => one.workchain === -1 && one.seqno === seqno)).toBe(true)
      const fresh = await service.call('v3.masterchainBlockShards', { seqno })
      expect(fresh.blocks.map((one) => one.masterchain_block_ref.seqno)).toEqual(fresh.blocks.map(() => seqno))
    }
  })

  it('v2 and v3 agree on wallets', async () => {
    const v2 = await service.call('getWalletInformation', { address: me })
    const [wallet] = (await service.call('v3.walletStates', { address: [me] })).wallets
    expect(wallet).toMatchObject({
      is_wallet: true,
      wallet_type: v2.wallet_type,
      seqno: v2.seqno,
      wallet_id: v2.wallet_id,
      balance: v2.balance,
    })
    const [stranger] = (await service.call('v3.walletStates', { address: [STRANGER.toString()] })).wallets
    expect(stranger).toMatchObject({ address: rawOf(STRANGER), is_wallet: false, status: 'uninit' })
    expect(stranger).not.toHaveProperty('wallet_type')
  })
})

interface Tree {
  tx_hash: string
  children: Tree[]
}
const sizeOf = (tree: Tree): number => 1 + tree.children.reduce((sum, child) => sum + sizeOf(child), 0)

describe('traces', () => {
  const firstTrace = async () => (await service.call('v3.traces', { msg_hash: [b64(scene.first)] })).traces[0]!

  it('the trace of the first order has three messages, one of which came back', async () => {
    const trace = await firstTrace()
    expect(trace.external_hash).toBe(b64(scene.first))
    expect(trace.trace_info).toEqual({
      trace_state: 'complete',
      messages: 5,
      transactions: 5,
      pending_messages: 0,
      classification_state: 'ok',
    })
    expect(trace.is_incomplete).toBe(false)
    expect(trace.trace!.tx_hash).toBe(trace.trace_id)
    expect(trace.trace!.in_msg_hash).toBe(b64(scene.first))
    expect(sizeOf(trace.trace!)).toBe(5)
    expect(trace.trace!.children.map((child) => child.children.length)).toEqual([0, 1, 0])
    const order = trace.transactions_order!
    expect(new Set(order)).toEqual(new Set(Object.keys(trace.transactions!)))
    const lts = order.map((hash) => BigInt(trace.transactions![hash]!.lt))
    expect([...lts].sort((a, b) => Number(a - b))).toEqual(lts)
    expect([trace.start_lt, trace.end_lt]).toEqual([String(lts[0]), String(lts.at(-1))])
    const back = trace.transactions![trace.trace!.children[1]!.children[0]!.tx_hash]!
    expect([back.account, back.in_msg!.bounced, back.in_msg!.source]).toEqual([me, true, rawOf(NOBODY)])
    expect(trace.transactions![trace.trace!.children[1]!.tx_hash]!.description).toMatchObject({
      aborted: true,
      compute_ph: { skipped: true, reason: 'no_state' },
      bounce: { type: 'ok' },
    })
  })

  it('a trace is found by everything in it', async () => {
    const trace = await firstTrace()
    const norm = Object.values(trace.transactions!).find((t) => t.in_msg?.source === null)!.in_msg!.hash_norm!
    const child = trace.transactions_order![2]!
    const inner = trace.transactions![child]!.in_msg!.hash
    for (const query of [
      { trace_id: [trace.trace_id!] },
      { tx_hash: [child] },
      { msg_hash: [norm] },
      { msg_hash: [inner] },
      { msg_hash: [hexOf(inner)] },
    ])
      expect((await service.call('v3.traces', query)).traces.map((one) => one.trace_id)).toEqual([trace.trace_id])
    const mine = (await service.call('v3.traces', { account: me, limit: 100 })).traces
    expect(mine.some((one) => one.trace_id === trace.trace_id)).toBe(true)
    const done = await service.call('v3.traces', { mc_seqno: Number(trace.mc_seqno_end) })
    expect(done.traces.some((one) => one.trace_id === trace.trace_id)).toBe(true)
    expect((await service.call('v3.traces', { trace_id: [b64(new Cell())] })).traces).toEqual([])
  })

  it('actions of a trace come only if asked for', async () => {
    const trace_id = [(await firstTrace()).trace_id!]
    const [trace] = (await service.call('v3.traces', { trace_id, include_actions: true })).traces
    expect(trace!.actions!.map((action) => action.type)).toContain('ton_transfer')
    expect(new Set(trace!.actions!.map((action) => action.trace_id))).toEqual(new Set(trace_id))
    expect((await service.call('v3.traces', { limit: 1 })).traces[0]).not.toHaveProperty('actions')
  })

  it('the address book of a trace has all of its accounts', async () => {
    const answer = await service.call('v3.traces', { msg_hash: [b64(scene.first)] })
    for (const transaction of Object.values(answer.traces[0]!.transactions!))
      for (const address of [transaction.account, transaction.in_msg?.source, ...transaction.out_msgs.map((m) => m.destination)])
        if (address) expect(answer.address_book[address], address).toBeDefined()
  })
})

describe('transactions', () => {
  it('every spelling of an account finds the same transactions', async () => {
    const { address } = scene.wallet
    const spellings = [
      `account=${me}`,
      `account=${me.toLowerCase()}`,
      `account=${address.toString()}`,
      `account=${address.toString({ bounceable: false })}`,
      `account=${q(address.toString({ urlSafe: false }))}`,
      `account=${address.toString({ testOnly: true })}`,
      `account[]=${me}`,
      `account=${me},${address.toString()}`,
      `account=${me}&account=${address.toString()}`,
      `account=&account=${me}`,
      `api_key=x&_=1&account=${me}`,
    ]
    const expected = await json(`transactions?account=${me}`)
    for (const spelling of spellings) expect(await json(`transactions?${spelling}`), spelling).toEqual(expected)
    for (const account of [me, [me], `${me},${address.toString()}`])
      expect(await service.call('v3.transactions', { account })).toEqual(expected)
  })

  it('every spelling of a hash finds transactions, and several at once', async () => {
    const { transactions } = await service.call('v3.transactions', { limit: 3 })
    const { hash } = transactions[1]!
    for (const spelling of [q(hash), hash, urlOf(hash), hexOf(hash), `0x${hexOf(hash)}`, hexOf(hash).toUpperCase()])
      expect(
        ((await json(`transactions?hash=${spelling}`)) as { transactions: { hash: string }[] }).transactions.map((t) => t.hash),
      ).toEqual([hash])
    const three = transactions.map((t) => urlOf(t.hash)).join(',')
    expect(await json(`transactions?hash=${three}`)).toMatchObject({ transactions: transactions.map(({ hash: one }) => ({ hash: one })) })
  })

  it('transactions are filtered by block in every spelling of a shard', async () => {
    const [sample] = (await service.call('v3.transactions', { workchain: 0, limit: 1 })).transactions
    const { seqno } = sample!.block_ref
    for (const shard of ['8000000000000000', '0x8000000000000000', '-9223372036854775808']) {
      const { transactions } = await json<{ transactions: { hash: string; block_ref: object }[] }>(
        `transactions?workchain=0&shard=${shard}&seqno=${seqno}`,
      )
      expect(transactions.some((t) => t.hash === sample!.hash)).toBe(true)
      expect(transactions.map((t) => t.block_ref)).toEqual(transactions.map(() => sample!.block_ref))
    }
    expect(await json(`transactions?shard=4000000000000000`)).toEqual({ transactions: [], address_book: {} })
  })

  it('transactions are filtered by masterchain block, alike in both methods; an unknown one is 404', async () => {
    const [sample] = (await service.call('v3.transactions', { account: [me], limit: 1 })).transactions
    const seqno = sample!.mc_block_seqno
    const byFilter = await json<{ transactions: { mc_block_seqno: number }[] }>(`transactions?mc_seqno=${seqno}&limit=100`)
    expect(await json(`transactionsByMasterchainBlock?seqno=${seqno}&limit=100`)).toEqual(byFilter)
    expect(byFilter.transactions.map((t) => t.mc_block_seqno)).toEqual(byFilter.transactions.map(() => seqno))
    for (const path of ['transactions?mc_seqno=99999', 'transactionsByMasterchainBlock?seqno=99999'])
      expect(await status(path)).toEqual([404, 'masterchain block 99999 not found'])
    for (const path of [
      'masterchainBlockShards?seqno=99999',
      'masterchainBlockShards?seqno=99999&offset=1',
      'masterchainBlockShardState?seqno=0',
    ])
      expect(await status(path)).toEqual([404, 'blocks not found'])
  })

  it('transactions are filtered by time, lt and exclusion, and contradictions give nothing', async () => {
    const { transactions: all } = await service.call('v3.transactions', { limit: 1000 })
    const middle = all[Math.floor(all.length / 2)]!
    const count = async (query: string) =>
      ((await json(`transactions?limit=1000&${query}`)) as { transactions: unknown[] }).transactions.length
    expect(await count(`start_lt=${middle.lt}`)).toBe(all.filter((t) => BigInt(t.lt) >= BigInt(middle.lt)).length)
    expect(await count(`end_lt=${middle.lt}`)).toBe(all.filter((t) => BigInt(t.lt) <= BigInt(middle.lt)).length)
    expect(await count(`lt=${middle.lt}`)).toBe(all.filter((t) => t.lt === middle.lt).length)
    expect(await count(`start_utime=${middle.now}.9`)).toBe(all.filter((t) => t.now >= middle.now).length)
    expect(await count(`end_utime=${middle.now}`)).toBe(all.filter((t) => t.now <= middle.now).length)
    expect(await count(`exclude_account=${me}`)).toBe(all.filter((t) => t.account !== me).length)
    expect(await count(`account=${me}&exclude_account=${me}`)).toBe(0)
    expect(await count(`start_lt=${middle.lt}&end_lt=1`)).toBe(0)
    expect(await count('start_lt=18446744073709551615')).toBe(0)
    expect(await count(`account=${me}&workchain=-1`)).toBe(0)
  })

  it('a transfer shows its phases, the states and the decoded comment', async () => {
    const { transactions } = await service.call('v3.transactions', { account: [STRANGER.toString()], limit: 100 })
    const greeted = transactions.find((t) => t.in_msg?.message_content?.decoded !== null)!
    expect(greeted.in_msg).toMatchObject({ opcode: '0x00000000', decoded_opcode: 'text_comment', import_fee: null })
    const comments = transactions.flatMap((t) => (t.in_msg?.message_content?.decoded ? [t.in_msg.message_content.decoded] : []))
    expect(comments.at(-1)).toEqual({ type: 'text_comment', '@type': 'text_comment', comment: 'hello, stranger' })
    expect(transactions.at(-1)).toMatchObject({
      orig_status: 'nonexist',
      end_status: 'uninit',
      description: { type: 'ord', compute_ph: { skipped: true, reason: 'no_state' } },
      emulated: false,
      finality: 'finalized',
    })
    const newest = transactions[0]!
    // The account's history hangs together: what one left is what the next began with.
    for (const [i, later] of transactions.slice(0, -1).entries()) {
      const earlier = transactions[i + 1]!
      expect(later.account_state_before.hash).toBe(earlier.account_state_after.hash)
      expect(later.account_state_before.balance).toBe(earlier.account_state_after.balance)
    }
    expect(newest.account_state_before.balance).not.toBeNull()
    const [state] = (await service.call('v3.accountStates', { address: [STRANGER.toString()] })).accounts
    expect(newest.account_state_after).toMatchObject({ hash: state!.account_state_hash, balance: state!.balance, account_status: 'uninit' })
  })
})

describe('messages', () => {
  it('each message comes once, with the transactions at both ends', async () => {
    const { traces } = await service.call('v3.traces', { msg_hash: [b64(scene.first)] })
    const transactions = Object.values(traces[0]!.transactions!)
    const sent = transactions.flatMap((t) => t.out_msgs.map((m) => [m.hash, t.hash] as const))
    const received = new Map(transactions.map((t) => [t.in_msg!.hash, t.hash]))
    for (const [hash, sender] of sent) {
      const { messages } = await service.call('v3.messages', { msg_hash: [hash] })
      expect(messages.map((m) => [m.hash, m.out_msg_tx_hash, m.in_msg_tx_hash])).toEqual([[hash, sender, received.get(hash)]])
    }
    const outside = await service.call('v3.messages', { msg_hash: [b64(scene.first)] })
    expect(outside.messages.length).toBe(1)
    expect(outside.messages[0]).toMatchObject({
      source: null,
      destination: me,
      value: null,
      created_lt: null,
      bounce: null,
      import_fee: '0',
    })
    expect(outside.messages[0]).not.toHaveProperty('out_msg_tx_hash')
    const content = Cell.fromBase64(outside.messages[0]!.message_content!.body)
    expect(content.equals(loadMessage(scene.first.beginParse()).body)).toBe(true)
    const byNorm = await service.call('v3.messages', { msg_hash: [outside.messages[0]!.hash_norm!] })
    expect(byNorm.messages).toEqual(outside.messages)
    expect((await service.call('v3.messages', { hash: b64(scene.first) })).messages).toEqual(outside.messages)
  })

  it('messages are found by opcode in every spelling, by parties, by kind', async () => {
    const spellings = [
      `0x${ECHO_OPCODE.toString(16)}`,
      ECHO_OPCODE.toString(16),
      ECHO_OPCODE.toString(16).toUpperCase(),
      String(ECHO_OPCODE | 0),
    ]
    const expected = (await json<{ messages: { opcode: string }[] }>(`messages?opcode=${spellings[0]}`)).messages
    expect(expected.map((m) => m.opcode)).toEqual(['0x7362d09c'])
    // Of the JSON forms a number is the number.
    expect((await service.call('v3.messages', { opcode: ECHO_OPCODE })).messages).toEqual(expected)
    for (const opcode of spellings.slice(0, 3))
      expect((await json<{ messages: unknown[] }>(`messages?opcode=${opcode}`)).messages, opcode).toEqual(expected)
    const all = (await service.call('v3.messages', { limit: 1000 })).messages
    const count = async (query: string) => ((await json(`messages?limit=1000&${query}`)) as { messages: unknown[] }).messages.length
    expect(await count('source=null')).toBe(all.filter((m) => m.source === null).length)
    expect(await count('only_externals=true')).toBe(all.filter((m) => m.created_lt === null).length)
    expect(await count('exclude_externals=1')).toBe(all.filter((m) => m.created_lt !== null).length)
    expect(await count(`source=${me}&destination=${rawOf(STRANGER)}`)).toBe(
      all.filter((m) => m.source === me && m.destination === rawOf(STRANGER)).length,
    )
    expect(await count('destination=null')).toBe(0)
    expect(await count('direction=in')).toBe(all.filter((m) => m.in_msg_tx_hash !== undefined).length)
    expect(await count('direction=out')).toBe(all.filter((m) => m.out_msg_tx_hash !== undefined).length)
    expect(await count('start_lt=1')).toBe(all.filter((m) => m.created_lt !== null).length)
    const body = all.find((m) => m.decoded_opcode === 'text_comment')!.message_content!.hash
    expect(await count(`body_hash=${q(body)}`)).toBe(all.filter((m) => m.message_content!.hash === body).length)
  })

  it('transactions are found by message: both sides, one side, by hash, body and opcode', async () => {
    const { messages } = await service.call('v3.messages', { opcode: ECHO_OPCODE })
    const [message] = messages
    const hashes = async (query: string) =>
      ((await json(`transactionsByMessage?${query}`)) as { transactions: { hash: string }[] }).transactions.map((t) => t.hash)
    const both = [message!.in_msg_tx_hash, message!.out_msg_tx_hash]
    expect(await hashes(`msg_hash=${q(message!.hash)}`)).toEqual(both)
    expect(await hashes(`msg_hash=${q(message!.hash)}&direction=in`)).toEqual([both[0]])
    expect(await hashes(`msg_hash=${q(message!.hash)}&direction=out`)).toEqual([both[1]])
    expect(await hashes(`opcode=7362d09c`)).toEqual([both[0]])
    expect(await hashes(`opcode=7362d09c&direction=out`)).toEqual([both[0]])
    expect(await hashes(`body_hash=${q(message!.message_content!.hash)}`)).toEqual(both)
    expect(await hashes(`body_hash=${q(message!.message_content!.hash)}&limit=1&offset=1`)).toEqual([both[1]])
    expect(await hashes(`msg_hash=${q(message!.hash)}&source=${me}`)).toEqual(both)
    expect(await hashes(`msg_hash=${q(message!.hash)}&destination=${me}`)).toEqual([])
    const norm = (await service.call('v3.messages', { msg_hash: [b64(scene.first)] })).messages[0]!
    expect(await hashes(`msg_hash=${q(norm.hash_norm!)}`)).toEqual([norm.in_msg_tx_hash])
  })

  it('a message filter narrows transactions beside every other filter', async () => {
    const { messages } = await service.call('v3.messages', { opcode: ECHO_OPCODE })
    const [message] = messages
    const hashes = async (query: string) =>
      ((await json(`transactions?limit=1000&${query}`)) as { transactions: { hash: string }[] }).transactions.map((t) => t.hash)
    const [received, sent] = [message!.in_msg_tx_hash!, message!.out_msg_tx_hash!]
    const hash = `msg_hash=${q(message!.hash)}`
    expect(await hashes(hash)).toEqual([received, sent])
    expect(await hashes(`${hash}&sort=asc`)).toEqual([sent, received])
    expect(await hashes(`${hash}&limit=1&offset=1`)).toEqual([sent])
    expect(await hashes(`${hash}&direction=in`)).toEqual([received])
    expect(await hashes(`${hash}&direction=out`)).toEqual([sent])
    expect(await hashes(`${hash}&account=${me}`)).toEqual([sent])
    expect(await hashes(`${hash}&account=${rawOf(STRANGER)}`)).toEqual([])
    expect(await hashes(`${hash}&destination=${me}`)).toEqual([])
    // Unlike in transactionsByMessage an opcode is of what was received or sent.
    expect(await hashes('opcode=7362d09c')).toEqual([received, sent])
    expect(await hashes('opcode=7362d09c&direction=in')).toEqual([received])
    expect(await hashes(`body_hash=${q(message!.message_content!.hash)}`)).toEqual([received, sent])
    const all = (await service.call('v3.transactions', { limit: 1000 })).transactions
    const between = (from: string, to: string) =>
      all.filter((t) => [...t.out_msgs, ...(t.in_msg ? [t.in_msg] : [])].some((m) => m.source === from && m.destination === to))
    expect(await hashes(`source=${me}&destination=${rawOf(STRANGER)}`)).toEqual(between(me, rawOf(STRANGER)).map((t) => t.hash))
    const outside = all.find((t) => t.in_msg?.hash === b64(scene.first))!
    for (const one of [outside.in_msg!.hash, outside.in_msg!.hash_norm!]) expect(await hashes(`msg_hash=${q(one)}`)).toEqual([outside.hash])
  })

  it('adjacent transactions are the parent, the children, both, or none', async () => {
    const { traces } = await service.call('v3.traces', { msg_hash: [b64(scene.first)] })
    const tree = traces[0]!.trace!
    const middle = tree.children[1]!
    const hashes = async (hash: string, direction = '') =>
      (
        (await json(`adjacentTransactions?hash=${q(hash)}&direction=${direction}`)) as { transactions: { hash: string }[] }
      ).transactions.map((t) => t.hash)
    expect(await hashes(middle.tx_hash)).toEqual([tree.tx_hash, middle.children[0]!.tx_hash])
    expect(await hashes(middle.tx_hash, 'in')).toEqual([tree.tx_hash])
    expect(await hashes(middle.tx_hash, 'out')).toEqual([middle.children[0]!.tx_hash])
    expect((await hashes(tree.tx_hash, 'out')).sort()).toEqual(tree.children.map((child) => child.tx_hash).sort())
    expect(await status(`adjacentTransactions?hash=${q(tree.tx_hash)}&direction=in`)).toEqual([404, 'adjacent transactions not found'])
    expect(await status(`adjacentTransactions?hash=${'0'.repeat(64)}`)).toEqual([404, 'adjacent transactions not found'])
  })
})

describe('the address book', () => {
  it('the address book has bounceable forms only for contracts that are no wallets, keys as asked, and nothing for texts that are no address', async () => {
    const elector = '-1:3333333333333333333333333333333333333333333333333333333333333333'
    const asked = [me, scene.wallet.address.toString(), rawOf(STRANGER), elector, 'nonsense', '__proto__', `0:${'9'.repeat(64)}`]
    const book = await service.call('v3.addressBook', { address: asked })
    expect(Object.keys(book).sort()).toEqual([...asked].sort())
    const flat = (address: Address) => address.toString({ bounceable: false })
    expect(book[me]).toEqual({ user_friendly: flat(scene.wallet.address), domain: null, interfaces: ['wallet_v4r2'] })
    expect(book[scene.wallet.address.toString()]).toEqual(book[me])
    expect(book[rawOf(STRANGER)]).toEqual({ user_friendly: flat(STRANGER), domain: null, interfaces: null })
    expect(book[elector]).toMatchObject({ user_friendly: Address.parse(elector).toString() })
    expect(book['nonsense']).toEqual({ user_friendly: null, domain: null, interfaces: [] })
    expect(Object.getOwnPropertyDescriptor(book, '__proto__')?.value).toEqual(book['nonsense'])
    expect(book[`0:${'9'.repeat(64)}`]).toEqual({
      user_friendly: flat(new Address(0, Buffer.alloc(32, 0x99))),
      domain: null,
      interfaces: [],
    })
  })

  it('topAccountsByBalance lists the richest first', async () => {
    const top = await service.call('v3.topAccountsByBalance', { limit: 1000 })
    const balances = top.map((one) => BigInt(one.balance))
    expect([...balances].sort((a, b) => (a < b ? 1 : -1))).toEqual(balances)
    for (const { account, balance } of top.slice(0, 5)) expect(await service.call('getAddressBalance', { address: account })).toBe(balance)
    expect(await service.call('v3.topAccountsByBalance', { limit: 2, offset: 1 })).toEqual(top.slice(1, 3))
  })
})

describe('the legacy group', () => {
  it("the legacy group gives v2's answers without their envelopes", async () => {
    const v2 = await service.call('getAddressInformation', { address: me })
    expect(await json(`addressInformation?address=${me}`)).toEqual({
      balance: v2.balance,
      code: v2.code,
      data: v2.data,
      last_transaction_lt: v2.last_transaction_id.lt,
      last_transaction_hash: v2.last_transaction_id.hash,
      frozen_hash: null,
      status: 'active',
      suspended: false,
    })
    expect(await json(`addressInformation?address=${rawOf(STRANGER)}`)).toMatchObject({ code: null, data: null, status: 'uninit' })
    expect(await json(`addressInformation?address=${rawOf(STRANGER)}&use_v2=true`)).toMatchObject({ status: 'uninitialized' })
    expect(await json(`addressInformation?address=0:${'9'.repeat(64)}`)).toMatchObject({
      balance: '0',
      last_transaction_lt: '0',
      last_transaction_hash: Buffer.alloc(32).toString('base64'),
      status: 'uninit',
    })
    expect(await json(`walletInformation?address=${me}`)).toMatchObject({ wallet_type: 'wallet v4 r2', seqno: 7, status: 'active' })
    expect(await json(`walletInformation?address=${rawOf(STRANGER)}`)).toMatchObject({ status: 'uninit' })
    expect(await status('walletInformation?address=-1:3333333333333333333333333333333333333333333333333333333333333333')).toEqual([
      409,
      'not a wallet',
    ])
  })

  it('the legacy group runs get-methods with numbers in hex', async () => {
    const run = async (method: string, stack: unknown[] = []) =>
      (await service.post('runGetMethod', { address: me, method, stack })).body as { exit_code: number; stack: unknown }
    expect(await run('seqno')).toMatchObject({ exit_code: 0, stack: [{ type: 'num', value: '0x7' }] })
    expect(await run('get_plugin_list')).toMatchObject({ stack: [{ type: 'list', value: [] }] })
    const slice = beginCell().storeUint(0, 8).endCell().toBoc().toString('base64')
    expect(
      await run('is_plugin_installed', [
        { type: 'num', value: '-0x1' },
        { type: 'num', value: '0' },
      ]),
    ).toMatchObject({ exit_code: 0 })
    expect((await run('seqno', [{ type: 'slice', value: slice }])).exit_code).toBe(0)
    expect((await run('no_such_method')).exit_code).toBe(11)
    const bad = await service.post('runGetMethod', { address: me, method: 'seqno', stack: [{ type: 'tensor', value: '' }] })
    expect([bad.status, (bad.body as { error: string }).error]).toEqual([500, 'unsupported stack parameter type: tensor'])
  })

  it('the legacy group sends a message, answers its hashes, and the index has it', async () => {
    const message = scene.order([internal({ to: STRANGER, value: '0.02', bounce: false })])
    const response = await service.post('message', { boc: message.toBoc().toString('base64') })
    expect(response.status).toBe(200)
    const sent = response.body as { message_hash: string; message_hash_norm: string }
    expect(sent.message_hash).toBe(b64(message))
    await service.settle()
    for (const hash of [sent.message_hash, sent.message_hash_norm]) {
      const { messages } = await service.call('v3.messages', { msg_hash: [hash] })
      expect(messages.map((one) => [one.hash, one.hash_norm])).toEqual([[sent.message_hash, sent.message_hash_norm]])
    }
    const { traces } = await service.call('v3.traces', { msg_hash: [sent.message_hash_norm] })
    expect(traces[0]).toMatchObject({ external_hash: sent.message_hash, trace_info: { trace_state: 'complete', transactions: 2 } })
  })

  it('the legacy group refuses texts that are no message', async () => {
    const message = beginCell().storeUint(0, 1).endCell()
    const refused = await service.post('message', { boc: message.toBoc().toString('base64') })
    expect([refused.status, Object.keys(refused.body as object)]).toEqual([500, ['error', 'code']])
  })
})

/** Members that real wallets read (clients.md 2), by the answer that they are read in; those of tokens and actions are tested where those are. */
const READ_BY_WALLETS: Readonly<Record<string, readonly string[]>> = {
  transaction: [
    ...['account', 'hash', 'lt', 'now', 'mc_block_seqno', 'trace_id', 'prev_trans_hash', 'prev_trans_lt', 'orig_status', 'end_status'],
    ...['total_fees', 'description.compute_ph.exit_code', 'description.compute_ph.success', 'description.action.result_code', 'block_ref'],
    ...['in_msg', 'out_msgs', 'account_state_before.balance', 'account_state_after.balance', 'account_state_after.code_hash', 'emulated'],
  ],
  received: [
    'hash',
    'hash_norm',
    'source',
    'destination',
    'import_fee',
    'message_content.hash',
    'message_content.body',
    'opcode',
    'bounce',
  ],
  sent: ['hash', 'source', 'destination', 'value', 'fwd_fee', 'ihr_fee', 'created_at', 'created_lt', 'message_content.decoded', 'bounced'],
  trace: [
    ...['trace_id', 'external_hash', 'mc_seqno_start', 'mc_seqno_end', 'start_lt', 'start_utime', 'end_lt', 'end_utime', 'is_incomplete'],
    ...['trace_info.trace_state', 'trace_info.pending_messages', 'trace.tx_hash', 'trace.children', 'transactions_order', 'transactions'],
  ],
  state: [
    'address',
    'balance',
    'status',
    'code_hash',
    'code_boc',
    'data_boc',
    'last_transaction_hash',
    'last_transaction_lt',
    'interfaces',
  ],
  wallet: ['address', 'is_wallet', 'wallet_type', 'seqno', 'wallet_id', 'balance', 'status', 'code_hash', 'last_transaction_lt'],
  book: ['user_friendly', 'domain', 'interfaces'],
}

describe('what wallets read', () => {
  it('answers have the fields that wallets read', async () => {
    const { traces, address_book } = await service.call('v3.traces', { msg_hash: [b64(scene.first)] })
    const transaction = traces[0]!.transactions![traces[0]!.trace_id!]!
    const told: Readonly<Record<string, unknown>> = {
      transaction,
      received: transaction.in_msg,
      sent: transaction.out_msgs[0],
      trace: traces[0],
      state: (await service.call('v3.accountStates', { address: [me] })).accounts[0],
      wallet: (await service.call('v3.walletStates', { address: [me] })).wallets[0],
      book: address_book[me],
    }
    const at = (value: unknown, path: string): unknown =>
      path.split('.').reduce<unknown>((place, name) => (place as Record<string, unknown> | undefined)?.[name], value)
    for (const [answer, members] of Object.entries(READ_BY_WALLETS))
      expect(members.filter((path) => at(told[answer], path) === undefined).map((path) => `${answer} ${path}`)).toEqual([])
  })
})

describe('sums', () => {
  it('in every transaction the balance is what the account had and got, less what it paid and sent', async () => {
    const { transactions } = await service.call('v3.transactions', { limit: 1000 })
    let told = 0
    for (const t of transactions) {
      const [before, after] = [t.account_state_before.balance, t.account_state_after.balance]
      if (before === null || after === null) continue
      const n = (value: string | null) => BigInt(value ?? '0')
      const sent = t.out_msgs.reduce((sum, m) => sum + n(m.value) + n(m.fwd_fee) + n(m.ihr_fee), 0n)
      expect([t.hash, n(before) + n(t.in_msg?.value ?? null) - n(t.total_fees) - sent]).toEqual([t.hash, n(after)])
      told++
    }
    expect(told).toBeGreaterThan(10)
  })

  it('every received message was sent, and every trace closes over its transactions', async () => {
    const { transactions } = await service.call('v3.transactions', { limit: 1000 })
    const sent = new Set(transactions.flatMap((t) => t.out_msgs.map((m) => m.hash)))
    const received = new Set(transactions.flatMap((t) => (t.in_msg ? [t.in_msg.hash] : [])))
    const system = '-1:0000000000000000000000000000000000000000000000000000000000000000'
    for (const t of transactions) if (t.in_msg?.source && t.in_msg.source !== system) expect(sent.has(t.in_msg.hash), t.hash).toBe(true)
    for (const t of transactions) for (const m of t.out_msgs) expect(m.destination === null || received.has(m.hash), m.hash).toBe(true)
    const { traces } = await service.call('v3.traces', { limit: 1000 })
    const inTraces = traces.flatMap((trace) => trace.transactions_order!)
    expect([...inTraces].sort()).toEqual(transactions.map((t) => t.hash).sort())
    for (const trace of traces) {
      const own = Object.values(trace.transactions!)
      const rooted = own.filter((t) => t.in_msg && (t.in_msg.source === null || t.in_msg.source === system)).length
      expect(trace.trace_info).toMatchObject({
        trace_state: 'complete',
        transactions: own.length,
        messages: rooted + own.reduce((sum, t) => sum + t.out_msgs.length, 0),
        pending_messages: 0,
      })
      for (const t of own) expect(t.trace_id).toBe(trace.trace_id)
    }
  })
})

describe('headers', () => {
  it('headers have the version of the interface and the block that an answer reaches', async () => {
    const response = await service.get('transactions?limit=1')
    const { last } = await service.call('v3.masterchainInfo', {})
    expect(response.headers.get('x-api-version')).toBe('1.2.10')
    expect(response.headers.get('x-index-seqno')).toBe(String(last.seqno))
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Index-Seqno, X-Index-First, X-Next-Cursor')
    const unknown = await service.get('transactions?limit=1&acount=x')
    expect([unknown.status, unknown.headers.get('x-unknown-params')]).toEqual([200, 'acount'])
  })

  it('headers have the block in every answer, in 404 and in the dialect too', async () => {
    const seqno = String((await service.call('v3.masterchainInfo', {})).last.seqno)
    const ofPath = async (path: string) => (await service.get(path)).headers.get('x-index-seqno')
    const paths = ['masterchainInfo', 'blocks', 'masterchainBlockShardState?seqno=1', 'masterchainBlockShards?seqno=1', 'transactions']
    paths.push('transactionsByMasterchainBlock?seqno=1', 'transactionsByMessage?opcode=0', 'messages', 'traces', 'topAccountsByBalance')
    paths.push(`accountStates?address=${me}`, `walletStates?address=${me}`, `addressBook?address=${me}`, `metadata?address=${me}`)
    paths.push(`pendingTraces?account=${me}`, `pendingActions?account=${me}`, `pendingTransactions?account=${me}`)
    paths.push('transactions?mc_seqno=99999', 'masterchainBlockShards?seqno=99999', `adjacentTransactions?hash=${'0'.repeat(64)}`)
    for (const path of paths) expect([path, await ofPath(path)]).toEqual([path, seqno])
    const dialect = await post(`${service.url}/api/v2/jsonRPC`, { method: 'v3.transactions', params: { limit: 1 } })
    expect([dialect.headers.get('x-index-seqno'), dialect.headers.get('x-next-cursor')]).toEqual([seqno, expect.any(String)])
  })

  it('a header and a parameter leave the address book out', async () => {
    const whole = (await service.call('v3.transactions', { limit: 1 })) as { address_book: object }
    expect(Object.keys(whole.address_book).length).toBeGreaterThan(0)
    const { address_book: _, ...rest } = whole
    const byHeader = await ask(`${service.url}/api/v3/transactions?limit=1`, {
      headers: { 'X-No-Address-Book': 'true', 'X-Timeout': '3000' },
    })
    expect(byHeader.body).toEqual({ ...rest, address_book: {} })
    expect(await json('transactions?limit=1&x_no_address_book=1')).toEqual({ ...rest, address_book: {} })
    const refused = await ask(`${service.url}/api/v3/transactions?limit=1`, { headers: { 'X-Timeout': 'soon' } })
    expect([refused.status, (refused.body as { error: string }).error]).toEqual([422, expect.stringContaining('"x_timeout"')])
  })
})

describe('after a revert', () => {
  it('after a revert only blocks of the chain are shown', async () => {
    const hashes = async () => (await service.call('v3.transactions', { limit: 1000 })).transactions.map((t) => t.hash)
    const { snapshot } = await service.call('local.snapshot', {})
    const before = await hashes()
    await service.call('local.fund', { address: STRANGER.toString(), amount: '7000000000' })
    await service.settle()
    expect((await hashes()).length).toBeGreaterThan(before.length)
    await service.call('local.revert', { snapshot })
    await service.call('local.mine', { count: 1 })
    const { last } = await service.call('getMasterchainInfo', {})
    await expect.poll(async () => (await service.call('v3.masterchainInfo', {})).last.root_hash).toBe(last.root_hash)
    expect(await hashes()).toEqual(before)
    const [state] = (await service.call('v3.accountStates', { address: STRANGER.toString() })).accounts
    expect(state!.balance).toBe(await service.call('getAddressBalance', { address: STRANGER.toString() }))
  })
})
