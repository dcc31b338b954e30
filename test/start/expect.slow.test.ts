import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'

it('vitest shows a failed assertion without a comparison of its own', async () => {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  const folder = await mkdtemp(join(modules, '.expect-'))
  try {
    const module = JSON.stringify(fileURLToPath(new URL('../../server/start/expect.ts', import.meta.url)))
    const script = `import { it } from 'vitest'
import { expectTrace } from ${module}
it('an empty trace has nothing', () => expectTrace({ complete: true, truncated: false, transactions: [], address_book: {} }).toHaveTransaction({ success: true }))
`
    await writeFile(join(folder, 'fails.test.ts'), script)
    await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { exclude: [] } }')
    const vitest = [join(modules, 'vitest/vitest.mjs'), 'run', '--root', folder]
    const failed = promisify(execFile)(process.execPath, vitest, { cwd: folder }).then(
      () => 'it passed',
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
    )
    const text = stripVTControlCharacters(await failed)
    expect(text).toContain('expected the trace to have a transaction with')
    expect(text).not.toMatch(/Received|- Expected/)
    // The line of the test, not one of the assertion itself.
    expect(text).toMatch(/ ❯ fails\.test\.ts:3:\d+\n/)
    expect(text).not.toContain('expect.ts:')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
