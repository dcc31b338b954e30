import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  internal,
  loadShardAccount,
  type MessageRelaxed,
  type StateInit,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { shardAccountCell } from '../../server/tlb/state/shard-account.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import type { ParamsIn, Result } from '../../shared/registry.ts'
import { createExecutor } from '../kit/chain/executor.ts'
import { transferBody } from '../kit/chain/jetton-bodies.ts'
import { createRandom, seed } from '../kit/random.ts'
import { type Emulation, rawOf, startEmulation } from './scene.ts'

/* emulate.bundle over an embedded chain: beside the C++ executor on accounts that are put together here, and beside what the chain itself makes. */

/** Rounds of the comparisons. They are seeded (test/kit/random.ts). */
const ROUNDS = Number(process.env['TONWAY_BUNDLES'] ?? 12)

let service: Emulation
beforeAll(async () => {
  service = await startEmulation()
  await service.deployAll()
}, 120_000)
afterAll(() => service?.close())

type Bundle = Result<'emulate.bundle'>
type Given = ParamsIn<'emulate.bundle'>
type AccountOverrideIn = NonNullable<Given['overrides']>[number]
const never = AbortSignal.timeout(1_200_000)
const person = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const b64 = (cell: Cell): string => cell.toBoc().toString('base64')
/** RELAY of test/kit/chain/small-contracts.ts: sends the message in its data. */
const RELAY = beginCell().storeBuffer(Buffer.from('ed44d0d4d70b07fb00', 'hex')).endCell()
const relaying = (message: MessageRelaxed, mode = 1): Cell =>
  beginCell()
    .storeUint(mode, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell())
    .endCell()
const codeOf = (hex: string): string => b64(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell())

const internalTo = (src: Address, dest: Address, coins: bigint, bounce = true, init?: StateInit): string =>
  b64(
    beginCell()
      .store(
        storeMessage({
          info: {
            ...{ type: 'internal', ihrDisabled: true, bounce, bounced: false, src, dest, value: { coins } },
            ...{ ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 },
          },
          init,
          body: Cell.EMPTY,
        }),
      )
      .endCell(),
  )
const externalTo = (dest: Address): string =>
  b64(
    beginCell()
      .store(storeMessage({ info: { type: 'external-in', dest, importFee: 0n }, body: Cell.EMPTY }))
      .endCell(),
  )

const bundle = (given: Given): Promise<Bundle> => service.call('emulate.bundle', given)
/** Transactions of all results, in the order in which they were made. */
const inOrder = ({ results }: Bundle) =>
  results.flatMap(({ transactions, transactions_order }) => transactions_order.map((hash) => transactions[hash]!))

/** Distinct cells below a root, and their bits. */
const measured = (root: Cell): { readonly cells: number; readonly bits: number } => {
  const seen = new Map<string, Cell>()
  const visit = (cell: Cell): void => {
    if (seen.has(cell.hash().toString('hex'))) return
    seen.set(cell.hash().toString('hex'), cell)
    cell.refs.forEach(visit)
  }
  visit(root)
  return { cells: seen.size, bits: [...seen.values()].reduce((sum, { bits }) => sum + bits.length, 0) }
}

const extraOf = (all: Readonly<Record<string, unknown>>): readonly [number, bigint][] =>
  Object.entries(all).map(([id, amount]) => [Number(id), BigInt(String(amount))])

/** CurrencyCollection. */
const currency = (grams: bigint, extra: readonly (readonly [number, bigint])[]): Cell => {
  const whole = beginCell().storeCoins(grams)
  if (extra.length === 0) return whole.storeBit(0).endCell()
  // One currency: a dictionary of one leaf, whose label has all 32 bits (hml_long; an id of equal bits would need hml_same).
  const [[id, amount]] = extra as [[number, bigint]]
  const leaf = beginCell().storeUint(0b10, 2).storeUint(32, 6).storeUint(id, 32).storeVarUint(amount, 5).endCell()
  return whole.storeBit(1).storeRef(leaf).endCell()
}

/** The ShardAccount (BoC) that an override makes of an account, put together from the scheme alone. */
const overridden = (before: string, { address, ...given }: AccountOverrideIn, paid: number): string => {
  const parsed = loadShardAccount(Cell.fromBase64(before).beginParse())
  const shard = (account: Cell): string =>
    b64(beginCell().storeRef(account).storeUint(parsed.lastTransactionHash, 256).storeUint(parsed.lastTransactionLt, 64).endCell())
  if (given.status === 'nonexist') return shard(beginCell().storeBit(0).endCell())
  const old = parsed.account
  const init = old?.storage.state.type === 'active' ? old.storage.state.state : undefined
  const code = given.code ? Cell.fromBase64(given.code) : (init?.code ?? undefined)
  const data = given.data ? Cell.fromBase64(given.data) : (init?.data ?? undefined)
  const touches = given.code !== undefined || given.data !== undefined
  const isActive = (touches || init !== undefined) && given.status !== 'uninit'
  const grams = given.balance === undefined ? (old?.storage.balance.coins ?? 0n) : BigInt(given.balance!)
  const extra = extraOf(given.extra_currencies ?? {})
  const stateInit = beginCell().storeUint(0, 2).storeMaybeRef(code).storeMaybeRef(data).storeBit(0)
  const state = (): Cell => {
    if (!isActive) return beginCell().storeUint(0, 2).endCell()
    if (given.status !== 'frozen') return beginCell().storeBit(1).storeBuilder(stateInit).endCell()
    return beginCell().storeUint(1, 2).storeBuffer(stateInit.endCell().hash()).endCell()
  }
  const lastLt = old?.storage.lastTransLt ?? 0n
  const storage = (coins: Cell): Cell =>
    beginCell().storeUint(lastLt, 64).storeSlice(coins.beginParse()).storeSlice(state().beginParse()).endCell()
  const used = measured(storage(currency(grams, [])))
  const isPaid = old === undefined || old === null || touches || given.status !== undefined
  const account = beginCell()
    .storeBit(1)
    .storeAddress(Address.parse(address))
    .storeVarUint(used.cells, 3)
    .storeVarUint(used.bits, 3)
    .storeUint(0, 3)
    .storeUint(isPaid ? paid : old.storageStats.lastPaid, 32)
    .storeBit(0)
    .storeSlice(storage(currency(grams, extra)).beginParse())
    .endCell()
  return shard(account)
}

describe('emulate.bundle beside the executor', () => {
  it(`transactions of a bundle have the hashes that the C++ executor gives on the overridden accounts (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const executor = await createExecutor()
    const { chain } = service.tonway.app.network
    let [made, failed] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, c] = [person(0xa0), person(0xb1), person(0xc2)]
      const coins = (): bigint => BigInt(1 + random.below(2_000_000_000))
      const gift = (to: Address) => internal({ to, value: coins(), bounce: random.chance(0.5), body: 'x'.repeat(random.below(200)) })
      const some = <T>(value: T, name: string) => (random.chance(0.6) ? { [name]: value } : {})
      const relay = (address: Address, to: Address): AccountOverrideIn => ({
        address: address.toString(),
        balance: coins().toString(),
        code: b64(RELAY),
        data: b64(relaying(gift(to), random.pick([0, 1, 64, 128]))),
        ...some({ [1 + random.below(1000)]: coins().toString() }, 'extra_currencies'),
        ...(random.chance(0.2) && { status: random.pick(['frozen', 'active'] as const) }),
      })
      const overrides: AccountOverrideIn[] = [
        relay(a, b),
        relay(b, random.pick([a, c, service.v4.address])),
        random.pick<AccountOverrideIn>([
          { address: c.toString(), balance: coins().toString() },
          { address: c.toString(), status: 'nonexist' },
          { address: c.toString(), status: 'uninit', balance: coins().toString() },
        ]),
        {
          address: service.v4.raw,
          balance: (coins() * 10n).toString(),
          ...some({ 7: coins().toString() }, 'extra_currencies'),
        },
      ]
      let next = service.nextSeqno()
      const message = (): string => {
        // The masterchain is another shard: what goes there and back comes blocks later.
        if (random.chance(0.3)) return service.v4.order(next++, [gift(a), gift(random.pick([c, new Address(-1, c.hash)]))])
        return internalTo(person(random.below(9)), random.pick([a, b, c]), coins(), random.chance(0.5))
      }
      const now = 1_900_000_000 + random.below(100_000_000)
      const randSeed = Buffer.from(random.bytes(32))
      const at = chain.head().id
      const messages = Array.from({ length: 1 + random.below(5) }, () => ({ boc: message() }))
      const answer = await bundle({ messages, overrides, now, rand_seed: randSeed.toString('base64') })
      expect([answer.mc_block_seqno, answer.results.length]).toEqual([at.seqno, messages.length])

      // The same on the C++ executor: lt, time and seed are those of the answer, accounts and messages are found here.
      const config = Buffer.from(serializeBoc((await chain.config(at, never)).root)).toString('base64')
      const accounts = new Map<string, string>()
      const before = async (address: Address): Promise<string> => {
        const state = await chain.account({ workchain: address.workChain, hash: address.hash }, at, never)
        const inBlock = Buffer.from(serializeBoc(shardAccountCell(state))).toString('base64')
        const override = overrides.find((each) => Address.parse(each.address).equals(address))
        return override ? overridden(inBlock, override, now) : inBlock
      }
      const waiting = new Map<string, Cell>()
      for (const { boc } of messages) waiting.set(Cell.fromBase64(boc).hash().toString('base64'), Cell.fromBase64(boc))
      for (const tx of inOrder(answer)) {
        const { result } = await executor.runTransaction({
          config,
          libs: null,
          verbosity: 'short',
          shardAccount: accounts.get(tx.account) ?? (await before(Address.parse(tx.account))),
          message: waiting.get(tx.in_msg!.hash)!,
          now: tx.now,
          lt: BigInt(tx.lt),
          randomSeed: randSeed,
          ignoreChksig: false,
          debugEnabled: false,
        })
        if (!result.success) throw new Error(`round ${round}: ${result.error}`)
        const cell = Cell.fromBase64(result.transaction)
        expect([round, tx.account, cell.hash().toString('base64')]).toEqual([round, tx.account, tx.hash])
        accounts.set(tx.account, result.shardAccount)
        for (const { root } of loadTransaction(parseBocRoot(Buffer.from(result.transaction, 'base64'))).outMsgs) {
          const sent = Cell.fromBoc(Buffer.from(serializeBoc(root)))[0]!
          waiting.set(sent.hash().toString('base64'), sent)
        }
        made++
      }
      failed += answer.results.filter(({ failure }) => failure !== null).length
      // Balance changes of the whole are what the states say.
      for (const { transactions, transactions_order, balance_changes } of answer.results) {
        const sums = new Map<string, bigint>()
        for (const hash of transactions_order) {
          const { account, account_state_before: old, account_state_after: after } = transactions[hash]!
          sums.set(account, (sums.get(account) ?? 0n) + BigInt(after.balance ?? 0) - BigInt(old.balance ?? 0))
        }
        const seen = Object.fromEntries(
          [...sums].filter(([, amount]) => amount !== 0n).map(([account, amount]) => [account, amount.toString()]),
        )
        const told = Object.fromEntries(
          Object.entries(balance_changes.changes).filter(([account, amount]) => sums.has(account) && amount !== '0'),
        )
        expect(told).toEqual(seen)
      }
    }
    expect([made > 2 * ROUNDS, failed > 0]).toEqual([true, true])
  }, 300_000)
})

describe('emulate.bundle beside the chain', () => {
  it(`a bundle says what local.setAccount and sends make on a snapshot, but for lt, times and hashes (seed ${seed})`, async () => {
    const random = createRandom(seed + 1)
    await service.settle()
    for (let round = 0; round < 4; round++) {
      const [a, b, c] = [person(0xd0), person(0xd1), person(0xd2)]
      const coins = (): bigint => BigInt(100_000_000 + random.below(900_000_000))
      const gift = (to: Address, mayBounce = true) => internal({ to, value: coins(), bounce: mayBounce && random.chance(0.5) })
      const isDeployed = random.chance(0.7)
      // What comes back to the relay is sent again: without code at `b` it would go to and fro hundreds of times, and a bundle ends before.
      const relayed = relaying(gift(b, isDeployed), random.pick([1, 64]))
      const overrides = [
        { address: rawOf(a), balance: `${coins()}`, code: b64(RELAY), data: b64(relayed) },
        { address: rawOf(b), balance: `${coins()}`, ...(isDeployed && { code: codeOf('f800'), data: b64(Cell.EMPTY) }) },
      ]
      const { utime } = await service.call('local.increaseTime', { seconds: 1000 })
      await service.call('local.setTime', { utime, still: true })
      const values = [coins(), coins(), coins()]
      const to = [a, random.pick([b, c]), a]
      const order = service.v4.order(service.nextSeqno(), [gift(a), gift(c)])
      const answer = await bundle({
        messages: [...values.map((value, i) => ({ boc: internalTo(person(1), to[i]!, value) })), { boc: order }],
        overrides,
        now: utime,
      })
      const { snapshot } = await service.call('local.snapshot', {})
      const head = service.tonway.app.network.chain.head().id.seqno
      for (const each of overrides) await service.call('local.setAccount', each)
      for (const [i, amount] of values.entries()) {
        await service.call('local.sendInternal', { from: rawOf(person(1)), to: rawOf(to[i]!), amount: amount.toString(), bounce: true })
      }
      await service.call('sendBoc', { boc: order })
      await service.settle()
      const found = await service.call('v3.transactions', { workchain: 0, start_utime: utime, limit: 1000, sort: 'asc' })
      const real = found.transactions.filter(({ mc_block_seqno }) => mc_block_seqno! > head)
      type Tx = (typeof real)[number]
      const told = ({ account, description, total_fees, in_msg, out_msgs, end_status, account_state_after: after }: Tx) => ({
        ...{ account, total_fees, end_status },
        received: [in_msg!.value, in_msg!.source, in_msg!.bounced, in_msg!.message_content!.hash],
        sent: out_msgs.map(({ value, fwd_fee, destination }) => [value, fwd_fee, destination]),
        aborted: description.aborted,
        compute:
          description.compute_ph?.skipped === false
            ? [description.compute_ph.exit_code, description.compute_ph.gas_used]
            : description.compute_ph,
        action: description.action?.result_code,
        storage: description.storage_ph,
        ...(after.balance !== null && { data: after.data_hash }),
      })
      const byOrder = (all: readonly Tx[]): unknown[] => all.map(told).map(({ data: _, ...rest }) => rest)
      expect([round, byOrder(inOrder(answer) as unknown as Tx[])]).toEqual([round, byOrder(real)])
      const last = new Map(inOrder(answer).map((tx) => [tx.account, tx.account_state_after]))
      for (const [address, { balance, account_status: status }] of last) {
        const now = await service.call('getAddressInformation', { address })
        expect([address, now.balance, now.state]).toEqual([address, balance, status === 'active' ? 'active' : 'uninitialized'])
      }
      await service.call('local.revert', { snapshot })
      await service.settle()
    }
  }, 300_000)
})

describe('what emulate.bundle tells', () => {
  const gift = (value = '1') => internal({ to: person(0xb0), value, bounce: false, body: 'hi' })

  it('messages go one after another: each on what the one before left, and a refused one stops nobody', async () => {
    const next = service.nextSeqno()
    const orders = [next, next + 5, next + 1].map((seqno) => ({ boc: service.v4.order(seqno, [gift()]) }))
    const { results } = await bundle({ messages: orders })
    expect(results.map(({ failure }) => failure?.reason ?? null)).toEqual([null, 'not_accepted', null])
    expect(results[1]).toMatchObject({ trace: null, transactions: {}, actions: [], failure: { exit_code: 33, tx_hash: null } })
    const [first, , last] = results
    const [wallet, again] = [first!.transactions[first!.trace!.tx_hash]!, last!.transactions[last!.trace!.tx_hash]!]
    expect(again.account_state_before.hash).toBe(wallet.account_state_after.hash)
    expect(BigInt(again.lt) > BigInt(wallet.lt)).toBe(true)
    expect(last!.actions).toMatchObject([
      { type: 'ton_transfer', trace_external_hash: Cell.fromBase64(orders[2]!.boc).hash().toString('base64') },
    ])
    expect((await bundle({ messages: orders, with_actions: false })).results[0]!.actions).toEqual([])
  })

  it('equal requests with a time and a seed have equal answers, by JSON-RPC and by REST', async () => {
    const request = {
      messages: [{ boc: service.v4.order(service.nextSeqno(), [gift()]) }],
      overrides: [{ address: rawOf(person(0xb0)), balance: '5' }],
      now: 2_000_000_000,
      rand_seed: Buffer.alloc(32, 7).toString('base64'),
    }
    const first = await bundle(request)
    expect(await bundle({ ...request, include_code_data: true })).toEqual(first)
    const rest = await fetch(`${service.url}/api/emulate/v1/emulateBundle`, { method: 'POST', body: JSON.stringify(request) })
    expect([rest.status, await rest.json()]).toEqual([200, first])
    // Another override is another request.
    const richer = await bundle({ ...request, overrides: [{ address: rawOf(person(0xb0)), balance: '6' }] })
    expect(inOrder(richer)[1]!.account_state_before.balance).toBe('6')
  })

  it('balance changes count jettons of wallets that no block has, and the second transfer spends what the first one brought', async () => {
    const { address } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    await service.call('local.mintJetton', { jetton: address, owner: service.v4.raw, amount: '1000' })
    await service.settle()
    const { jetton_wallets } = await service.call('v3.jetton.wallets', { owner_address: [service.v4.raw] })
    const [wallet, minter] = [Address.parse(jetton_wallets[0]!.address), jetton_wallets[0]!.jetton]
    const send = (amount: bigint) =>
      internal({ to: wallet, value: '0.2', bounce: true, body: transferBody({ amount, to: person(0xb7), response: service.v4.address }) })
    const next = service.nextSeqno()
    const messages = [600n, 600n].map((amount, i) => ({ boc: service.v4.order(next + i, [send(amount)]) }))
    const { results } = await bundle({ messages })
    expect(results.map(({ balance_changes }) => balance_changes.jettons)).toEqual([
      { [service.v4.raw]: { [minter]: '-600' }, [rawOf(person(0xb7))]: { [minter]: '600' } },
      {},
    ])
    expect(results.map(({ actions }) => actions.map(({ type, success }) => [type, success]))).toEqual([
      [
        ['jetton_transfer', true],
        ['contract_deploy', true],
      ],
      [
        ['call_contract', false],
        ['call_contract', true],
      ],
    ])
    expect(results[1]!.failure).toMatchObject({ reason: 'compute', tx_hash: results[1]!.transactions_order[1] })
    const fees = Object.values(results[0]!.balance_changes.fees)
    expect(fees.length > 2 && fees.every((fee) => /^\d+$/.test(fee))).toBe(true)
  })

  it('why a message failed: its code, its actions, no code, no way', async () => {
    const a = person(0xe0)
    const to = (code: string, value = toNano('1')) => ({
      messages: [{ boc: internalTo(person(1), a, value, false) }],
      overrides: [{ address: rawOf(a), balance: '1000000000', code, data: b64(Cell.EMPTY) }],
    })
    const failureOf = async (given: Given) => (await bundle(given)).results[0]!.failure
    // PUSHINT 77; THROWANY.
    expect(await failureOf(to(codeOf('804df2f0')))).toMatchObject({ reason: 'compute', exit_code: 77 })
    const poor = { ...to(b64(RELAY)), overrides: [{ address: rawOf(a), balance: '0', code: b64(RELAY), data: b64(relaying(gift('999'))) }] }
    expect(await failureOf(poor)).toMatchObject({
      reason: 'action',
      exit_code: 37,
      message: 'result code 37 of the actions: not enough nanograms for an action',
    })
    expect(await failureOf({ messages: [{ boc: internalTo(person(1), person(0xe1), 10n ** 8n, true) }] })).toMatchObject({
      reason: 'not_run',
      exit_code: null,
    })
    expect(await failureOf({ messages: [{ boc: internalTo(person(1), person(0xe1), 10n ** 8n, false) }] })).toBeNull()
    // Few coins are credited too, though TON gives `no_gas` as the reason.
    expect(await failureOf({ messages: [{ boc: internalTo(person(1), person(0xe1), 1n, false) }] })).toBeNull()
    const init = { code: RELAY, data: Cell.EMPTY }
    const deployment = internalTo(person(1), contractAddress(0, init), 1n, false, init)
    expect(await failureOf({ messages: [{ boc: deployment }] })).toMatchObject({
      reason: 'not_run',
      message: expect.stringContaining('too little'),
    })
    expect(await failureOf({ messages: [{ boc: internalTo(person(1), person(0xe1), 0n, false) }] })).toMatchObject({ reason: 'not_run' })
    const unpaid = { boc: service.v4.order(service.nextSeqno(), [gift('99999999999')]) }
    expect(await failureOf({ messages: [unpaid] })).toMatchObject({
      reason: 'action',
      message: expect.stringMatching(/^1 of 1 actions of the first transaction/),
    })
    expect(await failureOf({ messages: [{ boc: externalTo(new Address(5, Buffer.alloc(32))) }] })).toMatchObject({
      reason: 'undeliverable',
      message: 'no shard found for message',
    })
  })

  it('endless loops and messages without end stop at the limits of all messages together', async () => {
    const [loop, fork] = [person(0xf0), person(0xf1)]
    const twice = beginCell()
      .store(storeMessageRelaxed(internal({ to: fork, value: toNano('0.05'), bounce: false })))
      .endCell()
    const { results } = await bundle({
      // ACCEPT; an empty continuation, AGAIN. PUSHCTR c4; PUSHINT 1; SENDRAWMSG, twice.
      overrides: [
        { address: rawOf(loop), balance: '100000000000', code: codeOf('f80090ea'), data: b64(Cell.EMPTY) },
        { address: rawOf(fork), balance: '1000000000000', code: codeOf('ed4471fb00ed4471fb00'), data: b64(twice) },
      ],
      messages: Array.from({ length: 16 }, (_, i) => ({ boc: i % 2 === 0 ? externalTo(loop) : internalTo(person(1), fork, 10n ** 9n) })),
    })
    const count = results.reduce((sum, { transactions_order }) => sum + transactions_order.length, 0)
    expect([results.length, count > 2 && count <= 256]).toEqual([16, true])
    expect(results[15]).toMatchObject({ trace: null, failure: { reason: 'limit' } })
    expect((await service.get('masterchainInfo')).status).toBe(200)
  })

  it('a contract that sends itself many large messages stops at the limit of sent messages, and the answer has bodies up to a length', async () => {
    const own = person(0xf2)
    const message = internal({ to: own, value: toNano('1'), bounce: false, body: 'x'.repeat(2_000) })
    const override = {
      address: rawOf(own),
      balance: '1000000000000000',
      // PUSHCTR c4; PUSHINT 255; DUP, PUSHINT 1, SENDRAWMSG; REPEAT.
      code: codeOf('ed448100ff942071fb00e4'),
      data: b64(beginCell().store(storeMessageRelaxed(message)).endCell()),
    }
    const start = { boc: internalTo(person(1), own, 10n ** 9n) }
    const { results } = await bundle({ overrides: [override], messages: [start, start] })
    const transactions = Object.values(results[0]!.transactions)
    // The last transaction may exceed the limit.
    expect(transactions.reduce((sum, { out_msgs }) => sum + out_msgs.length, 0)).toBeLessThanOrEqual(4_095 + 255)
    const shown = transactions.flatMap(({ in_msg, out_msgs }) => [in_msg!, ...out_msgs])
    const bytes = shown.reduce((sum, { message_content: content }) => sum + Buffer.from(content?.body ?? '', 'base64').length, 0)
    expect([bytes > 2 << 20, bytes <= 4 << 20]).toEqual([true, true])
    expect(results.map(({ failure, is_incomplete }) => [failure?.reason, is_incomplete])).toEqual([
      [undefined, true],
      ['limit', false],
    ])
  }, 120_000)
})

describe('what emulate.bundle refuses', () => {
  const boc = internalTo(person(1), person(2), 10n ** 8n)
  const own = rawOf(person(2))
  /** A cell that stands for 2^40 cells: 40 cells, each with two references to the next. */
  const bomb = b64(Array.from({ length: 40 }).reduce<Cell>((inner) => beginCell().storeRef(inner).storeRef(inner).endCell(), Cell.EMPTY))

  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['no messages', {}, /messages: must be a list of 1 to 16 objects with boc and ignore_chksig$/],
    ['an empty list', { messages: [] }, /messages: must be a list of 1 to 16 objects/],
    ['17 messages', { messages: Array.from({ length: 17 }, () => ({ boc })) }, /messages: must be a list of 1 to 16 objects/],
    ['a message without a BoC', { messages: [{ boc }, {}] }, /messages\[1\]\.boc required/],
    ['a message that is no BoC', { messages: [{ boc: 'AAAA' }] }, /messages\[0\]\.boc is not a BoC: /],
    [
      'an unknown member',
      { overrides: [{ address: own, balanse: '1' }] },
      /overrides\[0\]: unknown member 'balanse' \(expected address, balance/,
    ],
    [
      'an account twice',
      {
        overrides: [
          { address: own, balance: '1' },
          { address: person(2).toString(), balance: '2' },
        ],
      },
      /overrides\[1\]\.address: is that of overrides\[0\]/,
    ],
    ['no address', { overrides: [{ address: 'x', balance: '1' }] }, /overrides\[0\]\.address is not an address/],
    ['nothing to change', { overrides: [{ address: own }] }, /overrides\[0\]: changes nothing/],
    ['a negative balance', { overrides: [{ address: own, balance: '-1' }] }, /failed to parse overrides\[0\]\.balance/],
    ['a broken cell', { overrides: [{ address: own, code: 'te6ccg==' }] }, /overrides\[0\]\.code is not a BoC: /],
    ['text for a cell', { overrides: [{ address: own, data: '%' }] }, /invalid base64 encoded bytes: overrides\[0\]\.data '%'/],
    [
      'an unknown status',
      { overrides: [{ address: own, status: 'dead' }] },
      /overrides\[0\]\.status: must be one of uninit, frozen, active, nonexist$/,
    ],
    [
      'an account that is not there with a balance',
      { overrides: [{ address: own, status: 'nonexist', balance: '1' }] },
      /overrides\[0\]\.status: is nonexist/,
    ],
    [
      'an account without code with code',
      { overrides: [{ address: own, status: 'uninit', code: codeOf('00') }] },
      /overrides\[0\]\.status: is uninit/,
    ],
    [
      'an active account without code',
      { overrides: [{ address: own, status: 'active' }] },
      /overrides\[0\]\.status: the account is uninit/,
    ],
    [
      'a frozen account without code',
      { overrides: [{ address: own, status: 'frozen' }] },
      /overrides\[0\]\.status: the account has no contract to freeze/,
    ],
    ['a currency that is none', { overrides: [{ address: own, extra_currencies: { x: '1' } }] }, /overrides\[0\]\.extra_currencies\.x: /],
    [
      '17 currencies, before each of them is read',
      { overrides: [{ address: own, extra_currencies: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`x${i}`, 1])) }] },
      /overrides\[0\]\.extra_currencies: may have at most 16 currencies/,
    ],
    [
      '65 overrides',
      { overrides: Array.from({ length: 65 }, (_, i) => ({ address: rawOf(person(i)), balance: '1' })) },
      /overrides: must be a list of at most 64 objects/,
    ],
  ])('%s: a clear error that names the parameter', async (_, given, text) => {
    const response = await fetch(`${service.url}/api/emulate/v1/emulateBundle`, {
      method: 'POST',
      body: JSON.stringify({ ...(given['overrides'] !== undefined && { messages: [{ boc }] }), ...given }),
    })
    const body = (await response.json()) as { error: string }
    expect([response.status, body.error]).toEqual([400, expect.stringMatching(text)])
    expect(body.error).toMatch(/^invalid request: /)
  })

  it('data of more cells than an account may have are refused, and quickly', async () => {
    // 66,000 different cells in a tree of four references a cell.
    let level = Array.from({ length: 50_000 }, (_, i) => beginCell().storeUint(i, 32).endCell())
    while (level.length > 1)
      level = Array.from({ length: Math.ceil(level.length / 4) }, (_, i) =>
        level
          .slice(4 * i, 4 * i + 4)
          .reduce((b, cell) => b.storeRef(cell), beginCell())
          .endCell(),
      )
    const data = level[0]!.toBoc({ idx: false, crc32: false }).toString('base64')
    const begun = performance.now()
    const refused = bundle({ messages: [{ boc }], overrides: [{ address: own, data, code: codeOf('f800') }] })
    await expect(refused).rejects.toThrow(/overrides\[0\]\.data .*: 666\d\d cells are over the limit of 6553\d/)
    expect(performance.now() - begun).toBeLessThan(8_000)
  }, 120_000)

  it('a bomb of cells is data like any other, and an account of another workchain is no account', async () => {
    const { results } = await bundle({
      messages: [{ boc }],
      overrides: [{ address: own, data: bomb, code: codeOf('f800'), balance: '1000000000' }],
    })
    expect(results[0]!.failure).toBeNull()
    const far = bundle({ messages: [{ boc }], overrides: [{ address: `5:${'00'.repeat(32)}`, balance: '1' }] })
    await expect(far).rejects.toThrow(/overrides\[0\]\.address: workchain 5 does not exist/)
  })
})
