import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictFromEntries } from '../../cell/dict.ts'
import { type GlobalVersion, loadGlobalVersion, storeGlobalVersion } from '../block/block-info.ts'
import { loadExtraCurrencies, storeExtraCurrencies } from '../currency.ts'
import { bytes32, coins, type Field, optional, type RecordOf, record, tagged, u32 } from '../record-layout.ts'
import { loadParam } from './config-dictionary.ts'

/*
 * _ config_addr:bits256 = ConfigParam 0;        _ elector_addr:bits256 = ConfigParam 1;
 * _ minter_addr:bits256 = ConfigParam 2;        (ConfigParam 0 is used if absent)
 * _ fee_collector_addr:bits256 = ConfigParam 3; (ConfigParam 1 is used if absent)
 * _ dns_root_addr:bits256 = ConfigParam 4;
 * burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig;      (5)
 * _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6;
 * _ to_mint:ExtraCurrencyCollection = ConfigParam 7;
 * _ GlobalVersion = ConfigParam 8;              (all zero if absent)
 * _ mandatory_params:(Hashmap 32 True) = ConfigParam 9;   _ critical_params:(Hashmap 32 True) = ConfigParam 10;
 * block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees;        (14)
 * _ global_id:int32 = ConfigParam 19;
 */

/** Parameters 0 to 4, which are account ids (32 bytes, masterchain). */
export type AddressParam = 0 | 1 | 2 | 3 | 4
export const addressParam: Field<Uint8Array> = bytes32
export const configAddress = (config: Cell, param: AddressParam): Uint8Array | undefined => loadParam(config, param, addressParam)

const burning = { blackholeAddr: optional(bytes32), feeBurnNum: u32, feeBurnDenom: u32 }
export type BurningConfig = RecordOf<typeof burning>
/** ConfigParam 5. */
export const burningConfig: Field<BurningConfig> = tagged(8, 1, 'BurningConfig', record(burning))

const mint = { mintNewPrice: coins, mintAddPrice: coins }
/** ConfigParam 6. */
export const mintPrices: Field<RecordOf<typeof mint>> = record(mint)
/** ConfigParam 7. */
export const toMint: Field<ReadonlyMap<number, bigint> | undefined> = { load: loadExtraCurrencies, store: storeExtraCurrencies }

/** ConfigParam 8. */
export const globalVersion: Field<GlobalVersion> = { load: loadGlobalVersion, store: storeGlobalVersion }
/** Version and capabilities (parameter 8); all zero if the parameter is absent. */
export const configVersion = (config: Cell): GlobalVersion => loadParam(config, 8, globalVersion) ?? { version: 0, capabilities: 0n }

const createFees = { masterchainBlockFee: coins, basechainBlockFee: coins }
/** ConfigParam 14: nanograms that each block creates. */
export const blockCreateFees: Field<RecordOf<typeof createFees>> = tagged(8, 0x6b, 'BlockCreateFees', record(createFees))

/** ConfigParam 19. */
export const globalId: Field<number> = { load: (s) => s.loadInt(32), store: (b, v) => b.storeInt(v, 32) }

/** The cell of ConfigParam 9 or 10; undefined for an empty list, which the schema does not allow. */
export const storeParamList = (params: readonly number[]): Cell | undefined =>
  dictFromEntries(
    32,
    params.map((param) => [BigInt.asUintN(32, BigInt(param)), beginCell()] as const).sort(([a], [z]) => (a < z ? -1 : 1)),
  )
