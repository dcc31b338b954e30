import { type Address, beginCell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { bidder, createElections, ELECTOR, TIMES, TON } from '../kit/chain/elections.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'
import { differencesOfRows } from './openapi.ts'

const { signal } = new AbortController()
const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const [A, B, C] = [bidder(0), bidder(1), bidder(2)]

describe('two validation cycles with the elector and configuration of the mainnet', () => {
  let index: LocalIndex
  let elections: Awaited<ReturnType<typeof createElections>>
  /** Ids of the elections. */
  let first = 0
  let second = 0
  let complaint: Buffer

  const run = async (method: string, stack: VmStackValue[] = []): Promise<readonly VmStackValue[]> => {
    const { hash } = ELECTOR
    const answer = await index.chain.runGetMethod({ workchain: -1, hash }, methodId(method), stack, undefined, signal)
    expect(answer.exitCode).toBe(0)
    return answer.stack
  }
  const number = (value: VmStackValue | undefined): bigint => {
    if (value?.type !== 'int') throw new Error(`${value?.type} is no number`)
    return value.value
  }

  beforeAll(async () => {
    index = await startLocalIndex()
    const { call } = index
    elections = await createElections(call, index.utime)
    first = elections.start + TIMES.electedFor
    await elections.until(610)
    await elections.stake(A, first, 3000n * TON)
    await elections.stake(B, first, 500n * TON)
    await elections.stake(C, first, 500n * TON, { queryId: 0n })
    await elections.stake(B, first, 100n * TON)
    // Signed by another; for other elections; too little.
    await elections.stake(bidder(3), first, 500n * TON, { signer: C })
    await elections.stake(bidder(3), first - 1, 500n * TON)
    await elections.stake(bidder(3), first, 5n * TON)
    await call('local.mine', { count: 2 })
  })
  afterAll(() => index?.close())

  it('stakes are shown as they were accepted or refused', async () => {
    await index.indexed()
    const { events, address_book } = await index.call('v3.validators.events', { sort: 'asc' })
    const brief = events.map(({ type, amount, reason, stake_holder_address: by, election_id }) => [type, amount, reason, by, election_id])
    const of = (i: number): string => raw(bidder(i).wallet)
    expect(brief).toEqual([
      ['stake_accepted', String(3000n * TON), undefined, of(0), first],
      ['stake_accepted', String(500n * TON), undefined, of(1), first],
      ['stake_accepted', String(500n * TON), undefined, of(2), first],
      ['stake_accepted', String(100n * TON), undefined, of(1), first],
      ['stake_rejected', String(501n * TON), 1, of(3), first],
      ['stake_rejected', String(501n * TON), 3, of(3), first - 1],
      ['stake_rejected', String(6n * TON), 5, of(3), first],
    ])
    expect(Object.keys(address_book).sort()).toEqual([0, 1, 2, 3].map(of).sort())
    const accepted = await index.call('v3.validators.events', { type: 'stake_accepted', validator_pubkey: upper(B.keys.publicKey) })
    expect(accepted.events.map(({ amount }) => amount)).toEqual([String(100n * TON), String(500n * TON)])
    const byAdnl = await index.call('v3.validators.events', { adnl_address: `0x${C.adnl.toString('hex')}` })
    expect(byAdnl.events.map(({ query_id, validator_pubkey, adnl_addr }) => [query_id, validator_pubkey, adnl_addr])).toEqual([
      ['0', upper(C.keys.publicKey), upper(C.adnl)],
    ])
  })

  it('the running election is what the elector says', async () => {
    const stack = await run('participant_list_extended')
    const { elections: found } = await index.call('v3.validators.elections', { return_participants: true })
    expect(found.length).toBe(1)
    const { participants, ...election } = found[0]!
    expect(election).toEqual({
      election_id: Number(number(stack[0])),
      elect_close: Number(number(stack[1])),
      min_stake: String(number(stack[2])),
      total_stake: String(number(stack[3])),
      total_participants: 3,
      failed: false,
      finished: false,
    })
    expect(election).toMatchObject({ election_id: first, total_stake: String(4100n * TON) })
    const holders = [A, B, C].map(({ keys, wallet, adnl }, i) => ({
      validator_pubkey: upper(keys.publicKey),
      stake: String([3000n, 600n, 500n][i]! * TON),
      max_factor: 10 << 16,
      stake_holder_address: raw(wallet),
      adnl_addr: upper(adnl),
    }))
    expect(participants).toEqual(holders)
    const { elections: ofB } = await index.call('v3.validators.elections', {
      return_participants: true,
      stake_holder_address: raw(B.wallet),
    })
    expect(ofB[0]?.participants).toEqual([holders[1]])
    expect((await index.call('v3.validators.elections', { adnl_address: '00'.repeat(32) })).elections).toEqual([])
    expect((await index.call('v3.validators.elections', { finished: true })).elections).toEqual([])
  })

  it('an index that begins during an election, without any state, learns the rest with the next stake', async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    const before = index.local.head!().id.seqno
    await elections.stake(C, first, 50n * TON)
    await index.call('local.mine', { count: 1 })
    await index.indexed()
    const [whole] = (await index.call('v3.validators.elections', { return_participants: true })).elections
    const late = await index.fromMiddle(before, 'v3.validators.elections', { return_participants: true })
    expect(late.elections).toEqual([whole])
    const { cycles } = await index.fromMiddle(before, 'v3.validators.cycles', {})
    expect(cycles.map(({ cycle_start, total }) => [cycle_start, total])).toEqual([[elections.start, 1]])
    await index.call('local.revert', { snapshot })
    await index.call('local.mine', { count: 1 })
  })

  it('the elected set is a cycle, with the stakes of its members', async () => {
    await elections.until(TIMES.electedFor - TIMES.endBefore + 10)
    await elections.until(TIMES.electedFor + 10)
    await index.indexed()
    const { cycles } = await index.call('v3.validators.cycles', { return_validators: true, limit: 2 })
    const [cycle, genesis] = cycles
    expect(cycle).toMatchObject({
      election_id: first,
      cycle_start: first,
      cycle_end: first + TIMES.electedFor,
      total: 3,
      main: 3,
      total_stake: String(4100n * TON),
      validators_elected_for: TIMES.electedFor,
      elections_start_before: TIMES.startBefore,
      elections_end_before: TIMES.endBefore,
      stake_held_for: TIMES.heldFor,
      min_stake: String(500n * TON),
      max_stake: String(3000n * TON),
      min_stake_limit: String(10n * TON),
      max_stake_limit: String(1_000_000n * TON),
      min_total_stake: String(100n * TON),
      max_stake_factor: 10 << 16,
      max_validators: 100,
      max_main_validators: 100,
      min_validators: 2,
    })
    expect(cycle?.validators?.map(({ validator_index: i, stake, stake_holder_address: by }) => [i, stake, by])).toEqual([
      [0, String(3000n * TON), raw(A.wallet)],
      [1, String(600n * TON), raw(B.wallet)],
      [2, String(500n * TON), raw(C.wallet)],
    ])
    const weights = cycle!.validators!.map(({ weight }) => BigInt(weight))
    expect(weights.reduce((sum, weight) => sum + weight, 0n)).toBe(BigInt(cycle!.total_weight))
    // Nobody elected the one before.
    expect([genesis?.total, genesis?.election_id, genesis?.total_stake, genesis?.cycle_start]).toEqual([
      1,
      undefined,
      undefined,
      elections.start,
    ])
    const byHolder = await index.call('v3.validators.cycles', { stake_holder_address: raw(C.wallet), return_validators: true })
    expect(byHolder.cycles.map(({ cycle_start, validators }) => [cycle_start, validators?.length])).toEqual([[first, 1]])
    const { elections: found } = await index.call('v3.validators.elections', { finished: true, return_participants: true })
    expect(found[0]?.participants?.map(({ validator_index: i }) => i)).toEqual([0, 1, 2])
  })

  it('a complaint and the votes for it are shown', async () => {
    await elections.complain(A, first, C, 400n * TON)
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    const [before] = (await index.call('v3.validators.complaints', {})).complaints
    expect(before).toMatchObject({
      election_id: first,
      cycle_start: first,
      validator_pubkey: upper(C.keys.publicKey),
      adnl_addr: upper(C.adnl),
      stake_holder_address: raw(C.wallet),
      reward_address: raw(A.wallet),
      severity: 3,
      suggested_fine: String(400n * TON),
      suggested_fine_part: 0,
      voted_validators: [],
      approved_percent: 0,
      is_passed: false,
    })
    complaint = Buffer.from(before!.complaint_hash, 'hex')
    await elections.vote(B, 1, first, complaint)
    await index.call('local.mine', { count: 1 })
    await index.indexed()
    const [half] = (await index.call('v3.validators.complaints', { validator_pubkey: upper(C.keys.publicKey) })).complaints
    expect(half?.voted_validators.map(({ validator_index: i, validator_pubkey: key }) => [i, key])).toEqual([[1, upper(B.keys.publicKey)]])
    expect(half?.approved_percent).toBeCloseTo((600 / 4100) * 100, 2)
    await elections.vote(A, 0, first, complaint)
    await index.call('local.mine', { count: 1 })
    await index.indexed()
    const { complaints } = await index.call('v3.validators.complaints', { election_id: first })
    expect(complaints[0]).toMatchObject({ is_passed: true })
    expect(complaints[0]?.voted_validators.map(({ validator_index: i }) => i)).toEqual([0, 1])
    expect(complaints[0]?.approved_percent).toBeCloseTo((3600 / 4100) * 100, 2)

    // What the elector itself says.
    const [list] = await run('show_complaint', [
      { type: 'int', value: BigInt(first) },
      { type: 'int', value: BigInt(`0x${complaint.toString('hex')}`) },
    ])
    if (list?.type !== 'tuple') throw new Error('no complaint')
    const [inner, , vset, remaining] = list.items
    expect([upper(Buffer.from(number(vset).toString(16).padStart(64, '0'), 'hex')), String(number(remaining))]).toEqual([
      complaints[0]?.vset_id,
      complaints[0]?.weight_remaining,
    ])
    const fields = inner?.type === 'tuple' ? (inner.items[0]?.type === 'tuple' ? inner.items[0].items : inner.items) : []
    expect([2, 3, 5, 6, 7].map((i) => String(number(fields[i])))).toEqual([
      String(complaints[0]?.created_at),
      String(complaints[0]?.severity),
      complaints[0]?.paid,
      complaints[0]?.suggested_fine,
      String(complaints[0]?.suggested_fine_part),
    ])
    const { cycles } = await index.call('v3.validators.cycles', { cycle_start: first, return_validators: true })
    expect(cycles[0]?.validators?.map((validator) => validator.complaints.length)).toEqual([0, 0, 1])
    expect((await index.call('v3.validators.complaints', { adnl_address: upper(A.adnl) })).complaints).toEqual([])
    expect((await index.call('v3.validators.complaints', { stake_holder_address: raw(C.wallet) })).complaints.length).toBe(1)
    expect((await index.call('v3.validators.complaints', { cycle_start: first })).complaints.length).toBe(1)
  })

  it('a second cycle of the same stakes is reverted and played again, and stakes are taken back', async () => {
    second = first + TIMES.electedFor
    const { snapshot } = await index.call('local.snapshot', {})
    await elections.until(TIMES.electedFor + 610)
    await elections.stake(A, second, 1000n * TON)
    await index.call('local.mine', { count: 1 })
    await index.indexed()
    expect((await index.call('v3.validators.elections', { limit: 1 })).elections[0]).toMatchObject({
      election_id: second,
      total_participants: 1,
    })
    await index.call('local.revert', { snapshot })
    await elections.until(TIMES.electedFor + 620)
    for (const [i, by] of [A, B, C].entries()) await elections.stake(by, second, [3000n, 600n, 500n][i]! * TON)
    await elections.until(2 * TIMES.electedFor - TIMES.endBefore + 10)
    await elections.until(2 * TIMES.electedFor + 10)
    // The stakes of the first cycle are free when its time and the time after it are over.
    await elections.until(2 * TIMES.electedFor + TIMES.heldFor + 100)
    for (const by of [A, B, C, bidder(3)]) await elections.recover(by)
    await index.call('local.mine', { count: 3 })
    await index.indexed()

    const { elections: both } = await index.call('v3.validators.elections', { return_participants: true })
    expect(both.map(({ election_id, finished, total_participants: n }) => [election_id, finished, n])).toEqual([
      [second, true, 3],
      [first, true, 3],
    ])
    const { cycles } = await index.call('v3.validators.cycles', { return_validators: true })
    expect(
      cycles
        .slice(0, 2)
        .map(({ cycle_start, total_stake, validators }) => [cycle_start, total_stake, validators?.map(({ stake }) => stake)]),
    ).toEqual([
      [second, String(4100n * TON), [3000n, 600n, 500n].map((stake) => String(stake * TON))],
      [first, String(4100n * TON), [3000n, 600n, 500n].map((stake) => String(stake * TON))],
    ])
    const { events } = await index.call('v3.validators.events', { limit: 4 })
    expect(events.map(({ type, stake_holder_address: by }) => [type, by])).toEqual([
      ['recover_failed', raw(bidder(3).wallet)],
      ['stake_recovered', raw(C.wallet)],
      ['stake_recovered', raw(B.wallet)],
      ['stake_recovered', raw(A.wallet)],
    ])
    // C was fined.
    const [, fined, whole] = events.map(({ amount }) => BigInt(amount))
    expect(fined! < 200n * TON && fined! > 100n * TON && whole! >= 600n * TON).toBe(true)
  })

  it('pages meet without gap or repetition, and windows are repeated in the answer', async () => {
    const whole = await index.call('v3.validators.events', { limit: 1000, start_utime: 1, end_utime: 4_000_000_000 })
    expect([whole.start_utime, whole.end_utime]).toEqual([1, 4_000_000_000])
    const pages: unknown[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof index.call<'v3.validators.events'>>> = await index.call('v3.validators.events', {
        limit: 4,
        cursor,
      })
      pages.push(...page.events)
      cursor = page.next_cursor
    }
    expect(pages).toEqual(whole.events)
    const ids = async (params: object): Promise<number[]> =>
      (await index.call('v3.validators.elections', params)).elections.map(({ election_id }) => election_id)
    expect([await ids({ limit: 1 }), await ids({ limit: 1, offset: 1 }), await ids({ sort: 'asc' })]).toEqual([
      [second],
      [first],
      [first, second],
    ])
    expect(await ids({ start_utime: second })).toEqual([second])
    expect(await ids({ end_utime: second - 1 })).toEqual([first])
    await expect(index.call('v3.validators.events', { start_utime: 2, end_utime: 1 })).rejects.toThrow(
      'start_utime must be less than or equal to end_utime',
    )
    await expect(
      index.call('v3.validators.events', { adnl_address: '00'.repeat(32), stake_holder_address: raw(A.wallet) }),
    ).rejects.toThrow('provide either stake_holder_address or adnl_address, not both')
    await expect(index.call('v3.validators.events', { adnl_address: 'abc' })).rejects.toThrow(
      'adnl_address must be a 32-byte value in hex, base64 or base64url format',
    )
    await expect(index.call('v3.validators.cycles', { limit: 101, return_validators: true })).rejects.toThrow(
      'limit must not exceed 100 when return_validators is true',
    )
  })

  it('answers about validators have the forms of the document 1.2.6, with rows in every list', async () => {
    const found = differencesOfRows({
      'validators/events': await index.call('v3.validators.events', { start_utime: 0, end_utime: 2_000_000_000 }),
      'validators/elections': await index.call('v3.validators.elections', { return_participants: true, limit: 2 }),
      'validators/cycles': await index.call('v3.validators.cycles', { return_validators: true, limit: 2 }),
      'validators/complaints': await index.call('v3.validators.complaints', { limit: 1 }),
    })
    // The document knows no null, and leaves out two words that TON Center's index has too: recover_requested and recover_failed.
    const words = 'ValidatorEvent.type enum {"allowedValues":["stake_accepted","stake_rejected","stake_recovered"]}'
    expect(found).toEqual(['AddressBookRow.domain null', 'AddressBookRow.interfaces null', words])
  })

  it('an elector with nonsense data affects only its own rows', async () => {
    const before = (await index.call('v3.validators.elections', {})).elections.length
    await index.call('local.setAccount', {
      address: raw(ELECTOR),
      code: 'te6cckEBAQEAAgAAAEysuc0=',
      data: beginCell().storeUint(255, 8).endCell().toBoc().toString('base64'),
    })
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    expect((await index.call('v3.validators.elections', {})).elections.length).toBe(before)
  })

  it('the rows of two cycles verify, and equal an index made at once', async () => {
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
  })
})
