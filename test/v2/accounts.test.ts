import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import { WalletContractV3R1, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import { suspension } from '../../server/tlb/config/special-contracts.ts'
import type { AccountId } from '../../server/tlb/ids.ts'
import { accountHandlers } from '../../server/v2/accounts.ts'
import { formatFriendly, formatRaw, parseAddress } from '../../shared/fields/address.ts'
import { registry } from '../../shared/registry.ts'
import { keys } from '../kit/chain/contracts.ts'
import { readData } from '../kit/data.ts'
import { asCore, b64, own } from './cells.ts'
import { accountState, BLOCK, type Contract, NOW } from './contracts-chain.ts'
import { fakeChain, fakeConfig } from './fake-chain.ts'

const call = { signal: new AbortController().signal } as Call

const ID: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(0xab) }
const RAW = formatRaw(ID, 'upper')

/** Handlers over one account in this state; `more` adds members to the chain. */
const over = (contract: Contract | undefined, more: Partial<Chain> = {}) => {
  const asked: (number | undefined)[] = []
  const chain = fakeChain({
    account: async (id, at) => {
      asked.push(at as number | undefined)
      return accountState(id, contract)
    },
    config: async () => fakeConfig(),
    ...more,
  })
  return { handlers: accountHandlers({ chain }), asked }
}
const at = (text = RAW, seqno?: number) => ({ address: parseAddress(text)!, ...(seqno !== undefined && { seqno }) })

const block_id = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: '-9223372036854775808',
  seqno: 101,
  root_hash: Buffer.from(BLOCK.rootHash).toString('base64'),
  file_hash: Buffer.from(BLOCK.fileHash).toString('base64'),
}
const NEVER = { '@type': 'internal.transactionId', lt: '0', hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' }
const AT_77 = { '@type': 'internal.transactionId', lt: '77', hash: Buffer.alloc(32, 9).toString('base64') }
const code = beginCell().storeUint(1, 8).endCell()
const data = beginCell().storeUint(2, 8).endCell()

describe('getAddressInformation', () => {
  const common = { '@type': 'raw.fullAccountState', extra_currencies: [], block_id, sync_utime: NOW, suspended: false }

  it('getAddressInformation answers for an account that does not exist', async () => {
    expect(await over(undefined).handlers.getAddressInformation(at(), call)).toEqual({
      ...common,
      balance: '0',
      last_transaction_id: NEVER,
      code: '',
      data: '',
      frozen_hash: '',
      state: 'uninitialized',
    })
  })

  it('getAddressInformation answers for an account without code, with its balance and last transaction', async () => {
    expect(await over({ balance: 5n, lastTransLt: 77n }).handlers.getAddressInformation(at(), call)).toEqual({
      ...common,
      balance: '5',
      last_transaction_id: AT_77,
      code: '',
      data: '',
      frozen_hash: '',
      state: 'uninitialized',
    })
  })

  it('getAddressInformation answers for an active and for a frozen account', async () => {
    const active = await over({ code, data, balance: 2n ** 62n, lastTransLt: 77n }).handlers.getAddressInformation(at(), call)
    expect(active).toEqual({
      ...common,
      balance: (2n ** 62n).toString(),
      last_transaction_id: AT_77,
      code: b64(code),
      data: b64(data),
      frozen_hash: '',
      state: 'active',
    })
    expect(registry.getAddressInformation.result.safeParse(active).error).toBeUndefined()
    const frozen = await over({ frozen: new Uint8Array(32).fill(7) }).handlers.getAddressInformation(at(), call)
    expect(frozen).toMatchObject({ code: '', data: '', frozen_hash: Buffer.alloc(32, 7).toString('base64'), state: 'frozen' })
    expect(registry.getAddressInformation.result.safeParse(frozen).error).toBeUndefined()
  })

  it('every account method passes the seqno on', async () => {
    const { handlers, asked } = over({ code, data })
    await handlers.getAddressInformation(at(RAW, 17), call)
    await handlers.getExtendedAddressInformation(at(RAW, 18), call)
    await handlers.getWalletInformation(at(RAW, 19), call)
    await handlers.getAddressBalance(at(RAW, 20), call)
    await handlers.getAddressState(at(RAW, 21), call)
    await handlers.getShardAccountCell(at(RAW, 22), call)
    await handlers.getAddressState(at(), call)
    expect(asked).toEqual([17, 18, 19, 20, 21, 22, undefined])
  })

  it('getAddressInformation tells extra currencies', async () => {
    const chain: Partial<Chain> = {
      account: async (id) => ({
        ...accountState(id, { code, data }),
        balance: {
          grams: 5n,
          other: new Map([
            [100, 2n ** 100n],
            [239, 1n],
          ]),
        },
      }),
    }
    const found = await over(undefined, chain).handlers.getAddressInformation(at(), call)
    expect(found.extra_currencies).toEqual([
      { '@type': 'extraCurrency', id: 100, amount: (2n ** 100n).toString() },
      { '@type': 'extraCurrency', id: 239, amount: '1' },
    ])
  })
})

describe('suspended', () => {
  const list = (until: number, ...ids: AccountId[]): Cell => {
    const dict = Dictionary.empty(Dictionary.Keys.BigUint(288), { serialize: () => undefined, parse: () => true })
    for (const id of ids) dict.set((BigInt(id.workchain >>> 0) << 256n) | BigInt(`0x${Buffer.from(id.hash).toString('hex')}`), true)
    return beginCell().storeUint(0, 8).storeDict(dict).storeUint(until, 32).endCell()
  }
  const other: AccountId = { workchain: -1, hash: ID.hash }

  it('`suspended` follows configuration parameter 44 and its date', async () => {
    const param = own(list(NOW + 1, ID, other))
    expect(suspension(param)(ID, NOW)).toBe(true)
    expect(suspension(param)(other, NOW)).toBe(true)
    expect(suspension(param)({ workchain: 1, hash: ID.hash }, NOW)).toBe(false)
    expect(suspension(param)(ID, NOW + 1)).toBe(false)
    expect(suspension(own(list(NOW + 1)))(ID, NOW)).toBe(false)
    expect(suspension(undefined)(ID, NOW)).toBe(false)
    const asked: unknown[] = []
    const { handlers } = over(undefined, {
      config: async (seqno) => {
        asked.push(seqno)
        return fakeConfig({ param: (number) => (number === 44 ? param : undefined) })
      },
    })
    expect((await handlers.getAddressInformation(at(), call)).suspended).toBe(true)
    expect(asked).toEqual([101])
  })

  it(`suspended knows the reference's test address in a real configuration`, () => {
    const config = Cell.fromBoc(readData('config/acton-mainnet-config-84773657.boc'))[0]!
    const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config)
    const param = own(params.get(44)!)
    const id = parseAddress('0:B81B6A61E804BF983FFE708BF8688626D73E63020096FD34C312BEF6CA05CE3F')!
    expect(suspension(param)(id, NOW)).toBe(true)
    expect(suspension(param)(ID, NOW)).toBe(false)
  })
})

describe('getWalletInformation', () => {
  const { publicKey } = keys
  const none = {
    '@type': 'ext.accounts.walletInformation',
    wallet: false,
    balance: '1000000000',
    account_state: 'active',
    last_transaction_id: NEVER,
  }
  const information = async (contract: Contract | undefined) => {
    const found = await over(contract).handlers.getWalletInformation(at(), call)
    expect(registry.getWalletInformation.result.safeParse(found).error).toBeUndefined()
    return found
  }
  /** seqno 7 in the first 32 bits, or after the first bit. */
  const used = (init: Cell, before = 0): Cell => {
    const s = init.beginParse()
    const b = beginCell().storeBits(s.loadBits(before)).storeUint(7, 32)
    s.skip(32)
    return b.storeSlice(s).endCell()
  }

  it('getWalletInformation recognises the wallets that @ton/ton makes', async () => {
    const v3r1 = WalletContractV3R1.create({ workchain: 0, publicKey })
    const v3r2 = WalletContractV3R2.create({ workchain: 0, publicKey, walletId: 42 })
    const v4 = WalletContractV4.create({ workchain: 0, publicKey })
    const v5 = WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, workchain: 0, publicKey })
    expect(await information({ code: v3r1.init.code, data: used(v3r1.init.data) })).toEqual({
      ...none,
      wallet: true,
      wallet_type: 'wallet v3 r1',
      seqno: 7,
      wallet_id: 698983191,
    })
    expect(await information({ code: v3r2.init.code, data: used(v3r2.init.data) })).toMatchObject({
      wallet_type: 'wallet v3 r2',
      wallet_id: 42,
    })
    expect(await information({ code: v4.init.code, data: used(v4.init.data) })).toMatchObject({ wallet_type: 'wallet v4 r2', seqno: 7 })
    expect(await information({ code: v5.init.code, data: used(v5.init.data, 1) })).toEqual({
      ...none,
      wallet: true,
      wallet_type: 'wallet v5 r1',
      is_signature_allowed: true,
      seqno: 7,
      wallet_id: v5.init.data.beginParse().skip(33).loadInt(32),
    })
  })

  it.each([
    ['wallet_v1r1', 'wallet v1 r1', false],
    ['wallet_v1r2', 'wallet v1 r2', false],
    ['wallet_v1r3', 'wallet v1 r3', false],
    ['wallet_v2r1', 'wallet v2 r1', false],
    ['wallet_v2r2', 'wallet v2 r2', false],
    ['wallet_v3r1', 'wallet v3 r1', true],
    ['wallet_v3r2', 'wallet v3 r2', true],
    ['wallet_v4r1', 'wallet v4 r1', true],
    ['wallet_v4r2', 'wallet v4 r2', true],
    ['highload_v1r1', undefined, false],
    ['highload_v2r1', undefined, false],
    ['multisig', undefined, false],
  ])('getWalletInformation reads the recorded code %s', async (name, wallet_type, hasId) => {
    const recorded = name === 'multisig' ? code : Cell.fromBoc(readData(`codes/${name}.boc`))[0]!
    const fields = beginCell().storeUint(7, 32).storeInt(-5, 32).storeUint(0, 256).endCell()
    expect(await information({ code: recorded, data: fields })).toEqual(
      wallet_type ? { ...none, wallet: true, wallet_type, seqno: 7, ...(hasId && { wallet_id: -5 }) } : none,
    )
  })

  it('getWalletInformation of a contract that is no wallet, or with wrong data, has no wallet fields', async () => {
    expect(await information(undefined)).toEqual({ ...none, balance: '0', account_state: 'uninitialized' })
    const { code: v4 } = WalletContractV4.create({ workchain: 0, publicKey }).init
    expect(await information({ code: v4, data: beginCell().storeUint(1, 63).endCell() })).toEqual(none)
    expect(await information({ code: v4 })).toEqual(none)
    expect(await information({ frozen: new Uint8Array(32) })).toEqual({ ...none, account_state: 'frozen' })
  })
})

describe('getExtendedAddressInformation', () => {
  const extended = async (contract: Contract | undefined, address = RAW) => {
    const found = await over(contract).handlers.getExtendedAddressInformation(at(address), call)
    expect(registry.getExtendedAddressInformation.result.safeParse(found).error).toBeUndefined()
    return found
  }
  const kind = async (contract: Contract | undefined) => {
    const { account_state, revision } = await extended(contract)
    return { ...account_state, revision }
  }
  const fields = beginCell().storeUint(7, 32).storeUint(0xfffffff0, 32).storeUint(0, 256).endCell()

  it('getExtendedAddressInformation answers with the address as it was asked', async () => {
    const expected = {
      '@type': 'fullAccountState',
      address: { '@type': 'accountAddress', account_address: formatFriendly(ID) },
      balance: '5',
      extra_currencies: [],
      last_transaction_id: AT_77,
      block_id,
      sync_utime: NOW,
      account_state: { '@type': 'raw.accountState', code: b64(code), data: b64(data), frozen_hash: '' },
      revision: 0,
    }
    const contract = { code, data, balance: 5n, lastTransLt: 77n }
    expect(await extended(contract)).toEqual(expected)
    for (const flags of [{ bounceable: false }, { testOnly: true }]) {
      const text = formatFriendly(ID, flags)
      expect((await extended(contract, text)).address.account_address).toBe(text)
    }
  })

  it('getExtendedAddressInformation answers for accounts without code', async () => {
    expect(await kind(undefined)).toEqual({ '@type': 'uninited.accountState', frozen_hash: '', revision: 0 })
    expect(await kind({ balance: 1n })).toEqual({ '@type': 'uninited.accountState', frozen_hash: '', revision: 0 })
    expect(await kind({ frozen: new Uint8Array(32).fill(7) })).toEqual({
      '@type': 'uninited.accountState',
      frozen_hash: Buffer.alloc(32, 7).toString('base64'),
      revision: 0,
    })
  })

  it.each([
    ['wallet_v3r1', { '@type': 'wallet.v3.accountState', wallet_id: 0xfffffff0, seqno: 7, revision: 1 }],
    ['wallet_v3r2', { '@type': 'wallet.v3.accountState', wallet_id: 0xfffffff0, seqno: 7, revision: 2 }],
    ['wallet_v4r2', { '@type': 'wallet.v4.accountState', wallet_id: 0xfffffff0, seqno: 7, revision: 2 }],
    ['highload_v1r1', { '@type': 'wallet.highload.v1.accountState', wallet_id: 0xfffffff0, seqno: 7, revision: 1 }],
    ['highload_v2r1', { '@type': 'wallet.highload.v2.accountState', wallet_id: 7, revision: 1 }],
  ])('getExtendedAddressInformation reads the recorded code %s', async (name, expected) => {
    expect(await kind({ code: Cell.fromBoc(readData(`codes/${name}.boc`))[0]!, data: fields })).toEqual(expected)
  })

  it.each(['wallet_v1r3', 'wallet_v2r2', 'wallet_v4r1', 'wallet_v5'])('getExtendedAddressInformation leaves %s raw', async (name) => {
    const recorded = Cell.fromBoc(readData(`codes/${name}.boc`))[0]!
    expect(asCore(await kind({ code: recorded, data: fields }))).toEqual({
      '@type': 'raw.accountState',
      code: b64(recorded),
      data: b64(fields),
      frozen_hash: '',
      revision: 0,
    })
  })
})

describe('getShardAccountCell', () => {
  it('getShardAccountCell is the ShardAccount, with account_none for an account that does not exist', async () => {
    const cell = async (contract: Contract | undefined) => {
      const { bytes } = await over(contract).handlers.getShardAccountCell(at(), call)
      return parseBocRoot(Buffer.from(bytes, 'base64'))
    }
    const none = await cell(undefined)
    expect(
      none.equals(
        own(
          beginCell()
            .storeRef(beginCell().storeBit(0))
            .storeUint(0, 256 + 64)
            .endCell(),
        ),
      ),
    ).toBe(true)
    expect((await cell({ code, data })).ref(0).bits).toBeGreaterThan(200)
  })
})

describe('getAddressBalance and getAddressState', () => {
  it('getAddressBalance and getAddressState are texts, never the number 0', async () => {
    expect(await over(undefined).handlers.getAddressBalance(at(), call)).toBe('0')
    expect(await over({ balance: 5n }).handlers.getAddressBalance(at(), call)).toBe('5')
    expect(await over(undefined).handlers.getAddressState(at(), call)).toBe('uninitialized')
    expect(await over({ code, data }).handlers.getAddressState(at(), call)).toBe('active')
    expect(await over({ frozen: new Uint8Array(32) }).handlers.getAddressState(at(), call)).toBe('frozen')
  })
})

it('addresses of @ton/core and ours agree', () => {
  expect(formatFriendly(ID)).toBe(new Address(0, Buffer.from(ID.hash)).toString())
})
