import { bytes32, type Field, optional, type RecordOf, record, tagged, u32 } from '../record-layout.ts'

/*
 * val_registry_config#3601163e contract_address:bits256 max_collators_per_validator:uint32 new_code_hash:(Maybe uint256)
 *   = ValRegistryConfig;
 * _ ValRegistryConfig = ConfigParam 46;
 */

const fields = { contractAddress: bytes32, maxCollatorsPerValidator: u32, newCodeHash: optional(bytes32) }

/** The masterchain contract in which validators register their collators. `newCodeHash` is the hash of the code to which it may be upgraded. */
export type ValRegistryConfig = RecordOf<typeof fields>

/** ConfigParam 46. */
export const valRegistryConfig: Field<ValRegistryConfig> = tagged(32, 0x3601163e, 'ValRegistryConfig', record(fields))
