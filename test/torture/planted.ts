import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { projectFolder } from '../kit/project.ts'
import { recordRows } from '../kit/results-file.ts'
import { LINES } from './lines.ts'

/*
 * Faults that are planted into a copy of the project, one at a time. Each is a small patch whose first lines say what it breaks, and which check has to become red:
 *
 *   # A retry of a write
 *   # Caught by: test/wire/x.test.ts "title of a test"      (or: torture LINE ROUNDS)
 *
 * A check that is red without the fault says nothing, so each is run without it first.
 */

const PLANTED = join(projectFolder, 'test/torture/planted')

/** Seconds in which a fault has to be found, once the copy is built. */
const LIMIT = 60

interface Planted {
  readonly name: string
  readonly file: string
  readonly what: string
  /** As it stands in the patch. */
  readonly check: string
}

/** Every planted fault. Throws if the head of a patch cannot be read. */
export const readPlanted = (): readonly Planted[] =>
  readdirSync(PLANTED)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => {
      const [, what, check] = /^# (.+)\n# Caught by: (.+)\n/.exec(readFileSync(join(PLANTED, file), 'utf8')) ?? []
      if (what === undefined || check === undefined) throw new Error(`${file} does not begin with what it breaks and what catches it`)
      return { name: file.slice(0, -'.patch'.length), file: join(PLANTED, file), what, check }
    })

/** `git apply` in a folder. One line around a change is enough, so that a patch outlives changes beside it. Returns why it does not apply. */
export const applyPatch = (folder: string, file: string, ...flags: readonly string[]): string | undefined => {
  // A folder of another repository would hide that the copy is none.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
  const { status, stderr } = spawnSync('git', ['apply', '-C1', ...flags, file], { cwd: folder, encoding: 'utf8', env })
  return status === 0 ? undefined : stderr.trim()
}

type Check =
  | { readonly line: string; readonly rounds: string }
  | { readonly line?: undefined; readonly file: string; readonly title: string | undefined }

/** Reads a check. Throws if it is none. */
const readCheck = (check: string): Check => {
  const [, line, rounds] = /^torture (\w+) (\d+)$/.exec(check) ?? []
  if (line !== undefined) return { line, rounds: rounds! }
  const [, file, title] = /^(test\/\S+\.test\.ts)(?: "(.+)")?$/.exec(check) ?? []
  if (file === undefined) throw new Error(`not a check: ${check}`)
  return { file, title }
}

/** The programs of a check, with their words. The last one is the check, those before it build it. */
const commandsOf = (check: string): readonly (readonly string[])[] => {
  const read = readCheck(check)
  if (read.line !== undefined)
    return [
      ['server/build/build.mjs', 'torture'],
      ['dist/test/torture.js', read.line, '--rounds', read.rounds, '--bail'],
    ]
  const named = read.title === undefined ? [] : ['-t', read.title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')]
  return [['node_modules/vitest/vitest.mjs', 'run', read.file, '--bail', '1', ...named]]
}

/** Why a check is none that can be run; undefined if it can. A title must stand in its file, where its first word may come from a table. */
export const checkOf = (check: string): string | undefined => {
  const read = readCheck(check)
  if (read.line !== undefined) return Object.hasOwn(LINES, read.line) ? undefined : `there is no line ${read.line}`
  const { file, title } = read
  if (!existsSync(join(projectFolder, file))) return `there is no file ${file}`
  const text = readFileSync(join(projectFolder, file), 'utf8')
  return title === undefined || [title, title.replace(/^\S+/, '%s')].some((each) => text.includes(each))
    ? undefined
    : `${file} has no title "${title}"`
}

/** A copy of the project with what is not committed, and its build. */
const copyProject = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'tonway-planted-'))
  const folder = join(parent, 'project')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: projectFolder, encoding: 'utf8' })
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(projectFolder, file))) continue
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(join(projectFolder, file), join(folder, file))
  }
  cpSync(join(projectFolder, 'dist'), join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  const data = join(projectFolder, '../shared')
  if (existsSync(data)) symlinkSync(data, join(parent, 'shared'))
  return folder
}

interface Ran {
  readonly isRed: boolean
  /** Of the check, without what builds it. */
  readonly seconds: number
  readonly out: string
}

/** Runs a check in a folder, and gives it up after some seconds. */
const runCheck = async (folder: string, check: string, limit: number): Promise<Ran> => {
  let start = 0
  let out = ''
  let isRed = false
  for (const words of commandsOf(check)) {
    start = performance.now()
    const child = spawn(process.execPath, words, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        out += chunk
      })
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limit * 1000)
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    clearTimeout(timer)
    if (code === 0) continue
    isRed = code !== null
    break
  }
  return { isRed, seconds: (performance.now() - start) / 1000, out }
}

/** The line of an output that says what was wrong. */
const reasonOf = (out: string): string =>
  /^.*(?:Error: |FAILED ).*$/m.exec(stripVTControlCharacters(out))?.[0].trim().slice(0, 160) ?? 'it says nothing'

interface PlantedOptions {
  /** Parts of the names of those that are run, separated by commas; all without it. */
  readonly name?: string | undefined
  /** Seconds for each check, more than usual on a busy machine. */
  readonly limit?: number
  readonly record: boolean
  say(text: string): void
}

/** Columns of the table in test/RESULTS.md. */
const HEAD = ['planted fault', 'caught by', 'seconds']

/** Plants each fault, and demands that its check becomes red. Returns how many were found, and how many not. */
export const runPlanted = async ({
  name = '',
  limit = LIMIT,
  record,
  say,
}: PlantedOptions): Promise<{ passed: number; failed: number }> => {
  const all = readPlanted().filter((each) => name.split(',').some((part) => each.name.includes(part)))
  const folder = copyProject()
  const healthy = new Map<string, Ran>()
  let passed = 0
  let failed = 0
  const fail = (planted: Planted, why: string): void => {
    failed++
    say(`FAILED ${planted.name}: ${why}`)
  }
  const build = (): string | undefined => {
    const { status, stderr } = spawnSync(process.execPath, ['server/build/build.mjs', 'client', 'package'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return status === 0 ? undefined : stderr.trim()
  }
  const plant = async (planted: Planted): Promise<void> => {
    const { check, file } = planted
    const without = healthy.get(check) ?? (await runCheck(folder, check, 10 * limit))
    healthy.set(check, without)
    if (without.isRed) return fail(planted, `${check} is red without it: ${reasonOf(without.out)}`)
    const refused = applyPatch(folder, file)
    if (refused !== undefined) return fail(planted, `it does not apply any more: ${refused}`)
    try {
      const broken = build()
      if (broken !== undefined) return fail(planted, `it cannot be built: ${broken}`)
      const { isRed, seconds, out } = await runCheck(folder, check, limit)
      if (!isRed) return fail(planted, `${check} ${seconds < limit ? 'does not see it' : `did not end within ${limit} s`}`)
      say(`${planted.name}: found in ${seconds.toFixed(1)} s by ${check}: ${reasonOf(out)}`)
      passed++
      if (record) recordRows('Planted faults', HEAD, [[planted.what, check, seconds.toFixed(0)]])
    } finally {
      applyPatch(folder, file, '-R')
    }
  }
  try {
    for (const planted of all) await plant(planted)
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true })
  }
  return { passed, failed }
}
