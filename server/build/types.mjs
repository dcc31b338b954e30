// Generates the declarations of the client's package with the compiler, except methods.d.ts, which is printed from the registry.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Path of the compiler; undefined if development dependencies are not installed. */
export const compiler = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  } catch {
    return undefined
  }
}

/** Compiler flags for generating declarations. */
export const DECLARATION_FLAGS = [
  ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
  ...['--allowImportingTsExtensions', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--rootDir', '.'],
]

const declarationsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(folder, name))

/** Loads the registry and the printer of its types. `work` must be inside the project, because zod is resolved from there. */
const loadPrinter = async (root, work) => {
  const file = join(work, 'printer.mjs')
  const contents = `export { clientTypes } from './server/build/client-types.ts'
    export { registry } from './shared/registry.ts'`
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return import(pathToFileURL(file).href)
}

/** The statements of a declaration file with their documentation, by the name of the declared type. */
const typesIn = (text) => {
  const statements = [[]]
  for (const line of text.split('\n')) {
    const begun = statements.at(-1).some((before) => before.startsWith('export ') || before.startsWith('import '))
    if (begun && /^(\/\*\*|export |import )/.test(line)) statements.push([])
    statements.at(-1).push(line)
  }
  return statements.flatMap((lines) => {
    const statement = lines.join('\n').trim()
    const name = /^export (?:type|interface) (\w+)/m.exec(statement)?.[1]
    return name ? [[name, statement]] : []
  })
}

/** The compiler's types of each method's params. The probe declares spreads of them, because the compiler prints a spread member by member. */
const inputsOf = (names, emitted, shared) => {
  const params = {}
  const types = new Map(shared.flatMap(typesIn))
  const needed = new Set()
  const need = (text) => {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      if (!types.has(name) || needed.has(name)) continue
      needed.add(name)
      need(types.get(name))
    }
  }
  for (const [, i, type] of emitted.matchAll(/^export declare const p(\d+): (\{[\s\S]*?^\});$/gm)) {
    params[names[i]] = type.replace(/import\("[^"]+"\)\./g, '')
    need(params[names[i]])
  }
  return { params, declarations: [...needed].map((name) => types.get(name)).join('\n') }
}

/** Writes `out`/types for ES modules, and copies for CommonJS, which differ in the extensions of imports. */
export const emitTypes = async (tsc, { root, out, entries }) => {
  const work = join(out, '.types')
  mkdirSync(work, { recursive: true })
  const { clientTypes, registry } = await loadPrinter(root, work)
  const names = Object.keys(registry)
  const probe = join(work, 'probe.ts')
  const shared = relative(work, join(root, 'shared/registry.ts'))
  const spreads = names.map((name, i) => `export const p${i} = { ...(null as unknown as ParamsIn<'${name}'>) }`)
  writeFileSync(probe, [`import type { ParamsIn } from '${shared}'`, ...spreads].join('\n'))
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...DECLARATION_FLAGS, '--outDir', work, probe, ...entries], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`declarations of the client:\n${stdout}`)

  const emitted = readFileSync(join(work, relative(root, work), 'probe.d.ts'), 'utf8')
  const texts = declarationsIn(join(work, 'shared')).map((file) => readFileSync(file, 'utf8'))
  const own = join(work, 'client')
  writeFileSync(join(own, 'methods.d.ts'), clientTypes(registry, inputsOf(names, emitted, texts)))
  for (const file of declarationsIn(own)) {
    const text = readFileSync(file, 'utf8')
    const target = join(out, 'types', relative(own, file))
    mkdirSync(dirname(target), { recursive: true })
    const naming = (extension) => text.replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, `$1$2${extension}$1`)
    writeFileSync(target, naming('.js'))
    writeFileSync(target.replace(/\.ts$/, '.cts'), naming('.cjs'))
  }
  rmSync(work, { recursive: true })
}
