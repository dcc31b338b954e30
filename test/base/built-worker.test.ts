import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { builtWorker } from '../../server/base/threads/built-worker.ts'

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const url = (path: string): string => pathToFileURL(join(root, path)).href
const worker = join(root, 'dist/server/tvm/worker.js')
mkdirSync(dirname(worker), { recursive: true })
writeFileSync(worker, '')

describe('the built worker', () => {
  it.each([
    ['the server', 'dist/server/main.js'],
    ['a shared chunk', 'dist/server/chunks/create-ABC.js'],
    ['a test program', 'dist/test/bench.js'],
    ['the sources', 'server/base/threads/built-worker.ts'],
  ])('the built worker is found from %s', (_, from) => {
    expect(builtWorker('tvm', url(from)).href).toBe(pathToFileURL(worker).href)
  })

  it('a worker that is not built is reported with what to do', () => {
    expect(() => builtWorker('tvm', url('elsewhere/very/deep/down/main.js'))).toThrow('npm run build')
  })
})
