import { createHash } from 'node:crypto'
import type { FilledSize } from '../../bench/filled-index.ts'
import type { Random } from '../../kit/random.ts'

/* Questions that both servers answer, about the rows that filled-index.ts and filled-assets.ts make. */

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
const hash = (text: string): string => encodeURIComponent(sha256(text).toString('base64'))
const address = (text: string): string => `0:${sha256(text).toString('hex').toUpperCase()}`

/** A list that is measured. `path`: of question `i`; no two questions of a list with a parameter are the same. */
export interface Question {
  readonly name: string
  readonly path: (i: number) => string
  /** Its page has many rows, so fewer of them are measured. */
  readonly isLarge?: boolean
}

/** Rows of assets of each kind. */
export const ASSETS = 20_000

export const questionsFor = ({ transactions, accounts }: FilledSize): readonly Question[] => {
  const account = (i: number): string => address(`account${1 + ((i * 7) % (accounts - 1))}`)
  const place = (i: number): number => (i * 97 + 31) % (transactions - 300)
  const step = (i: number): number => place(i) - (place(i) % 3) + 1
  const masters = transactions / 50 - 10
  const master = (i: number): number => 2 + ((i * 13) % masters)
  /** Another number for each question about the same block. A server asks for thousands of blocks in a second, and would answer some again from memory. */
  const round = (i: number): number => Math.floor(i / masters) % 20
  /** An lt that cuts off the newest `i` blocks, at most half of all. */
  const until = (i: number): number => (transactions / 50 - 1 - (i % (transactions / 100))) * 1_000_000
  const owner = (i: number): string => address(`owner ${1 + 2 * (i % 498)}`)
  return [
    { name: 'masterchainInfo', path: () => 'masterchainInfo' },
    { name: 'blocks', path: () => 'blocks?limit=10' },
    { name: 'blocks of a masterchain block', path: (i) => `blocks?mc_seqno=${master(i)}&limit=${10 + round(i)}` },
    { name: 'masterchainBlockShardState', path: (i) => `masterchainBlockShardState?seqno=${master(i)}&x_timeout=${9_000 + round(i)}` },
    { name: 'transactions', path: () => 'transactions?limit=10' },
    { name: 'transactions of an account', path: (i) => `transactions?account=${account(i)}&limit=10` },
    { name: 'transactions by hash', path: (i) => `transactions?hash=${hash(`tx${place(i)}`)}&limit=10` },
    { name: 'transactionsByMasterchainBlock', path: (i) => `transactionsByMasterchainBlock?seqno=${master(i)}&limit=10` },
    { name: 'transactionsByMessage', path: (i) => `transactionsByMessage?msg_hash=${hash(`message${place(i)}`)}&limit=10` },
    { name: 'adjacentTransactions', path: (i) => `adjacentTransactions?hash=${hash(`tx${step(i)}`)}` },
    { name: 'messages', path: () => 'messages?limit=10' },
    { name: 'messages to an account', path: (i) => `messages?destination=${account(i)}&limit=10` },
    { name: 'accountStates', path: (i) => `accountStates?address=${account(i)}` },
    { name: 'walletStates', path: (i) => `walletStates?address=${account(i)}` },
    { name: 'addressBook', path: (i) => `addressBook?address=${account(i)}` },
    { name: 'topAccountsByBalance', path: () => 'topAccountsByBalance?limit=10' },
    { name: 'traces', path: () => 'traces?limit=10' },
    { name: 'traces of an account', path: (i) => `traces?account=${account(i)}&limit=10` },
    { name: 'jetton/masters', path: () => 'jetton/masters?limit=10' },
    { name: 'jetton/wallets of an owner', path: (i) => `jetton/wallets?owner_address=${owner(i)}&limit=10` },
    { name: 'jetton/transfers of an owner', path: (i) => `jetton/transfers?owner_address=${owner(i)}&limit=10` },
    { name: 'nft/items of an owner', path: (i) => `nft/items?owner_address=${owner(i)}&limit=10` },
    {
      name: 'transactions, 1,000',
      path: (i) => `transactions?limit=1000&end_lt=${until(i)}`,
      isLarge: true,
    },
    { name: 'traces, 1,000', path: (i) => `traces?limit=1000&end_lt=${until(i)}`, isLarge: true },
    {
      name: 'transactions, offset 100,000',
      path: (i) => `transactions?limit=10&offset=${Math.min(100_000, transactions - 5_000) + (i % 4_000)}`,
      isLarge: true,
    },
  ]
}

/** A random question that both answer with the same rows. Paths of one list differ in filters, sides, sorts, limits and offsets. */
export const randomQuestion = (random: Random, { transactions, accounts }: FilledSize): string => {
  const { below, pick } = random
  const page = (): string => `limit=${1 + below(20)}${below(3) === 0 ? `&offset=${below(5)}` : ''}`
  const sort = (): string => pick(['', '&sort=asc', '&sort=desc'])
  const account = (): string => address(`account${below(accounts)}`)
  const tx = (): string => hash(`tx${below(transactions)}`)
  const message = (): string => hash(`message${below(transactions)}`)
  const master = (): number => 1 + below(transactions / 50)
  const lt = (): string => {
    const from = 1 + below(transactions / 50 - 5)
    return `start_lt=${from}000000&end_lt=${from + 3}000000`
  }
  const time = (): string => {
    const from = 1_700_000_000 + below(transactions / 50 - 5)
    return `start_utime=${from}&end_utime=${from + 2}`
  }
  return pick<() => string>([
    () => `blocks?mc_seqno=${master()}`,
    () => `blocks?workchain=-1&seqno=${master()}`,
    () => `transactions?account=${account()}&${page()}${sort()}`,
    () => `transactions?account=${account()}&${lt()}&${page()}${sort()}`,
    () => `transactions?hash=${tx()}`,
    () => `transactions?${lt()}&${page()}${sort()}`,
    () => `transactions?${time()}&${page()}${sort()}`,
    () => `transactionsByMasterchainBlock?seqno=${master()}&${page()}${sort()}`,
    () => `transactionsByMessage?msg_hash=${message()}`,
    () => `adjacentTransactions?hash=${tx()}${pick(['', '&direction=in', '&direction=out'])}`,
    () => `messages?msg_hash=${message()}`,
    () => `messages?destination=${account()}&${lt()}&${page()}${sort()}`,
    () => `messages?source=${account()}&${page()}${sort()}`,
    () => `accountStates?address=${account()}`,
    () => `walletStates?address=${account()}`,
    () => `addressBook?address=${account()}&address=${account()}`,
    () => `traces?tx_hash=${tx()}`,
    () => `traces?trace_id=${hash(`tx${3 * below(transactions / 3 - 1)}`)}`,
    () => `traces?${lt()}&${page()}${sort()}`,
    () => `topAccountsByBalance?${page()}`,
    () => `jetton/wallets?owner_address=${address(`owner ${below(997)}`)}&jetton_address=${address(`jetton ${1 + below(ASSETS)}`)}`,
    () => `jetton/masters?address=${address(`jetton ${1 + below(ASSETS)}`)}`,
    () => `nft/items?address=${address(`item ${1 + below(ASSETS)}`)}`,
  ])()
}
