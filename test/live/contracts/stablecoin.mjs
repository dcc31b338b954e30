// The jetton of stablecoins on TON; USDT is one. Its scripts run by Blueprint with TonClient and v3, as its README says. Its wallets have a public library as their code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginCell, Cell } from '@ton/core'
import { expectAll, npm, runProgram, until } from './kit.mjs'

export const repository = 'ton-blockchain/stablecoin-contract'
export const commit = '56fd5b983f18288d42d65ab9c937f3637e27fa0d'

export const install = (_folder, clone) => npm(clone, 'ci')

/** The flags of its README. */
const NETWORK = ['--custom', 'https://testnet.toncenter.com/api/v2/', '--custom-version', 'v2', '--custom-type', 'testnet', '--mnemonic']

const METADATA = 'https://jetton.example/jetton.json'
const NEW_METADATA = 'https://jetton.example/second.json'
const UNIT = 1_000_000n
const FRIEND = `0:${'99'.repeat(32)}`

export const steps = ({ clone, service: { url, wallet, call, get } }) => {
  const env = { WALLET_MNEMONIC: wallet.mnemonic.join(' '), WALLET_VERSION: 'v4' }
  const script = (name, answers) =>
    runProgram({ clone, url, env, answers, command: ['node_modules/.bin/blueprint', 'run', name, ...NETWORK] })
  const friendly = (address) => call('packAddress', { address })
  /** Sets the version of the TVM and of the executor. */
  const setVersion = async (version) => {
    const { config } = await call('getConfigParam', { config_id: 8 })
    const rest = Cell.fromBase64(config.bytes)
      .beginParse()
      .skip(8 + 32)
    const cell = beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeSlice(rest).endCell()
    await call('local.setConfig', { params: { 8: cell.toBoc().toString('base64') } })
  }
  const master = async () => (await get(`jetton/masters?admin_address=${wallet.raw_address}`)).jetton_masters[0]
  const atMinter = async () => ({ 'Enter the address of the jetton minter': await friendly((await master()).address) })
  const walletOf = async (owner) => (await get(`jetton/wallets?owner_address=${owner}`)).jetton_wallets[0]
  const untilBalances = (own, friends) =>
    until(`the balances are ${own} and ${friends}`, async () => {
      const held = await Promise.all([wallet.raw_address, FRIEND].map(async (owner) => BigInt((await walletOf(owner))?.balance ?? 0)))
      return held[0] === own * UNIT && held[1] === friends * UNIT
    })
  return {
    // From version 15 on only special accounts change libraries. Those of jettons on mainnet are older.
    'publishes the code of its wallets as a library, as it did before version 15': async () => {
      await setVersion(14)
      await script('deployLibrary', { 'Enter Toncoin amount to deploy librarian': '5000' })
      const { hex } = JSON.parse(readFileSync(join(clone, 'build/JettonWallet.compiled.json'), 'utf8'))
      const hash = Cell.fromHex(hex).hash().toString('hex')
      await until('the library is public', async () => (await call('getLibraries', { libraries: [hash] })).result.length === 1)
      await setVersion(15)
    },
    'deploys its minter': async () => {
      await script('deployJettonMinter', {
        'Enter the address of the jetton owner': await friendly(wallet.address),
        'Enter jetton metadata uri': METADATA,
      })
      const { total_supply } = await until('the minter is indexed', master)
      assert.equal(total_supply, '0')
    },
    mints: async () => {
      const answers = {
        'Enter jetton amount to mint': '1000',
        'Enter destination user address to mint': await friendly(wallet.address),
        'Mint 1000 to': 'yes',
      }
      expectAll(await script('mint', { ...(await atMinter()), ...answers }), 'Transaction sent')
      await untilBalances(1000n, 0n)
    },
    'shows its minter as v3 and the get-methods tell it': async () => {
      const shown = await script('showJettonMinterInfo', await atMinter())
      expectAll(shown, 'The contract code matches', 'The jetton-wallet code matches', 'StateInit matches', 'Total Supply: 1000', METADATA)
    },
    'transfers by force': async () => {
      const answers = {
        'Please enter user address to transfer from': await friendly(wallet.address),
        'Enter jetton amount to transfer': '250',
        'Please enter user address to transfer to': await friendly(FRIEND),
        'Transfer 250 from': 'yes',
      }
      expectAll(await script('forceTransfer', { ...(await atMinter()), ...answers }), 'Transaction sent')
      await untilBalances(750n, 250n)
    },
    'burns by force': async () => {
      const answers = {
        'Please enter user address to burn from': await friendly(FRIEND),
        'Enter jetton amount to burn': '50',
        'Burn 50 from': 'yes',
      }
      expectAll(await script('forceBurn', { ...(await atMinter()), ...answers }), 'Transaction sent')
      await untilBalances(750n, 200n)
      await until('the supply is less', async () => (await master()).total_supply === String(950n * UNIT))
    },
    'locks a wallet, and shows it': async () => {
      const answers = { 'Please enter user address': await friendly(FRIEND), 'Enter new status': 'full', 'Set status full to': 'yes' }
      expectAll(await script('setStatus', { ...(await atMinter()), ...answers }), 'Transaction sent')
      const address = await friendly((await walletOf(FRIEND)).address)
      const shown = () => script('showJettonWalletInfo', { 'Enter the address of the jetton wallet': address })
      await until('the lock is seen', async () => {
        const text = await shown()
        expectAll(text, 'The contract code matches', 'StateInit matches', 'Balance: 200')
        return text.includes("Can't send and receive")
      })
    },
    'changes its metadata': async () => {
      const answers = { 'Enter jetton metadata uri': NEW_METADATA, 'Change metadata url to': 'yes' }
      expectAll(await script('changeMetadataUrl', { ...(await atMinter()), ...answers }), 'Transaction sent')
      await until('the metadata are new', async () => (await master()).jetton_content.uri === NEW_METADATA)
    },
  }
}
