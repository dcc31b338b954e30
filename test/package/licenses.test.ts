import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../kit/project.ts'

/* What users install or load is under licenses that permit its use in any program. */

const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'PostgreSQL']
/** Packages for development whose code is in the files of the page. */
const IN_PAGE = ['preact', 'd3-hierarchy']

interface LockedPackage {
  readonly version: string
  readonly dev?: true
  readonly license?: string
}

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '')
const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && (!dev || IN_PAGE.includes(nameOf(path))))

it('every package that users install, or that the page contains, has a license that permits it', () => {
  expect(shipped.length).toBeGreaterThan(50)
  const refused = shipped
    .filter(([, { license = 'none' }]) => !PERMISSIVE.includes(license))
    .map(([path, { license }]) => `${path}: ${license}`)
  expect(refused).toEqual([])
})

it('the page contains the listed packages alone', () => {
  const text = readFileSync(join(projectFolder, 'dist/page/LICENSES.txt'), 'utf8')
  const names = [...text.matchAll(/^(\S+) [\d.]+ \([\w.-]+\)$/gm)].map(([, name]) => name)
  expect(names.sort()).toEqual([...IN_PAGE, '@noble/hashes', 'json-rpc-2.0'].sort())
})

it('the bill of materials lists the same packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-bill-'))
  try {
    const file = execFileSync(process.execPath, [join(projectFolder, 'server/build/sbom.mjs'), folder], { encoding: 'utf8' }).trim()
    const bill = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly bomFormat: string
      readonly metadata: { readonly component: { readonly name: string; readonly version: string } }
      readonly components: readonly { readonly name: string; readonly version: string }[]
    }
    expect([bill.bomFormat, bill.metadata.component]).toMatchObject(['CycloneDX', { name: 'tonway', version: lock.packages['']!.version }])
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
    expect([...listed].sort()).toEqual([...new Set(shipped.map(([path, { version }]) => `${nameOf(path)}@${version}`))].sort())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
