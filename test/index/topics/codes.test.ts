import { beginCell, Cell, Dictionary } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { interfacesOf } from '../../../server/book/interfaces.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { methodIds } from '../../../server/index/topics/contracts/method-dictionary.ts'
import { readData, readJson } from '../../kit/data.ts'
import { idOf } from '../../v2/answering-contract.ts'
import { own } from '../../v2/cells.ts'
import { laidOutByTact, mainnetCode, opcodes, speaking } from './kit.ts'

/* What contracts are called, by their code and by their get-methods. */

interface Code {
  readonly code_hash: string
  readonly code_hash_b64: string
  readonly names?: readonly string[]
  readonly boc: string
}

describe('get-methods of a code', () => {
  it('get-methods of a code are read from its dictionary, as @ton/core writes one', () => {
    const code = own(speaking({ get_wallet_data: [1n], is_claimed: [0n] }))
    expect(methodIds(code)).toEqual([idOf('get_wallet_data'), idOf('is_claimed')].sort((a, b) => a - b))
    expect(methodIds(own(opcodes({})))).toEqual([])
  })

  it('get-methods of a code are read from the continuation that Tact 1.6 puts them into, also in a code of mainnet', () => {
    expect(methodIds(own(laidOutByTact(speaking({ get_wallet_data: [1n] }))))).toEqual([idOf('get_wallet_data')])
    expect(methodIds(own(mainnetCode('fa88a2882146')))).toEqual([idOf('owner'), idOf('balance')].sort((a, b) => a - b))
  })

  it('cells that are no code have no get-methods', () => {
    const dict = Dictionary.empty(Dictionary.Keys.Int(19), Dictionary.Values.Cell())
    dict.set(5, Cell.EMPTY)
    const root = beginCell().storeDictDirect(dict).endCell()
    for (const code of [
      Cell.EMPTY,
      beginCell().storeUint(0xff00, 16).endCell(),
      beginCell().storeUint(0xff00, 16).storeUint(0xf4a413f4bcn, 40).endCell(),
      // A continuation that ends before its dictionary, one of other code, and one with nothing.
      beginCell().storeUint(0xff008e88f4a413f4n, 64).endCell(),
      beginCell().storeUint(0xff008e887000n, 48).storeRef(root).endCell(),
      beginCell().storeUint(0xff008en, 24).endCell(),
      beginCell().storeUint(0xff00, 16).storeUint(0xf4a413f4bcn, 40).storeRef(beginCell().storeUint(1, 2).endCell()).endCell(),
      // Keys of no bits, and of more than any id has.
      beginCell().storeUint(0xf4a400n, 24).storeRef(root).endCell(),
      beginCell().storeUint(0xf4a7ffn, 24).storeRef(root).endCell(),
      beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true }),
    ])
      expect(methodIds(own(code))).toEqual([])
  })
})

describe('codes of mainnet', () => {
  const codes = readJson<Code[]>('codes/by-hash.json')
  const found = codes.map((code) => ({ ...code, methods: methodIds(parseBocRoot(Buffer.from(code.boc, 'base64'))) }))

  it('codes of mainnet are recognised by their hash as what the data calls them', () => {
    const known = JSON.parse(readData('misc/code-hash-interfaces.json').toString()) as {
      entries: readonly { interface: string; code_hash: string }[]
    }
    const wrong = known.entries.flatMap(({ interface: name, code_hash }) => {
      const names = interfacesOf(Buffer.from(code_hash, 'hex').toString('base64'), null)
      return names.length === 0 || names[0] === name ? [] : [`${code_hash} is ${name}, not ${names}`]
    })
    expect(wrong).toEqual([])
  })

  it('codes of token contracts have the get-methods of tokens', () => {
    const having = (...names: readonly string[]): number =>
      found.filter(({ methods }) => names.every((name) => methods.includes(idOf(name)))).length
    const count = {
      codes: found.length,
      withMethods: found.filter(({ methods }) => methods.length > 0).length,
      masters: having('get_jetton_data', 'get_wallet_address'),
      wallets: having('get_wallet_data'),
      collections: having('get_collection_data', 'get_nft_address_by_index'),
      items: having('get_nft_data'),
      sales: having('get_sale_data'),
    }
    expect(count.withMethods).toBeGreaterThan(count.codes / 2)
    for (const some of [count.masters, count.wallets, count.collections, count.items, count.sales]) expect(some).toBeGreaterThan(1)
  })

  it('codes are recognised by their get-methods if the hash is not known', () => {
    const named = (name: string) => found.filter(({ names }) => names?.includes(name)).map(({ methods }) => interfacesOf('', methods))
    expect(named('token-contract-jetton-wallet')).toEqual([['jetton_wallet']])
    expect(named('stablecoin-JettonMinter')).toEqual([['jetton_master']])
    expect(named('tycho-jetton_master')[0]).toContain('jetton_master')
    expect(named('storage-contract')).toEqual([['storage_contract']])
    // A code whose hash is known is that alone.
    const sale = found.find(({ names }) => names?.includes('nft_sale_getgems_v2'))!
    expect(interfacesOf(sale.code_hash_b64, sale.methods)).toEqual(['nft_sale_getgems_v2'])
    expect(interfacesOf('', sale.methods)).toEqual(['nft_auction_v1', 'nft_sale'])
  })
})
