import { friendlyOf, hashToHex, isNonBounceable, parseAddress, WHOLE_SHARD } from './address.ts'
import { live, status } from './live.ts'
import { ton } from './service.ts'

/** The view for what was typed: its route, or why there is none. */
export type Found = { readonly route: readonly (string | number)[] } | { readonly fault: string }

const BLOCK = /^\(?\s*(-?\d{1,10})\s*[:,]\s*([0-9a-fA-F]{1,16})\s*[:,]\s*(\d{1,10})\s*\)?$/

/** A block or a transaction by one of its hashes. Messages lead to their trace. */
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
  // An account id without its workchain is a hash too.
  const state = await ton.getAddressState({ address: `0:${hex}` })
  if (state !== 'uninitialized') return { route: ['account', `0:${hex}`] }
  return { fault: 'No transaction, message, block or account has this hash.' }
}

const findName = async (name: string): Promise<Found> => {
  if (!status.get()?.index) return { fault: 'Names are found where the index is on.' }
  const { records } = await ton.v3.dns.records({ domain: name, limit: 1 })
  const target = records[0]?.dns_wallet ?? records[0]?.nft_item_address
  const parsed = target ? parseAddress(target) : undefined
  return parsed ? { route: ['account', friendlyOf(parsed)] } : { fault: `The name ${name} is not known.` }
}

/** Finds the view for an address in any form, a hash in any form, a seqno, a block id or a name. Throws TonClientError. */
export const find = async (typed: string): Promise<Found> => {
  const text = typed.trim()
  const address = parseAddress(text)
  if (address) return { route: ['account', friendlyOf(address, !isNonBounceable(text))] }
  const block = BLOCK.exec(text)
  if (block) return { route: ['block', block[1]!, block[2]!.toUpperCase(), block[3]!] }
  const digits = text.replace(/[\s,.\u202f]/g, '')
  if (/^\d{1,10}$/.test(digits)) {
    const { seqno } = live.get()
    if (seqno > 0 && Number(digits) > seqno) return { fault: `The newest masterchain block is ${seqno}.` }
    return { route: ['block', -1, WHOLE_SHARD, Number(digits)] }
  }
  const hex = hashToHex(text.replace(/^0x/, ''))
  if (hex) return findHash(hex)
  if (/^[^\s.]+(\.[^\s.]+)+$/.test(text)) return findName(text.toLowerCase())
  if (/^[A-Za-z0-9_/+-]{46,50}$/.test(text))
    return { fault: 'This looks like an address, but its checksum is wrong. Is a letter missing or mistyped?' }
  return { fault: 'Type an address, a hash, the number of a block, or a name such as alice.ton.' }
}
