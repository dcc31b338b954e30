import * as z from 'zod'

/* The fields that wallets and explorers read of the answers of v3, as schemas. A client reads them without a check of its own. */

export const raw = z.string().regex(/^-?\d+:[0-9A-F]{64}$/)
export const hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
export const decimal = z.string().regex(/^\d+$/)
export const seconds = z.number().int().positive()

export const book = z.record(
  z.string(),
  z.object({
    user_friendly: z.string().regex(/^[EU][Qf]/),
    domain: z.string().nullable(),
    interfaces: z.array(z.string()).nullable(),
  }),
)
const tokenInfo = z.looseObject({ type: z.string(), valid: z.boolean() })
export const metadata = z.record(raw, z.object({ is_indexed: z.boolean(), token_info: z.array(tokenInfo) }))

const message = z.object({
  hash,
  hash_norm: hash.optional(),
  source: raw.nullable(),
  destination: raw.nullable(),
  value: decimal.nullable(),
  fwd_fee: decimal.nullable(),
  ihr_fee: decimal.nullable(),
  created_lt: decimal.nullable(),
  created_at: decimal.nullable(),
  opcode: z
    .string()
    .regex(/^0x[0-9a-f]{8}$/)
    .nullable(),
  ihr_disabled: z.boolean().nullable(),
  bounce: z.boolean().nullable(),
  bounced: z.boolean().nullable(),
  import_fee: decimal.nullable(),
  message_content: z.object({ hash, body: z.string(), decoded: z.record(z.string(), z.unknown()).nullable() }),
  init_state: z.object({ hash, body: z.string() }).nullable(),
})
const accountState = z.object({ hash, balance: decimal.nullable(), data_hash: hash.nullable(), code_hash: hash.nullable() })
export const transaction = z.object({
  account: raw,
  hash,
  lt: decimal,
  now: seconds,
  mc_block_seqno: z.number(),
  trace_id: hash,
  prev_trans_hash: hash,
  prev_trans_lt: decimal,
  orig_status: z.string(),
  end_status: z.string(),
  total_fees: decimal,
  total_fees_extra_currencies: z.record(z.string(), decimal),
  description: z.object({
    type: z.string(),
    aborted: z.boolean(),
    compute_ph: z.union([
      z.object({ skipped: z.literal(true), reason: z.string() }),
      z.object({
        ...{ skipped: z.literal(false), success: z.boolean(), msg_state_used: z.boolean(), account_activated: z.boolean() },
        ...{ gas_fees: decimal, gas_used: decimal, gas_limit: decimal, mode: z.number(), exit_code: z.number(), vm_steps: z.number() },
        ...{ vm_init_state_hash: hash, vm_final_state_hash: hash },
      }),
    ]),
    storage_ph: z.object({ storage_fees_collected: decimal, status_change: z.string() }),
    action: z
      .object({
        ...{ success: z.boolean(), valid: z.boolean(), no_funds: z.boolean(), status_change: z.string(), result_code: z.number() },
        ...{ tot_actions: z.number(), spec_actions: z.number(), skipped_actions: z.number(), msgs_created: z.number() },
        ...{ action_list_hash: hash, tot_msg_size: z.object({ cells: decimal, bits: decimal }) },
      })
      .optional(),
  }),
  block_ref: z.object({ workchain: z.number(), shard: z.string(), seqno: z.number() }),
  in_msg: message,
  out_msgs: z.array(message),
  account_state_before: accountState,
  account_state_after: accountState,
  emulated: z.literal(false),
  trace_external_hash: hash,
})

interface Node {
  readonly tx_hash: string
  readonly in_msg_hash: string | null
  readonly children: readonly Node[]
}
export const node: z.ZodType<Node> = z.lazy(() => z.object({ tx_hash: hash, in_msg_hash: hash.nullable(), children: z.array(node) }))

export const common = {
  ...{
    action_id: hash,
    trace_id: hash,
    success: z.boolean(),
    start_lt: decimal,
    end_lt: decimal,
    start_utime: seconds,
    end_utime: seconds,
  },
  ...{ trace_end_lt: decimal, trace_end_utime: seconds, trace_mc_seqno_end: z.number(), transactions: z.array(hash).min(1) },
  ...{ trace_external_hash: hash, trace_external_hash_norm: hash.optional() },
}
export const text = z.string().nullable()
/** What mytonwallet reads of the details of each type that it shows; the rest of its types are in `the details of every type`. */
export const details = {
  ton_transfer: z.object({ source: raw, destination: raw, value: decimal, comment: text, encrypted: z.boolean() }),
  call_contract: z.object({ opcode: z.string().regex(/^0x/), source: raw, destination: raw, value: decimal }),
  contract_deploy: z.object({ source: raw.nullish(), destination: raw }),
  jetton_mint: z.object({ asset: raw, receiver: raw, receiver_jetton_wallet: raw, amount: decimal }),
  jetton_transfer: z.object({
    ...{ asset: raw, sender: raw, receiver: raw, amount: decimal, comment: text, is_encrypted_comment: z.boolean(), query_id: decimal },
    ...{ forward_payload: text, sender_jetton_wallet: raw, receiver_jetton_wallet: raw, response_destination: raw.nullable() },
  }),
  nft_mint: z.object({ owner: raw, nft_item: raw, nft_collection: raw.nullable(), nft_item_index: decimal }),
  nft_transfer: z.object({
    ...{ nft_collection: raw.nullable(), nft_item: raw, nft_item_index: decimal.nullable(), new_owner: raw, old_owner: raw },
    ...{
      is_purchase: z.boolean(),
      price: decimal.nullish(),
      response_destination: raw.nullable(),
      query_id: decimal,
      forward_payload: text,
    },
    ...{ marketplace: text.optional(), payout_amount: decimal.nullish() },
  }),
} as const
export const action = z.discriminatedUnion('type', [
  ...Object.entries(details).map(([type, of]) => z.object({ type: z.literal(type), ...common, details: of })),
] as unknown as [z.ZodObject<{ type: z.ZodLiteral<string>; details: z.ZodType }>])
