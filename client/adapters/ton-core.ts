import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  type ContractState,
  comment,
  external,
  loadTransaction,
  type OpenedContract,
  openContract,
  type StateInit,
  storeMessage,
  TupleReader,
  toNano,
} from '@ton/core'
import type { TonClient } from '../types.ts'
import { answeredItem } from './stack.ts'
import { sentItem } from './stack-arguments.ts'

export interface TonCore {
  /** Opens a contract. Its `get*`, `is*` and `send*` methods use the client. Calls of one tick form one batch. */
  open<T extends Contract>(contract: T): OpenedContract<T>
  provider(address: Address, init?: StateInit | null): ContractProvider
  /** An adapter whose reads all use this masterchain block, so that they are consistent. */
  at(seqno: number): TonCore
  /** An adapter whose reads all use the masterchain block that is the newest final block now. */
  pinned(): Promise<TonCore>
}

/** Thrown if a get-method ends with an exit code other than 0 and 1. */
export class ExitCodeError extends Error {
  override readonly name = 'ExitCodeError'
  readonly exitCode: number
  constructor(method: string | number, exitCode: number) {
    super(`get-method ${method} ended with exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

type Client = Pick<TonClient, 'request'>

/** Runs `@ton/core` contracts over a client. With `seqno`, reads use the state of that masterchain block. `seqno` does not affect sending and history. */
export const tonCore = (client: Client, seqno?: number): TonCore => {
  const pin = seqno === undefined ? {} : { seqno }

  const provider: TonCore['provider'] = (to, init) => {
    const address = to.toString()
    /** The StateInit to send along; null if the contract is already active. */
    const needed = async (): Promise<StateInit | null> =>
      init && (await client.request('getAddressState', { address })) !== 'active' ? init : null
    return {
      getState: async () => stateOf(await client.request('getAddressInformation', { address, ...pin })),
      async get(method, args) {
        const result = await client.request('runGetMethod', { address, method, stack: args.map(sentItem), ...pin })
        if (result.exit_code !== 0 && result.exit_code !== 1) throw new ExitCodeError(method, result.exit_code)
        return { stack: new TupleReader(result.stack.map(answeredItem)), gasUsed: BigInt(result.gas_used) }
      },
      async external(body) {
        const message = external({ to, init: await needed(), body })
        await client.request('sendBoc', { boc: beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64') })
      },
      async internal(via, { value, bounce, sendMode, body, extracurrency }) {
        await via.send({
          to,
          value: typeof value === 'string' ? toNano(value) : value,
          bounce: bounce ?? true,
          sendMode: sendMode ?? null,
          extracurrency: extracurrency ?? null,
          init: await needed(),
          body: typeof body === 'string' ? comment(body) : (body ?? null),
        })
      },
      open,
      async getTransactions(account, lt, hash, limit = 100) {
        const rows = await client.request('getTransactions', { address: account.toString(), lt, hash: hash.toString('base64'), limit })
        return rows.map(({ data }) => loadTransaction(Cell.fromBase64(data).beginParse()))
      },
    }
  }
  const open: TonCore['open'] = (contract) => openContract(contract, ({ address, init }) => provider(address, init))
  return {
    open,
    provider,
    at: (block) => tonCore(client, block),
    pinned: async () => tonCore(client, (await client.request('getConsensusBlock')).consensus_block),
  }
}

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')

const stateOf = (info: Awaited<ReturnType<TonClient['getAddressInformation']>>): ContractState => {
  const { balance, code, data, extra_currencies: extra, frozen_hash: frozen, last_transaction_id: last, state } = info
  return {
    balance: BigInt(balance),
    extracurrency: extra.length > 0 ? Object.fromEntries(extra.map(({ id, amount }) => [id, BigInt(amount)])) : null,
    last: last.lt === '0' ? null : { lt: BigInt(last.lt), hash: bytes(last.hash) },
    state:
      state === 'active'
        ? { type: 'active', code: code ? bytes(code) : null, data: data ? bytes(data) : null }
        : state === 'frozen'
          ? { type: 'frozen', stateHash: bytes(frozen) }
          : { type: 'uninit' },
  }
}
