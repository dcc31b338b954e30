import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { projectFolder } from './project.ts'

/*
 * Real data of public networks. The pack in test/data is part of every clone and is enough for every kind of test. The folder in TONWAY_TEST_DATA
 * (default ../shared/data) adds more of the same. A file is named by its path in that folder, without `.gz`. It is read from there first, then from
 * the pack, where it is compressed as `<path>.br`.
 */

/** The folder with additional data. It may be missing. */
export const FULL_DATA = process.env['TONWAY_TEST_DATA'] ?? resolve(projectFolder, '../shared/data')
const PACK = join(projectFolder, 'test/data')

const plainName = (path: string): string => path.replace(/\.(gz|br)$/, '')

/** The place of a file and how to unpack it; undefined if it is in neither folder. */
const find = (path: string): { readonly place: string; readonly unpack: (bytes: Buffer) => Buffer } | undefined => {
  const name = plainName(path)
  const places = [
    { place: join(FULL_DATA, name), unpack: (bytes: Buffer) => bytes },
    { place: join(FULL_DATA, `${name}.gz`), unpack: (bytes: Buffer) => gunzipSync(bytes) },
    { place: join(PACK, `${name}.br`), unpack: (bytes: Buffer) => brotliDecompressSync(bytes) },
  ]
  return places.find(({ place }) => existsSync(place))
}

/** The unpacked content of a file. Throws Error with the searched folders if there is none. */
export const readData = (path: string): Buffer => {
  const found = find(path)
  if (found === undefined) throw new Error(`no test data ${path} in ${FULL_DATA} or ${PACK}`)
  return found.unpack(readFileSync(found.place))
}

/** The content of a JSON file. */
export const readJson = <T>(path: string): T => JSON.parse(readData(path).toString()) as T

export const hasData = (path: string): boolean => find(path) !== undefined

/** Whether the files that the pack leaves out are present. Tests that count items then expect more. */
export const hasAllData = ['chain/testnet-bundle-36649624.json', 'inline/block.json', 'inline/config_dict.json'].every((path) =>
  hasData(path),
)

/** The reason why a test cannot run, for its title: the first missing file. undefined if all are present. */
export const missingData = (...paths: readonly string[]): string | undefined => {
  const missing = paths.find((path) => !hasData(path))
  return missing === undefined ? undefined : `skipped: ${missing} is not in test/data; TONWAY_TEST_DATA names a folder that has it`
}

const namesIn = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []).filter((entry) => entry.isFile()).map(({ name }) => name)
/** Names in a folder of the pack. Files without `.br` are not data. */
const packedIn = (folder: string): string[] => namesIn(folder).filter((name) => name.endsWith('.br'))

/** Paths of the files of both places whose plain names (without `.gz`) match, sorted. */
export const listData = (folder: string, pattern: RegExp): string[] =>
  [...new Set([...namesIn(join(FULL_DATA, folder)), ...packedIn(join(PACK, folder))].map(plainName))]
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${folder}/${name}`)
