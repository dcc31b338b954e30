import {
  beginCell,
  type Cell as CoreCell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  type StateInit,
  storeMessage,
} from '@ton/core'
import { type KeyPair, keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { parseBocRoot } from '../../../../server/cell/boc.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { createCollator } from '../../../../server/chain/local/collator.ts'
import type { AccountInput, ExternalInput, Step, StepInput } from '../../../../server/chain/local/model.ts'
import type { AccountId } from '../../../../server/tlb/ids.ts'
import type { MakeTransaction } from '../../../../server/tvm/make-transaction.ts'
import { createGenesis } from '../../../kit/chain/create-genesis.ts'
import { createValidator, type Validated } from '../validate/step.ts'

/* What the tests of the collator use of other people's code: wallets and messages of @ton/ton and @ton/core. */

export const signal = new AbortController().signal
export const EMPTY: Omit<StepInput, 'utime'> = { externals: [], internals: [], accounts: [], config: new Map() }
export const GENESIS_TIME = 1_800_000_000
export const TON = 1_000_000_000n

export const fromCore = (cell: CoreCell): Cell => parseBocRoot(cell.toBoc())

export type Wallet = WalletContractV3R2 | WalletContractV4 | WalletContractV5R1
export interface Owner {
  readonly wallet: Wallet
  readonly keys: KeyPair
  readonly id: AccountId
  /** The account with its code and data in place. */
  readonly account: AccountInput
  readonly init: StateInit
}

const seed = (n: number): Buffer => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(n + 1)
  return bytes
}

/** The n-th test wallet of a version. */
export const owner = (n: number, version: 'v3' | 'v4' | 'v5' = 'v4', balance = 1000n * TON, workchain = 0): Owner => {
  const keys = keyPairFromSeed(seed(n))
  const { publicKey } = keys
  const wallet =
    version === 'v3'
      ? WalletContractV3R2.create({ workchain, publicKey })
      : version === 'v4'
        ? WalletContractV4.create({ workchain, publicKey })
        : WalletContractV5R1.create({
            publicKey,
            walletId: { networkGlobalId: -3, context: { workchain, subwalletNumber: 0, walletVersion: 'v5r1' } },
          })
  const id = { workchain, hash: new Uint8Array(wallet.address.hash) }
  const init = wallet.init as StateInit
  return { wallet, keys, id, init, account: { account: id, balance, code: fromCore(init.code!), data: fromCore(init.data!) } }
}

export const message = (
  to: AccountId | string,
  value: bigint,
  options: { body?: CoreCell; bounce?: boolean; init?: StateInit } = {},
): MessageRelaxed =>
  internal({
    to: typeof to === 'string' ? to : `${to.workchain}:${Buffer.from(to.hash).toString('hex')}`,
    value,
    bounce: options.bounce ?? false,
    ...(options.body ? { body: options.body } : {}),
    ...(options.init ? { init: options.init } : {}),
  })

/** A signed external message of a wallet. */
export const send = (
  from: Owner,
  seqno: number,
  messages: MessageRelaxed[],
  options: { deploy?: boolean; timeout?: number; mode?: number } = {},
): ExternalInput => {
  const args = {
    seqno,
    secretKey: from.keys.secretKey,
    messages,
    sendMode: options.mode ?? SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
    timeout: options.timeout ?? 0xfffffff0,
  }
  const body = (from.wallet as WalletContractV4).createTransfer(args) as CoreCell
  const ext = external({ to: from.wallet.address, body, ...(options.deploy ? { init: from.init } : {}) })
  return { message: fromCore(beginCell().store(storeMessage(ext)).endCell()), dest: from.id }
}

export const validatorSeed = new Uint8Array(32).fill(7)
const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

/** A chain whose every step is checked by the independent validator. `make`: what makes transactions, the project's own TVM unless told. */
export const openChain = (
  accounts: readonly AccountInput[],
  options: { readonly utime?: number; readonly make?: MakeTransaction } = {},
) => {
  const utime = options.utime ?? GENESIS_TIME
  const collator = createCollator({ validatorSeed, globalId: -3, ...(options.make && { make: options.make }) })
  const genesis = createGenesis({ globalId: -3, utime, validatorSeed, accounts })
  const validate = createValidator(genesis)
  let tip = genesis.tip
  let last: Validated | undefined
  return {
    collator,
    genesis,
    get tip() {
      return tip
    },
    async step(input: Partial<StepInput>): Promise<{ step: Step; found: Validated }> {
      const step = await collator.step(tip, { ...EMPTY, utime: Math.max(tip.master.utime, utime) + 1, ...input }, signal)
      const replaced = [
        ...(input.accounts ?? []).map(({ account }) => hexOf(account.hash)),
        ...(input.config?.size ? ['55'.repeat(32)] : []),
      ]
      const found = validate(step, { replaced })
      tip = step.tip
      last = found
      return { step, found }
    },
    account(id: AccountId) {
      return (id.workchain === 0 ? last!.shard : last!.master).state.accounts.get(hexOf(id.hash))
    },
    balance(id: AccountId): bigint {
      return this.account(id)?.account?.storage.balance.coins ?? 0n
    },
  }
}
