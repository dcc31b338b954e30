import { Cell } from '../../server/cell/cell.ts'
import { createChain } from '../../server/chain/chain.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { LiteAnswer, LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'

/** What a value says, as text: cells by their hash, bytes in hex. Two answers with the same text mean the same. */
export const meaning = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Cell) return `cell ${member.hashHex()}`
    if (member instanceof Uint8Array) return `bytes ${Buffer.from(member).toString('hex')}`
    if (member instanceof Map) return [...member]
    return typeof member === 'bigint' ? `${member}n` : member
  })

export type Lie = <F extends LiteFunction>(fn: F, answer: LiteAnswer<F>) => LiteAnswer<F>

/** A source that passes on what another one answers, changed. */
export const lying = (honest: LiteServer, lie: Lie): LiteServer => ({
  ...honest,
  query: async (fn, args, signal) => lie(fn, await honest.query(fn, args, signal)),
})

const noTvm: Pick<Tvm, 'runGetMethod' | 'runTransaction'> = {
  runGetMethod: () => Promise.reject(new Error('no get-method is run here')),
  runTransaction: () => Promise.reject(new Error('no transaction is run here')),
}

/** A chain over a source, for one read. */
export const readOnce = async <T>(source: LiteServer, read: (chain: Chain) => Promise<T>): Promise<T> => {
  return await read(createChain({ source, tvm: noTvm }))
}

/** Everything in an answer that bits can be flipped in. */
export const bytesIn = (value: unknown): Uint8Array[] => {
  if (value instanceof Uint8Array) return value.length > 0 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(bytesIn)
}

/** A deep copy whose bytes may be written to. */
export const copyOf = <T>(value: T): T => structuredClone(value)
