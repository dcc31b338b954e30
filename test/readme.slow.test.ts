import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from './kit/service/tonway.ts'
import { until } from './kit/wait.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

interface Snippet {
  readonly page: string
  readonly language: string
  /** Word after the language: `vitest` for a test file; on pages about tools a path, or how a command is run. */
  readonly kind: string | undefined
  readonly code: string
  readonly line: number
}

/** Every page for people, and which of them a service with keys is read with. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'shared/README.md',
  'shared/METHODS.md',
  'client/README.md',
  'client/verify/README.md',
  'server/README.md',
  'server/SETTINGS.md',
  'server/COMMANDS.md',
  'server/DEPENDENCIES.md',
  'server/chain/README.md',
  'server/deploy/README.md',
  'server/hooks/README.md',
  'server/index/README.md',
  'server/mcp/README.md',
  'server/start/README.md',
  'server/store/README.md',
  'server/tvm/README.md',
  'test/README.md',
  'test/RESULTS.md',
  'test/live/README.md',
  'test/live/index-go/README.md',
  'test/tvm/oracle/README.md',
]
/** Pages about other people's tools, which have to be installed to follow a page: test/live/follow.mjs does that. Here they are only read. */
const TOOLS = 'server/start/tools'
const TOOL_PAGES = (await readdir(join(root, TOOLS))).map((file) => `${TOOLS}/${file}`)
const readPages = async (pages: readonly string[]) =>
  new Map(await Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)))
const texts = await readPages(PAGES)
const toolTexts = await readPages(TOOL_PAGES)

/** The fenced blocks of a page in their order. */
const snippetsOf = (page: string, text: string): Snippet[] =>
  [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    language: match[1]!,
    kind: match[2],
    code: match[3]!,
    line: text.slice(0, match.index).split('\n').length,
  }))

const snippets = [...texts].flatMap(([page, text]) => snippetsOf(page, text))
const toolSnippets = [...toolTexts].flatMap(([page, text]) => snippetsOf(page, text))
const nameOf = ({ page, line }: Snippet): string => `${page.replaceAll('/', '-').replace('.md', '')}-${line}`

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string): string[] =>
  [...(texts.get(page) ?? toolTexts.get(page))!.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => `#${slug(heading!)}`)

describe('the pages', () => {
  let tonway: Tonway
  let folder: string
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tonway-readme-'))
    // PostgreSQL runs as another user where this one is root.
    await chmod(dataDir, 0o755)
    // Keys are looked at, and who shows none is not limited: most snippets call without.
    tonway = await startTonway({ dataDir, index: true, keys: 'on', anonymousRps: 'unlimited', hooksAllow: ['127.0.0.1'] })
    // A new PostgreSQL in a data directory takes seconds on a busy machine. Who reads the page takes longer.
    await until(async () => (await fetch(`${tonway.url}/ready`)).ok)
    // Inside the project, so that the snippets find its packages.
    folder = await mkdtemp(join(root, 'node_modules', '.readme-'))
    // The client as its users install it.
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(root, 'dist', 'client'), join(folder, 'node_modules', 'tonway-client'))
    await symlink(root, join(folder, 'node_modules', 'tonway'))
  })
  afterAll(async () => {
    await tonway?.close()
    for (const each of [folder, dataDir]) if (each) await rm(each, { recursive: true, force: true })
  })
  const here = (code: string): string =>
    code
      .replaceAll('http://127.0.0.1:8081', tonway.url)
      .replaceAll('ws://127.0.0.1:8081', tonway.url.replace('http', 'ws'))
      .replaceAll('./data', dataDir)

  it('the pages have only snippets that this test can run', () => {
    // A component runs in test/client/react.slow.test.ts, nginx in test/deploy/nginx.slow.test.ts.
    expect(
      snippets.filter(({ language, kind }) => !['sh', 'bash', 'ts', 'tsx', 'nginx'].includes(language) || (kind ?? 'vitest') !== 'vitest'),
    ).toEqual([])
    expect(snippets.filter((snippet) => snippet.language === 'bash').length).toBeGreaterThan(2)
    expect(snippets.filter((snippet) => snippet.language === 'ts').length).toBeGreaterThan(2)
  })

  it('the links of the pages lead somewhere', async () => {
    const wrong: string[] = []
    for (const [page, text] of [...texts, ...toolTexts])
      for (const [, link] of text.matchAll(/\]\(((?!https?:)[^)]*)\)/g)) {
        const [file = '', anchor] = link!.split('#')
        const target = file === '' ? page : join(dirname(page), file)
        if (!existsSync(join(root, target))) wrong.push(`${page}: ${link}`)
        else if (anchor !== undefined && !anchorsOf(target).includes(`#${anchor}`)) wrong.push(`${page}: ${link}`)
      }
    expect(wrong).toEqual([])
  })

  it('the pages about tools have only snippets that test/live/follow.mjs can follow, in their languages', async () => {
    expect(TOOL_PAGES.length).toBeGreaterThan(1)
    const { transform } = await import('esbuild')
    for (const { page, language, kind, code, line } of toolSnippets) {
      const at = `${page}, line ${line}`
      if (language === 'sh') expect([undefined, 'background', 'fails'], at).toContain(kind)
      else if (language === 'text') expect(kind, at).toBeUndefined()
      else expect(kind, at).toMatch(/^[\w./-]+\.\w+$/)
      if (language === 'json') JSON.parse(code)
      if (language === 'ts' || language === 'js') await transform(code, { loader: language })
    }
    for (const page of TOOL_PAGES) expect(texts.get('server/start/README.md'), page).toContain(`(tools/${page.slice(TOOLS.length + 1)})`)
  })

  it('the pages name commands that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    for (const text of texts.values()) for (const [, script] of text.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(script!)
  })

  it('the first page says which paths of v3 take POST, and they do', async () => {
    const [, row] = /^\| `GET \/api\/v3\/<path>` \|.* By POST: (.*) \|$/m.exec(texts.get('README.md')!)!
    const named = [...row!.matchAll(/`([\w/]+)`/g)].map(([, name]) => name)
    const { paths } = (await (await fetch(`${tonway.url}/openapi.json`)).json()) as { paths: Record<string, object> }
    const ofV3 = Object.entries(paths).filter(([path]) => path.startsWith('/api/v3/'))
    expect(ofV3.length).toBeGreaterThan(30)
    const withPost = ofV3.filter(([, verbs]) => 'post' in verbs).map(([path]) => path.slice('/api/v3/'.length))
    expect(named.sort()).toEqual(withPost.sort())
    for (const [path, verbs] of ofV3)
      if (!('post' in verbs)) expect([path, (await fetch(tonway.url + path, { method: 'POST', body: '{}' })).status]).toEqual([path, 405])
  })

  it('the TypeScript of the pages passes a strict compiler', async () => {
    const files = snippets
      .filter(({ language }) => language === 'ts' || language === 'tsx')
      .map((snippet) => ({ code: snippet.code, name: `types-${nameOf(snippet)}.${snippet.language}` }))
    for (const { code, name } of files) await writeFile(join(folder, name), code)
    // skipLibCheck: tonweb's own declarations are not strict.
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'preserve',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--types',
      'node',
      '--jsx',
      'react-jsx',
    ]
    const { stdout } = await run(process.execPath, [tsc, '--ignoreConfig', ...flags, ...files.map(({ name }) => name)], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  // In the order of the pages: a snippet may build on what an earlier one did.
  for (const snippet of snippets.filter(({ language }) => language === 'ts' || language === 'bash'))
    it(`the ${snippet.language} snippet of ${snippet.page}, line ${snippet.line}, does what it says`, async () => {
      const code = here(snippet.code)
      if (snippet.language === 'bash') await runShell(code)
      else if (snippet.kind === 'vitest') await runTests(code, folder, `${nameOf(snippet)}.test.ts`)
      else await runScript(code, join(folder, `${nameOf(snippet)}.mjs`))
    })
})

/** The snippet is a test file; its tests pass. */
const runTests = async (code: string, folder: string, name: string): Promise<void> => {
  await writeFile(join(folder, name), code)
  await writeFile(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['${name}'], exclude: [] } }`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder], { cwd: folder, timeout: 120_000 })
  expect(stdout).toMatch(/Tests .*passed/)
}

/** Every line of the output is an answer without an error. */
const runShell = async (code: string): Promise<void> => {
  // curl ends an answer without a line break.
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `curl() { command curl "$@"; echo; }\n${code}`])
  for (const text of stdout.trim().split('\n')) {
    const answer = JSON.parse(text) as object | object[]
    for (const item of Array.isArray(answer) ? answer : [answer]) {
      expect(item).not.toHaveProperty('error')
      expect(item).toHaveProperty('result')
    }
  }
}

/** The script ends well and has said something. */
const runScript = async (code: string, file: string): Promise<void> => {
  const { transform } = await import('esbuild')
  await writeFile(file, (await transform(code, { loader: 'ts', format: 'esm' })).code)
  const { stdout } = await run(process.execPath, [file], { timeout: 120_000 })
  expect(stdout.trim()).not.toBe('')
}
