/* Action types that a client requests: by name, and by shortcuts for several types (v3.md 5.2). */

const V1 =
  'call_contract contract_deploy ton_transfer stake_deposit stake_withdrawal stake_withdrawal_request dex_deposit_liquidity jetton_transfer ' +
  'nft_transfer nft_mint jetton_burn jetton_mint jetton_swap change_dns delete_dns renew_dns subscribe dex_withdraw_liquidity unsubscribe ' +
  'election_deposit election_recover auction_bid tick_tock'
const MULTISIG = 'multisig_create_order multisig_approve multisig_execute'
const VESTING = 'vesting_send_message vesting_add_whitelist'
const EVAA = 'evaa_supply evaa_withdraw evaa_liquidate'
const JVAULT = 'jvault_stake jvault_unstake jvault_claim jvault_unstake_request'
const COFFEE =
  'coffee_create_vault coffee_create_pool_creator coffee_create_pool coffee_mev_protect_hold_funds coffee_staking_claim_rewards ' +
  'coffee_staking_deposit coffee_staking_withdraw'
const MARKET =
  'nft_put_on_sale nft_put_on_auction auction_outbid nft_cancel_sale nft_purchase nft_cancel_auction nft_finish_auction ' +
  'teleitem_start_auction teleitem_cancel_auction nft_update_sale dns_purchase dns_release'
const LAYERZERO = 'layerzero_send layerzero_send_tokens layerzero_receive layerzero_commit_packet layerzero_dvn_verify'
const COCOON =
  'cocoon_worker_payout cocoon_proxy_payout cocoon_proxy_charge cocoon_client_top_up cocoon_register_proxy cocoon_unregister_proxy ' +
  'cocoon_client_register cocoon_client_change_secret_hash cocoon_client_request_refund cocoon_grant_refund cocoon_client_increase_stake ' +
  'cocoon_client_withdraw'

/** A shortcut lists types and other shortcuts. The last version adds two types that no matcher makes yet: change_wallet_key and gasless_request. */
const SHORTCUTS: Readonly<Record<string, string>> = {
  v1: V1,
  v2: `v1 ${MULTISIG} ${VESTING} ${EVAA} ${JVAULT} nft_discovery tonco_deploy_pool ${COFFEE} coffee_mev_protect_failed_swap unknown`,
  v3: `v2 ${MARKET} ${LAYERZERO}`,
  v4: `v3 ${COCOON}`,
  v5: 'v4 dedust_v2_claim_fees dedust_v2_claim_reward change_wallet_key gasless_request',
  latest: 'v5',
  staking: 'stake_deposit stake_withdrawal stake_withdrawal_request',
  jettons: 'jetton_transfer jetton_burn jetton_mint',
  nft: 'nft_transfer nft_mint auction_bid',
  'nft.v3': `nft ${MARKET}`,
  dns: 'change_dns delete_dns renew_dns dns_purchase dns_release',
  'dns.v2': 'dns dns_purchase dns_release',
  multisig: MULTISIG,
  vesting: VESTING,
  evaa: EVAA,
  jvault: JVAULT,
  coffee: COFFEE,
  tgbtc: 'tgbtc_mint tgbtc_mint_fallback tgbtc_burn tgbtc_burn_fallback tgbtc_new_key tgbtc_new_key_fallback tgbtc_dkg_log_fallback',
  layerzero: LAYERZERO,
  cocoon: COCOON,
}

const expand = (name: string, into: Set<string>): void => {
  const names = Object.hasOwn(SHORTCUTS, name) ? SHORTCUTS[name] : undefined
  if (names === undefined) into.add(name)
  else for (const inner of names.split(' ')) expand(inner, into)
}

/** What shortcuts stand for, once they were asked for. */
const expanded = new Map<string, ReadonlySet<string>>()

const typesOf = (name: string): ReadonlySet<string> => {
  const known = expanded.get(name)
  if (known !== undefined) return known
  const types = new Set<string>()
  expand(name, types)
  if (Object.hasOwn(SHORTCUTS, name)) expanded.set(name, types)
  return types
}

/** The types of these names and shortcuts, plus those of version 1. Without names, the latest version. */
export const supportedTypes = (names: readonly string[]): ReadonlySet<string> => {
  const types = new Set(typesOf('v1'))
  for (const name of names.length === 0 ? ['latest'] : names) for (const type of typesOf(name)) types.add(type)
  return types
}

/** The part of an action that decides whether a client sees it. */
export interface Visible {
  readonly type: string
  readonly ancestors: readonly string[]
}

/** A client sees an action whose type it knows. If it knows the type of an action above, it sees that one instead. */
export const isVisible = ({ type, ancestors }: Visible, supported: ReadonlySet<string>): boolean =>
  supported.has(type) && !ancestors.some((ancestor) => supported.has(ancestor))

/** Every type that an action can have. */
export const ALL_TYPES: ReadonlySet<string> = supportedTypes(['latest', 'tgbtc'])
