/** The logical time at the start of a block is a multiple of this number (Collator::init_lt). */
export const LT_ALIGN = 1_000_000n

/** start_lt of a block after `lt`: rounded up to a positive multiple of LT_ALIGN. */
export const alignLt = (lt: bigint): bigint => {
  const over = lt % LT_ALIGN
  return over === 0n && lt > 0n ? lt : lt + LT_ALIGN - over
}
