import { Address, beginCell, Cell, comment, internal, type MessageRelaxed } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import type { Cell as OwnCell } from '../../server/cell/cell.ts'
import { contentCell } from '../../server/local/token-content.ts'
import {
  type CollectionKind,
  deployItemBody,
  domainContent,
  domainIndex,
  itemOf,
  itemState,
  jettonMinterOf,
  jettonWalletOf,
  mintBody,
} from '../../server/local/token-contracts.ts'
import { nameKey } from '../../server/tlb/name-key.ts'
import type { Result } from '../../shared/registry.ts'
import { createRandom, seed } from '../kit/random.ts'
import { sleep, until } from '../kit/wait.ts'
import { type ManualMining, startManualMining } from './scene.ts'

/*
 * Orders of many kinds are emulated, sent and mined. What is told of each before its block, by emulateTrace and as pending, means the same as what the index
 * tells of it afterwards: the same actions, and the same names and tokens of the accounts.
 */

/** Orders of one run. */
const ORDERS = Number(process.env['TONWAY_ORDERS'] ?? 24)

/** Milliseconds between two messages of one wallet. */
const PACE = 550

type Action = Result<'v3.actions'>['actions'][number]
/** The part of an answer that is compared. */
interface Told {
  readonly actions: readonly object[]
  readonly address_book: Readonly<Record<string, object>>
  readonly metadata: Readonly<Record<string, object>>
}

let service: ManualMining
beforeAll(async () => {
  service = await startManualMining()
}, 120_000)
afterAll(() => service?.close())

const cellOf = (cell: OwnCell): Cell => Cell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!
const idOf = (address: Address) => ({ workchain: address.workChain, hash: Uint8Array.from(address.hash) })
const addressOf = ({ workchain, hash }: { readonly workchain: number; readonly hash: Uint8Array }): Address =>
  new Address(workchain, Buffer.from(hash))

/** Time of the last block, unix seconds. */
const lastTime = async (): Promise<number> => Number((await service.call('v3.masterchainInfo', {})).last.gen_utime)

/** An action without what only its block decides. */
const meaningOf = ({ type, success, details, accounts, transactions }: Action): object => ({
  type,
  success,
  details,
  accounts: accounts && [...accounts].sort(),
  transactions: transactions.length,
})
const text = (value: object): string => JSON.stringify(value)
const meanings = (actions: readonly Action[]): readonly object[] => actions.map(meaningOf).sort((a, b) => (text(a) < text(b) ? -1 : 1))

/** Tokens of the funded wallet, and orders of it about them. */
const createTokens = async (random: ReturnType<typeof createRandom>) => {
  const owner = service.v4.address
  const own = idOf(owner)
  const admin = owner.toString()
  const jettonAddress = (await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6, admin })).address
  await service.call('local.mintJetton', { jetton: jettonAddress, owner: admin, amount: '1000000000' })
  const jetton = Address.parse(jettonAddress)
  const collections = new Map<CollectionKind, Address>()
  for (const kind of ['nft', 'sbt', 'dns'] as const) {
    const { address } = await service.call('local.deployCollection', { kind, owner: admin, name: `Trees of ${kind}` })
    collections.set(kind, Address.parse(address))
  }
  await service.settle()
  const walletOf = (of: Address, minter: Address): Address => addressOf(jettonWalletOf(idOf(of), idOf(minter)).id)

  const olds: Address[] = [owner]
  const anybody = (): Address => {
    if (random.chance(0.4)) return random.pick(olds)
    const fresh = new Address(0, Buffer.from(random.bytes(32)))
    olds.push(fresh)
    return fresh
  }
  const toContract = (to: Address, body: Cell, value = '0.3', init?: Cell): MessageRelaxed => {
    const message = internal({ to, value, bounce: true, body })
    if (init === undefined) return message
    const s = init.beginParse().skip(2)
    s.skip(1)
    return internal({ to, value, bounce: true, body, init: { code: s.loadMaybeRef()!, data: s.loadMaybeRef()! } })
  }
  const mint = (minter: Address): MessageRelaxed =>
    toContract(minter, cellOf(mintBody(idOf(anybody()), BigInt(1 + random.below(1e9)), 100_000_000n, own)))
  const transfer = (): MessageRelaxed => {
    // Some are of more than there is, and fail.
    const units = BigInt(1 + random.below(random.chance(0.15) ? 1e15 : 1_000_000))
    const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(random.below(1e9), 64).storeCoins(units).storeAddress(anybody())
    body
      .storeAddress(random.chance(0.8) ? owner : null)
      .storeBit(0)
      .storeCoins(random.chance(0.5) ? 1 : 0)
    if (random.chance(0.5)) body.storeBit(1).storeRef(comment('thanks'))
    else body.storeBit(0)
    return toContract(walletOf(owner, jetton), body.endCell(), random.chance(0.1) ? '0.001' : '0.3')
  }
  const burn = (): MessageRelaxed => {
    const body = beginCell()
      .storeUint(0x595f07bc, 32)
      .storeUint(random.below(1e9), 64)
      .storeCoins(1 + random.below(1e5))
    return toContract(walletOf(owner, jetton), body.storeAddress(owner).storeBit(0).endCell())
  }
  /** A new jetton: its minter, and a mint in the same order or none. */
  const newJetton = (): MessageRelaxed[] => {
    const minter = jettonMinterOf(own, contentCell({ name: `Jetton ${random.below(1e9)}`, symbol: 'NEW', decimals: '3' }))
    const to = addressOf(minter.id)
    return [toContract(to, Cell.EMPTY, '0.2', cellOf(minter.init)), ...(random.chance(0.6) ? [mint(to)] : [])]
  }
  const items: { readonly kind: CollectionKind; readonly address: Address }[] = []
  let nextIndex = { nft: 0n, sbt: 0n }
  const mintItem = (): MessageRelaxed => {
    const kind = random.pick(['nft', 'nft', 'sbt', 'dns'] as const)
    const collection = collections.get(kind)!
    const name = `name${random.below(1e9)}`
    const index = kind === 'dns' ? domainIndex(name) : nextIndex[kind]
    if (kind !== 'dns') nextIndex = { ...nextIndex, [kind]: index + 1n }
    const content = kind === 'dns' ? domainContent(undefined, name) : contentCell({ name: `Tree ${index}` })
    const to = random.chance(0.5) ? owner : anybody()
    if (to.equals(owner)) items.push({ kind, address: addressOf(itemOf(kind, index, idOf(collection)).id) })
    const state = itemState(kind, idOf(to), content, kind === 'sbt' ? own : undefined)
    return toContract(collection, cellOf(deployItemBody(index, 100_000_000n, state)))
  }
  const transferItem = (): MessageRelaxed => {
    const { address } = items.length > 0 ? random.pick(items) : { address: collections.get('nft')! }
    const body = beginCell().storeUint(0x5fcc3d14, 32).storeUint(random.below(1e9), 64).storeAddress(anybody()).storeAddress(owner)
    return toContract(
      address,
      body
        .storeBit(0)
        .storeCoins(random.chance(0.5) ? 1 : 0)
        .storeBit(0)
        .endCell(),
    )
  }
  const changeRecord = (): MessageRelaxed => {
    const names = items.filter(({ kind }) => kind === 'dns')
    if (names.length === 0) return mintItem()
    const record = beginCell()
      .storeUint(0x9fd3, 16)
      .storeAddress(random.chance(0.5) ? owner : anybody())
      .storeUint(0, 8)
      .endCell()
    const body = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(random.below(1e9), 64).storeUint(nameKey('wallet'), 256)
    return toContract(random.pick(names).address, (random.chance(0.8) ? body.storeRef(record) : body).endCell())
  }
  const destroyItem = (): MessageRelaxed => {
    const sbts = items.filter(({ kind }) => kind === 'sbt')
    if (sbts.length === 0) return mintItem()
    return toContract(random.pick(sbts).address, beginCell().storeUint(0x1f04537a, 32).storeUint(1, 64).endCell())
  }
  const coins = (): MessageRelaxed =>
    internal({
      to: anybody(),
      value: BigInt(1 + random.below(1e9)),
      bounce: random.chance(0.5),
      body: random.chance(0.5) ? 'hi' : undefined,
    })
  const unknownCall = (): MessageRelaxed =>
    toContract(
      random.pick([jetton, walletOf(owner, jetton)]),
      beginCell()
        .storeUint(random.below(2 ** 32), 32)
        .endCell(),
    )
  const deployWallet = (): MessageRelaxed => {
    const init = {
      code: service.v3.init.code!,
      data: beginCell()
        .storeBuffer(Buffer.from(random.bytes(40)))
        .endCell(),
    }
    const to = new Address(0, beginCell().storeUint(6, 5).storeRef(init.code).storeRef(init.data).endCell().hash())
    return internal({ to, value: '0.5', bounce: random.chance(0.5), init })
  }
  const kinds: readonly (() => MessageRelaxed | MessageRelaxed[])[] = [
    ...[coins, deployWallet, unknownCall, () => mint(jetton), () => mint(jetton), transfer, transfer, transfer, burn, newJetton],
    ...[mintItem, mintItem, transferItem, changeRecord, destroyItem],
  ]
  return { order: (): MessageRelaxed[] => [random.pick(kinds)()].flat() }
}

const compareNames = (what: string, before: Told, after: Told): void => {
  for (const part of ['address_book', 'metadata'] as const) {
    const found = Object.fromEntries(Object.keys(after[part]).map((account) => [account, before[part][account]]))
    expect({ what, ...found }).toEqual({ what, ...after[part] })
  }
}

it('what is emulated and pending means the same as what is in blocks then', async () => {
  const random = createRandom(seed)
  const tokens = await createTokens(random)
  const types = new Map<string, number>()
  let began = 0
  // The chain's time is ahead of the machine's, so an emulation takes the earliest time that the next block can have.
  await service.call('local.setTime', { utime: Math.floor(Date.now() / 1000) + 100_000 })
  await service.settle()
  for (let n = 0; n < ORDERS; n++) {
    const messages = Array.from({ length: random.chance(0.7) ? 1 : 2 + random.below(3) }, () => tokens.order())
      .flat()
      .slice(0, 4)
    const { seqno } = await service.call('getWalletInformation', { address: service.v4.address.toString() })
    const boc = service.v4.order(seqno ?? 0, messages)
    const what = `seed ${seed}, order ${n}`
    const { body: emulated } = await service.trace({ boc, with_actions: true, include_address_book: true, include_metadata: true })
    expect({ what, error: emulated.error }).toEqual({ what, error: undefined })
    // The messages of a wallet are followed if there are at most 20 in ten seconds.
    await sleep(Math.max(0, began + PACE - performance.now()))
    began = performance.now()
    const { hash } = await service.call('sendBocReturnHash', { boc })
    const named = { ext_msg_hash: [hash] }
    await until(async () => (await service.call('v3.pendingTraces', named)).traces.length > 0)
    const pending = await service.call('v3.pendingActions', named)
    // The time decides about fees for storage. Both emulations took the second after the last block.
    await service.call('local.setTime', { utime: (await lastTime()) + 1 })
    await service.settle()
    const [trace] = (await service.call('v3.traces', { msg_hash: [hash], include_actions: true })).traces
    const after = await service.call('v3.actions', { trace_id: [trace!.trace_id!], include_accounts: true })
    const meant = meanings(after.actions)
    expect({ what, emulated: meanings(emulated.actions as Action[]) }).toEqual({ what, emulated: meant })
    expect({ what, pending: meanings(pending.actions) }).toEqual({ what, pending: meant })
    compareNames(`${what}, emulated`, emulated as unknown as Told, after as unknown as Told)
    compareNames(`${what}, pending`, pending as unknown as Told, after as unknown as Told)
    for (const { type } of after.actions) types.set(type, (types.get(type) ?? 0) + 1)
  }
  const wanted = [
    'ton_transfer',
    'jetton_transfer',
    'jetton_mint',
    'jetton_burn',
    'nft_mint',
    'nft_transfer',
    'contract_deploy',
    'call_contract',
  ]
  expect(wanted.filter((type) => !types.has(type))).toEqual([])
}, 600_000)
