import { createClient, type TonClient, TonClientError } from '../../../client/index.ts'
import { errorText } from '../../base/error-text.ts'
import { urlAt } from '../../base/url.ts'
import { UserError } from '../../base/user-error.ts'
import { exitCodeText } from '../../tvm/exit-codes.ts'
import { DEBUG_MARK } from '../../tvm/last-steps.ts'
import type { Given, Streams } from '../streams.ts'
import { faint, strong } from './colours.ts'
import type { AskName } from './commands.ts'
import { friendlyOf, runGetMethod } from './get-method.ts'
import { localTraceLines } from './local-trace.ts'
import { readAmount, readParams } from './params.ts'
import { entryText, readStackItem } from './stack.ts'
import { hexOf, inGrams, type Runs, type Trace, traceLines } from './trace.ts'

type AskCommand = Pick<Given, 'command' | 'config' | 'flags' | 'positionals'>

/** `lines`: text for people. `json`: value that `--json` prints. */
interface CommandResult {
  readonly lines: readonly string[]
  readonly json: unknown
}

const findTrace = async (client: TonClient, hash: string): Promise<Trace> => {
  for (const name of ['tx_hash', 'trace_id', 'msg_hash'] as const) {
    const { traces, address_book } = await client.v3.traces({ [name]: [hash] })
    if (traces[0] !== undefined) return { ...traces[0], address_book }
  }
  throw new Error(`no trace has a transaction or a message of the hash ${hash}`)
}

const findRuns = async (client: TonClient, hash: string): Promise<Runs> => {
  try {
    const { transactions } = await client.local.trace({ hash })
    return new Map(transactions.map((transaction) => [transaction.transaction_id.hash, transaction]))
  } catch (error) {
    if (error instanceof TonClientError) return new Map()
    throw error
  }
}

/** Shows the trace of a hash. It comes from the index, or without an index from the newest blocks of an embedded chain. */
const showTrace = async (client: TonClient, hash: string): Promise<CommandResult> => {
  try {
    const found = await findTrace(client, hash)
    const { address_book: _, ...json } = found
    return { lines: traceLines(found, await findRuns(client, hash)), json }
  } catch (error) {
    if (!(error instanceof TonClientError) || error.kind !== 'NOT_SERVED') throw error
  }
  try {
    const json = await client.local.trace({ hash })
    return { lines: localTraceLines(json), json }
  } catch (error) {
    if (!(error instanceof TonClientError) || error.kind !== 'NOT_SERVED') throw error
    throw new Error('the server has no index, which traces of a network that is not embedded need', { cause: error })
  }
}

const run = async (client: TonClient, { command, positionals, flags }: AskCommand): Promise<CommandResult> => {
  const [first = '', second = ''] = positionals
  switch (command as AskName) {
    case 'wallet': {
      const { wallets } = await client.local.wallets()
      const withWords = flags['mnemonics'] !== undefined
      const lines = wallets.flatMap(({ version, address, balance, mnemonic }) => [
        `${strong(address)}  ${version}  ${inGrams(balance)}`,
        ...(withWords ? [faint(`  ${mnemonic.join(' ')}`)] : []),
      ])
      return { lines, json: { wallets: withWords ? wallets : wallets.map(({ mnemonic: _, ...wallet }) => wallet) } }
    }
    case 'fund': {
      const amount = readAmount(second)
      const json = await client.local.fund({ address: first, amount })
      const to = await friendlyOf(client, first)
      return { lines: [`${inGrams(amount)} to ${to}, in block ${json.block.seqno}`, `trace ${hexOf(json.trace_id)}`], json }
    }
    case 'call': {
      const params = readParams(positionals.slice(1))
      const json: unknown = await client.request(first as 'rpc.about', params as never)
      return { lines: [JSON.stringify(json, null, 2)], json }
    }
    case 'get': {
      const method = /^\d+$/.test(second) ? Number(second) : second
      const { exitCode, gasUsed, stack, debug } = await runGetMethod(client, first, method, positionals.slice(2).map(readStackItem))
      const head = `exit code ${exitCode}: ${exitCodeText(exitCode)}, gas ${gasUsed}`
      const json = { exit_code: exitCode, gas_used: gasUsed, stack, debug }
      return { lines: [faint(head), ...debug.map((text) => DEBUG_MARK + text), ...stack.map(entryText)], json }
    }
    case 'trace':
      return showTrace(client, first)
    case 'snapshot': {
      const json = await client.local.snapshot()
      return { lines: [json.snapshot], json }
    }
    case 'revert': {
      const json = await client.local.revert({ snapshot: first })
      return { lines: [`back at block ${json.block.seqno}`], json }
    }
  }
}

const WITHOUT_ANSWER: readonly string[] = ['NETWORK', 'TIMEOUT', 'PROTOCOL']

/** The reason of a failed fetch, whose own message is only "fetch failed". */
const reasonsOf = (cause: unknown): readonly string[] => (cause instanceof Error ? [errorText(cause.cause ?? cause)] : [])

/** Explains why a command failed. Each rejected parameter has a line that says what is accepted. */
const refusalLines = (error: unknown): readonly string[] => {
  const { message } = error as Error
  if (!(error instanceof TonClientError) || error.issues === undefined) return [message]
  const { method, issues } = error
  return issues.map(
    ({ param, message: why, expected }) => `${method}: ${param}: ${why}${expected === undefined ? '' : `; accepted: ${expected}`}`,
  )
}

/**
 * Runs a command that queries a server: the one at `--url`, or the one on this machine that the settings describe. Rejects with a UserError: with exit code
 * 1 if the server refuses the call, with 2 if none answers.
 */
export const ask = async (given: AskCommand, { print }: Pick<Streams, 'print'>): Promise<number> => {
  const { config, flags } = given
  const url = (flags['url'] ?? urlAt('http', config.host, config.port)).replace(/\/+$/, '')
  try {
    const client = createClient({ url, retry: false, timeout: 60_000 })
    const { lines, json } = await run(client, given)
    print(flags['json'] === undefined ? lines.join('\n') : JSON.stringify(json))
    return 0
  } catch (error) {
    if (!(error instanceof TonClientError && WITHOUT_ANSWER.includes(error.kind))) throw new UserError(refusalLines(error), 1)
    throw new UserError([
      `no tonway answers at ${url}; --port or --url says where one is, and \`tonway\` starts one`,
      ...reasonsOf(error.cause),
    ])
  }
}
