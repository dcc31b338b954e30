import { Address, beginCell, Cell, comment, external, internal, type MessageRelaxed, SendMode, storeMessage, toNano } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseExact } from '../../../client/json.ts'
import { endSteps } from '../../../server/base/yield.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { messageRow } from '../../../server/index/derive/rows/message.ts'
import { transactionRow } from '../../../server/index/derive/rows/transaction.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../../server/store/codes.ts'
import { keyOfRaw, rawOfKey } from '../../../server/store/row-keys.ts'
import { messages } from '../../../server/store/schema/messages.ts'
import { asRead } from '../../../server/store/schema/table.ts'
import { transactions } from '../../../server/store/schema/transactions.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import {
  amountsIn,
  changesInTrace,
  changesOfTransaction,
  moveOf,
  type WithMessages,
  withoutFirst,
  writeChanges,
} from '../../../server/v3/shapes/balance-changes.ts'
import type { ParamsIn, Result } from '../../../shared/registry.ts'
import { type Assets, account, b64, jettonBurn, jettonTransfer, raw, startAssets } from '../../index/topics/kit.ts'
import { listData, readJson } from '../../kit/data.ts'

/* What accounts gain and lose, beside their balances. */

const rawOfText = (address: string): string => raw(Address.parse(address))

/** A transaction as the index would store it. */
const rowsOf = (boc: string, address: string): WithMessages => {
  const root = parseBocRoot(Buffer.from(boc, 'base64'))
  const tx = loadTransaction(root)
  const account = keyOfRaw(address)
  const place = { account, mcSeqno: 1, version: 11, listed: true }
  const hash = Buffer.from(root.hash()).toString('latin1')
  const rowOf = (message: NonNullable<typeof tx.inMsg>, direction: typeof DIRECTION_IN | typeof DIRECTION_OUT, index: number) =>
    asRead(messages, messageRow(message, { ...place, lt: tx.lt, direction, index }))
  return {
    row: asRead(transactions, transactionRow(tx, { ...place, hash, traceId: hash, workchain: 0, shard: 0n, seqno: 1 } as never, undefined)),
    received: tx.inMsg && rowOf(tx.inMsg, DIRECTION_IN, 0),
    sent: tx.outMsgs.map((message, i) => rowOf(message, DIRECTION_OUT, i)),
  }
}

describe('changes of real transactions', () => {
  /** A cell that is no account has neither. */
  type Side = { readonly address?: string; readonly balance?: string } | undefined
  interface Triplet {
    readonly name: string
    readonly old?: Side
    readonly new?: Side
    readonly transaction: { readonly boc: string }
  }
  const addressOf = ({ old, new: after }: Triplet): string | undefined => old?.address ?? after?.address
  const triplets = readJson<readonly Triplet[]>('transactions/rust-executor-triplets.json').filter((each) => addressOf(each) !== undefined)

  it('almost every recorded transaction has its account beside it', () => expect(triplets.length).toBe(54))

  it.each(
    triplets.map((each) => [each.name, each] as const),
  )('%s: the change is the balance after less the balance before', (_, triplet) => {
    const { changes } = changesOfTransaction(rowsOf(triplet.transaction.boc, addressOf(triplet)!), undefined)
    const change = BigInt(triplet.new?.balance ?? 0) - BigInt(triplet.old?.balance ?? 0)
    expect([...changes.values()].reduce((sum, each) => sum + each, 0n)).toBe(change)
  })
})

describe('changes of recorded traces', () => {
  interface Recorded {
    readonly traces: readonly { readonly transactions: Readonly<Record<string, Wire>> }[]
  }
  type WireMessage = Readonly<Record<'hash' | 'source' | 'value' | 'fwd_fee' | 'ihr_fee', string | null>>
  interface Wire {
    readonly account: string
    readonly lt: string
    readonly total_fees: string
    readonly in_msg: WireMessage | null
    readonly out_msgs: readonly WireMessage[]
    readonly account_state_before: { readonly balance: string | null }
    readonly account_state_after: { readonly balance: string | null }
  }
  const messageOf = (wire: WireMessage) => ({
    ...wire,
    msg_hash: Buffer.from(wire.hash!, 'base64'),
    source: wire.source === null ? null : keyOfRaw(wire.source),
  })
  const withMessages = (wire: Wire): WithMessages =>
    ({
      row: { account: keyOfRaw(wire.account), total_fees: wire.total_fees },
      received: wire.in_msg ? messageOf(wire.in_msg) : undefined,
      sent: wire.out_msgs.map(messageOf),
    }) as unknown as WithMessages

  it.each(listData('recorded/toncenter-v3', /^testnet-trace/))('%s: each account has its balance after less the one before', (path) => {
    for (const trace of readJson<Recorded>(path).traces) {
      const wires = Object.values(trace.transactions).sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
      const whole = wires.map(withMessages)
      const { changes } = changesInTrace(
        whole,
        whole,
        () => undefined,
        () => undefined,
      )
      const expected = new Map<string, bigint>()
      for (const { account: address, account_state_before: before, account_state_after: after } of wires)
        expected.set(address, (expected.get(address) ?? 0n) + BigInt(after.balance ?? 0) - BigInt(before.balance ?? 0))
      expect(changes).toEqual(expected)
    }
  })
})

/**
 * TON Center's own way (ton-index-go/index/crud/balances.go), told again on what v3 answers: for traces without any of the mistakes that are listed in balance-changes.ts. `wallets`: owner
 * and jetton by the address of the wallet.
 */
const upstream = (
  txs: readonly WireTx[],
  actionHashes: readonly string[] | undefined,
  wallets: ReadonlyMap<string, { readonly owner: string; readonly jetton: string }>,
) => {
  const [values, fees, jettons]: [Map<string, bigint>, Map<string, bigint>, Map<string, bigint>] = [new Map(), new Map(), new Map()]
  const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => void sums.set(key, (sums.get(key) ?? 0n) + amount)
  const late = [...txs].sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? 1 : -1))
  let told = actionHashes === undefined ? late : late.filter(({ hash }) => actionHashes.includes(hash))
  if (actionHashes !== undefined && told.at(-1)!.in_msg!.source !== null) told = told.slice(0, -1)
  const root = late.at(-1)!
  for (const tx of told) {
    const message = tx.in_msg!
    if (tx !== root) add(fees, message.source!, BigInt(message.fwd_fee!))
    add(fees, message.destination!, BigInt(tx.total_fees))
    if (message.value !== null) {
      add(values, message.source!, -BigInt(message.value))
      add(values, message.destination!, BigInt(message.value))
    }
    if (message.opcode === '0x0f8a7ea5') {
      const body = Cell.fromBase64(message.message_content.body).beginParse().skip(96)
      const amount = body.loadCoins()
      const receiver = raw(body.loadAddress())
      const { jetton } = wallets.get(message.destination!)!
      add(jettons, `${message.source} ${jetton}`, -amount)
      add(jettons, `${receiver} ${jetton}`, amount)
    }
  }
  const changes = new Map(values)
  for (const [address, fee] of fees) add(changes, address, -fee)
  return { changes, fees, jettons }
}

interface WireMessage {
  readonly hash: string
  readonly source: string | null
  readonly destination: string | null
  readonly value: string | null
  readonly fwd_fee: string | null
  readonly opcode: string | null
  readonly message_content: { readonly body: string }
}
interface WireTx {
  readonly hash: string
  readonly lt: string
  readonly account: string
  readonly total_fees: string
  readonly in_msg: WireMessage | null
  readonly out_msgs: readonly WireMessage[]
}

/** Code of a contract that throws whatever it is sent: THROW 45. */
const THROWS = beginCell().storeUint(0xf22d, 16).endCell()

describe('v3.balanceChanges', () => {
  const [BOB, BROKEN, NOBODY] = [account(0xa3), account(0xb4), account(0xc5)]
  let assets: Assets
  let wallet: WalletContractV4
  let secretKey: Buffer
  let seqno = 0
  let jetton: string
  let mine: Address
  let bobs: Address
  type Trace = Result<'v3.traces'>['traces'][number]
  /** Traces by what they are. */
  const traces: Record<string, Trace> = {}

  /** An order of the wallet, and all that follows. Returns the trace. */
  const send = async (messages: readonly MessageRelaxed[], sendMode: number = SendMode.PAY_GAS_SEPARATELY): Promise<Trace> => {
    const body = wallet.createTransfer({ seqno: seqno++, secretKey, sendMode, timeout: 0xffffffff, messages: [...messages] })
    const boc = b64(
      beginCell()
        .store(storeMessage(external({ to: wallet.address, body })))
        .endCell(),
    )
    await assets.call('sendBoc', { boc })
    await assets.settle()
    const found = await assets.call('v3.traces', { account: raw(wallet.address), limit: 1, include_actions: true })
    return found.traces[0]!
  }
  const changesOf = async (params: ParamsIn<'v3.balanceChanges'>) => {
    const { changes, fees, jettons } = await assets.call('v3.balanceChanges', params)
    const sums = (of: Readonly<Record<string, number>>) => new Map(Object.entries(of).map(([address, n]) => [address, BigInt(n)]))
    return { changes: sums(changes), fees: sums(fees), jettons }
  }
  const balanceAt = async (address: string, at: number): Promise<bigint> =>
    BigInt(await assets.call('getAddressBalance', { address, seqno: at }))

  beforeAll(async () => {
    assets = await startAssets()
    const { keys } = await assets.faucet()
    wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    secretKey = keys.secretKey
    const me = raw(wallet.address)
    jetton = rawOfText((await assets.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })).address)
    mine = Address.parse((await assets.call('local.mintJetton', { jetton, owner: me, amount: '1000' })).address)
    bobs = Address.parse((await assets.call('local.mintJetton', { jetton, owner: raw(BOB), amount: '50' })).address)
    await assets.put(BROKEN, THROWS)
    const lost = Address.parse((await assets.call('local.mintJetton', { jetton, owner: raw(NOBODY), amount: '1' })).address)
    await assets.settle()
    traces['plain'] = await send([
      internal({ to: BOB, value: '1', bounce: false, body: comment('hello') }),
      internal({ to: BOB, value: '0.25', bounce: false }),
    ])
    traces['bounced'] = await send([internal({ to: BROKEN, value: '2', bounce: true, body: comment('no') })])
    const deployed = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId: 77 })
    traces['deployed'] = await send([internal({ to: deployed.address, value: '3', bounce: false, init: deployed.init, body: new Cell() })])
    traces['transferred'] = await send([
      internal({ to: mine, value: '0.3', body: jettonTransfer(120n, BOB, wallet.address, toNano('0.01'), comment('rent')) }),
    ])
    traces['burnt'] = await send([internal({ to: mine, value: '0.3', body: jettonBurn(30n, wallet.address) })])
    // Not its own wallet.
    traces['aborted'] = await send([internal({ to: bobs, value: '0.3', body: jettonTransfer(5n, wallet.address, wallet.address) })])
    await assets.put(lost, THROWS)
    traces['sent back'] = await send([internal({ to: mine, value: '0.3', body: jettonTransfer(7n, NOBODY, wallet.address) })])
    traces['several'] = await send([
      internal({ to: mine, value: '0.3', body: jettonTransfer(1n, BOB, wallet.address) }),
      internal({ to: BROKEN, value: '0.1', bounce: true }),
      internal({ to: mine, value: '0.3', body: jettonTransfer(2n, BOB, null, 1n) }),
    ])
  })
  afterAll(() => assets?.close())

  it('the traces are what they are meant to be', () => {
    const failed = (name: string): number =>
      Object.values(traces[name]!.transactions!).filter(({ description }) => description.aborted).length
    expect(
      Object.fromEntries(Object.keys(traces).map((name) => [name, [Object.keys(traces[name]!.transactions!).length, failed(name)]])),
    ).toEqual({
      plain: [3, expect.any(Number)],
      bounced: [3, 1],
      deployed: [2, expect.any(Number)],
      transferred: [5, expect.any(Number)],
      burnt: [4, 0],
      aborted: [3, 1],
      'sent back': [4, 1],
      several: [expect.any(Number), expect.any(Number)],
    })
    for (const { trace_info } of Object.values(traces)) expect(trace_info.trace_state).toBe('complete')
  })

  it('of every complete trace, the change of each account is its balance after less its balance before', async () => {
    const all = (await assets.call('v3.traces', { limit: 500 })).traces.filter(({ trace_info }) => trace_info.trace_state === 'complete')
    expect(all.length).toBeGreaterThan(10)
    let compared = 0
    for (const trace of all) {
      const { changes } = await changesOf({ trace_id: trace.trace_id! })
      const accounts = new Set(Object.values(trace.transactions!).map(({ account: address }) => address))
      expect(new Set(changes.keys())).toEqual(accounts)
      const [start, end] = [Number(trace.mc_seqno_start), Number(trace.mc_seqno_end)]
      for (const [address, change] of changes) {
        const others = all.filter(
          (other) =>
            other !== trace &&
            Number(other.mc_seqno_start) <= end &&
            Number(other.mc_seqno_end) >= start &&
            Object.values(other.transactions!).some(({ account: another }) => another === address),
        )
        if (others.length > 0 || start <= 1) continue
        compared++
        const difference = (await balanceAt(address, end)) - (await balanceAt(address, start - 1))
        expect({ trace: trace.trace_id, address, change }).toEqual({ trace: trace.trace_id, address, change: difference })
      }
    }
    expect(compared).toBeGreaterThan(25)
  }, 120_000)

  it('traces and their actions have what TON Center computes, where it makes no mistake', async () => {
    const wallets = new Map<string, { owner: string; jetton: string }>()
    const { jetton_wallets } = await assets.call('v3.jetton.wallets', { jetton_address: [jetton] })
    for (const { address, owner, jetton: master } of jetton_wallets) wallets.set(address, { owner, jetton: master })
    const flat = (of: Result<'v3.balanceChanges'>['jettons']) =>
      new Map(Object.entries(of).flatMap(([owner, sums]) => Object.entries(sums).map(([master, n]) => [`${owner} ${master}`, BigInt(n)])))
    let actions = 0
    for (const name of ['plain', 'bounced', 'deployed', 'transferred', 'several']) {
      const trace = traces[name]!
      const txs = Object.values(trace.transactions!) as unknown as readonly WireTx[]
      const ours = await changesOf({ trace_id: trace.trace_id! })
      expect({ ...ours, jettons: flat(ours.jettons) }, name).toEqual(upstream(txs, undefined, wallets))
      for (const action of trace.actions!.filter(({ type }) => type !== 'contract_deploy')) {
        actions++
        const of = await changesOf({ action_id: action.action_id })
        expect({ ...of, jettons: flat(of.jettons) }, `${name} ${action.type}`).toEqual(upstream(txs, action.transactions, wallets))
        expect(await changesOf({ action_id: action.action_id, trace_id: trace.trace_id! })).toEqual(of)
      }
    }
    expect(actions).toBeGreaterThan(7)
  })

  it('jettons of transfers that were aborted or sent back are not counted, those that are burnt and minted are', async () => {
    const me = raw(wallet.address)
    const of = async (name: string) => (await changesOf({ trace_id: traces[name]!.trace_id! })).jettons
    expect(await of('transferred')).toEqual({ [me]: { [jetton]: '-120' }, [raw(BOB)]: { [jetton]: '120' } })
    expect(await of('several')).toEqual({ [me]: { [jetton]: '-3' }, [raw(BOB)]: { [jetton]: '3' } })
    expect(await of('aborted')).toEqual({})
    expect(await of('sent back')).toEqual({})
    expect(await of('burnt')).toEqual({ [me]: { [jetton]: '-30' } })
    const [minted] = (await assets.call('v3.actions', { account: raw(BOB), action_type: ['jetton_mint'], limit: 1 })).actions
    expect((await changesOf({ action_id: minted!.action_id })).jettons).toEqual({ [raw(BOB)]: { [jetton]: '50' } })
    expect((await changesOf({ trace_id: minted!.trace_id! })).jettons).toEqual({ [raw(BOB)]: { [jetton]: '50' } })
    const [burn] = traces['burnt']!.actions!.filter(({ type }) => type === 'jetton_burn')
    expect((await changesOf({ action_id: burn!.action_id })).jettons).toEqual({ [me]: { [jetton]: '-30' } })
  })

  it('the jettons of an owner change as the balances of their wallets did', async () => {
    const now = (await assets.call('v3.jetton.wallets', { jetton_address: [jetton] })).jetton_wallets
    const sums = new Map<string, bigint>()
    for (const { trace_id } of (await assets.call('v3.traces', { limit: 500 })).traces)
      for (const [owner, own] of Object.entries((await changesOf({ trace_id: trace_id! })).jettons))
        sums.set(owner, (sums.get(owner) ?? 0n) + BigInt(own[jetton]!))
    for (const { owner, balance } of now) expect([owner, sums.get(owner)]).toEqual([owner, BigInt(balance)])
    expect(now.length).toBe(2)
  })

  it('a transaction has the difference of its account, by its hash and by the message that it received', async () => {
    for (const name of ['plain', 'bounced', 'transferred', 'sent back', 'burnt']) {
      for (const tx of Object.values(traces[name]!.transactions!)) {
        const { changes, fees, jettons } = await changesOf({ tx_hash: tx.hash })
        const { account_state_before: before, account_state_after: after } = tx
        expect([...changes.keys()]).toEqual([tx.account])
        if (after.balance !== null && before.balance !== null)
          expect(changes.get(tx.account)).toBe(BigInt(after.balance) - BigInt(before.balance))
        const forwarded = tx.out_msgs.reduce((sum, { fwd_fee }) => sum + BigInt(fwd_fee ?? 0), 0n)
        expect(fees).toEqual(new Map([[tx.account, BigInt(tx.total_fees) + forwarded]]))
        expect(await changesOf({ msg_hash: tx.in_msg!.hash })).toEqual({ changes, fees, jettons })
        if (tx.in_msg!.hash_norm) expect(await changesOf({ msg_hash: tx.in_msg!.hash_norm })).toEqual({ changes, fees, jettons })
      }
    }
    const moved = async (name: string) => {
      const found = await Promise.all(
        Object.values(traces[name]!.transactions!)
          .sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
          .map(async ({ hash }) => (await changesOf({ tx_hash: hash })).jettons),
      )
      return found.filter((each) => Object.keys(each).length > 0)
    }
    const me = raw(wallet.address)
    expect(await moved('transferred')).toEqual([{ [me]: { [jetton]: '-120' } }, { [raw(BOB)]: { [jetton]: '120' } }])
    expect(await moved('sent back')).toEqual([{ [me]: { [jetton]: '-7' } }, { [me]: { [jetton]: '7' } }])
  })

  it('the blackhole is the exception: what it receives is burnt, so its change is more than its balance gains', async () => {
    const hole = new Address(-1, Buffer.alloc(32, 0xdd))
    const burning = beginCell().storeUint(1, 8).storeBit(1).storeBuffer(hole.hash).storeUint(1, 32).storeUint(2, 32).endCell()
    await assets.call('local.setConfig', { params: { '5': b64(burning) } })
    await assets.settle()
    const trace = await send([internal({ to: hole, value: '5', bounce: false })])
    const { changes } = await changesOf({ trace_id: trace.trace_id! })
    expect(changes.get(raw(hole))).toBe(
      toNano('5') - BigInt(Object.values(trace.transactions!).find((tx) => tx.account === raw(hole))!.total_fees),
    )
    expect(await balanceAt(raw(hole), Number(trace.mc_seqno_end))).toBe(0n)
  })

  it.each([
    ['', 422, 'one of trace_id, action_id, tx_hash, msg_hash is required'],
    [`tx_hash=${'00'.repeat(32)}&msg_hash=${'00'.repeat(32)}`, 422, 'one of trace_id, action_id, tx_hash, msg_hash is required'],
    [`trace_id=${'00'.repeat(32)}`, 404, 'trace not found'],
    [`action_id=${'00'.repeat(32)}`, 404, 'action not found'],
    [`tx_hash=${'00'.repeat(32)}`, 404, 'transaction not found'],
    [`msg_hash=${'00'.repeat(32)}`, 404, 'receiving transaction not found'],
  ])('GET /balanceChanges?%s is refused with %i', async (query, status, error) => {
    const answer = await assets.get<{ error: string }>(`balanceChanges?${query}`)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  it('an action of another trace is not found', async () => {
    const action_id = traces['plain']!.actions![0]!.action_id
    await expect(assets.call('v3.balanceChanges', { action_id, trace_id: traces['burnt']!.trace_id! })).rejects.toThrow('action not found')
  })
})

describe('JSON of changes', () => {
  it('integers beyond 2^53 are exact', () => {
    const big = 2n ** 62n + 1n
    const text = writeChanges({
      changes: new Map([['0:A', -big]]),
      fees: new Map([['0:A', 0n]]),
      jettons: new Map([['0:A', new Map([['0:J', big * big]])]]),
    })
    expect(text).toBe(`{"changes":{"0:A":-${big}},"fees":{"0:A":0},"jettons":{"0:A":{"0:J":"${big * big}"}}}`)
    expect(parseExact(text)).toMatchObject({ changes: { '0:A': -big } })
  })

  it('jettons that came and went are left out', () => {
    const [a, b, j, k] = [1, 2, 3, 4].map((byte) => Buffer.alloc(36, byte)) as [Buffer, Buffer, Buffer, Buffer]
    const moves = [
      { owner: a, jetton: j, amount: 7n },
      { owner: a, jetton: k, amount: 5n },
      { owner: a, jetton: k, amount: -5n },
      { owner: b, jetton: k, amount: 2n },
      { owner: b, jetton: k, amount: -2n },
    ]
    const rows = moves.map(() => ({ row: { account: a, total_fees: '0' }, sent: [] }) as unknown as WithMessages)
    const { jettons } = changesInTrace(
      rows,
      rows,
      () => undefined,
      (of) => moves[rows.indexOf(of)],
    )
    expect(jettons).toEqual(new Map([[rawOfKey(a), new Map([[rawOfKey(j), 7n]])]]))
  })

  it('an action that begins with a message from outside, or with none, keeps its first transaction', () => {
    const of = (source: Buffer | null | undefined) => (source === undefined ? {} : { received: { source } }) as unknown as WithMessages
    const rest = of(Buffer.alloc(36))
    for (const [source, count] of [
      [Buffer.alloc(36), 1],
      [null, 2],
      [undefined, 2],
    ] as const)
      expect(withoutFirst([of(source), rest]).length).toBe(count)
  })

  it('bodies that say no amount move nothing', () => {
    const move = (body: Cell, opcode: number) => {
      const hash = body.hash()
      const of = { row: { aborted: false }, received: { opcode: opcode | 0, body_hash: hash } } as unknown as WithMessages
      const owned = { owner: Buffer.alloc(36, 1), jetton: Buffer.alloc(36, 2) }
      return moveOf(of, owned, endSteps(amountsIn([[hash.toString('base64'), body.toBoc()]])))?.amount
    }
    const body = (...words: readonly number[]) => {
      const b = beginCell()
      for (const word of words) b.storeUint(word, 32)
      return b.storeUint(3, 64).storeCoins(9n).endCell()
    }
    expect(move(body(0x0f8a7ea5), 0x0f8a7ea5)).toBe(-9n)
    expect(move(body(0x178d4519), 0x178d4519)).toBe(9n)
    expect(move(body(0xffffffff, 0x178d4519), 0xffffffff)).toBe(9n)
    expect(move(body(0xffffffff, 0x7bdd97de), 0xffffffff)).toBe(9n)
    expect(move(body(0xffffffff, 0x7362d09c), 0xffffffff)).toBeUndefined()
    expect(move(beginCell().storeUint(0x0f8a7ea5, 32).endCell(), 0x0f8a7ea5)).toBeUndefined()
    expect(move(body(0x12345678), 0x12345678)).toBeUndefined()
  })
})
