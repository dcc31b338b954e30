/** What is printed on standard output at the start. */
export interface Banner {
  readonly version: string
  readonly url: string
  readonly wsUrl: string
  readonly dataDir: string | undefined
  /** The default network first. */
  readonly networks: readonly NetworkBanner[]
}

/** What the banner says about one network. */
export interface NetworkBanner {
  readonly name: string
  /** Why it is not served; empty if it is. */
  readonly fault: string
  /** Port of the lite-server protocol; undefined if that is off. */
  readonly liteserverPort: number | undefined
  readonly wallets: readonly {
    readonly version: string
    readonly address: string
    readonly mnemonic: readonly string[]
    /** Nanotons. */
    readonly balance: bigint
  }[]
}

/** @internal Nanotons as TON, without trailing zeros. */
export const formatTon = (nano: bigint): string => {
  const fraction = (nano % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  return `${nano / 1_000_000_000n}${fraction && `.${fraction}`} TON`
}

const words = (mnemonic: readonly string[]): string[] => {
  const lines: string[] = []
  for (let i = 0; i < mnemonic.length; i += 8) lines.push(`      ${mnemonic.slice(i, i + 8).join(' ')}`)
  return lines
}

/** Lines for the funded wallets. They are the same on every embedded chain, so they are printed once. */
const walletLines = (networks: readonly NetworkBanner[]): string[] => {
  const local = networks.filter(({ wallets }) => wallets.length > 0)
  const [first] = local
  if (first === undefined) return []
  const where = networks.length === 1 ? '' : ` on ${local.map(({ name }) => name).join(' and ')}`
  return [
    `  Funded wallets${where} (their keys are public: never use them elsewhere)`,
    ...first.wallets.flatMap((wallet) => [
      '',
      `    ${wallet.version}  ${wallet.address}  ${formatTon(wallet.balance)}`,
      ...words(wallet.mnemonic),
    ]),
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

export const formatBanner = ({ version, url, wsUrl, dataDir, networks }: Banner): string =>
  [
    `tonway ${version}, network${networks.length > 1 ? 's' : ''} ${networks.map(({ name }) => name).join(', ')}, ${
      dataDir === undefined ? 'nothing is kept (see --data-dir)' : `kept in ${dataDir}`
    }`,
    '',
    `  Page          ${url}/`,
    `  JSON-RPC      ${url}/jsonRPC`,
    `  WebSocket     ${wsUrl}`,
    `  TON Center    ${url}/api/v2/jsonRPC and ${url}/api/v2/<method>`,
    `  Documents     ${url}/docs, ${url}/openapi.json`,
    ...networks.flatMap((network, i) => networkLines(url, network, i === 0, networks.length === 1)),
    '',
    ...walletLines(networks),
    '',
  ].join('\n')
