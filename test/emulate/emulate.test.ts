import { Address, beginCell, Cell, Dictionary, internal, type Message, storeMessage, storeMessageRelaxed, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checked, post } from '../kit/service/client.ts'
import { type Emulation, inOrder, rawOf, startEmulation } from './scene.ts'

/* The emulation routes over an embedded chain. Numbers at the ends of titles are rows of the acceptance list of emulate/v1 and streaming v2. */

let service: Emulation
beforeAll(async () => {
  service = await startEmulation()
  await service.deployAll()
}, 120_000)
afterAll(() => service?.close())

const person = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const bob = person(0xb0)
const gift = (value = '1', to = bob) => internal({ to, value, bounce: false, body: 'hi' })

describe('emulateTrace', () => {
  it('emulateTrace gives both transactions of a signed transfer, and the same comes out when it is sent (rows 1, 2, 3)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift()])
    const before = await service.call('getAddressInformation', { address: service.v4.raw })
    const { status, body } = await service.trace({ boc })
    expect([status, body.error]).toEqual([200, undefined])
    checked('emulate.trace', body)
    const [wallet, receiver] = inOrder(body)
    expect(Object.keys(body.transactions)).toHaveLength(2)
    expect(body.trace.children).toHaveLength(1)
    for (const each of [wallet!, receiver!]) {
      expect([each.emulated, each.finality, each.trace_id]).toEqual([true, 'pending', undefined])
      expect(each.account_state_before.balance).not.toBe(each.account_state_after.balance)
      expect(each.account_state_after.hash).not.toBe(each.account_state_before.hash)
    }
    expect(body).toMatchObject({ is_incomplete: false, actions: [] })
    expect(await service.call('getAddressInformation', { address: service.v4.raw })).toEqual(before)

    const sent = await service.sendV4(gift())
    expect(sent).toBe(boc)
    const [real] = (await service.call('v3.transactions', { account: [service.v4.raw], limit: 1, sort: 'desc' })).transactions
    expect(real!.description.compute_ph).toMatchObject({ exit_code: (wallet!.description.compute_ph as { exit_code: number }).exit_code })
    expect(real!.out_msgs).toHaveLength(wallet!.out_msgs.length)
    expect(Math.abs(Number(real!.total_fees) - Number(wallet!.total_fees))).toBeLessThan(1000)
    expect(real!.mc_block_seqno).toBe(wallet!.mc_block_seqno)
    expect(real!.block_ref).toEqual(wallet!.block_ref)
    expect([real!.lt, real!.in_msg!.hash]).toEqual([wallet!.lt, wallet!.in_msg!.hash])
  })
})

/** An account with this code, which the embedded chain is told to have. */
const place = async (byte: number, code: string, data = beginCell().endCell(), balance = '1000000000000'): Promise<Address> => {
  const address = person(byte)
  const cell = beginCell().storeBuffer(Buffer.from(code, 'hex')).endCell()
  await service.call('local.setAccount', {
    address: rawOf(address),
    balance,
    code: cell.toBoc().toString('base64'),
    data: data.toBoc().toString('base64'),
  })
  return address
}

const bocOf = (message: Message): string => beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
const externalTo = (dest: Address): string => bocOf({ info: { type: 'external-in', dest, importFee: 0n }, body: beginCell().endCell() })
const internalTo = (src: Address, dest: Address, coins: bigint): string =>
  bocOf({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src,
      dest,
      value: { coins },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    body: beginCell().endCell(),
  })

describe('what emulateTrace takes', () => {
  it('a wrong signature is refused with 35, and passes if checks are ignored (row 4)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift()], { key: Buffer.alloc(64, 5) })
    const refused = await service.trace({ boc })
    expect(refused.status).toBe(422)
    expect(refused.body.error).toBe('failed to emulate shard block: EmulationExternalNotAccepted: 35')
    expect((await service.trace({ boc, ignore_chksig: true })).status).toBe(200)
  })

  it('a wrong seqno is refused with 33, an expired order with 36', async () => {
    const early = await service.trace({ boc: service.v4.order(service.nextSeqno() + 1, [gift()]) })
    expect(early.body.error).toBe('failed to emulate shard block: EmulationExternalNotAccepted: 33')
    const late = await service.trace({ boc: service.v4.order(service.nextSeqno(), [gift()], { timeout: 1000 }) })
    expect(late.body.error).toBe('failed to emulate shard block: EmulationExternalNotAccepted: 36')
  })

  it.each([
    [{}, 400, 'invalid request: boc is required'],
    [{ boc: '' }, 400, 'invalid request: boc is required'],
    [{ boc: '%%' }, 400, 'invalid request: invalid boc: illegal base64 data at input byte 0'],
    [{ boc: 'AAA%' }, 400, 'invalid request: invalid boc: illegal base64 data at input byte 3'],
    [{ boc: 7 }, 400, 'invalid request: invalid boc: a text is expected'],
    [{ boc: 'AAAA', mc_block_seqno: -1 }, 400, 'invalid request: mc_block_seqno is not a whole number from 0 to 4294967295'],
    [{ boc: 'AAAA', rand_seed: 'AAAA' }, 400, 'invalid request: rand_seed is not 32 bytes'],
    [{ boc: 'AAAA', ignore_chksig: 'yes' }, 400, 'invalid request: failed to parse ignore_chksig'],
  ])('emulateTrace refuses %j with %i (row 5)', async (request, status, text) => {
    const { status: told, body } = await service.trace(request)
    expect([told, String(body.error).slice(0, text.length)]).toEqual([status, text])
  })

  it('three random bytes are no message, nor is a body that is not JSON (row 5)', async () => {
    const { status, body } = await service.trace({ boc: Buffer.from([1, 2, 3]).toString('base64') })
    expect([status, body.error?.startsWith("Can't deserialize message boc: ")]).toEqual([422, true])
    const broken = await post<{ error: string }>(`${service.url}/api/emulate/v1/emulateTrace`, '{"boc":')
    expect([broken.status, broken.body.error.startsWith('invalid request: ')]).toEqual([400, true])
    const empty = await service.trace({ boc: beginCell().endCell().toBoc().toString('base64') })
    expect([empty.status, empty.body.error?.startsWith("Can't deserialize message boc: ")]).toEqual([422, true])
  })

  it('emulateTrace takes an internal message with a sender (row 6), and no message to the outside', async () => {
    const { status, body } = await service.trace({ boc: internalTo(service.v4.address, bob, 1_000_000_000n) })
    expect([status, body.error]).toEqual([200, undefined])
    expect(inOrder(body)[0]!.in_msg!.source).toBe(service.v4.raw)
    const out = beginCell().storeUint(3, 2).storeAddress(bob).storeUint(0, 2).storeUint(0, 98).endCell()
    const refused = await service.trace({ boc: out.toBoc().toString('base64') })
    expect([refused.status, refused.body.error]).toEqual([422, 'in msg found with no destination: Ext out message found'])
  })

  it('emulateTrace refuses a message to a workchain that does not exist', async () => {
    const { status, body } = await service.trace({ boc: externalTo(new Address(5, Buffer.alloc(32, 1))) })
    expect([status, body.error]).toEqual([422, 'no shard found for message'])
  })

  it('emulateTrace takes a message to an account that needs a public library before it accepts', async () => {
    const library = beginCell().storeUint(0xfeed, 16).storeUint(Date.now(), 64).endCell()
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (cell: Cell, b) => b.storeBit(1).storeRef(cell),
      parse: () => Cell.EMPTY,
    })
    libraries.set(BigInt(`0x${library.hash().toString('hex')}`), library)
    const b64 = (cell: Cell): string => cell.toBoc().toString('base64')
    // PUSHREF of a library cell, CTOS, DROP, ACCEPT.
    const named = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true })
    const code = b64(beginCell().storeBuffer(Buffer.from('88d030f800', 'hex')).storeRef(named).endCell())
    const account = { balance: '1000000000000', code, data: b64(Cell.EMPTY) }
    await service.call('local.setAccount', { ...account, address: rawOf(person(0x71)) })
    const without = await service.trace({ boc: externalTo(person(0x71)) })
    expect([without.status, without.body.error]).toEqual([422, 'failed to emulate shard block: EmulationExternalNotAccepted: 9'])
    const publisher = rawOf(new Address(-1, Buffer.alloc(32, 0x70)))
    await service.call('local.setAccount', {
      ...account,
      address: publisher,
      library: b64(beginCell().storeDictDirect(libraries).endCell()),
    })
    await service.settle()
    const { status, body } = await service.trace({ boc: externalTo(person(0x71)) })
    expect([status, body.error]).toEqual([200, undefined])
    expect(inOrder(body)[0]!.description.compute_ph).toMatchObject({ exit_code: 0 })
  })

  it('emulateTrace works at the last time that a chain can have, when messages to other shards come no later', async () => {
    const boc = internalTo(service.v4.address, bob, 1_000_000_000n)
    const { status, body } = await service.trace({ boc, now: 0xffffffff })
    expect([status, body.error]).toEqual([200, undefined])
    const wallet = await service.tonConnect({
      from: service.v4.raw,
      messages: [{ address: bob.toString(), amount: '1000' }],
      now: 0xffffffff,
    })
    expect([wallet.status, wallet.body.error]).toEqual([422, 'failed to emulate shard block: EmulationExternalNotAccepted: 36'])
  })

  it('a message to an account without code is refused', async () => {
    const { status, body } = await service.trace({ boc: externalTo(person(0x99)) })
    expect(status).toBe(422)
    expect(body.error).toMatch(/^failed to emulate shard block: /)
  })

  it('emulateTrace ignores unknown members of its body', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift()])
    expect((await service.trace({ boc, network: 'x', messages: 1 })).status).toBe(200)
  })
})

describe('what emulateTrace tells', () => {
  it('emulateTrace gives actions only if asked for (row 7)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift('2')])
    expect((await service.trace({ boc })).body.actions).toEqual([])
    const { body } = await service.trace({ boc, with_actions: true })
    checked('emulate.trace', body)
    const external = Cell.fromBase64(boc).hash().toString('base64')
    expect(body.actions).toMatchObject([
      {
        type: 'ton_transfer',
        trace_id: null,
        finality: 'pending',
        success: true,
        trace_external_hash: external,
        accounts: [rawOf(bob), service.v4.raw].sort(),
        details: { source: service.v4.raw, destination: rawOf(bob), value: '2000000000', comment: 'hi', encrypted: false },
      },
    ])
    expect(body.actions[0]!.transactions).toHaveLength(2)
  })

  it('emulateTrace gives the address book and metadata only if asked for (rows 8, 9)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift()])
    const plain = (await service.trace({ boc })).body
    expect(['address_book' in plain, 'metadata' in plain]).toEqual([false, false])
    const { body } = await service.trace({ boc, include_address_book: true, include_metadata: true })
    expect(body.metadata).toEqual({})
    expect(Object.keys(body.address_book!).sort()).toEqual([rawOf(bob), service.v4.raw].sort())
    for (const row of Object.values(body.address_book!)) expect(row.user_friendly).toMatch(/^UQ/)
  })

  it('emulateTrace gives code and data of every account, before and after', async () => {
    const { body } = await service.trace({ boc: service.v4.order(service.nextSeqno(), [gift()]) })
    const [wallet] = inOrder(body)
    for (const state of [wallet!.account_state_before, wallet!.account_state_after]) {
      for (const [cells, hash] of [
        [body.code_cells, state.code_hash],
        [body.data_cells, state.data_hash],
      ] as const)
        expect(Cell.fromBase64(cells[hash!]!).hash().toString('base64')).toBe(hash)
    }
  })

  it('a transfer that bounces comes back (row 10)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [internal({ to: person(0x77), value: '1', bounce: true })])
    const told = inOrder((await service.trace({ boc })).body)
    expect(told).toHaveLength(3)
    expect(told[2]).toMatchObject({ account: service.v4.raw, in_msg: { bounced: true } })
  })

  it('a contract that writes to itself twice stops at a limit (row 11)', async () => {
    // PUSHCTR c4; PUSHINT 1; SENDRAWMSG, twice: the data is the message.
    const self = person(0x51)
    const message = beginCell()
      .store(storeMessageRelaxed(internal({ to: self, value: toNano('0.05'), bounce: false })))
      .endCell()
    await place(0x51, 'ed4471fb00ed4471fb00', message)
    const { status, body } = await service.trace({ boc: internalTo(bob, self, 1_000_000_000n) })
    expect([status, body.is_incomplete]).toEqual([200, true])
    // A slow machine reaches the limit of three seconds before that of 256 transactions.
    const { length } = Object.keys(body.transactions)
    expect(length > 1 && length <= 256, `${length} transactions`).toBe(true)
    expect((await service.get('masterchainInfo')).status).toBe(200)
  })

  it('a chain of messages is cut at 32 levels, and says so', async () => {
    const self = person(0x52)
    const message = beginCell()
      .store(storeMessageRelaxed(internal({ to: self, value: toNano('0.05'), bounce: false })))
      .endCell()
    await place(0x52, 'ed4471fb00', message)
    const { body } = await service.trace({ boc: internalTo(bob, self, 1_000_000_000n) })
    expect([Object.keys(body.transactions).length, body.is_incomplete]).toEqual([32, true])
  })

  it('endless loops end, many at once too, and other calls are answered meanwhile (row 12)', async () => {
    // ACCEPT; an empty continuation, AGAIN.
    const loop = await place(0x53, 'f80090ea')
    const boc = externalTo(loop)
    const all = Promise.all(Array.from({ length: 20 }, (_, i) => service.trace({ boc, now: 2_000_000_000 + i })))
    const other = await service.call('getAddressInformation', { address: service.v4.raw })
    expect(other.state).toBe('active')
    for (const { status, body } of await all) {
      // An answer, or the honest word that there was no time or no room for it.
      expect([200, 503, 504]).toContain(status)
      if (status === 200) expect(inOrder(body)[0]!.description.compute_ph).toMatchObject({ exit_code: -14 })
    }
  })

  it('emulateTrace works on an old block, and refuses one that does not exist yet (row 13)', async () => {
    const { last } = await service.call('getMasterchainInfo', {})
    const boc = internalTo(service.v4.address, bob, 1_000_000_000n)
    const old = await service.trace({ boc, mc_block_seqno: last.seqno - 1 })
    expect([old.status, old.body.mc_block_seqno]).toEqual([200, last.seqno - 1])
    const future = await service.trace({ boc, mc_block_seqno: last.seqno + 1000 })
    expect([future.status, future.body.error]).toEqual([422, 'mc block seqno is too new'])
  })

  it('the same request with a seed and a time has the same answer (row 14)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift('3'), gift('4', person(0x31))])
    const request = { boc, rand_seed: Buffer.alloc(32, 7).toString('base64'), now: 2_000_000_000 }
    const { body } = await service.trace(request)
    expect(body.rand_seed).toBe(request.rand_seed)
    // Another member makes it another request, which is emulated anew.
    const { body: again } = await service.trace({ ...request, include_code_data: true })
    expect(again).toEqual(body)
    expect(await service.call('emulate.trace', request)).toEqual(body)
  })

  it('emulateTrace answers what walletkit and mytonwallet read without asking (row 18)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift(), internal({ to: service.v5.address, value: '1' })])
    const request = { boc, ignore_chksig: true, with_actions: true, include_address_book: true, include_metadata: true }
    const { body } = await service.trace(request, { 'X-Actions-Version': 'v1' })
    checked('emulate.trace', body)
    for (const each of Object.values(body.transactions)) {
      expect(each.trace_external_hash).toBe(body.trace.in_msg_hash)
      expect(each).toMatchObject({
        account_state_before: {},
        account_state_after: {},
        block_ref: {},
        description: { storage_ph: {}, compute_ph: {} },
      })
      if (each.description.action) expect(each.description.action.tot_msg_size).toBeDefined()
      expect(each.in_msg!.message_content).not.toBeNull()
    }
    expect(body.actions).toHaveLength(2)
    for (const { accounts, transactions, trace_external_hash } of body.actions) {
      expect([accounts!.length > 0, transactions.length > 0, trace_external_hash]).toEqual([true, true, body.trace.in_msg_hash])
    }
    expect(Buffer.from(body.rand_seed, 'base64')).toHaveLength(32)
    for (const row of Object.values(body.address_book!)) expect(row.user_friendly).not.toBeNull()
  })
})

describe('emulateTonConnect', () => {
  const messages = (count: number) => Array.from({ length: count }, (_, i) => ({ address: person(0x60 + i).toString(), amount: '1000000' }))

  it.each([
    'v3',
    'v4',
    'v5',
  ] as const)('emulateTonConnect works for a wallet %s, with one message and with four (row 15)', async (version) => {
    const wallet = service[version]
    for (const count of [1, 4]) {
      const { status, body } = await service.tonConnect({ from: wallet.address.toString(), messages: messages(count), with_actions: true })
      expect([status, body.error]).toEqual([200, undefined])
      const [first] = inOrder(body)
      expect([first!.account, first!.out_msgs.length]).toEqual([wallet.raw, count])
      expect(first!.out_msgs.map(({ destination }) => destination)).toEqual(
        Array.from({ length: count }, (_, i) => rawOf(person(0x60 + i))),
      )
    }
  })

  it('emulateTonConnect sends payload and stateInit, and bounces as the address says', async () => {
    const payload = beginCell().storeUint(0, 32).storeStringTail('paid').endCell().toBoc().toString('base64')
    const to = service.v5.address.toString({ bounceable: false })
    const request = { from: service.v4.raw, messages: [{ address: to, amount: '1', payload }], with_actions: true }
    const { body } = await service.tonConnect(request)
    expect(body.actions).toMatchObject([{ type: 'ton_transfer', details: { comment: 'paid', value: '1' } }])
    expect(inOrder(body)[0]!.out_msgs[0]!.bounce).toBe(false)
  })

  it.each([
    [{ messages: [] }, 400, 'invalid request: messages array cannot be empty'],
    [{ messages: messages(5) }, 400, 'invalid request: messages array cannot contain more than 4 messages'],
    [
      { messages: [{ address: 'x', amount: '1.5' }] },
      400,
      'invalid request: invalid amount in message at index 0: parsing "1.5": invalid syntax',
    ],
    [{ messages: [{ address: 'x', amount: '' }] }, 400, 'invalid request: amount in message at index 0 cannot be empty'],
    [{ messages: [{ address: '', amount: '1' }] }, 400, 'invalid request: message at index 0 cannot be empty'],
    [
      { messages: [{ address: 'x', amount: '1', payload: '%' }] },
      400,
      'invalid request: invalid message payload at index 0: illegal base64 data at input byte 0',
    ],
    [
      { messages: [{ address: 'x', amount: '1', stateInit: '%' }] },
      400,
      'invalid request: invalid message stateInit at index 0: illegal base64 data at input byte 0',
    ],
    [{ from: '' }, 400, 'invalid request: from address is required for emulation'],
    [{ from: `5:${'a'.repeat(64)}` }, 422, 'no shard found for message'],
    [{ from: 'nobody' }, 422, 'Invalid address format: nobody'],
    [{ from: rawOf(person(0x99)) }, 422, 'Account state no code or no data'],
    [{ messages: [{ address: 'x', amount: '1' }] }, 422, 'Failed to compose external message: message at index 0 has no valid address: x'],
  ])('emulateTonConnect refuses %j with %i (row 16)', async (request, status, text) => {
    const { status: told, body } = await service.tonConnect({ from: service.v4.raw, messages: messages(1), ...request })
    expect([told, String(body.error).slice(0, text.length)]).toEqual([status, text])
  })

  it('emulateTonConnect names what is too deep for the order of the wallet', async () => {
    let cell = beginCell().endCell()
    for (let i = 0; i < 1024; i++) cell = beginCell().storeRef(cell).endCell()
    const request = { from: service.v4.raw, messages: [{ address: bob.toString(), amount: '1', payload: cell.toBoc().toString('base64') }] }
    const { status, body } = await service.tonConnect(request)
    expect([status, body.error]).toEqual([422, 'Failed to compose external message: messages: cell depth 1025 is over 1024'])
  })

  it('emulateTonConnect refuses a contract that is no wallet (row 16)', async () => {
    const contract = await place(0x54, 'f80090ea')
    const { status, body } = await service.tonConnect({ from: rawOf(contract), messages: messages(1) })
    expect([status, body.error]).toEqual([422, 'Account is not a known wallet'])
  })

  it('emulateTonConnect takes valid_until in any unit, and refuses a past one with 36 (row 17)', async () => {
    const until = Math.floor(Date.now() / 1000) + 300
    for (const unit of ['', '000', '000000', '000000000']) {
      const { status } = await service.tonConnect({ from: service.v4.raw, messages: messages(1), valid_until: `${until}${unit}` })
      expect([unit, status]).toEqual([unit, 200])
    }
    const past = await service.tonConnect({ from: service.v4.raw, messages: messages(1), valid_until: 1_600_000_000 })
    expect([past.status, past.body.error]).toEqual([422, 'failed to emulate shard block: EmulationExternalNotAccepted: 36'])
  })
})
