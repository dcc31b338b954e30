import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { uint } from '../contracts/stack-values.ts'

/* Numbers from get-methods; undefined if they do not fit their column. */

const atMost = (value: VmStackValue | undefined, most: bigint): bigint | undefined => {
  const number = uint(value)
  return number !== undefined && number <= most ? number : undefined
}

export const count = (value: VmStackValue | undefined): number | undefined => {
  const number = atMost(value, 2n ** 31n - 1n)
  return number === undefined ? undefined : Number(number)
}
/** Reads a number for a bigint column; undefined if a JSON number cannot represent the value exactly. */
export const seconds = (value: VmStackValue | undefined): bigint | undefined => atMost(value, BigInt(Number.MAX_SAFE_INTEGER))
