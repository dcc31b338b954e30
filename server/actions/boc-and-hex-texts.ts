import { serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'

/** A BoC with a checksum, in base64. Payloads use this form. */
export const bocText = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')

/** A BoC without a checksum, in base64. Messages and multisig orders use this form. */
export const bareBocText = (cell: Cell): string => Buffer.from(serializeBoc(cell, { crc32c: false })).toString('base64')

/** `0x...` without leading zeros. */
export const hexText = (value: bigint): string => `0x${value.toString(16)}`
