import { expect, it } from 'vitest'
import { withRows } from './kit/results-file.ts'

const at = (date: string) => ({ date, commit: 'abcdef12', machine: '2 cores' })
const HEAD = ['what', 'ms']

it('a new section is put at the end of the page', () => {
  expect(withRows('# Results\n', 'Reads', HEAD, [['by key', '1.5']], at('2026-11-24'))).toBe(
    '# Results\n\n## Reads\n\n| what | ms | date | commit | machine |\n|---|---|---|---|---|\n| by key | 1.5 | 2026-11-24 | abcdef12 | 2 cores |\n',
  )
})

it('a row replaces the one of its name, and all else stays', () => {
  const rows = [
    ['by key', '1.5'],
    ['by hash', '2'],
  ]
  const page = withRows(withRows('# Results\n', 'Reads', HEAD, rows, at('2026-11-24')), 'Writes', HEAD, [['block', '9']], at('2026-11-24'))
  const marked = page.replace('## Reads\n', '## Reads\n\nOf one client.\n')
  const written = withRows(marked, 'Reads', HEAD, [['by key', '1.4']], at('2026-11-25'))
  expect(written).toBe(marked.replace('| by key | 1.5 | 2026-11-24 |', '| by key | 1.4 | 2026-11-25 |'))
})
