import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server', 'shared', 'client', 'test'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts') && existsSync(join(root, file)))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What each room may import of the project; the longest matching prefix rules. A room may always import itself. */
const rooms: Record<string, readonly string[]> = {
  shared: [],
  client: ['shared'],
  'server/cell': [],
  'server/tlb': ['server/cell', 'server/chain/ids'],
  'server/tvm': ['server/cell', 'server/tlb'],
  'server/chain': ['server/cell', 'server/tlb', 'server/tvm', 'server/clock', 'server/process-mark', 'shared/errors'],
  'server/v2': ['server/chain', 'server/cell', 'server/tlb', 'server/tvm', 'server/in-turns', 'server/dispatch-types', 'shared'],
  'server/local': ['server/chain', 'server/cell', 'server/tlb', 'server/tvm', 'server/dispatch-types', 'shared'],
  'server/index': [
    ...['server/store', 'server/chain', 'server/cell', 'server/tlb', 'server/tvm'],
    ...['server/dispatch-types', 'server/log', 'shared'],
  ],
  'server/store': ['server/chain/ids', 'server/process-mark', 'shared'],
  'server/net': [],
  'server/metadata': [
    ...['server/book', 'server/store', 'server/index/contracts', 'server/net', 'server/network-config'],
    ...['server/clock', 'server/dispatch-types'],
  ],
  'server/book': ['server/store', 'server/chain/ids', 'server/in-turns', 'shared'],
  'server/v3': [
    'server/json-text',
    'server/in-turns',
    'server/book',
    'server/store',
    'server/v2',
    'server/chain',
    'server/cell',
    'server/tlb',
    'server/dispatch-types',
    'shared',
  ],
  'server/access': [
    ...['server/store', 'server/metrics', 'server/dispatch-types', 'server/failure', 'server/clock', 'server/abort'],
    ...['server/config', 'server/network-config', 'server/net', 'shared'],
  ],
  'server/metrics': ['shared'],
  'server/http': [
    'server/metrics',
    'server/net',
    'server/dispatch-types',
    'server/dispatch',
    'server/failure',
    'server/abort',
    'server/log',
    'server/clock',
    'server/config',
    'shared',
  ],
}
/** Packages a room may import besides node's own modules; a room not named here may import any. */
const packages: Record<string, readonly string[]> = {
  shared: ['zod'],
  client: ['@ton/core'],
  'server/cell': [],
  'server/tlb': [],
  'server/v2': [],
}

const roomOf = (path: string): string | undefined =>
  Object.keys(rooms)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]

const importsOf = (file: string): { specifier: string; typeOnly: boolean }[] =>
  [
    ...read(file).matchAll(
      /^(?:import|export)\s+(type\s+)?(?:(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+)?'([^']+)'/gm,
    ),
  ].map((match) => ({ specifier: match[2]!, typeOnly: match[1] !== undefined }))

describe('house rules', () => {
  it('imports go down only', () => {
    const wrong: string[] = []
    for (const file of files) {
      const room = roomOf(file)
      if (!room) continue
      for (const { specifier, typeOnly } of importsOf(file)) {
        if (specifier.startsWith('.')) {
          const target = normalize(join(dirname(file), specifier))
          const allowed = [room, ...rooms[room]!].some(
            (prefix) => target === prefix || target.startsWith(`${prefix}/`) || target === `${prefix}.ts`,
          )
          if (!allowed) wrong.push(`${file} imports ${relative('.', target)}`)
          if (room === 'client' && target.startsWith('shared/') && !typeOnly) wrong.push(`${file} imports ${target} at run time`)
        } else if (specifier.startsWith('node:')) {
          if (room === 'shared' || room === 'client') wrong.push(`${file} imports ${specifier}`)
        } else if (packages[room] && !packages[room].includes(specifier)) {
          wrong.push(`${file} imports the package ${specifier}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('the service imports no package but its dependencies', () => {
    const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
    const nameOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const known = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
    const wrong = files
      .filter((file) => file.startsWith('server/') || file.startsWith('shared/'))
      .flatMap((file) => importsOf(file).map(({ specifier }) => [file, specifier] as const))
      .filter(([, specifier]) => !/^(\.|node:)/.test(specifier) && !known.has(nameOf(specifier)))
    expect(wrong).toEqual([])
  })

  it('files stay small', () => {
    const long = files.filter((file) => !file.startsWith('test/') && read(file).split('\n').length > 350)
    expect(long).toEqual([])
  })

  it('has no default exports, no enum, no skipped or focused tests left behind', () => {
    const wrong = files.filter((file) => {
      if (file === 'test/house.test.ts') return false
      const text = read(file)
      if (/^export default /m.test(text) && !file.endsWith('vitest.config.ts')) return true
      if (/^(export )?(const )?enum /m.test(text)) return true
      return file.startsWith('test/') && /\b(it|test|describe)\.only\b/.test(text)
    })
    expect(wrong).toEqual([])
  })

  it('the README names every setting and every method', async () => {
    const readme = read('README.md')
    const { registry } = await import('../shared/registry.ts')
    const settings = [...new Set(read('server/config.ts').match(/\bTONWAY_[A-Z_]+\b/g) ?? [])]
    expect(settings.length).toBeGreaterThan(5)
    expect(settings.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
    expect(Object.keys(registry).filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })

  it('pins every dependency and gives each its reason in the README', () => {
    const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string>; devDependencies: Record<string, string> }
    const all = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(Object.entries(all).filter(([, version]) => !/^\d/.test(version))).toEqual([])
    const readme = read('README.md')
    expect(Object.keys(all).filter((name) => !name.startsWith('@types/') && !readme.includes(`\`${name}\``))).toEqual([])
  })
})
