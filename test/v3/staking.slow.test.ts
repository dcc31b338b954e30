import { Address } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { bidder, createElections, ELECTOR, TIMES, TON } from '../kit/chain/elections.ts'
import { createPool, nominator, rawOf, type TestPool } from '../kit/chain/nominator-pool.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'
import { differencesOfRows } from './openapi.ts'

/** The document knows no null. */
const NULLS = ['AddressBookRow.domain null', 'AddressBookRow.interfaces null']

const { signal } = new AbortController()
const [N1, N2, N3] = [nominator(1), nominator(2), nominator(3)]
const VALIDATOR = new Address(-1, Buffer.alloc(32, 0xc0))
const FACTOR = 10 << 16
const coins = (amount: number): string => String(BigInt(amount) * TON)

describe('a nominator pool of the mainnet, through an election', () => {
  let index: LocalIndex
  let pool: TestPool
  let elections: Awaited<ReturnType<typeof createElections>>
  const address = (): string => rawOf(pool.address)
  const mined = async (count = 3): Promise<void> => {
    await index.call('local.mine', { count })
    await index.indexed()
  }

  /** What the pool's own get-methods say. */
  const run = async (method: string): Promise<readonly VmStackValue[]> => {
    const { workChain: workchain, hash } = pool.address
    const answer = await index.chain.runGetMethod({ workchain, hash }, methodId(method), [], undefined, signal)
    expect(answer.exitCode).toBe(0)
    return answer.stack
  }
  const int = (value: VmStackValue | undefined): bigint => {
    if (value?.type !== 'int') throw new Error(`${value?.type} is no number`)
    return value.value
  }
  const listed = (list: VmStackValue | undefined): VmStackValue[] =>
    list?.type === 'tuple' ? [list.items[0]!, ...listed(list.items[1])] : []
  const asContract = async () => {
    const data = await run('get_pool_data')
    const config = data[4]?.type === 'tuple' ? data[4].items : data.slice(4, 9)
    const nominators = listed((await run('list_nominators'))[0]).map((entry) => {
      if (entry.type !== 'tuple') throw new Error('no nominator')
      const [id, balance, pending] = entry.items
      return {
        address: `0:${int(id).toString(16).padStart(64, '0').toUpperCase()}`,
        balance: String(int(balance)),
        pending_balance: String(int(pending)),
      }
    })
    return {
      state: Number(int(data[0])),
      nominators_count: Number(int(data[1])),
      stake_amount_sent: String(int(data[2])),
      validator_amount: String(int(data[3])),
      validator_address: `-1:${int(config[0]).toString(16).padStart(64, '0').toUpperCase()}`,
      validator_reward_share: Number(int(config[1])),
      max_nominators_count: Number(int(config[2])),
      min_validator_stake: String(int(config[3])),
      min_nominator_stake: String(int(config[4])),
      active_nominators: nominators.sort((a, b) => (a.address < b.address ? -1 : 1)),
    }
  }
  const check = async () => {
    const { address_book, ...told } = await index.call('v3.staking.nominatorPools.pool', { pool: address() })
    expect(told).toEqual(await asContract())
    expect(Object.keys(address_book).length).toBe(2 + told.active_nominators.length)
    return told
  }
  const events = async (params: { readonly nominator?: string } = {}) =>
    (await index.call('v3.staking.nominatorPools.nominatorEvents', { pool: address(), sort: 'asc', limit: 1000, ...params })).events
  const brief = async (from: number) =>
    (await events())
      .slice(from)
      .map(({ type, nominator_address: by, amount }) => [type, [N1, N2, N3].findIndex((n) => rawOf(n) === by) + 1, amount])

  beforeAll(async () => {
    index = await startLocalIndex()
    elections = await createElections(index.call, index.utime)
    pool = createPool(index.call, { validator: VALIDATOR, share: 4000, minValidatorStake: 200n * TON, minNominatorStake: 10n * TON })
  })
  afterAll(() => index?.close())

  it('a nominator pool is not found before it exists', async () => {
    await expect(index.call('v3.staking.nominatorPools.pool', { pool: address() })).rejects.toThrow('Pool not found')
    await expect(index.call('v3.staking.nominatorPools.pool', {} as { pool: string })).rejects.toThrow('pool parameter is required')
    await expect(index.call('v3.staking.nominatorPools.nominatorRewards', { pool: address() } as never)).rejects.toThrow(
      'nominator and pool parameters are required',
    )
    await expect(index.call('v3.staking.nominatorPools.validatorEvents', {})).rejects.toThrow('validator or pool parameter is required')
  })

  it('a nominator pool has the money of its validator, and deposits of one block and of several', async () => {
    await pool.fund(1000n * TON, true)
    await mined()
    expect(await check()).toMatchObject({ state: 0, validator_amount: coins(1000), nominators_count: 0 })
    await Promise.all([
      pool.deposit(N1, 600n * TON),
      pool.deposit(N2, 300n * TON),
      pool.deposit(N1, 100n * TON),
      pool.deposit(N3, 50n * TON),
    ])
    await mined()
    // In one block as well: one goes, one comes.
    await Promise.all([pool.withdraw(N3), pool.deposit(N2, 20n * TON)])
    await mined()
    await check()
    expect(await brief(0)).toEqual([
      ['deposit', 1, coins(600)],
      ['deposit', 2, coins(300)],
      ['deposit', 1, coins(100)],
      ['deposit', 3, coins(50)],
      ['withdrawal', 3, coins(50)],
      ['deposit', 2, coins(20)],
    ])
    const { events: own } = await index.call('v3.staking.nominatorPools.validatorEvents', { pool: address() })
    expect(
      own.map(({ type, amount, balance_before, balance_after, validator_address: by }) => [
        type,
        amount,
        balance_before,
        balance_after,
        by,
      ]),
    ).toEqual([['deposit', coins(1000), '0', coins(1000), rawOf(VALIDATOR)]])
  })

  it('the elector takes the stake of a pool, and deposits meanwhile are pending', async () => {
    await elections.until(610)
    const first = elections.start + TIMES.electedFor
    await elections.stake(bidder(0), first, 9000n * TON)
    await elections.stake(bidder(1), first, 1000n * TON)
    await pool.stake(bidder(2), first, 1900n * TON, FACTOR)
    await mined(5)
    expect(await check()).toMatchObject({ state: 2, stake_amount_sent: coins(1900) })
    const { events: stakes } = await index.call('v3.validators.events', { stake_holder_address: address() })
    expect(stakes.map(({ type, amount, election_id }) => [type, amount, election_id])).toEqual([['stake_accepted', coins(1900), first]])
    await Promise.all([pool.deposit(N1, 40n * TON), pool.withdraw(N2)])
    await mined()
    await check()
    expect(await brief(6)).toEqual([
      ['deposit', 1, coins(40)],
      ['withdrawal_request', 2, '0'],
    ])
    const { nominator_pools } = await index.call('v3.staking.nominatorPools.nominator', { nominator: rawOf(N1) })
    expect(nominator_pools).toEqual([{ pool_address: address(), balance: coins(700), pending_balance: coins(40) }])
    expect((await index.call('v3.staking.nominatorPools.nominator', { nominator: rawOf(N3) })).nominator_pools).toEqual([])
  })

  it('rewards of the cycle are those that the pool shares out', async () => {
    const second = elections.start + 2 * TIMES.electedFor
    await elections.until(TIMES.electedFor - TIMES.endBefore + 10)
    await elections.until(TIMES.electedFor + 10)
    await pool.updateSet()
    // Fees that the elector collects for the present validators.
    await index.call('local.sendInternal', { from: `-1:${'0'.repeat(64)}`, to: rawOf(ELECTOR), value: coins(500) })
    await elections.until(TIMES.electedFor + 610)
    await elections.stake(bidder(0), second, 9000n * TON)
    await elections.stake(bidder(1), second, 1000n * TON)
    await elections.until(2 * TIMES.electedFor - TIMES.endBefore + 10)
    await elections.until(2 * TIMES.electedFor + 10)
    await pool.updateSet()
    await elections.until(2 * TIMES.electedFor + TIMES.heldFor + 100)
    const before = await check()
    await pool.recover()
    await mined(5)
    const after = await check()
    expect(after).toMatchObject({ state: 0, stake_amount_sent: '0' })

    const [own] = (await index.call('v3.staking.nominatorPools.validatorEvents', { validator: rawOf(VALIDATOR), type: 'reward' })).events
    const total = BigInt(after.validator_amount) - BigInt(before.validator_amount)
    expect(total > 20n * TON).toBe(true)
    expect(own).toMatchObject({
      amount: String(total),
      balance_delta: String(total),
      balance_before: before.validator_amount,
      balance_after: after.validator_amount,
      cycle_start: elections.start + TIMES.electedFor,
      validator_reward_share: 4000,
    })
    const earned = await index.call('v3.staking.nominatorPools.nominatorRewards', { pool: address(), nominator: rawOf(N1) })
    // 60 per cent of the reward among 700 and 320 coins.
    const share = ((total * 6n) / 4n) * 700n
    expect(Math.abs(Number(BigInt(earned.total_on_page) - share / 1020n))).toBeLessThan(3)
    expect(earned.rewards.map(({ reward, stake_before }) => [reward, stake_before])).toEqual([[earned.total_on_page, coins(700)]])
    expect((await brief(8)).map(([type, by]) => [type, by])).toEqual([
      ['reward', 1],
      ['pending_deposit_activation', 1],
      ['reward', 2],
    ])
    const { rewards, total_on_page } = await index.call('v3.staking.nominatorPools.validatorRewards', {
      pool: address(),
      validator: rawOf(VALIDATOR),
    })
    expect([rewards.length, total_on_page]).toEqual([1, String(total)])
    await pool.processWithdrawals(10)
    await mined()
    await check()
    expect((await brief(11)).map(([type, by]) => [type, by])).toEqual([['withdrawal', 2]])
  })

  it('many orders in one block give the same rows as in many blocks', async () => {
    // The elector's word is taken for a cycle that never was: with a gain, with a loss that the validator bears, with one that all bear.
    const play: readonly (() => Promise<void>)[] = [
      () => pool.deposit(N2, 500n * TON),
      () => pool.deposit(N3, 77n * TON),
      () => pool.returned(33n * TON),
      () => pool.takeBack(100n * TON),
      () => pool.stake(bidder(2), 5, 700n * TON, FACTOR),
      () => pool.deposit(N3, 11n * TON),
      () => pool.withdraw(N2),
      () => pool.withdraw(N2),
      () => pool.returned(650n * TON),
      () => pool.processWithdrawals(1),
      () => pool.fund(5n * TON),
      () => pool.stake(bidder(2), 5, 1700n * TON, FACTOR),
      () => pool.deposit(N1, 1n * TON),
      () => pool.returned(TON),
      () => pool.withdraw(N3),
    ]
    const told = async () => {
      const own = await index.call('v3.staking.nominatorPools.validatorEvents', { pool: address(), sort: 'asc' })
      const strip = ({ tx_hash: _, tx_lt: __, utime: ___, query_id: ____, ...rest }: Record<string, unknown>) => rest
      return { nominators: (await events()).slice(12).map(strip), validator: own.events.slice(2).map(strip), pool: await check() }
    }
    // The elector of this chain would answer the stakes.
    await index.call('local.setAccount', { address: rawOf(ELECTOR), code: 'te6cckEBAQEAAgAAAEysuc0=' })
    await mined(1)
    const { snapshot } = await index.call('local.snapshot', {})
    for (const step of play) {
      await step()
      await index.call('local.mine', { count: 1 })
    }
    await mined()
    const apart = await told()
    expect(apart.nominators.length).toBeGreaterThan(8)
    expect(apart.validator.map(({ type }) => type)).toEqual(['reward', 'withdrawal', 'penalty', 'deposit', 'penalty'])
    expect(new Set(apart.nominators.map(({ type }) => type))).toEqual(
      new Set(['deposit', 'reward', 'withdrawal_request', 'pending_deposit_activation', 'withdrawal']),
    )
    expect(apart.nominators.some(({ amount }) => String(amount).startsWith('-'))).toBe(true)
    await index.call('local.revert', { snapshot })
    await index.call('local.mine', { count: 1 })
    await Promise.all(play.map((step) => step()))
    await mined()
    const together = await told()
    expect(together).toEqual(apart)
    // Nothing is between two events of a nominator.
    const last = new Map<unknown, Record<string, unknown>>()
    for (const event of (await events()) as unknown as Record<string, unknown>[]) {
      const before = last.get(event['nominator_address'])
      if (before !== undefined) {
        expect([event['balance_before'], event['pending_balance_before']]).toEqual([
          before['balance_after'],
          before['pending_balance_after'],
        ])
      }
      last.set(event['nominator_address'], event)
    }
  })

  it('pages and windows of a pool’s events have only what the blocks say', async () => {
    const whole = await index.call('v3.staking.nominatorPools.nominatorEvents', { pool: address(), limit: 1000, start_utime: 0 })
    expect([whole.start_utime, whole.end_utime]).toEqual([0, undefined])
    const pages: unknown[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof index.call<'v3.staking.nominatorPools.nominatorEvents'>>> = await index.call(
        'v3.staking.nominatorPools.nominatorEvents',
        { pool: address(), limit: 5, cursor },
      )
      pages.push(...page.events)
      cursor = page.next_cursor
    }
    expect(pages).toEqual(whole.events)
    const middle = whole.events[5]!.utime
    const since = await index.call('v3.staking.nominatorPools.nominatorEvents', { pool: address(), limit: 1000, start_utime: middle })
    expect(since.events).toEqual(whole.events.filter(({ utime }) => utime >= middle))
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
  })

  it('answers about pools have the forms of the document 1.2.6, with rows in every list', async () => {
    const [pools, of] = ['staking/nominatorPools', 'v3.staking.nominatorPools'] as const
    const [pool, nominator, validator] = [address(), rawOf(N1), rawOf(VALIDATOR)]
    const found = differencesOfRows({
      [`${pools}/pool`]: await index.call(`${of}.pool`, { pool }),
      [`${pools}/nominator`]: await index.call(`${of}.nominator`, { nominator }),
      [`${pools}/nominatorEvents`]: await index.call(`${of}.nominatorEvents`, {
        pool,
        limit: 1000,
        start_utime: 0,
        end_utime: 2_000_000_000,
      }),
      [`${pools}/nominatorRewards`]: await index.call(`${of}.nominatorRewards`, { pool, nominator, start_utime: 0, limit: 1 }),
      [`${pools}/validatorEvents`]: await index.call(`${of}.validatorEvents`, { pool, limit: 1000 }),
      [`${pools}/validatorRewards`]: await index.call(`${of}.validatorRewards`, { pool, validator, limit: 1 }),
      'validators/events': await index.call('v3.validators.events', { limit: 1000 }),
      'validators/cycles': await index.call('v3.validators.cycles', { return_validators: true }),
    })
    expect(found).toEqual(NULLS)
  })

  it('a pool with another code, or with data of no pool, is removed', async () => {
    await index.call('local.setAccount', { address: address(), data: 'te6cckEBAQEAAgAAAEysuc0=' })
    await mined(1)
    await expect(index.call('v3.staking.nominatorPools.pool', { pool: address() })).rejects.toThrow('Pool not found')
    expect((await index.call('v3.staking.nominatorPools.nominator', { nominator: rawOf(N1) })).nominator_pools).toEqual([])
  })
})
