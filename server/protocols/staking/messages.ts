/** Smaller staking providers: nominators of TON Whales, bemo, Hipo. */
export const messages = `
internal 4253c4d5 bemo_stake  query_id u64, forward_ton_amount vu16, forward_payload ?^cell
internal 492ab1b3 bemo_unstake  index u64, owner address, ton_amount vu16, jetton_amount vu16, forward_payload ?^cell
internal 10a1ce75 bemo_deploy_unstake_request  query_id u64, owner_address address, withdraw_ton_amount vu16, withdraw_jetton_amount vu16,
  forward_payload ?^cell, lockup_timestamp u32
internal 90c80a07 bemo_unstake_notification  query_id u64, forward_payload ?^cell
internal 38633538 bemo_return_unstake_request  lockup_timestamp u32
internal 3d3761a6 hipo_finance_deposit_coins  query_id u64, owner address, coins vu16, ownership_assigned_amount vu16, referrer address
internal 5be57626 hipo_finance_proxy_tokens_minted  query_id u64, tokens vu16, coins vu16, owner address, round_since u32
internal 5445efee hipo_finance_tokens_minted  query_id u64, tokens vu16, coins vu16, owner address, round_since u32
internal da803efd whales_nominators_withdraw  query_id i64, gas grams, amount grams
internal 7bcd1fef whales_nominators_deposit  query_id i64, gas grams
internal 1596920c whales_nominators_force_kick  query_id i64
internal 74bb3427 whales_nominators_stake_withdraw_delayed  query_id i64
internal 23d421e1 whales_nominators_stake_withdraw_completed  query_id i64
internal a2065f2c whales_nominators_send_stake  query_id u64, gas_limit grams, stake grams, validator_pubkey bits256, stake_at u32,
  max_factor u32, adnl_addr bits256, signature ^bits512
internal 251d6a98 whales_nominators_withdraw_unowned  query_id u64, gas_limit grams
internal 1d1715bf whales_nominators_withdraw_unowned_response  query_id u64
internal 99a811fb whales_nominators_accept_stake  query_id u64, members cell
internal a19fd934 whales_nominators_accept_withdraws  query_id u64, members cell
`
