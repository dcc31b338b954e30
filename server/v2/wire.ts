import { byteText } from '../base/memory/byte-text.ts'
import { serializeBocInTurns } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import { type CurrencyCollection, readableExtra } from '../tlb/currency.ts'
import { type BlockId, shardToWire } from '../tlb/ids.ts'

/** Standard base64 with padding. */
export const base64 = (bytes: Uint8Array): string => byteText(bytes, 'base64')

/** Lower-case hex. */
export const hex = (bytes: Uint8Array): string => byteText(bytes, 'hex')

/** BoC with CRC and without index, in base64, as tonlib writes it (`te6cck...`). Written with pauses, because the cells can be as many as an account's. */
export const bocInTurns = async (cell: Cell, signal: AbortSignal): Promise<string> => base64(await serializeBocInTurns([cell], signal))

/** Like `bocInTurns`; "" for an absent cell. */
export const maybeBocInTurns = async (cell: Cell | undefined, signal: AbortSignal): Promise<string> =>
  cell ? await bocInTurns(cell, signal) : ''

export const blockIdExt = (id: BlockId) =>
  ({
    '@type': 'ton.blockIdExt',
    workchain: id.workchain,
    shard: shardToWire(id.shard),
    seqno: id.seqno,
    root_hash: base64(id.rootHash),
    file_hash: base64(id.fileHash),
  }) as const

export const transactionId = (lt: bigint, hash: Uint8Array) =>
  ({ '@type': 'internal.transactionId', lt: lt.toString(), hash: base64(hash) }) as const

/** Ascending by id; `[]` if there are none. */
export const extraCurrencies = (amount: CurrencyCollection) =>
  [...(readableExtra(amount) ?? [])].map(([id, value]) => ({ '@type': 'extraCurrency', id: id | 0, amount: value.toString() }) as const)

export const accountAddress = (friendly: string) => ({ '@type': 'accountAddress', account_address: friendly }) as const

/** 32 zero bytes, the hash that means "no transaction". */
export const noHash = (): Uint8Array => new Uint8Array(32)
