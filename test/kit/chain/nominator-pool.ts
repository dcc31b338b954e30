import { Address, beginCell, type Cell, contractAddress } from '@ton/core'
import { sign } from '@ton/crypto'
import { type Bidder, ELECTOR, TON } from './elections.ts'
import { codeByHash, type LocalCall } from './local-calls.ts'

/* A nominator pool with the mainnet's code on the embedded chain, made with @ton/core. */

const POOL_CODE = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf'
const NEW_STAKE = 0x4e73744b
const RECOVER_STAKE = 0x47657424
const RECOVER_STAKE_OK = 0xf96f7324

export const rawOf = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
const boc = (cell: Cell): string => cell.toBoc().toString('base64')

/** The address of a nominator's wallet. No account exists there. */
export const nominator = (i: number): Address => new Address(0, Buffer.alloc(32, 0xd0 + i))

export interface PoolOptions {
  readonly validator: Address
  /** The validator's share of the reward, in 1/10000. */
  readonly share: number
  readonly minValidatorStake: bigint
  readonly minNominatorStake: bigint
}

const poolData = ({ validator, share, minValidatorStake, minNominatorStake }: PoolOptions): Cell =>
  beginCell()
    .storeUint(0, 8)
    .storeUint(0, 16)
    .storeCoins(0)
    .storeCoins(0)
    .storeRef(
      beginCell()
        .storeBuffer(validator.hash)
        .storeUint(share, 16)
        .storeUint(40, 16)
        .storeCoins(minValidatorStake)
        .storeCoins(minNominatorStake)
        .endCell(),
    )
    .storeBit(0)
    .storeBit(0)
    .storeUint(0, 32)
    .storeUint(0, 256)
    .storeUint(2, 8)
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeBit(0)
    .endCell()

export const createPool = (call: LocalCall, options: PoolOptions) => {
  const init = { code: codeByHash(POOL_CODE), data: poolData(options) }
  const address = contractAddress(-1, init)
  const stateInit = beginCell().storeUint(0b00110, 5).storeRef(init.code).storeRef(init.data).endCell()
  let query = 0n
  const send = async (from: Address, value: bigint, body: Cell, deploy = false): Promise<void> => {
    await call('local.sendInternal', {
      from: rawOf(from),
      to: rawOf(address),
      value: String(value),
      body: boc(body),
      ...(deploy && { init: boc(stateInit) }),
    })
  }
  const order = (op: number) => beginCell().storeUint(op, 32).storeUint(++query, 64)
  const text = (letter: string) => beginCell().storeUint(0, 32).storeStringTail(letter).endCell()
  return {
    address,
    /** The validator deposits its own money. The first deposit deploys the pool. */
    fund: (amount: bigint, deploy = false) => send(options.validator, amount + TON, order(4).endCell(), deploy),
    takeBack: (amount: bigint) => send(options.validator, TON, order(5).storeCoins(amount).endCell()),
    deposit: (by: Address, amount: bigint) => send(by, amount + TON, text('d')),
    withdraw: (by: Address) => send(by, TON, text('w')),
    processWithdrawals: (limit: number) => send(options.validator, TON, order(2).storeUint(limit, 8).endCell()),
    updateSet: () => send(options.validator, TON, order(6).endCell()),
    recover: () => send(options.validator, TON, order(RECOVER_STAKE).endCell()),
    /** Makes the pool send its money to the elector as a stake. */
    stake(by: Bidder, electionId: number, amount: bigint, factor: number) {
      const signed = beginCell()
        .storeUint(0x654c5074, 32)
        .storeUint(electionId, 32)
        .storeUint(factor, 32)
        .storeBuffer(address.hash)
        .storeBuffer(by.adnl)
        .endCell()
      const signature = sign(signed.bits.subbuffer(0, signed.bits.length)!, by.keys.secretKey)
      const body = order(NEW_STAKE)
        .storeCoins(amount + TON)
        .storeBuffer(by.keys.publicKey)
        .storeUint(electionId, 32)
        .storeUint(factor, 32)
        .storeBuffer(by.adnl)
        .storeRef(beginCell().storeBuffer(signature).endCell())
      return send(options.validator, 2n * TON, body.endCell())
    },
    /** Sends what the elector sends with a returned stake. */
    returned: (amount: bigint) => send(ELECTOR, amount, beginCell().storeUint(RECOVER_STAKE_OK, 32).storeUint(1, 64).endCell()),
  }
}
export type TestPool = ReturnType<typeof createPool>
