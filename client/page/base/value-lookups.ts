import { MAX_OWN_OPCODE } from '../../opcode-name.ts'
import { createLookup } from './batched-lookup.ts'
import { asError } from './call.ts'
import { status } from './live.ts'
import { multisigText } from './multisig-text.ts'
import { ton } from './service.ts'
import type { Answer, Book, BriefTransaction, Metadata, Transaction } from './types.ts'

export type About = Answer<'rpc.about'>

const useAboutOf = createLookup<About>(async ([key]) => new Map([[key!, await ton.rpc.about()]]))

/** Loaded once. Undefined until then. */
export const useAbout = (): About | undefined => useAboutOf('service')

/** True if the embedded chain is a fork of a network. */
export const useIsFork = (): boolean => useAbout()?.fork !== undefined

const isWithoutIndex = (): boolean => status.get() !== undefined && !status.get()?.index

/** The row of the address book for a raw address. Undefined without an index. */
export const useBookRow = createLookup<Book[string]>(async (keys) =>
  isWithoutIndex() ? new Map() : new Map(Object.entries(await ton.v3.addressBook({ address: keys }))),
)

/** The metadata of a token by its raw address. Undefined for an account that is not a token. */
export const useTokenRow = createLookup<Metadata[string]>(async (keys) =>
  isWithoutIndex() ? new Map() : new Map(Object.entries(await ton.v3.metadata({ address: keys }))),
)

/** The TON DNS name or Telegram username of an NFT, by its raw address. Undefined for an NFT that falsely claims a name. */
export const useItemDomain = createLookup<string>(async (keys) => {
  const { domains } = await ton.token.domains({ address: keys })
  return new Map(domains.map(({ address, domain }) => [address, domain]))
})

/** Opcode of a message that orders a jetton wallet to transfer jettons. */
export const JETTON_TRANSFER = '0x0f8a7ea5'

const MAX_HASHES = 500

/** Loads transactions by their hashes (base64), with the fields that lists of actions show. Transactions that the index does not have are omitted. */
export const loadBriefs = async (hashes: readonly string[], signal: AbortSignal | undefined): Promise<readonly BriefTransaction[]> => {
  if (hashes.length === 0) return []
  const [hash, rest] = [hashes.slice(0, MAX_HASHES), hashes.slice(MAX_HASHES)]
  const query = { hash, limit: hash.length, x_no_address_book: true, x_no_metadata: true }
  const [{ transactions }, others] = await Promise.all([ton.v3.transactions(query, { signal }), loadBriefs(rest, signal)])
  return [
    ...transactions.map(({ hash, account, description, in_msg, end_status }) => ({ hash, account, description, in_msg, end_status })),
    ...others,
  ]
}

/** Hook: the NFT of a sale contract and the kind of the sale, by the raw address of the contract. */
export const useSoldItem = createLookup<{ readonly item: string; readonly what: 'sale' | 'auction' }>(async (keys) => {
  const { nft_sales } = await ton.v3.nft.sales({ address: keys })
  return new Map(
    nft_sales.flatMap(({ type, address, nft_address: item }) =>
      item ? [[address, { item, what: type === 'getgems_sale' ? 'sale' : 'auction' }] as const] : [],
    ),
  )
})

/** Hook: the short name of a multisig, by its raw address: `multisig 2 of 3`. */
export const useMultisigText = createLookup<string>(async (keys) => {
  const { multisigs } = await ton.v3.multisig.wallets({ address: keys, include_orders: false })
  return new Map(multisigs.map((each) => [each.address, multisigText(each)]))
})

/** Hook: the multisig and the number of a multisig order, by the raw address of the order. */
export const useOrder = createLookup<{ readonly multisig: string; readonly seqno: string | null }>(async (keys) => {
  const { orders } = await ton.v3.multisig.orders({ address: keys })
  return new Map(orders.map(({ address, multisig_address: multisig, order_seqno: seqno }) => [address, { multisig, seqno }]))
})

/** How an order with all its signatures was executed. */
interface Execution {
  /** The transaction of the multisig. */
  readonly tx: Transaction
  /** Number of the order's actions that could not be sent and that their send mode skips. */
  readonly leftOut: number
}

/** Hook: the execution of an order, by the raw address of the order. Undefined if the index does not have it. */
export const useExecution = createLookup<Execution>(async (keys) => {
  const found = await Promise.all(
    keys.map(async (address) => {
      const { actions } = await ton.v3.actions({
        ...{ account: address, action_type: ['multisig_execute'] },
        ...{ limit: 1, include_transactions: true, x_no_address_book: true, x_no_metadata: true },
      })
      const tx = actions[0]?.transactions_full?.[0]
      return tx && ([address, { tx, leftOut: tx.description.action?.skipped_actions ?? 0 }] as const)
    }),
  )
  return new Map(found.flatMap((each) => (each ? [each] : [])))
})

/** Hook: the decoded members of a body (a BoC in base64), with the data after its last decoded field. */
export const useInspectedBody = createLookup<Answer<'inspectBody'>>(async (keys) => {
  const answers = await ton.batch(keys.map((body) => ({ method: 'inspectBody' as const, params: { body } })))
  return new Map(answers.flatMap((answer, i) => (answer.ok ? [[keys[i]!, answer.result] as const] : [])))
})

/** Hook: the number of holders of a jetton, by the raw address of its master. */
export const useHolders = createLookup<Answer<'token.holders'>>(
  async (keys) => new Map(await Promise.all(keys.map(async (address) => [address, await ton.token.holders({ address })] as const))),
)

const OPCODE = /^0x[0-9a-f]{1,8}$/i

/**
 * Hook: the name of an opcode (`0x0f8a7ea5`) as the API returns it: `jetton_transfer`. Undefined for an unknown opcode, and for small numbers, whose
 * meaning differs between contracts.
 */
export const useOpcodeName = createLookup<string>(async (keys) => {
  const requested = keys.filter((key) => OPCODE.test(key) && Number(key) > MAX_OWN_OPCODE)
  if (requested.length === 0) return new Map()
  const { opcodes } = await ton.v3.decode({ opcodes: requested })
  return new Map(requested.flatMap((key, i) => (opcodes[i] === undefined || opcodes[i] === 'unknown' ? [] : [[key, opcodes[i]] as const])))
})

const hasState = async (key: string): Promise<boolean> => {
  const [address = '', seqno = ''] = key.split('@')
  try {
    await ton.getAddressBalance({ address, seqno })
    return true
  } catch (error) {
    // Lite-servers report a missing state with this kind of error. A failure of another kind says nothing about the state.
    if (asError(error).kind === 'CHAIN') return false
    throw error
  }
}

/** Hook: true if the network still has the state of an account at a masterchain block (`address@seqno`). Most lite-servers drop old states. */
export const useHasState = createLookup<boolean>(
  async (keys) => new Map(await Promise.all(keys.map(async (key) => [key, await hasState(key)] as const))),
)
