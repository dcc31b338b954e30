// `node server/build/sbom.mjs [FOLDER]` writes the package's bill of materials (CycloneDX), by default next to its tarball. It lists the packages that npm
// installs with it, and the packages that are bundled in the page.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))

/**
 * Writes a package.json and a lock file without development dependencies. `npm sbom --omit dev` alone would omit packages that both a dependency and a
 * development dependency need.
 */
const writeInstalled = (folder) => {
  const { devDependencies: _, ...rest } = manifest
  const { devDependencies: _dev, ...self } = lock.packages['']
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(rest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: { ...packages, '': self } }))
}

/** The bill of materials of the installed packages. npm uses the folder's name as the name of the main component. */
const billOfInstalled = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-sbom-'))
  try {
    mkdirSync(join(folder, manifest.name))
    writeInstalled(join(folder, manifest.name))
    const flags = ['--sbom-format', 'cyclonedx', '--package-lock-only']
    return JSON.parse(execFileSync('npm', ['sbom', ...flags], { cwd: join(folder, manifest.name), encoding: 'utf8', maxBuffer: 64 << 20 }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The component of a package that is bundled in the page. Its format is that of `npm sbom`. */
const componentOf = (name) => {
  const { version, license, integrity } = lock.packages[`node_modules/${name}`]
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
  }
}

const bill = billOfInstalled()
const inPage = [...read('dist/page/LICENSES.txt').matchAll(/^(\S+) [\d.]+ \([\w.-]+\)$/gm)].map(([, name]) => name)
const installed = new Set(bill.components.map(({ name }) => name))
bill.components.push(...inPage.filter((name) => !installed.has(name)).map(componentOf))

const file = `${manifest.name}-${manifest.version}.cdx.json`
writeFileSync(join(process.argv[2] ?? root, file), `${JSON.stringify(bill, null, 2)}\n`)
console.log(file)
