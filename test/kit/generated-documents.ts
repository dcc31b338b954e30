import { COMMANDS, type CommandDef } from '../../server/cli/commands.ts'
import { SETTINGS, type SettingName, settingNames } from '../../server/config/settings.ts'
import { tagOf } from '../../server/http/docs/schema.ts'
import { methodNames, type Resolved, resolve } from '../../shared/registry.ts'

/* Documents that are written from the code: lists of settings, commands and methods. test/generated-documents.test.ts compares them. */

const NOTICE = 'This list is written from the code; `TONWAY_RECORD=1 npx vitest run test/generated-documents.test.ts` writes it.'

type Row = readonly string[]

const tableOf = (head: Row, rows: readonly Row[]): string[] => {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)]
}

const pageOf = (title: string, intro: readonly string[], body: readonly string[]): string =>
  [`# ${title}`, '', ...intro, '', NOTICE, '', ...body, ''].join('\n')

/** Where to read more about a setting; links are those of a page in server/. */
const READ_MORE: { readonly [S in SettingName]?: string } = {
  network: '[Networks](README.md#networks)',
  genesis: '[Accounts of your own](start/README.md#accounts-of-your-own)',
  fork: '[Forks](chain/README.md#forks)',
  liteservers: '[Who gets which lite-servers](README.md#who-gets-which-lite-servers)',
  workers: '[Workers](README.md#workers)',
  indexKeep: '[A limited history](index/README.md#a-limited-history)',
  databaseReadUrl: '[Read replicas](store/README.md#read-replicas)',
  keys: '[Keys, plans and limits](README.md#keys-plans-and-limits)',
  stallSeconds: '[Operations](README.md#operations)',
  mcp: '[Agents](mcp/README.md)',
  hooksAllow: '[Webhooks](hooks/README.md#where-may-be-sent-to)',
  otlpEndpoint: '[Traces](README.md#traces)',
}

const settingRow = (name: SettingName): Row => {
  const { env, fallback, what } = SETTINGS[name]
  const own = 'own' in SETTINGS[name] ? 'yes' : ''
  const more = READ_MORE[name]
  return [
    `\`${env}\``,
    fallback === undefined || fallback === '' ? 'none' : String(fallback),
    own,
    what + (more === undefined ? '' : ` (${more})`),
  ]
}

const settingsPage = (): string =>
  pageOf(
    'Settings',
    [
      'How settings are given is in [README.md](README.md#settings). The flag of `TONWAY_DATA_DIR` is `--data-dir`, its key in `tonway.config.json` is `dataDir`.',
      'A setting with "yes" can have another value for each network, under `networks` in that file.',
    ],
    tableOf(['environment', 'default', 'per network', 'what'], settingNames.map(settingRow)),
  )

const argumentsOf = ({ positionals = [], rest, actions, usual }: CommandDef): string =>
  [
    ...(actions === undefined ? [] : [usual === undefined ? ' <action>' : ' [action]']),
    ...positionals.map((name) => ` <${name}>`),
    ...(rest === undefined ? [] : [` [${rest}]`]),
  ].join('')

const flagRows = ({ flags = {} }: CommandDef): Row[] =>
  Object.entries(flags).map(([flag, { value, what }]) => [`\`--${flag}${value === undefined ? '' : ` <${value}>`}\``, what])

const commandLines = (name: string, def: CommandDef): string[] => [
  `## ${name}`,
  '',
  `\`tonway ${name}${argumentsOf(def)}\`: ${def.what}.`,
  ...(def.more === undefined ? [] : ['', ...def.more]),
  ...(def.flags === undefined ? [] : ['', ...tableOf(['flag', 'what'], flagRows(def))]),
  ...(def.examples ?? []).flatMap((example) => ['', `    ${example}`]),
  '',
  ...Object.entries(def.actions ?? {}).flatMap(([action, each]) => commandLines(`${name} ${action}`, each)),
]

const commandsPage = (): string =>
  pageOf(
    'Commands',
    ['How commands are run is in [README.md](README.md#commands). Each command also takes the [settings](SETTINGS.md), and has `--help`.'],
    Object.entries<CommandDef>(COMMANDS)
      .flatMap(([name, def]) => commandLines(name, def))
      .slice(0, -1),
  )

/** Methods by interface, and within one in the order of the registry. */
const METHODS: readonly Resolved[] = (() => {
  const sections = ['v2', 'v3', 'v4', 'emulate', 'local', 'service']
  const orderOf = ({ section }: Resolved): number => sections.indexOf(section)
  return methodNames.map((name) => resolve(name)!).sort((a, b) => orderOf(a) - orderOf(b))
})()

const methodsPage = (): string => {
  const byTag = new Map<string, Row[]>()
  for (const entry of METHODS) {
    const { names, paths, verbs, def } = entry
    const path = [...paths.keys()].map((each) => `\`${each}\``).join(', ')
    const row = [names.map((name) => `\`${name}\``).join(', '), path === '' ? '' : `${verbs.join(', ')} ${path}`, def.summary]
    byTag.set(tagOf(entry), [...(byTag.get(tagOf(entry)) ?? []), row])
  }
  return pageOf(
    'Methods',
    [
      'Every method by its name in JSON-RPC, with its path. Parameters, results and examples are in `/docs`, `/openapi.json` and `/openrpc.json` of a service.',
    ],
    [...byTag].flatMap(([tag, rows], at) => [
      ...(at === 0 ? [] : ['']),
      `## ${tag}`,
      '',
      ...tableOf(['method', 'path', 'what it does'], rows),
    ]),
  )
}

/** The text of each such document, by its path in the project. */
export const generatedDocuments = (): ReadonlyMap<string, string> =>
  new Map([
    ['server/SETTINGS.md', settingsPage()],
    ['server/COMMANDS.md', commandsPage()],
    ['shared/METHODS.md', methodsPage()],
  ])
