import { describe, expect, it } from 'vitest'
import type { AccountFacts } from '../../server/actions/facts.ts'
import type { Address } from '../../server/actions/trace.ts'
import { endSteps } from '../../server/base/yield.ts'
import { augGet } from '../../server/cell/aug.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { MAX_ANSWER_CELLS, proofRoot } from '../../server/chain/proofs/roots.ts'
import { DEDUST_POOL_CODES, dedustPoolAssets } from '../../server/protocols/dedust/pool.ts'
import { classify, requiredFacts } from '../../server/protocols/index.ts'
import { liquidPoolJetton } from '../../server/protocols/tonstakers/actions.ts'
import { loadAccount } from '../../server/tlb/state/account.ts'
import { loadShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { accountsOfState, loadShardState } from '../../server/tlb/state/shard-state.ts'
import { readJson } from '../kit/data.ts'
import { account, addr, asked, cell, coins, compose, NO_FACTS, type Part, ref, type Sent, TON, uint } from './compose.ts'

/* Pools of exchanges and of liquid staking: what their data says, and what the classifier makes of it. */

const [OWNER, VAULT, FIRST, SECOND, X, Y] = Array.from({ length: 6 }, (_, i) => account(0xe0 + i)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const FACTORY: Address = '0:5F0564FB5F604783DB57031CE1CF668A88D4D4D6DA6DE4DB222B4B920D6FD800'
const jetton = (address: Address) => [uint(1, 4), uint(0, 8), uint(BigInt(`0x${address.slice(2)}`), 256)] as const

describe('data of pools', () => {
  it('the data of a mainnet DeDust pool gives its assets', () => {
    const { states } = readJson<{ states: { boc: string; info: { kind: string; workchain: number; seqno: number } }[] }>(
      'chain/mainnet-bundle-56703839.json',
    )
    const state = states.find(({ info }) => info.workchain === 0 && info.seqno === 56_703_838)!
    const root = proofRoot(Buffer.from(state.boc, 'base64'), 'state', { cells: MAX_ANSWER_CELLS })
    expect(loadShardState(root).seqno).toBe(56_703_838)
    const id = 0x5404ae9a17ca7d00ce9214465cecc47848d65e21f32fc32d26f6f080252f6887n
    const found = augGet(shardAccountsAug, accountsOfState(root).slice().loadMaybeRef(), id)!
    const pool = loadAccount(loadShardAccount(found.value).accountCell)!
    if (pool.state.type !== 'active') throw new Error('the pool is not active')
    expect(DEDUST_POOL_CODES.has(pool.state.init.code!.hashHex())).toBe(true)
    expect(dedustPoolAssets(pool.state.init.data!)).toEqual([null, '0:53732B598DD67014B8FA4CEEC2786BE7E1A326A97BDB5FE9CE0E20296DDD35D6'])
  })

  const params = (...parts: Part[]): Cell => cell(ref(...parts))
  it('data of another factory’s pool, or any other data, gives no assets', () => {
    expect(dedustPoolAssets(params(addr(FACTORY), uint(2, 8), uint(1, 1), ...jetton(X), ...jetton(Y)))).toEqual([X, Y])
    expect(dedustPoolAssets(params(addr(OWNER), uint(2, 8), uint(1, 1), ...jetton(X), ...jetton(Y)))).toBeUndefined()
    for (const data of [cell(), params(), params(addr(FACTORY)), params(addr(FACTORY), uint(2, 8), uint(1, 1), ...jetton(X))])
      expect(dedustPoolAssets(data)).toBeUndefined()
  })

  it('the data of a liquid-staking pool gives its jetton, and other data gives nothing', () => {
    expect(liquidPoolJetton(cell(uint(0, 9), coins(5n), ref(addr(X), coins(1n))))).toBe(X)
    for (const data of [
      cell(),
      cell(uint(0, 9), coins(5n)),
      cell(uint(0, 9), coins(5n), ref()),
      cell(uint(0, 9), coins(5n), ref(addr(null))),
    ])
      expect(liquidPoolJetton(data)).toBeUndefined()
  })
})

describe('a swap of two pools that stops at the second', () => {
  const route = (pool: Address, ...next: Part[]): Part[] => [
    addr(pool),
    uint(0, 1),
    coins(1n),
    uint(next.length > 0 ? 1 : 0, 1),
    ...(next.length > 0 ? [ref(...next)] : []),
  ]
  const paidBack: Sent = { to: VAULT, body: asked(0xad4eb6f5, ref(), coins(3n)), causes: [{ to: OWNER, body: asked(0x474f86cf) }] }
  const trace = compose({
    account: OWNER,
    causes: [
      {
        to: VAULT,
        body: asked(0xea06185d, coins(TON), ...route(FIRST, ...route(SECOND))),
        causes: [
          {
            to: FIRST,
            body: asked(0x61ee542d),
            causes: [
              { to: null, body: cell(uint(0x9c610de3, 32), uint(0, 4), ...jetton(X), coins(TON), coins(3n)) },
              { to: SECOND, body: asked(0x72aca8aa), causes: [paidBack] },
            ],
          },
        ],
      },
    ],
  })
  const pools = new Map<Address, AccountFacts>([
    [FIRST, { dedustPool: [null, X] }],
    [SECOND, { dedustPool: [X, Y] }],
  ])

  it('a swap over two pools that stops at the second names the wanted asset if the pools are known', () => {
    expect(classify(trace, pools).actions).toMatchObject([{ type: 'jetton_swap', success: false, asset: null, asset2: Y }])
    expect(classify(trace, NO_FACTS).actions).toMatchObject([{ type: 'jetton_swap', success: false, asset: null, asset2: X }])
  })
  it('a swap over two pools asks for the facts of the pools of its route', () => {
    expect([...endSteps(requiredFacts(trace)).pools].sort()).toEqual([FIRST, SECOND])
  })
})

describe('liquid staking', () => {
  const staked = compose({
    account: OWNER,
    causes: [
      {
        to: FIRST,
        value: 11n * TON,
        body: asked(0x47d54391),
        causes: [
          {
            to: X,
            body: asked(0x1674b0a0),
            causes: [{ to: SECOND, body: asked(0x178d4519, coins(9n), addr(null), addr(null), coins(0n)) }],
          },
        ],
      },
    ],
  })
  const issues = (address: Address) => new Map<Address, AccountFacts>([[FIRST, { liquidPool: { jetton: address } }]])
  const types = (known: Map<Address, AccountFacts>): string[] => classify(staked, known).actions.map(({ type }) => type)

  it('a stake in a pool that issues another jetton is not recognised', () => {
    expect([...endSteps(requiredFacts(staked)).pools]).toEqual([FIRST])
    for (const known of [issues(X), new Map()]) expect(types(known)).toEqual(['stake_deposit'])
    expect(types(issues(Y))).not.toContain('stake_deposit')
  })

  it('a payout of liquid staking names its jetton', () => {
    const paid = compose({
      account: FIRST,
      causes: [
        {
          to: SECOND,
          body: asked(0x1140a64f),
          causes: [
            {
              to: VAULT,
              body: asked(0xf127fe4e),
              causes: [{ to: SECOND, body: asked(0xed58b0b2, coins(5n), addr(OWNER)), causes: [{ to: OWNER, body: asked(0xdb3b8abd) }] }],
            },
          ],
        },
      ],
    })
    const payout = (known: Map<Address, AccountFacts>) => classify(paid, known).actions.find(({ type }) => type === 'stake_withdrawal')
    expect(payout(issues(X))).toMatchObject({ source: OWNER, destination: FIRST, asset: X, data: { tokens_burnt: 5n } })
    expect(payout(new Map())).toMatchObject({ source: OWNER, destination: FIRST, asset: null })
  })
})
