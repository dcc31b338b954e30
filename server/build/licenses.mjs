// Licenses of bundled packages, which must be distributed with the bundles.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

const licenseOf = (name) => {
  const folder = join(packages, name)
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each))
  if (file === undefined) throw new Error(`${name} has no file with its license`)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

/** The text of LICENSES.txt, for a folder whose bundles contain these packages. */
export const licensesText = (names) =>
  `Packages in the files of this folder, and their licenses.\n\n${names.map(licenseOf).join(`\n${'-'.repeat(80)}\n\n`)}`

/** Names of the packages that a build includes, from its metafile. */
export const packagesIn = ({ inputs }) =>
  [...new Set(Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))].sort()
