import { formatFriendly } from '../../shared/fields/address.ts'
import type { App } from '../app.ts'
import { VERSION } from '../base/version.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { gramsText } from '../tlb/currency.ts'

export type NetworkBanner = Awaited<ReturnType<typeof bannerOf>>

/** `isShown`: true if mnemonics of wallets are printed. Logs must not contain them. */
export const bannerOf = async (supervisor: Supervisor, isShown: boolean) => {
  const network = supervisor.network()
  const { signal } = new AbortController()
  const wallets = await Promise.all(
    (network?.control?.wallets() ?? []).map(async ({ version, address, mnemonic, isPublic }) => ({
      version: version as string,
      address: formatFriendly(address, { bounceable: false }),
      /** undefined for a wallet of a genesis, whose mnemonic is not public. */
      mnemonic: isPublic ? (isShown ? mnemonic : []) : undefined,
      balance: (await network!.chain.account(address, undefined, signal)).balance.grams,
    })),
  )
  return {
    name: supervisor.config.name,
    /** Why the network is not served; empty if it is served. */
    fault: supervisor.fault() || (network ? '' : 'starting'),
    /** undefined if the lite-server protocol is off. */
    liteserverPort: network?.endpoint?.port,
    wallets,
  }
}

export const formatGrams = (nano: bigint): string => `${gramsText(nano)} GRAM`

const words = (mnemonic: readonly string[]): string[] => {
  const lines: string[] = []
  for (let i = 0; i < mnemonic.length; i += 8) lines.push(`      ${mnemonic.slice(i, i + 8).join(' ')}`)
  return lines
}

/** An empty line separates a wallet with a mnemonic from the line above it. */
const walletLines = ({ version, address, balance, mnemonic = [] }: NetworkBanner['wallets'][number]): string[] => [
  ...(mnemonic.length > 0 ? [''] : []),
  `    ${version}  ${address}  ${formatGrams(balance)}`,
  ...words(mnemonic),
]

const fundedLines = ({ name, wallets }: NetworkBanner, isAlone: boolean): string[] => {
  const where = isAlone ? '' : ` on ${name}`
  const funded = wallets.filter(({ mnemonic }) => mnemonic !== undefined)
  const own = wallets.filter(({ mnemonic }) => mnemonic === undefined)
  return [
    ...(funded.length > 0
      ? [`  Funded wallets${where} (their keys are public: never use them elsewhere)`, ...funded.flatMap(walletLines), '']
      : []),
    ...(own.length > 0 ? [`  Wallets of the genesis${where}`, ...own.flatMap(walletLines), ''] : []),
  ]
}

const networkLines = (url: string, { name, fault, liteserverPort }: NetworkBanner, first: boolean, alone: boolean): string[] => {
  const base = first ? url : `${url}/${name}`
  const port =
    liteserverPort === undefined ? [] : [`  Lite-server   port ${liteserverPort}, for TON's own tools: ${base}/global.config.json`]
  const state = fault === '' ? [] : [`  Not available at the moment: ${fault}`]
  return alone
    ? [...state, ...port]
    : ['', `  Network ${name}${first ? ' (the default)' : ''}: ${base}/api/v2/<method>, ${base}/jsonRPC`, ...state, ...port]
}

export const formatBanner = (
  { url, wsUrl }: Pick<App, 'url' | 'wsUrl'>,
  dataDir: string | undefined,
  networks: readonly NetworkBanner[],
): string =>
  [
    `tonway ${VERSION}, network${networks.length > 1 ? 's' : ''} ${networks.map(({ name }) => name).join(', ')}, ${
      dataDir === undefined ? 'nothing is kept (see --data-dir)' : `kept in ${dataDir}`
    }`,
    '',
    `  Page          ${url}/`,
    `  JSON-RPC      ${url}/jsonRPC`,
    `  WebSocket     ${wsUrl}`,
    `  TON Center    ${url}/api/v2/jsonRPC, ${url}/api/v2/<method>, ${url}/api/v3/<path>`,
    `                ${url}/api/streaming/v2/sse and /ws, ${url}/api/emulate/v1/<method>`,
    `  Documents     ${url}/docs, ${url}/openapi.json`,
    ...networks.flatMap((network, i) => networkLines(url, network, i === 0, networks.length === 1)),
    '',
    ...networks.flatMap((network) => fundedLines(network, networks.length === 1)),
  ].join('\n')
