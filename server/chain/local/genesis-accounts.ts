import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { address, formatRaw } from '../../../shared/fields/address.ts'
import { bytes } from '../../../shared/fields/bytes.ts'
import { coins } from '../../../shared/fields/ints.ts'
import { expectedText, paramsOf } from '../../../shared/params.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { type AccountId, MASTERCHAIN } from '../../tlb/ids.ts'
import { CONFIG_ADDRESS, ELECTOR_ADDRESS } from './config/defaults.ts'
import { FAUCET_BALANCE, faucetWallets, walletOf } from './faucet.ts'
import type { FaucetWallet } from './local-chain.ts'
import { publicKeyOfMnemonic, wordsOf } from './mnemonic.ts'
import type { AccountInput } from './model.ts'
import { type BeginState, isState, readState } from './state-file.ts'

/* Accounts that a user adds to the zerostates of a new chain, with the setting `genesis`. */

export interface GenesisAccounts {
  readonly accounts: readonly AccountInput[]
  readonly wallets: readonly FaucetWallet[]
  /** The rest of an exported state; absent if `accounts` do not come from an exported state. */
  readonly state?: BeginState
}

const wallet = z.strictObject({
  mnemonic: z.union([z.string(), z.array(z.string())], 'must be the words of a mnemonic'),
  version: z.enum(['v4R2', 'v5R1'], 'must be v4R2 or v5R1').default('v4R2'),
  balance: coins('What it has at the beginning.').optional(),
})
const account = z.strictObject({
  address: address('The account.'),
  balance: coins('What it has at the beginning.'),
  code: bytes('Its code, as a BoC.').optional(),
  data: bytes('Its data, as a BoC.').optional(),
})
const genesis = z.strictObject({ accounts: z.array(z.record(z.string(), z.unknown())).min(1, 'must name an account') })

/** Parses a value by its schema. Throws an Error with the first problem, its path in the value and what is accepted. */
const checked = <Schema extends z.ZodType>(schema: Schema, value: unknown, at: string): z.output<Schema> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Error(`${[at, ...issue.path].join('.')}: ${issue.message}${expectedText(paramsOf(issue).expected)}`)
}

/** Maximum total balance of all accounts, nanograms: a billion times the supply of Gram. */
const MAX_BALANCE = 1n << 92n

const cellAt = (boc: Uint8Array | undefined, at: string) => {
  if (boc === undefined) return undefined
  try {
    return parseBocRoot(boc)
  } catch (error) {
    throw new Error(`${at}: ${(error as Error).message}`, { cause: error })
  }
}

const readWallet = async (value: unknown, at: string, globalId: number): Promise<GenesisAccounts> => {
  const { mnemonic, version, balance = FAUCET_BALANCE } = checked(wallet, value, at)
  const words = wordsOf(mnemonic)
  const publicKey = await publicKeyOfMnemonic(words).catch((error: Error) => {
    throw new Error(`${at}.mnemonic: ${error.message}`, { cause: error })
  })
  const made = walletOf(version, publicKey, words, globalId)
  return { accounts: [{ ...made.account, balance }], wallets: [made.wallet] }
}

const readAccount = (value: unknown, at: string): GenesisAccounts => {
  const { address: id, balance, ...bocs } = checked(account, value, at)
  const [code, data] = [cellAt(bocs.code, `${at}.code`), cellAt(bocs.data, `${at}.data`)]
  const own = { account: { workchain: id.workchain, hash: id.hash }, balance, ...(code && { code }), ...(data && { data }) }
  return { accounts: [own], wallets: [] }
}

const nameOf = (id: AccountId): string => formatRaw(id, 'lower')

/** Throws if one genesis cannot contain all these accounts. */
const checkTogether = (accounts: readonly AccountInput[], from: string, globalId: number): void => {
  const special = [CONFIG_ADDRESS, ELECTOR_ADDRESS].map((hash) => nameOf({ workchain: MASTERCHAIN, hash }))
  const taken = new Set([...special, ...faucetWallets(globalId).map(({ wallet: { address: id } }) => nameOf(id))])
  let sum = 0n
  for (const [i, { account: id, balance = 0n }] of accounts.entries()) {
    const name = nameOf(id)
    if (id.workchain !== 0 && id.workchain !== MASTERCHAIN)
      throw new Error(`${from}: accounts.${i}: workchain ${id.workchain} does not exist`)
    if (taken.has(name)) throw new Error(`${from}: accounts.${i}: ${name} is there already`)
    taken.add(name)
    sum += balance
  }
  if (sum > MAX_BALANCE) throw new Error(`${from}: the accounts have ${sum} nanograms together; at most ${MAX_BALANCE} can be`)
}

/** Throws an Error whose message is for the user. */
const fromFile = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    // The error's message may quote the file, which may contain a mnemonic. So the new error has no cause.
    if (error instanceof SyntaxError) throw new Error(`the genesis ${path} is no JSON`)
    throw new Error(`the genesis ${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Reads a genesis from an object, or from the path of a JSON file. A genesis is either `{ accounts: [...] }` or a state from `local.exportState`. Each
 * account is `{ address, balance, code?, data? }` (nanograms, BoCs in base64) or a wallet `{ mnemonic, version?, balance? }`. Throws an Error whose message
 * is for the user.
 */
export const readGenesisAccounts = async (given: string | object, globalId: number): Promise<GenesisAccounts> => {
  const from = typeof given === 'string' ? given : 'genesis'
  const value = typeof given === 'string' ? await fromFile(given) : given
  if (isState(value)) return { ...(await readState(value, from, globalId)), wallets: [] }
  const { accounts } = checked(genesis, value, from)
  const read = await Promise.all(
    accounts.map(async (value, i) => {
      const at = `${from}: accounts.${i}`
      return 'mnemonic' in value ? readWallet(value, at, globalId) : readAccount(value, at)
    }),
  )
  const own = read.flatMap((each) => each.accounts)
  checkTogether(own, from, globalId)
  return { accounts: own, wallets: read.flatMap((each) => each.wallets) }
}

const lineOf = ({ account: id, balance, code, data, cell }: AccountInput): string =>
  cell === undefined ? `${nameOf(id)} ${balance} ${code?.hashKey() ?? ''} ${data?.hashKey() ?? ''}\n` : `${nameOf(id)} ${cell.hashKey()}\n`

/** Hash of the accounts, independent of their order. The hash is stored with a chain, to detect another genesis at the next start. Each account is a step. */
export function* hashOfAccounts(accounts: readonly AccountInput[]): Generator<void, string> {
  const lines: string[] = []
  for (const account of accounts) {
    lines.push(lineOf(account))
    yield
  }
  const hash = createHash('sha256')
  for (const line of lines.sort()) {
    hash.update(line, 'latin1')
    yield
  }
  return hash.digest('hex')
}
