/* The capabilities of the network: a bit field in parameter 8. */

/** Capabilities by bit number, in words and with their names in the node's enum GlobalCapabilities. */
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
const BITS = Array.from({ length: 64 }, (_, bit) => bit)

/** The names of the bits that are set, lowest bit first. A text that is not a number of 64 bits is returned unchanged, as the only element. */
export const capabilitiesOf = (digits: string): readonly string[] => {
  if (!/^\d{1,20}$/.test(digits)) return [digits]
  const bits = BigInt(digits)
  return BITS.filter((bit) => (bits >> BigInt(bit)) & 1n).map((bit) => CAPABILITIES[bit] ?? `bit ${bit}`)
}
