import { createHash } from 'node:crypto'
import { Address, beginCell, type Cell, Dictionary } from '@ton/core'
import { type KeyPair, keyPairFromSeed, sign } from '@ton/crypto'
import { codeByHash, type LocalCall } from './local-calls.ts'

/* Elections on the embedded chain with the mainnet's elector and configuration contract, made with @ton/core. */

export const ELECTOR = new Address(-1, Buffer.alloc(32, 0x33))
const CONFIG = new Address(-1, Buffer.alloc(32, 0x55))
const ELECTOR_CODE = 'febfd56fa7c2'
const CONFIG_CODE = 'bac24be401b3'

const boc = (cell: Cell): string => cell.toBoc().toString('base64')
const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`
export const TON = 1_000_000_000n

/** A validator: its key, its ADNL address and the wallet that pays the stake. */
export interface Bidder {
  readonly keys: KeyPair
  readonly adnl: Buffer
  readonly wallet: Address
}

/** Validator 0 has the key that signs the blocks of the embedded chain, so that they stay provable. */
export const bidder = (i: number): Bidder => ({
  keys: keyPairFromSeed(i === 0 ? createHash('sha256').update('tonway embedded validator').digest() : Buffer.alloc(32, 100 + i)),
  adnl: Buffer.alloc(32, 0xa0 + i),
  wallet: new Address(-1, Buffer.alloc(32, 0xb0 + i)),
})

/** ConfigParam 15. */
export const TIMES = { electedFor: 1200, startBefore: 600, endBefore: 200, heldFor: 300 } as const
const FACTOR = 10 << 16

const configCells = (now: number, first: Bidder): Record<string, string> => {
  const descr = (b: Bidder) =>
    beginCell()
      .storeUint(0x73, 8)
      .storeUint(0x8e81278a, 32)
      .storeBuffer(b.keys.publicKey)
      .storeUint(1n << 60n, 64)
      .storeBuffer(b.adnl)
  const list = Dictionary.empty<number, Bidder>(Dictionary.Keys.Uint(16), {
    serialize: (b, builder) => builder.storeBuilder(descr(b)),
    parse: () => first,
  })
  list.set(0, first)
  const set = beginCell()
    .storeUint(0x12, 8)
    .storeUint(now, 32)
    .storeUint(now + TIMES.electedFor, 32)
    .storeUint(1, 16)
    .storeUint(1, 16)
  return {
    15: boc(
      beginCell()
        .storeUint(TIMES.electedFor, 32)
        .storeUint(TIMES.startBefore, 32)
        .storeUint(TIMES.endBefore, 32)
        .storeUint(TIMES.heldFor, 32)
        .endCell(),
    ),
    16: boc(beginCell().storeUint(100, 16).storeUint(100, 16).storeUint(2, 16).endCell()),
    17: boc(
      beginCell()
        .storeCoins(10n * TON)
        .storeCoins(1_000_000n * TON)
        .storeCoins(100n * TON)
        .storeUint(FACTOR, 32)
        .endCell(),
    ),
    34: boc(
      set
        .storeUint(1n << 60n, 64)
        .storeDict(list)
        .endCell(),
    ),
  }
}

/** Deploys the contracts. The current validator set starts now. `now`: time of the last block. */
export const createElections = async (call: LocalCall, now: () => number) => {
  let query = 0n
  const send = (from: Address, to: Address, value: bigint, body: Cell) =>
    call('local.sendInternal', { from: raw(from), to: raw(to), value: String(value), body: boc(body) })
  const start = now()
  await call('local.setConfig', { params: configCells(start, bidder(0)) })
  const empty = beginCell().storeBit(0).storeBit(0).storeBit(0).storeCoins(0).storeUint(0, 32).storeUint(0, 256).endCell()
  await call('local.setAccount', { address: raw(CONFIG), code: boc(codeByHash(CONFIG_CODE)), tick: true, tock: true })
  await call('local.setAccount', { address: raw(ELECTOR), code: boc(codeByHash(ELECTOR_CODE)), data: boc(empty), tick: true, tock: true })
  return {
    start,
    send,
    /** Moves the time to `seconds` after the start and makes blocks, so that the contracts do what is due. */
    async until(seconds: number, blocks = 5): Promise<void> {
      await call('local.setTime', { utime: start + seconds })
      await call('local.mine', { count: blocks })
    },
    /** Sends a stake, signed by `signer`. */
    async stake(by: Bidder, electionId: number, amount: bigint, options: { readonly signer?: Bidder; readonly queryId?: bigint } = {}) {
      const signed = beginCell()
        .storeUint(0x654c5074, 32)
        .storeUint(electionId, 32)
        .storeUint(FACTOR, 32)
        .storeBuffer(by.wallet.hash)
        .storeBuffer(by.adnl)
        .endCell()
      const signature = sign(signed.bits.subbuffer(0, signed.bits.length)!, (options.signer ?? by).keys.secretKey)
      const body = beginCell()
        .storeUint(0x4e73744b, 32)
        .storeUint(options.queryId ?? ++query, 64)
        .storeBuffer(by.keys.publicKey)
        .storeUint(electionId, 32)
        .storeUint(FACTOR, 32)
        .storeBuffer(by.adnl)
        .storeRef(beginCell().storeBuffer(signature).endCell())
        .endCell()
      await send(by.wallet, ELECTOR, amount + TON, body)
    },
    recover: (by: Bidder) => send(by.wallet, ELECTOR, TON, beginCell().storeUint(0x47657424, 32).storeUint(++query, 64).endCell()),
    /** Files a complaint against a validator of an election. */
    complain: (by: Bidder, electionId: number, accused: Bidder, fine: bigint) =>
      send(
        by.wallet,
        ELECTOR,
        1000n * TON,
        beginCell()
          .storeUint(0x52674370, 32)
          .storeUint(++query, 64)
          .storeUint(electionId, 32)
          .storeUint(0xbc, 8)
          .storeBuffer(accused.keys.publicKey)
          .storeRef(beginCell().storeUint(7, 32).storeStringTail('was away').endCell())
          .storeUint(0, 32)
          .storeUint(3, 8)
          .storeUint(0, 256)
          .storeCoins(0)
          .storeCoins(fine)
          .storeUint(0, 32)
          .endCell(),
      ),
    /** Votes for a complaint. `index`: place in the current set. */
    vote: (by: Bidder, index: number, electionId: number, complaint: Buffer) => {
      const signed = beginCell().storeUint(0x56744350, 32).storeUint(index, 16).storeUint(electionId, 32).storeBuffer(complaint).endCell()
      const signature = sign(signed.bits.subbuffer(0, signed.bits.length)!, by.keys.secretKey)
      return send(
        by.wallet,
        ELECTOR,
        TON,
        beginCell().storeUint(0x56744370, 32).storeUint(++query, 64).storeBuffer(signature).storeSlice(signed.beginParse()).endCell(),
      )
    },
  }
}
