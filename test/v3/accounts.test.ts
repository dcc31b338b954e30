import { Address, beginCell, type Cell } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, type ParamsIn, type Result, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { type ResultHandler, resultsOf } from '../kit/service/results.ts'
import { rawOf } from './scene.ts'

/* What is told of accounts of every kind that the chain of the tests does not have: every known wallet, frozen ones, other workchains. */

const seqnoOnly = () => beginCell().storeUint(7, 32).storeUint(1n, 256).endCell()
const seqnoAndId = () => beginCell().storeUint(7, 32).storeUint(0xfffffffe, 32).storeUint(1n, 256).endCell()
const v5r1 = () => beginCell().storeBit(1).storeUint(7, 32).storeUint(0xfffffffe, 32).storeUint(1n, 256).storeBit(0).endCell()
/** 33 bits of seqno and 80 of the wallet's id: TON Center reads them as the fields of v5r1 (v3.md 2.2). */
const v5beta = () => beginCell().storeUint(7, 33).storeInt(-239, 32).storeUint(0, 48).storeUint(1n, 256).storeBit(0).endCell()

const read = { seqno: 7, wallet_id: 0xfffffffe }
/** Code hash, name of the contract, and what its data says. */
const WALLETS: readonly (readonly [string, string, string, () => Cell, object])[] = [
  ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet_v1r1', 'wallet v1 r1', seqnoOnly, { seqno: 7 }],
  ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet_v1r2', 'wallet v1 r2', seqnoOnly, { seqno: 7 }],
  ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet_v1r3', 'wallet v1 r3', seqnoOnly, { seqno: 7 }],
  ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet_v2r1', 'wallet v2 r1', seqnoOnly, { seqno: 7 }],
  ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet_v2r2', 'wallet v2 r2', seqnoOnly, { seqno: 7 }],
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet_v3r1', 'wallet v3 r1', seqnoAndId, read],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet_v3r2', 'wallet v3 r2', seqnoAndId, read],
  ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet_v4r1', 'wallet v4 r1', seqnoAndId, read],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet_v4r2', 'wallet v4 r2', seqnoAndId, read],
  ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', 'wallet_v5_beta', 'wallet v5 beta', v5beta, { is_signature_allowed: false, seqno: 7 }],
  ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', 'wallet_v5r1', 'wallet v5 r1', v5r1, { is_signature_allowed: true, ...read }],
]
/** The wallet list of the address book has one more (v3.md 1.7), highload wallets and jetton wallets are not on it. */
const LATE_WALLET = 'kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g='
const CONTRACTS = {
  wallet_highload_v3r1: 'EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=',
  wallet_vesting: 'tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA=',
  jetton_wallet_v2: 'jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4=',
} as const

const [UNINIT, FROZEN, ACTIVE] = [0, 1, 2]
let next = 1
const account = (workchain = 0): Address => new Address(workchain, Buffer.alloc(32, next++))
const places = {
  wallets: WALLETS.map(() => account()),
  late: account(),
  contracts: Object.fromEntries(Object.keys(CONTRACTS).map((name) => [name, account()])) as Record<keyof typeof CONTRACTS, Address>,
  other: account(),
  master: account(-1),
  masterWallet: account(-1),
  uninit: account(),
  frozen: account(),
  frozenWallet: account(),
  unknown: account(),
  far: account(-2),
}

let server: TestServer
let database: ClientConfig
let reader: Reader
let handlers: Readonly<Record<string, ResultHandler>>
const call = <M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> =>
  handlers[method]!(parseParams(registry[method], params, 'body') as never, {
    signal: new AbortController().signal,
    requestId: 'accounts',
    network: 'test',
    log: silentLog,
    localAllowed: true,
  }) as Promise<Result<M>>

const put = (place: Address, status: number, code: string | null, data: Cell | null, frozen: Buffer | null = null) => {
  const key = Buffer.alloc(36)
  key.writeInt32BE(place.workChain)
  place.hash.copy(key, 4)
  return server.run(
    database,
    `insert into accounts (account, mc_seqno, state_hash, status, balance, balance_extra, utime, last_trans_hash, last_trans_lt, first_lt, code_hash, data_hash, frozen_hash, data_boc)
     values ($1, 1, sha256($1), $2, 5, $3, 1, sha256('t'), 9, 9, $4, $5, $6, $7)`,
    [
      key,
      status,
      place === places.other ? { 7: '11' } : null,
      code && Buffer.from(code, 'base64'),
      data?.hash() ?? null,
      frozen,
      data?.toBoc() ?? null,
    ],
  )
}

beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  for (const [i, [code, , , data]] of WALLETS.entries()) await put(places.wallets[i]!, ACTIVE, code, data())
  await put(places.late, ACTIVE, LATE_WALLET, seqnoAndId())
  for (const [name, code] of Object.entries(CONTRACTS))
    await put(places.contracts[name as keyof typeof CONTRACTS], ACTIVE, code, seqnoAndId())
  const nobody = Buffer.alloc(32, 0xcc).toString('base64')
  await put(places.other, ACTIVE, nobody, seqnoOnly())
  await put(places.master, ACTIVE, nobody, seqnoOnly())
  await put(places.masterWallet, ACTIVE, WALLETS[8]![0], seqnoAndId())
  await put(places.uninit, UNINIT, null, null)
  await put(places.frozen, FROZEN, null, null, Buffer.alloc(32, 0xfe))
  // A wallet's code whose data is another's.
  await put(places.frozenWallet, ACTIVE, WALLETS[8]![0], beginCell().storeUint(1, 8).endCell())
  await put(places.far, ACTIVE, nobody, seqnoOnly())
  await server.run(database, `insert into index_checkpoint values (1, 'test', sha256('zero'), 1, 1, sha256('root'), sha256('file'))`)
  await server.run(database, 'insert into published_head values (1, 1, 1700000000, 0)')
  reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
  handlers = resultsOf(createV3Handlers({ reader, v2: {} as never }))
})
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

const flat = (address: Address): string => address.toString({ bounceable: false })

describe('the address book', () => {
  const bookOf = async (place: Address) => (await call('v3.addressBook', { address: [rawOf(place)] }))[rawOf(place)]

  it.each(
    WALLETS.map(([, name], i) => [name, places.wallets[i]!] as const),
  )('the address book shows %s as not bounceable', async (name, place) => {
    expect(await bookOf(place)).toEqual({ user_friendly: flat(place), domain: null, interfaces: [name] })
  })

  it('the address book shows an unnamed wallet and a wallet of the masterchain as not bounceable', async () => {
    expect(await bookOf(places.late)).toMatchObject({ user_friendly: flat(places.late) })
    expect(await bookOf(places.masterWallet)).toMatchObject({ user_friendly: expect.stringMatching(/^Uf/), interfaces: ['wallet_v4r2'] })
  })

  it.each(Object.keys(CONTRACTS) as (keyof typeof CONTRACTS)[])('the address book shows %s as bounceable', async (name) => {
    const place = places.contracts[name]
    expect(await bookOf(place)).toEqual({ user_friendly: place.toString(), domain: null, interfaces: [name] })
  })

  it('accounts with unknown code are bounceable, those without code or outside the index are not', async () => {
    expect(await bookOf(places.other)).toEqual({ user_friendly: places.other.toString(), domain: null, interfaces: [] })
    expect(await bookOf(places.master)).toMatchObject({ user_friendly: expect.stringMatching(/^Ef/) })
    for (const place of [places.uninit, places.frozen])
      expect(await bookOf(place)).toEqual({ user_friendly: flat(place), domain: null, interfaces: null })
    expect(await bookOf(places.unknown)).toEqual({ user_friendly: flat(places.unknown), domain: null, interfaces: [] })
  })

  it('the address book of the testnet has addresses for test networks', async () => {
    await server.run(database, `update index_checkpoint set network = 'testnet'`)
    try {
      for (const place of [places.wallets[8]!, places.other, places.unknown]) {
        const bounceable = place === places.other
        expect(await bookOf(place)).toMatchObject({ user_friendly: place.toString({ bounceable, testOnly: true }) })
      }
    } finally {
      await server.run(database, `update index_checkpoint set network = 'test'`)
    }
  })

  it('the address book is the same in every answer that has one', async () => {
    const everyone = [...places.wallets, places.late, ...Object.values(places.contracts), places.other, places.uninit, places.frozen]
    const address = everyone.map(rawOf)
    const asked = await call('v3.addressBook', { address })
    expect((await call('v3.accountStates', { address })).address_book).toEqual(asked)
    expect((await call('v3.walletStates', { address })).address_book).toEqual(asked)
    expect((await call('v3.walletStates', { address, x_no_address_book: true })).address_book).toEqual({})
  })
})

describe('wallets', () => {
  it.each(
    WALLETS.map(([code, , type, , fields], i) => [type, code, fields, places.wallets[i]!] as const),
  )('the wallet %s is recognised with its fields', async (type, code, fields, place) => {
    const [wallet] = (await call('v3.walletStates', { address: [rawOf(place)] })).wallets
    expect(wallet).toMatchObject({
      address: rawOf(place),
      is_wallet: true,
      wallet_type: type,
      ...fields,
      balance: '5',
      extra_currencies: {},
      status: 'active',
      code_hash: code,
      last_transaction_lt: '9',
    })
    expect('wallet_id' in wallet!).toBe(!/v[12] /.test(type))
    expect('is_signature_allowed' in wallet!).toBe(type.startsWith('wallet v5'))
  })

  it('accounts that are no wallets are shown as such', async () => {
    const others = [places.other, places.contracts.wallet_highload_v3r1, places.uninit, places.frozen, places.frozenWallet]
    const { wallets } = await call('v3.walletStates', { address: others.map(rawOf) })
    expect(wallets.map(({ address }) => address).sort()).toEqual(others.map(rawOf).sort())
    for (const wallet of wallets) {
      expect(wallet).toMatchObject({ is_wallet: false, balance: '5' })
      for (const member of ['wallet_type', 'seqno', 'wallet_id']) expect(wallet).not.toHaveProperty(member)
    }
  })
})

describe('wallets of many cells', () => {
  const MANY = 20
  /** Data of a wallet, with a tree of `count` cells behind it. */
  const largeData = (count: number): Cell => {
    let row = Array.from({ length: count }, (_, i) => beginCell().storeUint(i, 32).endCell())
    while (row.length > 1)
      row = Array.from({ length: Math.ceil(row.length / 4) }, (_, i) => {
        const b = beginCell().storeUint(i, 32)
        for (const cell of row.slice(4 * i, 4 * i + 4)) b.storeRef(cell)
        return b.endCell()
      })
    return beginCell().storeSlice(seqnoAndId().beginParse()).storeRef(row[0]!).endCell()
  }

  it('wallets with a lot of data are read in turns', { timeout: 150_000 }, async () => {
    const data = largeData(12_000)
    const large = Array.from({ length: MANY }, () => account())
    for (const place of large) await put(place, ACTIVE, WALLETS[6]![0], data)
    const boc = data.toBoc()
    const processorTime = (before?: NodeJS.CpuUsage): number => {
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const parseAll = (): number => {
      const began = process.cpuUsage()
      for (let i = 0; i < MANY; i++) parseBocRoot(boc)
      return processorTime(began)
    }
    // The first runs are slower: the code is not compiled.
    const atOnce = Math.min(parseAll(), parseAll(), parseAll())

    let longest = 0
    let turn = process.cpuUsage()
    let running = true
    const measure = (): void => {
      longest = Math.max(longest, processorTime(turn))
      turn = process.cpuUsage()
      if (running) setImmediate(measure)
    }
    setImmediate(measure)
    const { wallets } = await call('v3.walletStates', { address: large.map(rawOf), x_no_address_book: true, x_no_metadata: true })
    running = false
    // The answer may come at the end of the longest turn.
    longest = Math.max(longest, processorTime(turn))
    expect(wallets.map(({ is_wallet, seqno }) => ({ is_wallet, seqno }))).toEqual(large.map(() => ({ is_wallet: true, seqno: 7 })))
    expect(longest).toBeLessThan(atOnce / 2)
  })
})

describe('account states', () => {
  it('account states are found by code, by address, by both; accounts outside the index are left out', async () => {
    const code = WALLETS[8]![0]
    const byCode = (await call('v3.accountStates', { code_hash: [code] })).accounts.map(({ address }) => address)
    const same = [places.wallets[8]!, places.masterWallet, places.frozenWallet].map(rawOf)
    expect(byCode.sort()).toEqual([...same].sort())
    expect((await call('v3.accountStates', { code_hash: [code], address: [same[0]!, rawOf(places.other)] })).accounts.length).toBe(1)
    expect((await call('v3.accountStates', { address: [rawOf(places.unknown), same[0]!] })).accounts.length).toBe(1)
    expect((await call('v3.accountStates', { address: [rawOf(places.unknown)] })).accounts).toEqual([])
  })

  it('frozen accounts have the hash they were frozen with, others their data, and extra currencies', async () => {
    const state = async (place: Address, include_boc = true) =>
      (await call('v3.accountStates', { address: [rawOf(place)], include_boc })).accounts[0]!
    const frozen = await state(places.frozen)
    expect(frozen).toMatchObject({ status: 'frozen', frozen_hash: Buffer.alloc(32, 0xfe).toString('base64'), interfaces: [] })
    for (const member of ['code_hash', 'data_hash', 'code_boc', 'data_boc']) expect(frozen).not.toHaveProperty(member)
    const data = seqnoOnly()
    expect(await state(places.other)).toMatchObject({
      status: 'active',
      extra_currencies: { 7: '11' },
      data_hash: data.hash().toString('base64'),
      data_boc: data.toBoc().toString('base64'),
    })
    expect(await state(places.other, false)).not.toHaveProperty('data_boc')
    expect(await state(places.far)).toMatchObject({ address: rawOf(places.far) })
  })
})
