import * as z from 'zod'
import { blockIdExt, transactionId } from './block.ts'
import { accountAddress, extraCurrency } from './message.ts'
import { base64, flag, hash44, int, int32, many, nanotons, seconds, tlModel, tlObject, utime, words } from './value-formats.ts'

export const accountStatus = words('Whether the account is deployed (active), is not (uninitialized), or is frozen for its debts.', [
  'uninitialized',
  'active',
  'frozen',
]).meta({ id: 'AccountStatus' })

const hashOrNone = (what: string) =>
  z.union([z.literal(''), hash44(what)]).meta({ description: what, form: '32 bytes as base64; empty: none', examples: [''] })
const frozenHash = () => hashOrNone('Hash of the state that the account had when it was frozen.')
const balance = nanotons('Balance of the account.')
const lastTransaction = transactionId.describe('The last transaction of the account; zeros if it has none.')
const extraCurrencies = many('What the account holds of other currencies than Gram.', extraCurrency)
const asOf = blockIdExt.describe('The masterchain block at which this was read.')
const syncTime = utime('Time of the block at which this was read.')

/** raw.fullAccountState: balance, code, data and last transaction. */
export const addressInformation = tlModel('AddressInformation', 'raw.fullAccountState', {
  balance,
  extra_currencies: extraCurrencies,
  last_transaction_id: lastTransaction,
  block_id: asOf,
  code: base64('Code of the contract, as a BoC; empty if it has none.'),
  data: base64('Data of the contract, as a BoC; empty if it has none.'),
  frozen_hash: frozenHash(),
  sync_utime: syncTime,
  state: accountStatus,
  suspended: flag('Whether the configuration (parameter 44) forbids the account to be deployed.'),
})

const walletId = int('Id of the wallet (subwallet), which every message to it contains.', 698983191)
const walletSeqno = int('Number that the next message to the wallet must have.')

const restriction = tlModel('WalletRestriction', 'rwallet.config', {
  start_at: utime('When the restriction began.'),
  limits: many(
    'How much stays locked, and for how long.',
    tlObject('rwallet.limit', {
      seconds: seconds('Until when it is locked, counted from `start_at`.'),
      value: int('How much is locked until then, nanograms.', 1_000_000_000),
    }),
  ),
})

/** Contract kind, which tonlib recognizes by the code hash. */
const accountState = z
  .discriminatedUnion('@type', [
    tlObject('raw.accountState', {
      code: base64('Code of the contract, as a BoC.'),
      data: base64('Data of the contract, as a BoC.'),
      frozen_hash: frozenHash(),
    }),
    tlObject('wallet.v3.accountState', { wallet_id: walletId, seqno: walletSeqno }),
    tlObject('wallet.v4.accountState', { wallet_id: walletId, seqno: walletSeqno }),
    tlObject('wallet.highload.v1.accountState', { wallet_id: walletId, seqno: walletSeqno }),
    tlObject('wallet.highload.v2.accountState', { wallet_id: walletId }),
    tlObject('dns.accountState', { wallet_id: walletId }),
    tlObject('rwallet.accountState', {
      wallet_id: walletId,
      seqno: walletSeqno,
      unlocked_balance: int('What may be spent now, nanograms.', 1_000_000_000),
      config: restriction.describe('How the wallet is restricted.'),
    }),
    tlObject('uninited.accountState', { frozen_hash: frozenHash() }),
  ])
  .meta({ id: 'AccountState' })

export const extendedAddressInformation = tlModel('ExtendedAddressInformation', 'fullAccountState', {
  address: accountAddress.describe('The account.'),
  balance,
  extra_currencies: extraCurrencies,
  last_transaction_id: lastTransaction,
  block_id: asOf,
  sync_utime: syncTime,
  account_state: accountState.describe('What the contract is, by the hash of its code.'),
  revision: int('Revision of the contract among those of its kind, as tonlib counts them; 0 if it is not known.', 2),
})

export const walletType = words('Kind and version of the wallet.', [
  'wallet v1 r1',
  'wallet v1 r2',
  'wallet v1 r3',
  'wallet v2 r1',
  'wallet v2 r2',
  'wallet v3 r1',
  'wallet v3 r2',
  'wallet v4 r1',
  'wallet v4 r2',
  'wallet v5 beta',
  'wallet v5 r1',
]).meta({ id: 'WalletType' })

/** The optional members are present only if the wallet's contract is recognized. */
export const walletInformation = tlModel('WalletInformation', 'ext.accounts.walletInformation', {
  wallet: flag('Whether the contract is a wallet that is known by its code.'),
  balance,
  account_state: accountStatus,
  last_transaction_id: lastTransaction,
  wallet_type: walletType.optional(),
  seqno: walletSeqno.optional(),
  wallet_id: int32('Id of the wallet (subwallet), which every message to it contains; signed.', 698983191).optional(),
  is_signature_allowed: flag('Of a v5 wallet: whether its key may sign; if not, only extensions may act.').optional(),
})
