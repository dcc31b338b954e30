import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address } from '@ton/core'
import { mnemonicNew, mnemonicToPrivateKey } from '@ton/crypto'
import { TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway } from '../../server/start/start.ts'

const ADDRESS = `0:${'99'.repeat(32)}`
/** Code with one get-method, of number 1 and any other: DROP, PUSHINT 5; and the number 1234 as data. */
const CODE = 'te6cckEBAQEABAAABDB1QcVgwQ=='

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonway-genesis-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('accounts of its own that a chain begins with', () => {
  it('wallets of mnemonics and accounts with code are there', async () => {
    const [one, two] = [await mnemonicNew(), await mnemonicNew()]
    await using tonway = await startTonway({
      port: 'off',
      genesis: {
        accounts: [
          { mnemonic: one, balance: 5_000_000_000n },
          { mnemonic: ` ${two.join('  ').toUpperCase()}`, version: 'v5R1' },
          { address: ADDRESS, balance: '7', code: CODE },
        ],
      },
    })
    const [first, second] = await Promise.all([one, two].map((words) => mnemonicToPrivateKey(words)))
    const contracts = [
      WalletContractV4.create({ workchain: 0, publicKey: first!.publicKey }),
      WalletContractV5R1.create({ publicKey: second!.publicKey, walletId: { networkGlobalId: -3 } }),
    ]
    const own = tonway.wallets.slice(2)
    expect(own.map(({ version }) => version)).toEqual(['v4R2', 'v5R1'])
    expect(own.map(({ address }) => Address.parse(address).toRawString())).toEqual(contracts.map(({ address }) => address.toRawString()))
    expect(own.map(({ mnemonic }) => mnemonic)).toEqual([one, two])
    expect(own.map(({ publicKey }) => publicKey)).toEqual([first, second].map((keys) => keys!.publicKey.toString('hex')))
    const client = new TonClient({ endpoint: tonway.endpoint, httpAdapter: tonway.httpAdapter })
    expect(await Promise.all(contracts.map(({ address }) => client.getBalance(address)))).toEqual([5_000_000_000n, 10n ** 15n])
    expect(await client.getContractState(Address.parseRaw(ADDRESS))).toMatchObject({ state: 'active', balance: 7n })
    // The wallet's key opens it.
    const wallet = client.open(contracts[0] as WalletContractV4)
    await wallet.sendTransfer({ seqno: 0, secretKey: first!.secretKey, messages: [] })
    await expect.poll(() => wallet.getSeqno()).toBe(1)
  })

  it('a file of accounts is read, and a kept chain is opened with the same accounts in any order only', async () => {
    const genesis = join(folder, 'genesis.json')
    const dataDir = join(folder, 'data')
    const write = (balance: string) => writeFile(genesis, JSON.stringify({ accounts: [{ address: ADDRESS, balance }] }))
    const balance = async (options: object): Promise<string> => {
      await using tonway = await startTonway({ port: 'off', dataDir, ...options })
      return await tonway.client.getAddressBalance({ address: ADDRESS })
    }
    await write('11')
    expect(await balance({ genesis })).toBe('11')
    expect(await balance({ genesis })).toBe('11')
    expect(await balance({})).toBe('11')
    const both = [ADDRESS, `0:${'88'.repeat(32)}`].map((address) => ({ address, balance: '11' }))
    expect(await balance({ dataDir: `${dataDir}-two`, genesis: { accounts: both } })).toBe('11')
    expect(await balance({ dataDir: `${dataDir}-two`, genesis: { accounts: both.toReversed() } })).toBe('11')
    await write('12')
    await expect(balance({ genesis })).rejects.toThrow('holds a chain that began with other accounts than this genesis has')
  })

  it.each([
    ['no accounts', { accounts: [] }, 'genesis.accounts: must name an account'],
    ['another member', { accounts: [{ address: ADDRESS, balance: '1', blance: '1' }] }, 'genesis: accounts.0: Unrecognized key: "blance"'],
    ['no balance', { accounts: [{ address: ADDRESS }] }, 'genesis: accounts.0.balance'],
    [
      'words that are no mnemonic',
      { accounts: [{ mnemonic: 'one two three' }] },
      'genesis: accounts.0.mnemonic: these words are not a mnemonic',
    ],
    ['no address', { accounts: [{ address: 'x', balance: '1' }] }, "address: Failed to parse ton_addr: 'x' (expected 48 characters"],
    ['a negative balance', { accounts: [{ address: ADDRESS, balance: '-1' }] }, 'balance: failed to parse value (expected nanograms'],
    ['a code that is no BoC', { accounts: [{ address: ADDRESS, balance: '1', code: 'AAAA' }] }, 'genesis: accounts.0.code: '],
    ['a workchain that is not there', { accounts: [{ address: `5:${'99'.repeat(32)}`, balance: '1' }] }, 'workchain 5 does not exist'],
    ['an account twice', { accounts: [0, 1].map(() => ({ address: ADDRESS, balance: '1' })) }, `accounts.1: ${ADDRESS} is there already`],
    ['the elector', { accounts: [{ address: `-1:${'33'.repeat(32)}`, balance: '1' }] }, 'is there already'],
    ['too many coins', { accounts: [{ address: ADDRESS, balance: (1n << 100n).toString() }] }, 'nanograms together; at most'],
    ['a file that is not there', '/nowhere/genesis.json', 'the genesis /nowhere/genesis.json cannot be read: ENOENT'],
    ['a list', ['accounts'] as never, 'startTonway: genesis="a list" must be the path of a JSON file'],
  ])('a genesis with %s is refused', async (_, genesis, text) => {
    await expect(startTonway({ port: 'off', genesis: genesis as never })).rejects.toThrow(text)
  })

  it('a file that is no JSON is refused without what is in it', async () => {
    const genesis = join(folder, 'broken.json')
    await writeFile(genesis, '{"mnemonic": tiger}')
    const fault = await startTonway({ port: 'off', genesis }).catch((error: Error) => error)
    expect(fault).toMatchObject({ message: `cannot start: the genesis ${genesis} is no JSON` })
  })
})
