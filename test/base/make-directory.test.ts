import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDirectory } from '../../server/base/make-directory.ts'

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a directory', () => {
  it('a directory is made with its parents, and may exist already', () => {
    const path = join(root, 'a/b/c')
    for (const each of [path, path, join(path, 'd')]) {
      makeDirectory(each)
      expect(statSync(each).isDirectory()).toBe(true)
    }
  })

  it('a directory cannot be made over a file, nor below one', () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(() => makeDirectory(file)).toThrow('EEXIST')
    expect(() => makeDirectory(join(file, 'below'))).toThrow('ENOTDIR')
  })

  it.skipIf(process.platform !== 'linux')('a directory is refused at once by a file system that cannot make it', () => {
    expect(() => makeDirectory('/proc/nope/below')).toThrow('ENOENT')
  })
})
