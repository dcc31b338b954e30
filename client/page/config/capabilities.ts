/* The capabilities of the network, which parameter 8 holds as bits. */

/** Bits of enum GlobalCapabilities of the node, in words and by their names there. */
const CAPABILITIES = [
  'IHR (capIhrEnabled)',
  'statistics of block creation (capCreateStatsEnabled)',
  'bounced bodies (capBounceMsgBody)',
  'versions of blocks (capReportVersion)',
  'split and merge (capSplitMergeTransactions)',
  'short dequeue (capShortDequeue)',
  'size of message queues (capStoreOutMsgQueueSize)',
  'metadata of messages (capMsgMetadata)',
  'deferred messages (capDeferMessages)',
  'full collated data (capFullCollatedData)',
]
/** Capabilities are a number of 64 bits. */
const BITS = Array.from({ length: 64 }, (_, bit) => bit)

/** What the bits of a number of capabilities stand for, the lowest first. A text that is no such number is the only row. */
export const capabilitiesOf = (digits: string): readonly string[] => {
  if (!/^\d{1,20}$/.test(digits)) return [digits]
  const bits = BigInt(digits)
  return BITS.filter((bit) => (bits >> BigInt(bit)) & 1n).map((bit) => CAPABILITIES[bit] ?? `bit ${bit}`)
}
