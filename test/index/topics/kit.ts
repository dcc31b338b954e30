import { Address, type Builder, beginCell, Cell, Dictionary, toNano } from '@ton/core'
import { burnBody, transferBody } from '../../kit/chain/jetton-bodies.ts'
import { readData } from '../../kit/data.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { type Answer, answering, idOf, leaving } from '../../v2/answering-contract.ts'

/* Contracts for the tests of tokens: real codes from the shared data, and ones that say what a test wants. */

export const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
export const account = (byte: number, workchain = 0): Address => new Address(workchain, Buffer.alloc(32, byte))
export const b64 = (cell: Cell): string => cell.toBoc().toString('base64')

/** A code as its repository publishes it. */
export const compiled = (name: string): Cell =>
  Cell.fromBoc(Buffer.from((JSON.parse(readData(`codes/${name}.json`).toString()) as { hex: string }).hex, 'hex'))[0]!
/** A code of mainnet by the beginning of its hash. */
export const mainnetCode = (hash: string): Cell => {
  const codes = JSON.parse(readData('codes/by-hash.json.gz').toString()) as { code_hash: string; boc: string }[]
  return Cell.fromBase64(codes.find(({ code_hash }) => code_hash.startsWith(hash))!.boc)
}
/** An exotic cell that stands for another by its hash. */
export const libraryCell = (cell: Cell): Cell => beginCell().storeUint(2, 8).storeBuffer(cell.hash()).endCell({ exotic: true })

const METHODS = {
  serialize: (code: Cell, b: Builder): void => void b.storeSlice(code.beginParse()),
  parse: () => Cell.EMPTY,
}

/** Code as compilers lay it out: the get-methods in a dictionary, each leaving what `answers` say; messages are taken and do nothing. */
export const speaking = (answers: Readonly<Record<string, readonly Answer[]>>): Cell => {
  const methods = Dictionary.empty(Dictionary.Keys.Int(19), METHODS)
  methods.set(0, CLEAR)
  methods.set(-1, beginCell().storeUint(0xf8006865n, 32).endCell())
  for (const [name, values] of Object.entries(answers)) methods.set(idOf(name), leaving(values))
  return dictionaryCode(methods)
}

/** The same code as Tact 1.6 and newer lay it out: the dictionary in a continuation for get-methods, and recv_internal behind it. */
export const laidOutByTact = (code: Cell): Cell =>
  beginCell()
    // SETCP0, PUSHCONT { DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11 }
    .storeUint(0xff008e88f4a413f4bcf2c80bn, 96)
    // c3 POP, DUP, IFNOTJMPREF, c3 PUSH, JMPX
    .storeUint(0xed5320e303ed43d9n, 64)
    .storeRef(code.refs[0]!)
    .storeRef(CLEAR)
    .endCell()

/** DEPTH DROPX */
const CLEAR = beginCell().storeUint(0x6865, 16).endCell()

/** The same with methods in opcodes (hex). */
export const opcodes = (methods: Readonly<Record<string, string>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Int(19), METHODS)
  dict.set(0, CLEAR)
  for (const [name, code] of Object.entries(methods)) dict.set(idOf(name), beginCell().storeBuffer(Buffer.from(code, 'hex')).endCell())
  return dictionaryCode(dict)
}

const dictionaryCode = (methods: Dictionary<number, Cell>): Cell =>
  beginCell()
    .storeUint(0xff00, 16)
    // DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11
    .storeUint(0xf4a413f4bcn, 40)
    .storeUint(0xf2c80b, 24)
    .storeRef(beginCell().storeDictDirect(methods).endCell())
    .endCell()

export interface Assets extends V3Service {
  /** Installs a contract; `place` does not wait until it is indexed. */
  put(address: Address, code: Cell, data?: Cell): Promise<void>
  place(address: Address, code: Cell, data?: Cell): Promise<void>
  /** Makes cells public libraries. */
  publish(...cells: Cell[]): Promise<void>
  /** An internal message out of nothing; waits until all that follows from it is indexed. */
  tell(from: Address, to: Address, body: Cell, value?: string, init?: Cell): Promise<void>
}

export const startAssets = async (options: Parameters<typeof startV3>[0] = {}): Promise<Assets> => {
  const service = await startV3(options)
  const place = async (address: Address, code: Cell, data = Cell.EMPTY): Promise<void> => {
    await service.call('local.setAccount', { address: raw(address), balance: '10000000000', code: b64(code), data: b64(data) })
  }
  return {
    ...service,
    place,
    async put(address, code, data) {
      await place(address, code, data)
      await service.indexed()
    },
    async publish(...cells) {
      const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), {
        serialize: (cell: Cell, b: Builder): void => void b.storeBit(1).storeRef(cell),
        parse: () => Cell.EMPTY,
      })
      for (const cell of cells) dict.set(BigInt(`0x${cell.hash().toString('hex')}`), cell)
      await service.call('local.setAccount', {
        address: raw(account(0x70, -1)),
        balance: '1000000000000',
        code: b64(answering({})),
        data: b64(Cell.EMPTY),
        library: b64(beginCell().storeDictDirect(dict).endCell()),
      })
      await service.call('local.mine', {})
    },
    async tell(from, to, body, value = '1', init) {
      await service.call('local.sendInternal', {
        from: raw(from),
        to: raw(to),
        value: toNano(value).toString(),
        body: b64(body),
        bounce: true,
        ...(init && { init: b64(init) }),
      })
      await service.settle()
    },
  }
}

export const jettonTransfer = (amount: bigint, to: Address, response: Address | null, forward = 0n, payload?: Cell): Cell =>
  transferBody({ amount, to, response, queryId: 7, forward, payload })

export const jettonBurn = (amount: bigint, response: Address): Cell => burnBody(amount, response, 8)

/** transfer#5fcc3d14 */
export const nftTransfer = (to: Address, respond: Address | null, forward = 0n, payload: Cell | null = null): Cell =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(9, 64)
    .storeAddress(to)
    .storeAddress(respond)
    .storeBit(0)
    .storeCoins(forward)
    .storeMaybeRef(payload)
    .endCell()
