import { friendlyOf, hashToHex, isNonBounceable, parseAddress, WHOLE_SHARD } from './address.ts'
import { tame } from './format.ts'
import { live, status } from './live.ts'
import { ton } from './service.ts'
import { type Warning, warningsOf } from './token-metadata.ts'

export type Found = { readonly route: readonly (string | number)[] } | { readonly fault: string }

const BLOCK = /^\(?\s*(-?\d{1,10})\s*[:,]\s*([0-9a-fA-F]{1,16})\s*[:,]\s*(\d{1,10})\s*\)?$/

/** Finds a block or a transaction by one of its hashes. The hash of a message leads to its trace. */
const findHash = async (hex: string): Promise<Found> => {
  const [transactions, byMessage, byRoot, byFile] = await ton.batch([
    { method: 'v3.transactions', params: { hash: [hex], limit: 1 } },
    { method: 'v3.transactionsByMessage', params: { msg_hash: [hex], limit: 1 } },
    { method: 'v3.blocks', params: { root_hash: hex, limit: 1 } },
    { method: 'v3.blocks', params: { file_hash: hex, limit: 1 } },
  ])
  const transaction = [transactions, byMessage].flatMap((answer) => (answer.ok ? answer.result.transactions : []))[0]
  if (transaction) return { route: ['tx', hashToHex(transaction.hash) ?? transaction.hash] }
  const block = [byRoot, byFile].flatMap((answer) => (answer.ok ? answer.result.blocks : []))[0]
  if (block) return { route: ['block', block.workchain, block.shard, block.seqno] }
  const refused = [transactions, byMessage, byRoot, byFile].find((answer) => !answer.ok)
  if (refused && !refused.ok) return { fault: refused.error.message }
  // The hex digits can also be an account id without a workchain.
  const state = await ton.getAddressState({ address: `0:${hex}` })
  if (state !== 'uninitialized') return { route: ['account', `0:${hex}`] }
  return { fault: 'No transaction, message, block or account has this hash.' }
}

/** A jetton. Names are not unique, so the address identifies the jetton. */
export interface FoundToken {
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly warnings: readonly Warning[]
}

/** Maximum number of jettons that are searched by name. They are the first that the index lists. */
const MAX_TOKENS = 256
/** Milliseconds for which the loaded list of jettons is cached. A newer jetton is found after that. */
const MAX_AGE = 3_000
let tokens: { readonly all: Promise<readonly FoundToken[]>; readonly at: number } | undefined

/** The jettons of the network with their own names; empty without an index. */
export const loadTokens = (): Promise<readonly FoundToken[]> => {
  if (tokens === undefined || Date.now() - tokens.at > MAX_AGE) tokens = { all: readTokens().catch(() => []), at: Date.now() }
  return tokens.all
}

const readTokens = async (): Promise<readonly FoundToken[]> => {
  if (!status.get()?.index) return []
  const { jetton_masters: masters, metadata } = await ton.v3.jetton.masters({ limit: MAX_TOKENS })
  return masters.flatMap(({ address }) => {
    const parsed = parseAddress(address)
    const tokens = metadata[address]?.token_info
    const { name, symbol } = tokens?.[0] ?? {}
    if (!parsed || !(name || symbol)) return []
    return [{ address: friendlyOf(parsed), name: name ?? '', symbol: symbol ?? '', warnings: warningsOf(tokens) }]
  })
}

export const matchingTokens = (all: readonly FoundToken[], text: string, most = 8): readonly FoundToken[] => {
  const words = text.trim().toLowerCase()
  if (words === '') return []
  return all.filter(({ name, symbol }) => `${name}\n${symbol}`.toLowerCase().includes(words)).slice(0, most)
}

/** Finds a jetton by its exact name or symbol, otherwise by a part of a name or symbol. If several jettons match, the result asks the user to choose. */
const findToken = async (text: string): Promise<Found | undefined> => {
  const words = text.toLowerCase()
  const all = await loadTokens()
  const exact = all.filter(({ name, symbol }) => name.toLowerCase() === words || symbol.toLowerCase() === words)
  const found = exact.length > 0 ? exact : matchingTokens(all, text, all.length)
  if (found.length > 1) {
    const called = exact.length > 0 ? 'call themselves' : 'have a name or symbol with'
    return { fault: `${found.length} jettons ${called} ${tame(text, 40)}. Choose one of the suggestions by its address.` }
  }
  return found[0] && { route: ['account', found[0].address] }
}

const findLt = async (lt: string): Promise<Found> => {
  if (!status.get()?.index) return { fault: 'Logical times are found where the index is on.' }
  const { transactions } = await ton.v3.transactions({ start_lt: lt, end_lt: lt, limit: 1 })
  const [tx] = transactions
  return tx ? { route: ['tx', hashToHex(tx.hash) ?? tx.hash] } : { fault: `No transaction has the logical time ${lt}.` }
}

const findName = async (name: string): Promise<Found> => {
  if (!status.get()?.index) return { fault: 'Names are found where the index is on.' }
  const { records } = await ton.v3.dns.records({ domain: name, limit: 1 })
  const target = records[0]?.dns_wallet ?? records[0]?.nft_item_address
  const parsed = target ? parseAddress(target) : undefined
  return parsed ? { route: ['account', friendlyOf(parsed)] } : { fault: `The name ${name} is not known.` }
}

/** Finds the view for a typed address, hash, seqno, block id, logical time, DNS name or jetton name. Throws TonClientError. */
export const find = async (typed: string): Promise<Found> => {
  const text = typed.trim()
  const address = parseAddress(text)
  if (address) return { route: ['account', friendlyOf(address, !isNonBounceable(text))] }
  const block = BLOCK.exec(text)
  if (block) return { route: ['block', block[1]!, block[2]!.toUpperCase(), block[3]!] }
  const digits = text.replace(/[\s,.\u202f]/g, '')
  if (/^\d{1,19}$/.test(digits)) {
    // A number above the newest seqno can only be a logical time.
    const { seqno } = live.get()
    if (seqno === 0 || Number(digits) <= seqno) return { route: ['block', -1, WHOLE_SHARD, Number(digits)] }
    const found = await findLt(digits)
    return 'fault' in found && digits.length <= 10 ? { fault: `The newest masterchain block is ${seqno}. ${found.fault}` } : found
  }
  const hex = hashToHex(text.replace(/^0x/, ''))
  if (hex) return findHash(hex)
  if (/^[^\s.]+(\.[^\s.]+)+$/.test(text)) return findName(text.toLowerCase())
  const token = await findToken(text)
  if (token) return token
  if (/^[A-Za-z0-9_/+-]{46,50}$/.test(text))
    return { fault: 'This looks like an address, but its checksum is wrong. Is a letter missing or mistyped?' }
  return {
    fault: 'Type an address, a hash, the number of a block, a logical time, a name such as alice.ton, or what a jetton calls itself.',
  }
}
