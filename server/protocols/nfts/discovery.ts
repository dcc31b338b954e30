import type { Matcher } from '../../actions/matcher.ts'
import { call, named } from '../../actions/pattern.ts'
import { load, opcode } from './messages.ts'

const GET_STATIC_DATA = opcode('internal get_static_data')
const REPORT_STATIC_DATA = opcode('internal report_static_data')

/** nft_discovery: someone asks an item for its index and collection. */
export const nftDiscovery: Matcher = {
  at: [GET_STATIC_DATA],
  around: { each: named('report', call(REPORT_STATIC_DATA)) },
  build(step, found, run) {
    const report = found.get('report')!
    const { index, collection } = load('internal report_static_data', report.body)
    run.group('nft_discovery', [step, report], {
      source: step.source,
      asset: collection,
      assetSecondary: step.destination,
      data: { nft_item_index: index },
    })
  },
}
