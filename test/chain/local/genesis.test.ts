import { Cell, Dictionary, loadShardStateUnsplit } from '@ton/core'
import { loadConfigParamById, loadConfigParamsAsSlice, parseFullConfig } from '@ton/ton'
import { describe, expect, it } from 'vitest'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { CONFIG_ADDRESS, ELECTOR_ADDRESS } from '../../../server/chain/local/config/defaults.ts'
import { readConfig } from '../../../server/chain/local/config/view.ts'
import { loadMcStateExtra } from '../../../server/tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../../server/tlb/state/shard-state.ts'
import { createGenesis } from '../../kit/chain/create-genesis.ts'
import { GENESIS_TIME, owner, TON, validatorSeed } from './collate/kit.ts'
import { createValidator } from './validate/step.ts'

const options = {
  globalId: -3,
  utime: GENESIS_TIME,
  validatorSeed,
  accounts: [owner(0).account, owner(1, 'v5').account, owner(2, 'v4', TON, -1).account],
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('genesis', () => {
  const genesis = createGenesis(options)
  const configCell = loadMcStateExtra(loadShardState(genesis.masterState.root).custom!).config.config

  it('the genesis is the same for the same options, and another for any other', () => {
    const same = createGenesis(options)
    expect(hex(same.zeroState.fileHash)).toBe(hex(genesis.zeroState.fileHash))
    for (const other of [{ globalId: -4 }, { utime: GENESIS_TIME + 1 }, { validatorSeed: new Uint8Array(32) }, { accounts: [] }]) {
      expect(hex(createGenesis({ ...options, ...other }).zeroState.rootHash)).not.toBe(hex(genesis.zeroState.rootHash))
    }
  })

  it('the genesis passes the validator and @ton/core', () => {
    expect(() => createValidator(genesis)).not.toThrow()
    const state = loadShardStateUnsplit(Cell.fromBoc(Buffer.from(genesis.masterState.boc))[0]!.beginParse())
    expect(state.globalId).toBe(-3)
    expect(state.genUtime).toBe(GENESIS_TIME)
    expect(state.accounts?.size).toBe(3)
    expect(loadShardStateUnsplit(Cell.fromBoc(Buffer.from(genesis.shardState.boc))[0]!.beginParse()).accounts?.size).toBe(2)
  })

  it('the configuration of the genesis names the zerostate of workchain 0', () => {
    const params = loadConfigParamsAsSlice(Buffer.from(serializeBoc(configCell)).toString('base64'))
    const descr = parseFullConfig(params).workchains.get(0)!
    expect(descr.zerostateRootHash.toString('hex')).toBe(hex(genesis.shardState.id.rootHash))
    expect(descr.zerostateFileHash.toString('hex')).toBe(hex(genesis.shardState.id.fileHash))
    expect(descr.basic && descr.active && descr.accept_msgs).toBe(true)
  })

  it('the genesis has a configuration that @ton/ton reads completely, with the prices of mainnet', () => {
    const params = loadConfigParamsAsSlice(Buffer.from(serializeBoc(configCell)).toString('base64'))
    const config = parseFullConfig(params)
    // (Its globalVersion takes the tag for the version.)
    expect(readConfig(configCell)).toMatchObject({ globalVersion: 15, capabilities: 0x6cn })
    expect(config.configAddress.hash.equals(Buffer.from(CONFIG_ADDRESS))).toBe(true)
    expect(config.electorAddress.hash.equals(Buffer.from(ELECTOR_ADDRESS))).toBe(true)
    expect(config.gasPrices.workchain.other.gasPrice).toBe(4_369_067n)
    expect(config.gasPrices.masterchain.other.gasPrice).toBe(655_360_000n)
    expect(config.msgPrices.workchain.lumpPrice).toBe(66_667n)
    expect(config.msgPrices.masterchain.lumpPrice).toBe(10_000_000n)
    expect(config.validatorSets.currentValidators!.total).toBe(1)
    expect(() => loadConfigParamById(Buffer.from(serializeBoc(configCell)).toString('base64'), 34)).not.toThrow()
  })

  it('the genesis has every parameter that it declares mandatory', () => {
    const root = Cell.fromBoc(Buffer.from(serializeBoc(configCell)))[0]!
    const config = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root)
    const numbers = (cell: Cell) => [
      ...Dictionary.loadDirect(Dictionary.Keys.Int(32), { serialize: () => {}, parse: () => true }, cell).keys(),
    ]
    for (const n of numbers(config.get(9)!)) expect(config.has(n), `parameter ${n}`).toBe(true)
    expect(numbers(config.get(10)!)).toContain(-1000)
    expect(() => readConfig(configCell)).not.toThrow()
  })
})
