/* The capabilities of the network, which parameter 8 holds as bits. */

/** Bits of enum GlobalCapabilities of the node. */
const CAPABILITIES = [
  'IHR',
  'statistics of block creation',
  'bounced bodies',
  'versions of blocks',
  'split and merge',
  'short dequeue',
  'size of message queues',
  'metadata of messages',
  'deferred messages',
  'full collated data',
]
/** Capabilities are a number of 64 bits. */
const BITS = Array.from({ length: 64 }, (_, bit) => bit)

/** What a number of capabilities stands for. */
export const capabilitiesText = (digits: string): string => {
  if (!/^\d{1,20}$/.test(digits)) return digits
  const bits = BigInt(digits)
  return (
    BITS.filter((bit) => (bits >> BigInt(bit)) & 1n)
      .map((bit) => CAPABILITIES[bit] ?? `bit ${bit}`)
      .join(', ') || 'none'
  )
}
