import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-build-'))
  mkdirSync(join(folder, 'server/build'), { recursive: true })
  copyFileSync(join(import.meta.dirname, '../../server/build/build.mjs'), join(folder, 'server/build/build.mjs'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const has = (file: string): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  writeFileSync(join(folder, file), '')
}
const build = (...names: readonly string[]) => {
  const { status, stderr } = spawnSync(process.execPath, ['server/build/build.mjs', ...names], { cwd: folder, encoding: 'utf8' })
  return { status, stderr }
}

describe('the build where esbuild is not installed', () => {
  it('the build fails where nothing is built yet', () => {
    has('server/main.ts')
    expect(build()).toEqual({ status: 1, stderr: expect.stringContaining('dist/ is not built') })
  })

  it('the build says that what is there may be older than the sources, and makes no package of it', () => {
    has('server/main.ts')
    has('dist/server/main.js')
    expect(build()).toEqual({ status: 0, stderr: 'dist/ may be older than the sources: esbuild is not installed\n' })
    expect(build('client', 'package')).toEqual({ status: 1, stderr: expect.stringContaining('esbuild') })
  })

  it('the build says nothing where there are no sources', () => {
    has('dist/server/main.js')
    expect(build()).toEqual({ status: 0, stderr: '' })
  })
})
