import { parseBocRoot } from '../../cell/boc.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { stateInitCell } from '../../tlb/state/state-init.ts'
import { WALLET_V4R2, WALLET_V5R1 } from './faucet-codes.ts'
import type { FaucetWallet } from './local-chain.ts'
import type { AccountInput } from './model.ts'

/* Wallets with coins in the zerostate. Their mnemonics are public, because the wallets are for private test chains. */

/** Balance of each wallet in the zerostate, nanograms. */
export const FAUCET_BALANCE = 1_000_000n * 1_000_000_000n

const V4R2 = {
  mnemonic:
    'praise define giggle settle flight review mimic orchard loan arrow magic brown front lonely seed regret script gaze sniff glory sport ribbon brain science',
  publicKey: 'ee2edb44db7e97472c709de2ab4818c6cd9682899d81f9b4c600ed4d3e1922db',
}
const V5R1 = {
  mnemonic:
    'must bronze between guide effort super clerk crush spring pear spike chef staff habit work inject live expect toss grunt close rice web razor',
  publicKey: '775ccb87cc9c4f88e751c554a52db7ae0b715550e1c73c58750840dd841320ec',
}
/** Subwallet id of v3 and v4 wallets in workchain 0. */
const SUBWALLET = 698_983_191

// seqno:uint32 subwallet_id:uint32 public_key:uint256 plugins:(HashmapE 256 ...)
const dataV4 = (publicKey: Uint8Array): Cell =>
  beginCell().storeUint(0, 32).storeUint(SUBWALLET, 32).storeBytes(publicKey).storeBit(0).end()

// is_signature_allowed:Bool seqno:uint32 wallet_id:int32 public_key:uint256 extensions:(HashmapE 256 int1)
const dataV5 = (publicKey: Uint8Array, globalId: number): Cell =>
  beginCell().storeBit(1).storeUint(0, 32).storeInt(walletIdV5(globalId), 32).storeBytes(publicKey).storeBit(0).end()

/** wallet_id of w5: the network's global id xor the context (client flag 1, workchain 0, version 0, subwallet 0). */
const walletIdV5 = (globalId: number): number => (globalId ^ 0x80000000) | 0

export interface WalletInState {
  readonly wallet: FaucetWallet
  readonly account: AccountInput
}

/** A wallet with the faucet's balance. The faucet does not have the wallet's private key. */
export const walletOf = (
  version: FaucetWallet['version'],
  publicKey: Uint8Array,
  mnemonic: readonly string[],
  globalId: number,
): WalletInState => {
  const [code, data] = version === 'v4R2' ? [WALLET_V4R2, dataV4(publicKey)] : [WALLET_V5R1, dataV5(publicKey, globalId)]
  const init = { code: parseBocRoot(Buffer.from(code, 'base64')), data }
  const address = { workchain: 0, hash: stateInitCell(init).hash() }
  return {
    wallet: { version, address, mnemonic, isPublic: false, publicKey },
    account: { account: address, balance: FAUCET_BALANCE, ...init },
  }
}

export const faucetWallets = (globalId: number): readonly WalletInState[] =>
  (
    [
      ['v4R2', V4R2],
      ['v5R1', V5R1],
    ] as const
  ).map(([version, { mnemonic, publicKey }]) => {
    const { wallet, account } = walletOf(version, new Uint8Array(Buffer.from(publicKey, 'hex')), mnemonic.split(' '), globalId)
    return { wallet: { ...wallet, isPublic: true }, account }
  })
