import { urlAt } from '../base/url.ts'
import { UserError } from '../base/user-error.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import type { Given, Streams } from './streams.ts'

interface Status extends NetworkFigures {
  readonly version: string
  readonly uptime: number
  readonly memory: { readonly rss: number }
  readonly access?: { readonly keys_trouble?: string; readonly limits_trouble?: string }
  readonly networks: readonly { readonly network: string }[]
}

const WAIT_MS = 10_000

const fetchStatus = async (url: string): Promise<Status> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) })
  const status = (await response.json().catch(() => undefined)) as Status | undefined
  if (!response.ok || status === undefined || !Array.isArray(status.networks)) throw new Error('the server that answers is not tonway')
  return status
}

const formatSpan = (seconds: number): string => {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const
  const [size, name] = units.find(([each]) => seconds >= 2 * each) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${name}`
}

const indexText = ({ index }: NetworkFigures): string => {
  if (index === undefined) return 'off'
  if (index.error !== '') return `${index.phase}: ${index.error}`
  const left = index.secondsLeft > 0 ? `, ${formatSpan(index.secondsLeft)} left` : ''
  return index.lag > 0 ? `${index.phase}, ${index.lag} blocks behind${left}` : `${index.phase}, at the head`
}

const serverLines = ({ liteservers }: NetworkFigures): string[] => {
  if (liteservers === undefined) return []
  const { servers, note } = liteservers
  const well = servers.filter(({ state, trouble }) => state === 'ready' && trouble === null)
  const counts = servers.length > 0 || note === undefined ? [`${well.length} of ${servers.length} working`] : []
  return [
    `  lite-servers  ${[...counts, ...(note === undefined ? [] : [note])].join('; ')}`,
    ...servers
      .filter((server) => !well.includes(server))
      .slice(0, 10)
      .map(({ server, state, trouble }) => `    ${server}  ${trouble ?? state}`),
  ]
}

const isWell = ({ phase, troubles }: NetworkFigures): boolean => phase === 'ready' && troubles.length === 0

const networkLines = (status: Status): string[] => [
  '',
  `${status.network}: ${isWell(status) ? 'ready' : status.phase === 'ready' ? 'in trouble' : status.phase}`,
  ...(status.fault === undefined ? [] : [`  ${status.fault}`]),
  ...status.troubles.map((trouble) => `  ${trouble}`),
  ...(status.notes ?? []).map((note) => `  ${note}`),
  ...(status.head ? [`  head          block ${status.head.seqno}, ${formatSpan(status.head_age)} ago`] : []),
  ...(status.phase === 'ready' ? [`  index         ${indexText(status)}`] : []),
  ...serverLines(status),
]

/** `tonway status`: queries the server at `--url`, by default the one on this machine that the settings describe. Returns the exit code. */
export const showStatus = async (
  { config, flags }: Pick<Given, 'config' | 'flags'>,
  { print }: Pick<Streams, 'print'>,
): Promise<number> => {
  const base = (flags['url'] ?? urlAt('http', config.host, config.port)).replace(/\/+$/, '')
  try {
    const first = await fetchStatus(`${base}/status`)
    const all = await Promise.all(
      first.networks.map(({ network }) => (network === first.network ? first : fetchStatus(`${base}/${network}/status`))),
    )
    const head = `tonway ${first.version} at ${base}, up ${formatSpan(first.uptime)}, ${Math.round(first.memory.rss / 2 ** 20)} MB`
    const notes = [first.access?.keys_trouble, first.access?.limits_trouble].filter((note) => note !== undefined)
    const isJson = flags['json'] !== undefined
    print(
      isJson
        ? JSON.stringify(Object.fromEntries(all.map((each) => [each.network, each])))
        : [head, ...notes, ...all.flatMap(networkLines)].join('\n'),
    )
    return all.every(isWell) ? 0 : 1
  } catch (error) {
    const { message, cause } = error as Error
    throw new UserError(`no status from ${base}: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`)
  }
}
