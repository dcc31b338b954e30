import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'
import { bytes32, coins, type Field, type RecordOf, record, u8 } from '../record-layout.ts'
import { loadWhole, storeWhole } from './config-dictionary.ts'

/*
 * oracle_bridge_params#_ bridge_address:bits256 oracle_mutlisig_address:bits256 oracles:(HashmapE 256 uint256)
 *   external_chain_address:bits256 = OracleBridgeParams;                                                    (71, 72, 73)
 * jetton_bridge_prices#_ bridge_burn_fee:Coins bridge_mint_fee:Coins wallet_min_tons_for_storage:Coins wallet_gas_consumption:Coins
 *   minter_min_tons_for_storage:Coins discover_gas_consumption:Coins = JettonBridgePrices;
 * jetton_bridge_params_v0#00 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256) state_flags:uint8
 *   burn_bridge_fee:Coins = JettonBridgeParams;
 * jetton_bridge_params_v1#01 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256) state_flags:uint8
 *   prices:^JettonBridgePrices external_chain_address:bits256 = JettonBridgeParams;                         (79, 81, 82)
 */

/** Keys of oracles (unsigned 256 bits) and their addresses on the other chain. */
const oracles: Field<ReadonlyMap<bigint, bigint>> = {
  load: (s) => {
    const found = new Map<bigint, bigint>()
    for (const [key, value] of dictEntries(s.loadMaybeRef(), 256, { cells: MAX_CHECKED_CELLS })) {
      found.set(key, value.loadUintBig(256))
      value.end()
    }
    return found
  },
  store: (b, entries) =>
    b.storeMaybeRef(
      dictFromEntries(
        256,
        [...entries].map(([key, value]) => [key, beginCell().storeUint(value, 256)] as const),
      ),
    ),
}

/** ConfigParam 71 to 73. */
export const oracleBridge = record({ bridgeAddress: bytes32, oracleMultisigAddress: bytes32, oracles, externalChainAddress: bytes32 })

const prices = record({
  bridgeBurnFee: coins,
  bridgeMintFee: coins,
  walletMinTonsForStorage: coins,
  walletGasConsumption: coins,
  minterMinTonsForStorage: coins,
  discoverGasConsumption: coins,
})
const head = { bridgeAddress: bytes32, oraclesAddress: bytes32, oracles, stateFlags: u8 }
const headFields = record(head)

/** ConfigParam 79, 81, 82. Amounts in nanograms. */
export type JettonBridge = RecordOf<typeof head> &
  (
    | { readonly version: 0; readonly burnBridgeFee: bigint }
    | { readonly version: 1; readonly prices: ReturnType<typeof prices.load>; readonly externalChainAddress: Uint8Array }
  )

const loadJettonBridge = (s: Slice): JettonBridge => {
  const version = s.loadUint(8)
  if (version !== 0 && version !== 1) throw badTag('JettonBridgeParams', version)
  const fields = headFields.load(s)
  if (version === 0) return { version, ...fields, burnBridgeFee: s.loadCoins() }
  return { version, ...fields, prices: loadWhole(s.loadRef(), prices.load), externalChainAddress: s.loadBytes(32) }
}

/** ConfigParam 79, 81, 82. */
export const jettonBridge: Field<JettonBridge> = {
  load: loadJettonBridge,
  store: (b, bridge) => {
    headFields.store(b.storeUint(bridge.version, 8), bridge)
    if (bridge.version === 0) return b.storeCoins(bridge.burnBridgeFee)
    return bytes32.store(b.storeRef(storeWhole(prices, bridge.prices)), bridge.externalChainAddress)
  },
}
