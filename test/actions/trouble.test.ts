import { describe, expect, it } from 'vitest'
import type { Action, Classification } from '../../server/actions/action.ts'
import { createClassifier } from '../../server/actions/classify.ts'
import type { Matcher } from '../../server/actions/matcher.ts'
import type { Trace, TraceMessage } from '../../server/actions/trace.ts'
import { endSteps, runSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { actionsTopic } from '../../server/index/topics/actions/topic.ts'
import type { BlockView, TopicContext } from '../../server/index/topics/topic.ts'
import { snake } from '../../server/local/token-content.ts'
import { classify, classifyInParts, MATCHERS, PROTOCOLS, requiredFacts } from '../../server/protocols/index.ts'
import { listActions } from '../../server/v3/shapes/emulated-actions.ts'
import { timeTurns } from '../kit/turns.ts'
import { account, addr, asked, cell, coins, comment, compose, NO_FACTS, type Part, ref, type Sent, TON, uint } from './compose.ts'
import { COMPOSED, CONTRACT, facts, handOver, ITEM, itemFacts, MARKET, OTHER, OWNER, POOL, SALE, sale } from './composed.ts'

/* Traces that are broken, huge or lie. */

const types = ({ actions }: Classification): string[] => actions.map(({ type }) => type)
const only = (classification: Classification, type: string): Action | undefined => classification.actions.find((a) => a.type === type)

const JETTON = account(0xc0)
const OTHER_JETTON = account(0xc1)
const WALLET = account(0xd0)
const OTHER_WALLET = account(0xd1)

const ordered = (amount: bigint, to = OTHER): Cell =>
  asked(0x0f8a7ea5, coins(amount), addr(to), addr(OWNER), uint(0, 1), coins(1n), uint(0, 1))
const handed = (amount: bigint): Cell => asked(0x178d4519, coins(amount), addr(OWNER), addr(OWNER), coins(1n), uint(0, 1))
const notified = (amount: bigint): Cell => asked(0x7362d09c, coins(amount), addr(OWNER), uint(0, 1))

const jettons = (amount: bigint, more: Partial<Sent> = {}): Trace =>
  compose({
    account: OWNER,
    causes: [
      {
        to: WALLET,
        body: ordered(amount),
        causes: [{ to: OTHER_WALLET, body: handed(amount), causes: [{ to: OTHER, body: notified(amount) }], ...more }],
      },
    ],
  })
const wallet = (owner: string, jetton = JETTON) => ({ jettonWallet: { owner, jetton } })

describe('traces of many long comments', () => {
  it('the first megabyte of comments is told, and the actions of the others without', () => {
    const long = snake(Buffer.concat([Buffer.alloc(4), Buffer.alloc(60_000, 0xff)]))
    const sends = Array.from({ length: 40 }, (_, i) => ({ to: account(i + 1), value: TON, body: long }))
    const { actions } = classify(compose({ account: OWNER, causes: sends }), NO_FACTS)
    const contents = actions.map(({ data }) => data['content'])
    expect(contents).toHaveLength(40)
    expect(new Set(contents)).toEqual(new Set(['\\xff'.repeat(60_000), null]))
    expect(contents.filter((content) => content !== null)).toHaveLength(Math.floor((1 << 20) / 60_000))
  })
})

describe('long chains of pools and referrers', () => {
  const A = account(1)
  const known = {
    jettonWallet: { owner: OWNER, jetton: JETTON },
    jvaultStakeWallet: { pool: WALLET, jetton: JETTON },
    jvaultPool: { lockWallet: WALLET },
  }
  const all = { get: () => known } as never

  it('a Ston.fi swap over more pools than a route can have is none', () => {
    const more = ref(uint(0, 4), addr(A), uint(0, 4), uint(0, 1), uint(0, 4), uint(0, 1), uint(0, 16), addr(A))
    const swap = asked(0x6664de2a, addr(A), uint(0, 4), uint(0, 4), ref(uint(0x6664de2a, 32), addr(A), addr(A), addr(A), uint(0, 64), more))
    const paid = ref(uint(0, 4), uint(0, 4), addr(A), uint(0, 4), addr(A))
    const pay = asked(0x657b54f5, addr(A), addr(A), addr(A), uint(0xc64370e5, 32), uint(0, 1), paid)
    const jettons = (causes: readonly Sent[]): Sent => ({
      ...{ to: A, body: ordered(1n, A) },
      causes: [{ to: account(2), body: handed(1n), causes: [{ to: A, body: notified(1n), causes }] }],
    })
    const over = (pools: number): Trace => {
      let next = jettons([])
      for (let i = 0; i < pools; i++) next = { to: A, body: swap, causes: [{ to: A, body: pay, causes: [next] }] }
      return compose({ account: OWNER, causes: [jettons([next])] })
    }
    expect(types(classify(over(3), all))).toContain('jetton_swap')
    expect(types(classify(over(30), all))).not.toContain('jetton_swap')
  })

  it('a chain of JVault referrers with many siblings is followed once, not again from each of them', async () => {
    const other: Sent = { to: account(1), body: asked(0x99999999) }
    let chain: Sent | undefined
    for (let i = 0; i < 64; i++)
      chain = { to: account(1), body: cell(uint(0x55c35b40, 32)), causes: [...Array<Sent>(200).fill(other), ...(chain ? [chain] : [])] }
    const update: Sent = { to: account(1), body: cell(uint(0xf5c5baa3, 32)), causes: [chain!] }
    const trace = compose({ account: OWNER, causes: [{ to: account(1), body: cell(uint(0x0168d4b7, 32)), causes: [update] }] })
    const { longest, all: whole } = await timeTurns(() => runSteps(classifyInParts(trace, all)))
    expect(longest).toBeLessThan(whole / 3)
  })
})

describe('traces of many actions that name accounts', () => {
  const SIGNERS = Array.from({ length: 256 }, (_, i) => account(0x1000 + i))
  const execute = asked(0x75097f5d, uint(1, 256), uint(1, 48), uint(1, 8), uint(0, 256), ref(uint(0, 1)))
  const trace = (length: number): Trace =>
    compose({ account: MARKET, causes: Array.from({ length }, () => ({ to: OTHER, body: execute })) })
  const executed = (length: number) =>
    classify(trace(length), facts({ [MARKET]: { multisigOrder: { signers: SIGNERS } } })).actions.filter(
      ({ type }) => type === 'multisig_execute',
    )

  it('the signers of ordinary orders list each action', () => {
    for (const { accounts } of executed(20)) expect(accounts).toEqual(expect.arrayContaining(SIGNERS))
  })
  it('thousands of actions are not all listed by 256 signers', () => {
    const actions = executed(1_000)
    expect(actions).toHaveLength(1_000)
    expect(actions.reduce((sum, { accounts }) => sum + accounts.length, 0)).toBeLessThan(1_000 * 60)
    for (const { accounts } of actions) expect(accounts).toEqual(expect.arrayContaining([MARKET, OTHER]))
  })
})

describe('traces whose actions name a cell again and again', () => {
  it('equal messages of a refused request are told unless their texts would be many times as long as the request', () => {
    const payload = (length: number): Cell => snake(Buffer.alloc(length, 7))
    const request = (length: number): Trace => {
      const order = asked(0x0f8a7ea5, coins(5n), addr(OTHER), addr(OWNER), uint(0, 1), coins(1n), uint(1, 1), (b) =>
        b.storeRef(payload(length)),
      )
      const message = cell(uint(0x18, 6), addr(WALLET), coins(1n), uint(0, 106), uint(1, 1), (b) => b.storeRef(order))
      let list = cell()
      for (let i = 0; i < 255; i++) list = beginCell().storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(list).storeRef(message).end()
      const actions: Part = (b) => b.storeUint(1, 1).storeRef(list)
      return compose({ account: OWNER, body: cell(uint(0x7369676e, 32), uint(0, 96), actions, uint(0, 1)) })
    }
    const told = (length: number): string[] => types(classify(request(length), NO_FACTS))
    for (const length of [500, 1_900]) expect(told(length)).toEqual(Array(255).fill('jetton_transfer'))
    expect(told(60_000)).toEqual(['unknown'])
  })

  it('a claim of more jettons than a contract can send messages is no claim', () => {
    const claim = (levels: number): Trace => {
      let jettons = cell(uint(0b110, 3), uint(267 - levels, 9), uint(1, 1))
      for (let i = 0; i < levels; i++) jettons = beginCell().storeUint(0, 2).storeRef(jettons).storeRef(jettons).end()
      const body = asked(0x78d9f109, uint(1, 1), (b) => b.storeRef(jettons))
      const paid = { to: WALLET, body: ordered(5n), causes: [{ to: OTHER_WALLET, body: handed(5n) }] }
      const sent = { to: POOL, body: asked(0x44bc1fe3), causes: [paid, { to: CONTRACT, body: asked(0xae9307ce) }] }
      return compose({ account: OWNER, causes: [{ to: CONTRACT, body, causes: [sent] }] })
    }
    const told = (levels: number) => only(classify(claim(levels), facts({ [OTHER_WALLET]: wallet(OTHER) })), 'jvault_claim')
    expect(told(7)?.data['claimed_jettons']).toHaveLength(128)
    expect(told(8)).toBeUndefined()
  })
})

describe('traces of thousands of messages', () => {
  const comments = Array.from({ length: 4_000 }, (_, i) => ({ to: account(i + 1), value: TON, body: comment('hello '.repeat(15)) }))
  const trace = compose({ account: OWNER, causes: comments })

  /** The context of a block that completes a trace. */
  const completing = (complete: Trace) => ({ cached: () => ({ add: () => [[complete]] }), put: async () => {} }) as unknown as TopicContext

  it('the work is done in parts, one a message in each stage', () => {
    const work = classifyInParts(trace, NO_FACTS)
    let parts = 0
    let step = work.next()
    for (; !step.done; step = work.next()) parts++
    expect(parts).toBeGreaterThan(3 * trace.transactions.length)
    expect(step.value).toEqual(classify(trace, NO_FACTS))
  })

  it.each([
    ['a pending trace', () => runSteps(listActions(trace, NO_FACTS, { externalHash: undefined, isTestnet: false }))],
    ['the index', () => actionsTopic.derive({ mcSeqno: 1 } as BlockView, completing(trace))],
  ])('the actions of %s are found in many turns of the event loop', async (_, work) => {
    const { longest, all } = await timeTurns(work)
    expect(longest).toBeLessThan(all / 3)
  })
})

describe('contracts that lie', () => {
  it('a transfer between wallets that their master confirms is recognised', () => {
    const transfer = only(classify(jettons(5n), facts({ [WALLET]: wallet(OWNER), [OTHER_WALLET]: wallet(OTHER) })), 'jetton_transfer')
    expect(transfer).toMatchObject({ asset: JETTON, amount: 5n, source: OWNER, destination: OTHER, success: true })
  })
  it('a transfer to a wallet that its master disowns is not recognised', () => {
    const told = types(classify(jettons(5n), facts({ [WALLET]: wallet(OWNER) })))
    expect(told).toEqual(['call_contract', 'call_contract', 'call_contract'])
  })
  it('a transfer from a wallet of another jetton is not recognised', () => {
    const told = types(classify(jettons(5n), facts({ [WALLET]: wallet(OWNER, OTHER_JETTON), [OTHER_WALLET]: wallet(OTHER) })))
    expect(told).not.toContain('jetton_transfer')
  })
  it('a trace in which another than the requested account got the jettons is marked', () => {
    const { state, actions } = classify(jettons(5n), facts({ [WALLET]: wallet(OWNER), [OTHER_WALLET]: wallet(CONTRACT) }))
    expect(state).toBe('broken')
    expect(actions[0]).toMatchObject({ type: 'jetton_transfer', destination: CONTRACT })
  })
  it('a notification without a transfer is not recognised as a transfer', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER, body: notified(5n) }] })
    expect(types(classify(trace, facts({ [OTHER]: wallet(OTHER) })))).toEqual(['call_contract'])
  })
  it('what reached a wallet or an item without coins, and so without gas, is shown as failed', () => {
    const sent = { value: 0n, fails: true, noGas: true }
    const confirmed = facts({ [OTHER_WALLET]: wallet(OTHER), [ITEM]: itemFacts() })
    const burn = asked(0x595f07bc, coins(5n), addr(OWNER), uint(0, 1))
    const move = asked(0x5fcc3d14, addr(OTHER), addr(OWNER), uint(0, 1), coins(0n), uint(0, 1))
    const mint = asked(0x642b7d07, addr(OTHER), coins(1n))
    const shown = (...causes: Sent[]) =>
      classify(compose({ account: OWNER, causes }), confirmed).actions.map(({ type, success }) => [type, success])
    expect(shown({ to: WALLET, body: ordered(5n), causes: [{ to: OTHER_WALLET, body: handed(5n), ...sent }] })).toEqual([
      ['jetton_transfer', false],
    ])
    expect(shown({ to: WALLET, body: mint, causes: [{ to: OTHER_WALLET, body: handed(5n), ...sent }] })).toEqual([['jetton_mint', false]])
    expect(shown({ to: OTHER_WALLET, body: burn, ...sent })).toEqual([['jetton_burn', false]])
    expect(shown({ to: ITEM, body: move, ...sent })).toEqual([['nft_transfer', false]])
    // A call that no protocol knows moved nothing, so TON Center does not show it as failed.
    expect(shown({ to: ITEM, body: asked(0x12345678), ...sent })).toEqual([['call_contract', true]])
  })

  it('a transfer that the receiving wallet refused is shown as failed', () => {
    const refused = jettons(5n, { fails: true, causes: [{ to: WALLET, bounced: true, body: cell(uint(0xffffffff, 32)) }] })
    const transfer = only(classify(refused, facts({ [WALLET]: wallet(OWNER), [OTHER_WALLET]: wallet(OTHER) })), 'jetton_transfer')
    expect(transfer?.success).toBe(false)
  })

  const [FIRST, SECOND] = [account(0xe1), account(0xe2)]
  const route = [addr(FIRST), uint(0, 1), coins(1n), uint(0, 1)]
  const master: Part = (b) =>
    b
      .storeUint(1, 4)
      .storeUint(0, 8)
      .storeBytes(Buffer.from(JETTON.slice(2), 'hex'))
  const log: Sent = { to: null, body: cell(uint(0x9c610de3, 32), uint(0, 4), master, coins(TON), coins(3n)) }
  const swapped = (amount: bigint, paid: Sent): Classification =>
    classify(
      compose({
        account: OWNER,
        causes: [
          {
            to: POOL,
            body: asked(0xea06185d, coins(TON), ...route),
            causes: [
              {
                to: FIRST,
                body: asked(0x61ee542d),
                causes: [log, { to: SECOND, body: asked(0xad4eb6f5, ref(), coins(amount)), causes: [paid] }],
              },
            ],
          },
        ],
      }),
      facts({ [WALLET]: wallet(SECOND), [OTHER_WALLET]: wallet(OWNER) }),
    )
  const paidOut = (amount: bigint, more: Partial<Sent> = {}): Sent => ({
    ...{ to: WALLET, body: ordered(amount, OWNER) },
    causes: [{ to: OTHER_WALLET, body: handed(amount), ...more }],
  })
  it('a swap whose payout failed is a failed transfer and no swap', () => {
    expect(only(swapped(3n, paidOut(3n)), 'jetton_swap')).toMatchObject({ success: true, asset2: JETTON })
    const failed = swapped(3n, paidOut(3n, { fails: true }))
    expect(only(failed, 'jetton_swap')).toBeUndefined()
    expect(only(failed, 'jetton_transfer')?.success).toBe(false)
  })
  it('a swap whose pool pays something else than it says is no swap', () => {
    expect(only(swapped(1n, paidOut(1n)), 'jetton_swap')).toBeUndefined()
    expect(only(swapped(3n, { to: OWNER, value: 1n, body: asked(0x474f86cf) }), 'jetton_swap')).toBeUndefined()
  })
  it('a stake whose mint failed is no successful stake', () => {
    const minted = (fails: boolean): Sent => ({
      to: OTHER_WALLET,
      body: asked(0x178d4519, coins(9n), addr(null), addr(null), coins(0n), uint(0, 1)),
      fails,
    })
    const liquid = (fails: boolean): Trace => {
      const causes = [{ to: JETTON, body: asked(0x1674b0a0), causes: [minted(fails)] }]
      return compose({ account: OWNER, causes: [{ to: POOL, value: 11n * TON, body: asked(0x47d54391), causes }] })
    }
    const [USDE, TS_USDE] = [
      '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC',
      '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D',
    ]
    const ethena = (fails: boolean): Trace => {
      const causes = [{ to: TS_USDE, body: asked(0x642b7d07, addr(OWNER), coins(1n)), causes: [minted(fails)] }]
      const received = { to: FIRST, body: handed(9n), causes: [{ to: OTHER, body: notified(9n), causes }] }
      return compose({ account: OWNER, causes: [{ to: WALLET, body: ordered(9n), causes: [received] }] })
    }
    const known = facts({ [OTHER_WALLET]: wallet(OWNER, TS_USDE), [FIRST]: wallet(OTHER, USDE) })
    for (const fails of [false, true]) {
      expect(only(classify(liquid(fails), NO_FACTS), 'stake_deposit')?.success).toBe(!fails)
      expect(only(classify(ethena(fails), known), 'stake_deposit')?.success).toBe(fails ? undefined : true)
    }
  })

  const bought = (value: bigint, more: Partial<Sent> = {}): Trace =>
    compose({
      account: OWNER,
      causes: [
        {
          to: SALE,
          value,
          causes: [
            { ...handOver(OWNER, SALE, { to: OTHER, value: 1n }), ...more },
            { to: OTHER, value },
          ],
        },
      ],
    })
  const known = facts({ [ITEM]: itemFacts(), [SALE]: sale(OTHER) })
  const nft = (classification: Classification): Action | undefined => classification.actions.find(({ data }) => 'is_purchase' in data)

  it('a purchase from a sale is recognised', () => {
    expect(nft(classify(bought(2n * TON), known))?.data).toMatchObject({ is_purchase: true, price: TON, marketplace_address: MARKET })
  })
  it('a payment below the price of the sale is no purchase', () => {
    expect(nft(classify(bought(TON - 1n), known))?.data['is_purchase']).toBe(false)
  })
  it('a purchase is not recognised if the item refused to move', () => {
    const found = nft(classify(bought(2n * TON, { fails: true, causes: [] }), known))
    expect(found?.success).toBe(false)
    expect(found?.data['is_purchase']).toBe(false)
  })
  it('a purchase from a sale of another item is not recognised', () => {
    const other = { nftSale: { marketplace: MARKET, item: POOL, seller: OTHER, price: TON } }
    expect(nft(classify(bought(2n * TON), facts({ [ITEM]: itemFacts(), [SALE]: other })))?.data['is_purchase']).toBe(false)
  })
  it('nothing is said of an item that its collection disowns', () => {
    expect(nft(classify(bought(2n * TON), facts({ [SALE]: sale(OTHER) })))).toBeUndefined()
  })
  it('a bid for an account that only looks like an auction is not recognised', () => {
    const trace = compose({
      account: OWNER,
      causes: [{ to: SALE, causes: [{ to: OTHER, body: comment('Your bid has been outbid by another user') }] }],
    })
    expect(types(classify(trace, NO_FACTS))).toEqual(['ton_transfer', 'ton_transfer'])
  })
})

describe('traces that are broken', () => {
  it('a trace whose middle is missing is marked, and the rest is classified', () => {
    const whole = jettons(5n)
    const trace = { id: whole.id, transactions: whole.transactions.filter(({ account }) => account !== WALLET) }
    const { state, actions } = classify(trace, facts({ [OTHER_WALLET]: wallet(OTHER) }))
    expect(state).toBe('broken')
    expect(actions.map(({ type }) => type)).toEqual(['call_contract', 'call_contract'])
  })
  it('messages that are not received yet are classified by those that are', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER }, { to: CONTRACT, lost: true }] })
    expect(types(classify(trace, NO_FACTS))).toEqual(['ton_transfer'])
  })
  it('the order of the transactions does not change the classification', () => {
    const trace = jettons(5n)
    const known = facts({ [WALLET]: wallet(OWNER), [OTHER_WALLET]: wallet(OTHER) })
    expect(classify({ id: trace.id, transactions: [...trace.transactions].reverse() }, known)).toEqual(classify(trace, known))
  })
  it('no transactions, or a tick alone, give no actions', () => {
    expect(classify({ id: 'x', transactions: [] }, NO_FACTS)).toEqual({ state: 'ok', actions: [] })
    expect(classify(compose({ account: account(3, -1), tick: true }), NO_FACTS)).toEqual({ state: 'ok', actions: [] })
  })
  it('messages whose hashes make a circle do not loop the classifier', () => {
    const { id, transactions } = compose({ account: OWNER, causes: [{ to: OTHER, causes: [{ to: CONTRACT }] }] })
    const [a, b, c] = transactions
    const circle = [a!, { ...b!, inMessage: c!.inMessage }, { ...c!, outMessages: [c!.inMessage!] }]
    expect(classify({ id, transactions: circle }, NO_FACTS).state).not.toBe('failed')
    // No transaction begins it: nothing can be told but that there is something.
    const { actions } = classify({ id, transactions: [circle[2]!] }, NO_FACTS)
    expect(actions.map(({ type }) => type)).toEqual(['unknown'])
  })
  it('bounced transfers are shown as failed, with the returned value', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER, fails: true, causes: [{ to: OWNER, bounced: true }] }] })
    expect(classify(trace, NO_FACTS).actions.map(({ type, success }) => [type, success])).toEqual([
      ['ton_transfer', false],
      ['ton_transfer', true],
    ])
  })
  it('a transfer to an account without code is shown as done', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER, fails: true, bounce: false, before: 'nonexist', after: 'uninit' }] })
    expect(classify(trace, NO_FACTS).actions.map(({ type, success }) => [type, success])).toEqual([['ton_transfer', true]])
  })
  it('transfers of extra currencies have their amounts', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER, value: 0n, extra: new Map([[100, 5n]]) }] })
    expect(classify(trace, NO_FACTS).actions[0]).toMatchObject({ type: 'ton_transfer', extraCurrencies: new Map([[100, 5n]]) })
  })
  it('accounts that send to each other and to themselves are classified', () => {
    const back: Sent = { to: OWNER, causes: [{ to: OTHER, causes: [{ to: OTHER, causes: [{ to: OWNER }] }] }] }
    expect(types(classify(compose({ account: OWNER, causes: [{ to: OTHER, causes: [back] }] }), NO_FACTS))).toHaveLength(5)
  })
})

describe('external messages that a wallet did not accept', () => {
  const internal = (to: string, body: Cell): Cell =>
    cell(uint(0b011000, 6), addr(to), coins(TON), uint(0, 1 + 4 + 4 + 64 + 32), uint(0b01, 2), (b) => b.storeRef(body))
  const external = (...messages: readonly Cell[]): Cell => {
    const b = beginCell().storeUint(0, 512).storeUint(1, 96)
    for (const message of messages) b.storeUint(3, 8).storeRef(message)
    return b.end()
  }
  it('a rejected external message is shown with its requested transfer as failed', () => {
    const trace = compose({ account: OWNER, fails: true, body: external(internal(OTHER, comment('hi')), internal(WALLET, ordered(5n))) })
    const { state, actions } = classify(trace, facts({ [WALLET]: wallet(OWNER) }))
    expect(state).toBe('ok')
    expect(actions.map(({ type, success, amount }) => [type, success, amount])).toEqual([
      ['ton_transfer', false, null],
      ['jetton_transfer', false, 5n],
    ])
    // Those it would have reached are not bothered.
    expect(actions.some(({ accounts }) => accounts.includes(OTHER))).toBe(false)
  })
  it('a rejected external message without a readable request is still shown', () => {
    for (const body of [
      beginCell().end(),
      cell(uint(1, 700)),
      external(cell(uint(1, 3))),
      // One that cannot be read makes all of them unreadable, as at TON Center.
      external(internal(OTHER, comment('hi')), cell(uint(1, 3))),
      cell(uint(0x7369676e, 32), uint(0, 96), uint(1, 1)),
    ]) {
      const trace = compose({ account: OWNER, fails: true, body })
      expect(classify(trace, NO_FACTS).actions).toMatchObject([{ type: 'unknown', success: false, id: trace.id }])
    }
  })
})

/** A library cell: exotic, and not readable without the library. */
const LIBRARY = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32).fill(7)).endExotic()

describe('bodies that are not what they seem', () => {
  /** Every opcode that a matcher begins with. */
  const opcodes = [...new Set(MATCHERS.flatMap(({ at }) => at).filter((key) => typeof key === 'number'))]
  const bodies = (op: number): Cell[] => [
    cell(uint(op, 32)),
    asked(op),
    asked(op, uint(1, 300)),
    asked(op, uint((1n << 700n) - 1n, 700)),
    asked(op, ref(), ref(uint(7, 8)), ref(ref())),
    // Exotic cells in the place of payloads.
    beginCell().storeUint(op, 32).storeUint(0, 64).storeRef(LIBRARY).storeRef(LIBRARY).storeRef(LIBRARY).end(),
    beginCell()
      .storeUint(op, 32)
      .storeUint(0, 64)
      .storeUint(0x11ff, 16)
      .storeUint((1n << 600n) - 1n, 600)
      .storeRef(LIBRARY)
      .end(),
  ]
  it('strange bodies never make the classification of a trace fail', () => {
    const known = facts(Object.fromEntries([OWNER, OTHER, CONTRACT, ITEM, SALE, POOL].map((address) => [address, everything])))
    for (const op of opcodes)
      for (const body of bodies(op)) {
        const trace = compose({
          account: OWNER,
          causes: [
            {
              to: CONTRACT,
              body,
              causes: [
                {
                  to: OTHER,
                  body,
                  causes: [
                    { to: null, body },
                    { to: ITEM, body },
                  ],
                },
              ],
            },
            { to: SALE, causes: [{ to: POOL, body, causes: [{ to: OWNER, body: comment('w') }] }] },
          ],
        })
        const { state, error } = classify(trace, known)
        expect(error, `${op.toString(16)}`).toBeUndefined()
        expect(state).not.toBe('failed')
        endSteps(requiredFacts(trace))
      }
  })
  const everything = {
    ...wallet(OTHER),
    ...itemFacts(),
    ...sale(),
    nftAuction: { marketplace: MARKET, item: ITEM, seller: OTHER, lastBid: 1n },
    dedustPool: [null, JETTON] as const,
    multisigOrder: { signers: [OWNER] },
    nominatorPool: true,
    jvaultStakeWallet: { pool: POOL, jetton: JETTON },
    jvaultPool: { lockWallet: WALLET },
  }

  const told = (body: Cell) => classify(compose({ account: OWNER, causes: [{ to: OTHER, body }] }), NO_FACTS).actions[0]?.data['content']
  it('comments may have zero bytes and broken UTF-8', () => {
    expect(told(comment('a\0b'))).toBe('ab')
    const broken = beginCell()
      .storeUint(0, 32)
      .storeBytes(new Uint8Array([0x61, 0xff, 0xc3]))
      .end()
    expect(told(broken)).not.toContain('\0')
    expect(told(beginCell().storeUint(0, 32).end())).toBeNull()
  })
  it('a body that is exotic, or a comment that goes on in an exotic cell, is a transfer without a comment', () => {
    for (const opcode of [0, 0x2167da4b]) {
      const body = beginCell().storeUint(opcode, 32).storeBytes(new Uint8Array(8).fill(0x61)).storeRef(LIBRARY).end()
      const trace = compose({
        account: OWNER,
        causes: [
          { to: OTHER, body },
          { to: CONTRACT, body: LIBRARY },
        ],
      })
      const { state, error, actions } = classify(trace, NO_FACTS)
      expect([state, error]).toEqual(['ok', undefined])
      expect(actions.map(({ type, data }) => [type, data['content']])).toEqual([
        ['ton_transfer', null],
        ['ton_transfer', null],
      ])
    }
  })
  it('comments may have many cells', () => {
    let rest: Cell | undefined
    for (let i = 0; i < 900; i++) {
      const b = beginCell()
      if (rest === undefined || i === 899) b.storeUint(0, 32)
      b.storeBytes(new Uint8Array(120).fill(0x61))
      if (rest !== undefined) b.storeRef(rest)
      rest = b.end()
    }
    expect((told(rest!) as string).length).toBeGreaterThan(100_000)
  })
})

describe('sales that are no sales', () => {
  it('a sale that was deployed without data does not make the classification of its trace fail', () => {
    const sales = COMPOSED.filter(({ type }) => type === 'nft_put_on_sale')
    expect(sales.length).toBeGreaterThan(0)
    const empty = beginCell().storeUint(0, 5).end()
    const emptied = (message: TraceMessage): TraceMessage => ({ ...message, init: message.init && empty })
    for (const { trace, facts: known } of sales) {
      const transactions = trace.transactions.map((tx) => ({
        ...tx,
        inMessage: tx.inMessage && emptied(tx.inMessage),
        outMessages: tx.outMessages.map(emptied),
      }))
      expect(classify({ id: trace.id, transactions }, known)).toMatchObject({ state: 'ok' })
    }
  })
  it('an item that the market could not hand over to a sale is not put on sale', () => {
    const [{ trace, facts: known }] = COMPOSED.filter(({ type }) => type === 'nft_put_on_sale') as [(typeof COMPOSED)[number]]
    const transactions = trace.transactions.map((tx) => ({ ...tx, aborted: tx.account === ITEM && tx.inMessage?.source === MARKET }))
    const told = classify({ id: trace.id, transactions }, known)
    expect(types(told)).not.toContain('nft_put_on_sale')
    expect(told.actions.filter(({ type }) => type === 'nft_transfer').map(({ success }) => success)).toEqual([true, false])
  })
})

describe('the ladder of failure', () => {
  const throwing: Matcher = {
    at: ['ton_transfer'],
    build() {
      throw new TypeError('a mistake')
    },
  }
  it('a failing matcher falls back to plain messages, and the reason is given', () => {
    const trace = jettons(5n, { causes: [{ to: OTHER }] })
    const faulty = createClassifier([...PROTOCOLS, { matchers: { operations: [throwing] } }])
    const { state, actions, error } = faulty.classify(trace, facts({ [WALLET]: wallet(OWNER), [OTHER_WALLET]: wallet(OTHER) }))
    expect(state).toBe('failed')
    expect((error as Error).message).toBe('a mistake')
    expect(actions.map(({ type }) => type)).toEqual(['call_contract', 'call_contract', 'ton_transfer'])
  })
  it('a trace that cannot be read at all is shown as unknown', () => {
    const trace = compose({ account: OWNER, causes: [{ to: OTHER }] })
    const [first, second] = trace.transactions
    const bad = { ...second!, inMessage: { ...second!.inMessage!, opcode: 0, body: undefined as unknown as Cell } }
    const { state, actions } = classify({ id: trace.id, transactions: [first!, bad] }, NO_FACTS)
    expect(state).toBe('failed')
    expect(actions).toMatchObject([{ type: 'unknown', id: trace.id }])
  })
})

describe('traces of 4,000 transactions', () => {
  const COUNT = 4000
  const told = (trace: Trace, known = NO_FACTS): Classification => {
    const classification = classify(trace, known)
    expect(classification.error).toBeUndefined()
    expect(endSteps(requiredFacts(trace)).accounts.size).toBeGreaterThan(0)
    return classification
  }
  const chain = (count: number, make: (i: number) => Partial<Sent>): Sent => {
    let sent: Sent = { to: OTHER, ...make(count - 1) }
    for (let i = count - 2; i >= 0; i--) sent = { to: account(i % 7), ...make(i), causes: [sent] }
    return sent
  }
  it('a chain of 4,000 transfers is classified', () => {
    const { state, actions } = told(compose({ account: OWNER, causes: [chain(COUNT - 1, () => ({}))] }))
    expect(state).toBe('ok')
    expect(actions).toHaveLength(COUNT - 1)
  })
  it('a fan of 4,000 transfers is classified', () => {
    const causes = Array.from({ length: COUNT - 1 }, (_, i): Sent => ({ to: account(i) }))
    expect(told(compose({ account: OWNER, causes })).actions).toHaveLength(COUNT - 1)
  })
  it('chains and fans of 4,000 messages of every opcode are classified', () => {
    const numbers = [...new Set(MATCHERS.flatMap(({ at }) => at).filter((key) => typeof key === 'number'))]
    const make = (i: number): Partial<Sent> => ({
      body: asked(numbers[i % numbers.length]!, coins(5n), addr(OTHER), addr(OWNER), uint(0, 1)),
    })
    told(compose({ account: OWNER, causes: [chain(COUNT - 1, make)] }))
    told(compose({ account: OWNER, causes: Array.from({ length: COUNT - 1 }, (_, i): Sent => ({ to: account(i), ...make(i) })) }))
  })
  it('a chain of 4,000 jetton transfers is classified', () => {
    const known = facts({ [account(0xd0)]: wallet(OWNER), [account(0xd1)]: wallet(OTHER) })
    const bodies = [ordered(5n), handed(5n), notified(5n)]
    const receivers = [WALLET, OTHER_WALLET, OTHER]
    const trace = compose({ account: OWNER, causes: [chain(COUNT - 1, (i) => ({ to: receivers[i % 3]!, body: bodies[i % 3]! }))] })
    const { state, actions } = told(trace, known)
    expect(state).not.toBe('failed')
    expect(actions.filter(({ type }) => type === 'jetton_transfer').length).toBeGreaterThan(1300)
  })
  it('4,000 calls of exchanges that cause each other are classified', () => {
    // Routes of one exchange nest without end.
    const numbers = [0x6664de2a, 0x657b54f5, 0x7362d09c, 0x178d4519, 0x0f8a7ea5]
    const below = (depth: number): Sent[] =>
      depth === 0
        ? []
        : numbers.map(
            (op): Sent => ({
              to: account(op % 5),
              body: asked(op, coins(5n), addr(OTHER), addr(OWNER), uint(0, 1)),
              causes: below(depth - 1),
            }),
          )
    told(compose({ account: OWNER, causes: below(5) }))
  })
})
