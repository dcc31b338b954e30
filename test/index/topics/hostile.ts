import { type Address, type Builder, beginCell, Cell, Dictionary } from '@ton/core'
import { type Assets, account, opcodes, speaking } from './kit.ts'

/* Contracts that say what nobody should believe. Each stands at an address of its own; none may cost more than its own row. */

const address = (of: Address | null) => ({ slice: beginCell().storeAddress(of).endCell() })
const link = (uri: string) => ({ cell: beginCell().storeUint(1, 8).storeStringTail(uri).endCell() })
const EMPTY = { cell: Cell.EMPTY }

/** A snake of so many full cells. */
const snake = (cells: number): Cell => {
  let cell = beginCell().endCell()
  for (let i = 0; i < cells; i++) cell = beginCell().storeBuffer(Buffer.alloc(126, 0x61)).storeRef(cell).endCell()
  return cell
}

/** A dictionary of 256-bit keys whose every fork leads to one and the same cell twice: 2^depth leaves in `depth` cells. */
const bomb = (depth: number): Cell => {
  // hml_long$10 n:(#<= m): the label fills what is left of the key.
  const rest = 256 - depth
  let cell = beginCell()
    .storeUint(0b10, 2)
    .storeUint(rest, Math.ceil(Math.log2(rest + 1)))
    .storeUint(0, rest)
    .storeRef(Cell.EMPTY)
    .endCell()
  for (let i = 0; i < depth; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).endCell()
  return cell
}

/** sha256 of attribute names would be keys; here a dictionary that is none. */
const onChain = (dict: Cell) => ({ cell: beginCell().storeUint(0, 8).storeBit(1).storeRef(dict).endCell() })

const text = (bytes: Buffer) => {
  const values = {
    serialize: (cell: Cell, b: Builder): void => void b.storeRef(cell),
    parse: () => Cell.EMPTY,
  }
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), values)
  // sha256('name')
  const name = 0x82a3537ff0dbce7eec35d69edc3a189ee6f17d82f353a553f9aa96cb0be3ce89n
  dict.set(name, beginCell().storeUint(0, 8).storeBuffer(bytes).endCell())
  return onChain(beginCell().storeDictDirect(dict).endCell())
}

export const OWNER = account(0xa2)
export const HONEST = account(0x01)
export const HONEST_WALLET = account(0x02)
/** Agrees with every wallet that asks, and with none. */
const DENYING = account(0x03)

const masterOf = (content: { readonly cell: Cell }, wallet: Address) => ({
  get_jetton_data: [100n, -1n, address(null), content, EMPTY],
  get_wallet_address: [address(wallet)],
})

/** Puts them all on the chain; resolves with the addresses of the liars. */
export const playHostile = async (assets: Assets): Promise<readonly Address[]> => {
  const liars: Address[] = []
  let next = 0x10
  const liar = async (code: Cell, data?: Cell): Promise<Address> => {
    const at = account(next++)
    liars.push(at)
    await assets.place(at, code, data)
    return at
  }
  await assets.place(HONEST, speaking(masterOf(link('https://example.org/honest.json'), HONEST_WALLET)))
  await assets.place(HONEST_WALLET, speaking({ get_wallet_data: [100n, address(OWNER), address(HONEST), EMPTY] }))
  await assets.place(DENYING, speaking(masterOf(link('x'), DENYING)))

  const walletSaying = (...values: Parameters<typeof speaking>[0][string]) => liar(speaking({ get_wallet_data: values }))
  // A wallet of a master that denies it, of the honest one, of nobody, of itself, of a master that is no contract.
  await walletSaying(1_000_000n, address(OWNER), address(DENYING), EMPTY)
  await walletSaying(1_000_000n, address(OWNER), address(HONEST), EMPTY)
  await walletSaying(1n, address(OWNER), address(null), EMPTY)
  await walletSaying(1n, address(OWNER), address(account(next)), EMPTY)
  await walletSaying(1n, address(OWNER), address(account(0xee)), EMPTY)
  // Wrong types, too few values, below zero, tuples, an address cut short, a cell for a slice that holds none.
  await walletSaying(-1n, address(OWNER), address(HONEST), EMPTY)
  await walletSaying(EMPTY, address(OWNER), address(HONEST), EMPTY)
  await walletSaying(1n)
  await walletSaying({ tuple: [1n, { tuple: [2n] }] }, address(OWNER), null, EMPTY)
  await walletSaying(1n, { slice: beginCell().storeUint(0b100, 3).endCell() }, address(HONEST), EMPTY)
  // An endless loop (AGAIN of nothing, until the gas is gone), and throws.
  await liar(opcodes({ get_wallet_data: '90ea' }))
  for (const method of ['get_wallet_data', 'get_jetton_data', 'get_nft_data', 'get_collection_data', 'get_sale_data'])
    await liar(opcodes({ [method]: 'f20b' }))
  // Content: 10 MB of snake, a dictionary bomb, nonsense, an exotic cell, UTF-8 traps.
  const traps = ['ff', 'c080', 'eda080', 'f4908080', 'e28080ff', '00', '0a09085c22', 'efbbbf61', 'e280ae', 'f09f'].map((hex) =>
    Buffer.from(hex, 'hex'),
  )
  for (const content of [
    { cell: beginCell().storeUint(1, 8).storeRef(snake(1_000)).endCell() },
    onChain(bomb(200)),
    onChain(beginCell().storeUint(0b11, 2).endCell()),
    { cell: beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true }) },
    { cell: beginCell().storeUint(7, 8).endCell() },
    EMPTY,
    ...traps.map(text),
  ])
    await liar(speaking(masterOf(content, DENYING)))
  // Items of a collection that denies them; collections of strange numbers.
  const collection = await liar(
    speaking({
      get_collection_data: [-(2n ** 255n), onChain(bomb(100)), address(OWNER)],
      get_nft_address_by_index: [address(HONEST)],
      get_nft_content: [{ tuple: [] }],
    }),
  )
  await liar(speaking({ get_nft_data: [-1n, 2n ** 256n - 1n, address(collection), address(OWNER), EMPTY] }))
  await liar(speaking({ get_nft_data: [-1n, -5n, address(null), address(OWNER), onChain(bomb(50))] }))
  // An item whose content is a pruned branch 1,024 deep, which no cell can hold, and a collection whose answer needs the pool (CHKSIGNU).
  const pruned = { slice: beginCell().storeUint(0x0101, 16).storeBuffer(Buffer.alloc(32)).storeUint(1024, 16).endCell() }
  const deep = await liar(
    speaking({
      get_collection_data: [1n, EMPTY, address(null)],
      get_nft_address_by_index: [address(account(next + 1))],
      get_nft_content: [1n, { slice: beginCell().storeBuffer(Buffer.alloc(64)).endCell() }, 2n, { code: 'f910' }, EMPTY],
    }),
  )
  // NEWC, STSLICE, ENDXC
  await liar(speaking({ get_nft_data: [-1n, 0n, address(deep), address(OWNER), pruned, { code: 'c8ce7fcf23' }] }))
  // A sale of somebody else's item, and one that says it is closed for ever.
  await liar(
    speaking({
      get_sale_data: [0x46495850n, 0n, 2n ** 80n, address(null), address(HONEST), address(OWNER), 1n, address(null), 1n, address(null), 1n],
    }),
  )
  await liar(
    speaking({
      get_sale_data: [0x46495850n, 0n, 5n, address(null), address(HONEST), address(OWNER), -1n, address(null), 1n, address(null), 1n],
    }),
  )
  // Everything at once.
  await liar(
    speaking({
      ...masterOf(link('https://example.org/all.json'), account(next)),
      get_wallet_data: [1n, address(OWNER), address(account(next)), EMPTY],
      get_nft_data: [-1n, 0n, address(null), address(OWNER), link('x')],
      get_collection_data: [1n, link('y'), address(null)],
    }),
  )
  // A method dictionary of two million leaves.
  await liar(beginCell().storeUint(0xff00, 16).storeUint(0xf4a413f4bcn, 40).storeUint(0xf2c80b, 24).storeRef(bombOfMethods()).endCell())
  await assets.indexed()
  return liars
}

/** 2^17 methods in 18 cells. */
const bombOfMethods = (): Cell => {
  let cell = beginCell().storeUint(0b10, 2).storeUint(2, 2).storeUint(0, 2).storeUint(0x30, 8).endCell()
  for (let i = 0; i < 17; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).endCell()
  return cell
}
