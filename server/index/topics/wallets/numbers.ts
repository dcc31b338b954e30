import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { uint } from '../contracts/read.ts'

/* Numbers of get-methods within the columns that keep them; undefined for others. */

const atMost = (value: VmStackValue | undefined, most: bigint): bigint | undefined => {
  const number = uint(value)
  return number !== undefined && number <= most ? number : undefined
}

/** An integer column. */
export const count = (value: VmStackValue | undefined): bigint | undefined => atMost(value, 2n ** 31n - 1n)
/** A bigint column whose numbers JSON tells exactly. */
export const seconds = (value: VmStackValue | undefined): bigint | undefined => atMost(value, BigInt(Number.MAX_SAFE_INTEGER))
