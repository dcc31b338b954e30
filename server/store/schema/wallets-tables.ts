/* Tables of migrations/0007-wallets.ts as kysely sees them. `bigint` and `numeric` come back as decimal strings. */

type Int8 = string
type Numeric = string

export interface WalletsTables {
  multisigs: { account: Buffer; mc_seqno: number; next_order_seqno: Numeric; threshold: number }
  multisig_members: { account: Buffer; role: number; place: number; mc_seqno: number; member: Buffer }
  multisig_orders: {
    account: Buffer
    mc_seqno: number
    multisig: Buffer
    order_seqno: Numeric
    threshold: number | null
    sent: boolean | null
    approvals_mask: Numeric | null
    approvals_num: number | null
    expiration_date: Int8 | null
    order_boc: Buffer | null
  }
  vestings: {
    account: Buffer
    mc_seqno: number
    start_time: Int8
    total_duration: Int8
    unlock_period: Int8
    cliff_duration: Int8
    total_amount: Numeric
    sender: Buffer
    owner: Buffer
  }
  vesting_whitelist: { account: Buffer; wallet: Buffer; mc_seqno: number; place: number }
}
