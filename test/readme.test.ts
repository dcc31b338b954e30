import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from './kit/service/tonway.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

interface Snippet {
  readonly language: string
  readonly code: string
  readonly line: number
}

/** The fenced blocks of the README in their order. */
const snippetsOf = (text: string): Snippet[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    line: text.slice(0, match.index).split('\n').length,
  }))

const readme = await readFile(join(root, 'README.md'), 'utf8')
const snippets = snippetsOf(readme)

describe('README', () => {
  let tonway: Tonway
  let folder: string
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tonway-readme-'))
    // PostgreSQL runs as another user where this one is root.
    await chmod(dataDir, 0o755)
    // Keys are looked at, and who shows none is not limited: the page's other snippets call without.
    tonway = await startTonway({ dataDir, keys: 'on', anonymousRps: 'unlimited' })
    // Inside the project, so that the snippets find its packages.
    folder = await mkdtemp(join(root, 'node_modules', '.readme-'))
    // The client as its users install it.
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(root, 'dist', 'client'), join(folder, 'node_modules', 'tonway-client'))
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

  it('has only snippets that this test knows how to run', () => {
    expect(snippets.map((snippet) => snippet.language).filter((language) => !['sh', 'bash', 'ts'].includes(language))).toEqual([])
    expect(snippets.filter((snippet) => snippet.language === 'bash').length).toBeGreaterThan(2)
    expect(snippets.filter((snippet) => snippet.language === 'ts').length).toBeGreaterThan(2)
  })

  it('has links within the page that lead somewhere', () => {
    const slug = (heading: string): string =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')
    const places = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => `#${slug(heading!)}`)
    const links = [...readme.matchAll(/\]\((#[^)]*)\)/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(10)
    expect(links.filter((link) => !places.includes(link!))).toEqual([])
  })

  it('names commands that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    for (const { code } of snippets.filter((snippet) => snippet.language === 'sh'))
      for (const [, script] of code.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(script!)
  })

  it('has TypeScript that a strict compiler takes', async () => {
    const files = snippets.filter(({ language }) => language === 'ts').map(({ code, line }) => ({ code, name: `types-${line}.ts` }))
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
    ]
    const { stdout } = await run(process.execPath, [tsc, '--ignoreConfig', ...flags, ...files.map(({ name }) => name)], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  // In the order of the page: a snippet may build on what an earlier one did.
  for (const { language, code, line } of snippets.filter((snippet) => snippet.language !== 'sh'))
    it(`line ${line}: the ${language} snippet does what it says`, async () => {
      if (language === 'bash') await runShell(here(code))
      else await runScript(here(code), join(folder, `line-${line}.mjs`))
    })
})

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
