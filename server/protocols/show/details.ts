import type { Action, Value, Values } from '../../actions/action.ts'
import type { Address } from '../../actions/trace.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { CellError } from '../../cell/cell.ts'
import { evaaAsset } from '../evaa/assets.ts'
import { payloadComment } from '../jettons/transfer.ts'
import { FIELDS } from './detail-fields.ts'

/* The types and details of actions in answers. */

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What the details depend on, apart from the action. */
export interface ShowOptions {
  readonly isTestnet: boolean
  /** The name of a marketplace by its address; undefined if it has none. */
  readonly marketplaceName: (address: Address) => string | undefined
}

/** The stored columns that the details are made from. */
export type Shown = Pick<
  Action,
  | 'type'
  | 'source'
  | 'sourceSecondary'
  | 'destination'
  | 'destinationSecondary'
  | 'asset'
  | 'assetSecondary'
  | 'asset2'
  | 'asset2Secondary'
  | 'opcode'
  | 'value'
  | 'amount'
  | 'extraCurrencies'
  | 'data'
>

interface Field {
  readonly name: string
  readonly from: string
  readonly omitsNull: boolean
  readonly isNumber: boolean
  /** Reads the column of that name; undefined if the value is in `data`. */
  readonly column: ((action: Shown) => Value) | undefined
}

const opcodeText = (opcode: number | null): string | null => (opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`)

const amounts = (currencies: ReadonlyMap<number, bigint> | undefined): Values =>
  Object.fromEntries([...(currencies ?? [])].map(([id, amount]) => [String(id), amount]))

const pick = (data: Values, names: string): Values => Object.fromEntries(names.split(' ').map((name) => [name, data[name] ?? null]))

const SEND = 'send_request_id msglib_manager msglib uln native_fee zro_fee endpoint channel'
const PACKET = 'src_oapp dst_oapp src_eid dst_eid nonce guid message'

/** The columns that fields can refer to, by name. All other values are in `data`. */
const COLUMNS: ReadonlyMap<string, (action: Shown) => Value> = new Map<string, (action: Shown) => Value>([
  ['source', ({ source }) => source],
  ['source_secondary', ({ sourceSecondary }) => sourceSecondary],
  ['destination', ({ destination }) => destination],
  ['destination_secondary', ({ destinationSecondary }) => destinationSecondary],
  ['asset', ({ asset }) => asset],
  ['asset_secondary', ({ assetSecondary }) => assetSecondary],
  ['asset2', ({ asset2 }) => asset2],
  ['asset2_secondary', ({ asset2Secondary }) => asset2Secondary],
  ['opcode', ({ opcode }) => opcode],
  ['opcode_text', ({ opcode }) => opcodeText(opcode)],
  ['value', ({ value }) => value],
  ['amount', ({ amount }) => amount],
  ['extra_currencies', ({ extraCurrencies }) => amounts(extraCurrencies)],
  ['layerzero_send_data', ({ data }) => pick(data, SEND)],
  ['layerzero_packet_data', ({ data }) => pick(data, PACKET)],
])

const parseField = (text: string): Field => {
  const [, name, marks, from] = /^(\w+)([?#]*)(?:=(\w+))?$/.exec(text)!
  const source = from ?? name!
  return { name: name!, from: source, omitsNull: marks!.includes('?'), isNumber: marks!.includes('#'), column: COLUMNS.get(source) }
}

const DETAILS: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [type, fields.split(/\s+/).filter(Boolean).map(parseField)]),
)

/** Shows numbers of any size as text. */
const plain = (value: Value | undefined): Json => {
  if (value === undefined) return null
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value as string | boolean | null
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

/** The comment in a payload that is stored as a BoC. */
const commentFields = (payload: Value | undefined): Values => {
  if (typeof payload !== 'string') return { comment: null, is_encrypted_comment: null }
  try {
    const { text, encrypted } = payloadComment(parseBocRoot(Buffer.from(payload, 'base64')))
    return { comment: text, is_encrypted_comment: encrypted }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return { comment: null, is_encrypted_comment: null }
  }
}

/** v3.md 5.3: text is shown in the field of the storage bag. Here it is also shown in its own field. */
const dnsRecord = ({ value_schema: schema, value, flags }: Values): Value => ({
  sum_type: schema ?? null,
  dns_smc_address: schema === 'DNSSmcAddress' ? (value ?? null) : null,
  dns_adnl_address: schema === 'DNSAdnlAddress' ? (value ?? null) : null,
  dns_text: schema === 'DNSText' ? (value ?? null) : null,
  dns_next_resolver_address: schema === 'DNSNextResolver' ? (value ?? null) : null,
  dns_storage_address: schema === 'DNSStorageAddress' || schema === 'DNSText' ? (value ?? null) : null,
  flags: flags ?? null,
})

const claimed = ({ claimed_jettons: jettons, claimed_amounts: sums }: Values): Value =>
  Array.isArray(jettons) && Array.isArray(sums) && jettons.length === sums.length
    ? jettons.map((jetton: Value, i) => ({ jetton, amount: sums[i] as Value }))
    : []

/** The name by the marketplace's address, otherwise by the collection's address, otherwise the name from the matcher. */
const marketplaceOf = ({ data, asset }: Shown, { marketplaceName }: ShowOptions): Value => {
  const market = data['marketplace_address']
  const address = typeof market === 'string' ? market : asset
  return (address === null ? undefined : marketplaceName(address)) ?? data['marketplace'] ?? null
}

/** Values that some types derive from their columns. They take precedence over columns and data of the same name. */
const special = (action: Shown, options: ShowOptions): Values => {
  const { data, type } = action
  switch (type) {
    case 'change_dns':
      return { record: dnsRecord(data) }
    case 'dex_deposit_liquidity':
      return {
        destination_liquidity: data['dex'] === 'dedust' ? action.destinationSecondary : action.destination,
        vault_excesses: data['vault_excesses'] ?? [],
      }
    case 'stake_deposit':
      return { source_asset: data['provider'] === 'ethena' ? action.asset2 : null }
    case 'stake_withdrawal_request':
      return { tokens_burnt: data['provider'] === 'liquid_staking' ? action.amount : null }
    case 'nft_transfer':
      return {
        ...commentFields(data['forward_payload']),
        marketplace: data['is_purchase'] ? marketplaceOf(action, options) : null,
        payout_address: data['marketplace_fee_address'] ?? null,
      }
    case 'nft_purchase':
      return {
        ...commentFields(data['forward_payload']),
        marketplace: marketplaceOf(action, options),
        payout_address: data['real_prev_owner'] ?? null,
      }
    case 'evaa_supply':
      return { sender_jetton_wallet: action.sourceSecondary }
    case 'evaa_liquidate': {
      const id = data['asset_id']
      const { asset, known } = evaaAsset(typeof id === 'string' ? id : null, options.isTestnet)
      return { asset_known: asset, is_known_asset: known }
    }
    case 'jvault_claim':
      return { claimed_rewards: claimed(data) }
    default:
      return 'marketplace' in data || 'marketplace_address' in data ? { marketplace: marketplaceOf(action, options) } : {}
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['send_request_id', 'native_fee', 'zro_fee', 'src_eid', 'dst_eid', 'nonce', 'flags'])

/** A JSON number, or its digits as text if JSON would round it. */
const jsonNumber = (value: Value): Json => {
  const whole = BigInt(value as bigint | number | string)
  return whole >= -MOST && whole <= MOST ? Number(whole) : whole.toString()
}
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

/** Shows an object in which some members are JSON numbers. */
const withNumbers = (value: Value | undefined): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          NUMBERS.has(name) && inner !== null ? jsonNumber(inner as Value) : plain(inner as Value),
        ]),
      )
    : plain(value)

/** The type in answers. A transfer of extra currencies has a type of its own there. */
export const shownType = ({ type, extraCurrencies }: Shown): string =>
  (type === 'call_contract' || type === 'ton_transfer') && extraCurrencies !== undefined && extraCurrencies.size > 0
    ? 'extra_currency_transfer'
    : type

const OBJECTS: ReadonlySet<string> = new Set(['layerzero_send_data', 'layerzero_packet_data', 'record'])

/** The details of an action with the field names of answers; undefined for types without details (`unknown`, `coffee_mev_protect_failed_swap`). */
export const showDetails = (action: Shown, options: ShowOptions): { readonly [name: string]: Json } | undefined => {
  const fields = DETAILS.get(action.type)
  if (fields === undefined) return undefined
  const own = special(action, options)
  const details: { [name: string]: Json } = {}
  for (const { name, from: source, omitsNull, isNumber, column } of fields) {
    const value = (Object.hasOwn(own, source) ? own[source] : column === undefined ? action.data[source] : column(action)) ?? null
    if (value === null && omitsNull) continue
    details[name] = isNumber && value !== null ? jsonNumber(value) : OBJECTS.has(source) ? withNumbers(value) : plain(value)
  }
  // Only Tonco has it.
  if (action.type === 'jetton_swap' && action.data['dex'] === 'tonco') details['min_out_amount'] = plain(action.data['min_out_amount'])
  return details
}
