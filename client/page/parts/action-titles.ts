import { humanised } from '../base/format.ts'

/** Titles of types whose name would be misleading: `change_dns` is a completed change of a DNS record, not an order to change it. */
const TITLES: Readonly<Record<string, string>> = {
  ton_transfer: 'Transfer',
  call_contract: 'Call',
  contract_deploy: 'Deploy',
  tick_tock: 'Tick-tock',
  ...{ nft_discovery: 'NFT discovery', teleitem_start_auction: 'NFT auction start', teleitem_cancel_auction: 'NFT auction called off' },
  ...{ nft_put_on_sale: 'NFT put on sale', nft_cancel_sale: 'NFT sale called off', nft_update_sale: 'NFT sale changed' },
  ...{ nft_put_on_auction: 'NFT put on auction', nft_cancel_auction: 'NFT auction called off', nft_finish_auction: 'NFT auction finished' },
  ...{ change_dns: 'DNS change', delete_dns: 'DNS record removed', renew_dns: 'DNS renewal' },
  ...{ multisig_create_order: 'Multisig order', multisig_approve: 'Multisig approval', multisig_execute: 'Multisig execution' },
  ...{ vesting_send_message: 'Payment from vesting', vesting_add_whitelist: 'Vesting whitelist' },
  ...{ stake_withdrawal_request: 'Stake withdrawal asked for', dex_deposit_liquidity: 'Liquidity deposit' },
  ...{ dex_withdraw_liquidity: 'Liquidity withdrawal', jetton_swap: 'Swap', subscribe: 'Subscription', unsubscribe: 'Subscription ended' },
}

export const titleOf = (type: string): string => TITLES[type] ?? humanised(type)

/** DNS record names by key: the SHA-256 of the name (TEP-81). */
const RECORDS: Readonly<Record<string, string>> = {
  e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b: 'wallet',
  fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe: 'site',
  '49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7': 'storage',
  '19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff': 'next resolver',
  '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1': 'text',
  '2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97': 'picture',
}

/** Undefined for an unknown key (hex). */
export const recordName = (key: unknown): string | undefined => (typeof key === 'string' ? RECORDS[key.toLowerCase()] : undefined)
