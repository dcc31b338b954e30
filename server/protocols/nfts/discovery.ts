import type { Matcher } from '../../actions/matcher.ts'
import { call, named } from '../../actions/pattern.ts'
import { loadAddress } from '../../actions/read.ts'
import { opcode } from './messages.ts'

const GET_STATIC_DATA = opcode('internal get_static_data')
const REPORT_STATIC_DATA = opcode('internal report_static_data')

/**
 * nft_discovery: someone asks an item for its index and collection.
 * report_static_data query_id:uint64 index:uint256 collection:MsgAddress = InternalMsgBody;
 */
export const nftDiscovery: Matcher = {
  name: 'NFT discovery',
  at: [GET_STATIC_DATA],
  around: { each: named('report', call(REPORT_STATIC_DATA)) },
  build(step, found, run) {
    const report = found.get('report')!
    const s = report.rest().skip(64)
    const index = s.loadUintBig(256)
    run.group('nft_discovery', [step, report], {
      source: step.source,
      asset: loadAddress(s),
      assetSecondary: step.destination,
      data: { nft_item_index: index },
    })
  },
}
