import { asError } from './call.ts'
import { status } from './live.ts'
import { createLookup } from './lookup.ts'
import { ton } from './service.ts'
import type { Book } from './types.ts'

/* What parts of a view look up when the answers of the view do not say it. */

/** A row of the address book by raw address: how the account is written for people. Undefined where there is no index. */
export const useBookRow = createLookup<Book[string]>(async (keys) => {
  if (status.get() !== undefined && !status.get()?.index) return new Map()
  return new Map(Object.entries(await ton.v3.addressBook({ address: keys })))
})

/** Opcodes up to this one are counted, not derived from the name of a body. */
const MOST_OWN = 0xffff
const OPCODE = /^0x[0-9a-f]{1,8}$/i

/**
 * The name of an opcode (`0x0f8a7ea5`), as it is on the wire: `jetton_transfer`. Undefined for an unknown one, and for small numbers, which each contract uses
 * with a meaning of its own.
 */
export const useOpcodeName = createLookup<string>(async (keys) => {
  const asked = keys.filter((key) => OPCODE.test(key) && Number(key) > MOST_OWN)
  if (asked.length === 0) return new Map()
  const { opcodes } = await ton.v3.decode({ opcodes: asked })
  return new Map(asked.flatMap((key, i) => (opcodes[i] === undefined || opcodes[i] === 'unknown' ? [] : [[key, opcodes[i]] as const])))
})

const isKept = async (key: string): Promise<boolean> => {
  const [address = '', seqno = ''] = key.split('@')
  try {
    await ton.getAddressBalance({ address, seqno })
    return true
  } catch (error) {
    // The word of the lite-servers. After any other failure it is not known.
    if (asError(error).kind === 'CHAIN') return false
    throw error
  }
}

/** Whether the network still has the state of an account at a masterchain block (`address@seqno`): most lite-servers forget states after a while. */
export const useIsStateKept = createLookup<boolean>(
  async (keys) => new Map(await Promise.all(keys.map(async (key) => [key, await isKept(key)] as const))),
)
