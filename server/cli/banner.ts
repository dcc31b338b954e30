import { formatFriendly } from '../../shared/fields/address.ts'
import type { App } from '../app.ts'
import { VERSION } from '../base/version.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { gramsText } from '../tlb/currency.ts'

export type NetworkBanner = Awaited<ReturnType<typeof bannerOf>>

export const bannerOf = async (supervisor: Supervisor) => {
  const network = supervisor.network()
  const { signal } = new AbortController()
  const wallets = await Promise.all(
    (network?.control?.wallets() ?? []).map(async ({ version, address, isPublic }) => ({
      version: version as string,
      address: formatFriendly(address, { bounceable: false }),
      /** False for a wallet of a genesis. */
      isPublic,
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

const walletLines = (title: string, wallets: NetworkBanner['wallets']): string[] =>
  wallets.length === 0
    ? []
    : [`  ${title}`, ...wallets.map(({ version, address, balance }) => `    ${version}  ${address}  ${formatGrams(balance)}`), '']

const fundedLines = ({ name, wallets }: NetworkBanner, isAlone: boolean): string[] => {
  const where = isAlone ? '' : ` on ${name}`
  return [
    ...walletLines(
      `Funded wallets${where} (\`tonway wallet --mnemonics\` shows their keys, which are public: never use them elsewhere)`,
      wallets.filter(({ isPublic }) => isPublic),
    ),
    ...walletLines(
      `Wallets of the genesis${where}`,
      wallets.filter(({ isPublic }) => !isPublic),
    ),
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
