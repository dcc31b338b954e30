// Licenses of packages that are in the bundles: they have to go with every copy.
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

/** The text of LICENSES.txt in the folder of bundles that contain these packages. */
export const licensesText = (names) =>
  `Packages in the files of this folder, and their licenses.\n\n${names.map(licenseOf).join(`\n${'-'.repeat(80)}\n\n`)}`

/** Names of the packages that a build took files from, by its metafile. */
export const packagesIn = ({ inputs }) =>
  [...new Set(Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))].sort()
