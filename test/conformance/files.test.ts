import { describe, expect, it } from 'vitest'
import { CASES, parseCase, readCases, textOf } from './case-file.ts'

const cases = readCases(CASES)

describe('the files of the cases', () => {
  it('a case says in words what it shows, and asks the method of its folder last', () => {
    expect(cases.filter(({ words }) => !/^\S.{9,}\.$/.test(words)).map(({ path }) => path)).toEqual([])
    const misplaced = cases.filter(({ path, section, method }) => path.split('/')[1] !== method.replace(`${section}.`, ''))
    expect(misplaced.map(({ path }) => path)).toEqual([])
  })

  it('a method has at least four cases, and at least two of them are errors', () => {
    const counts = new Map<string, { cases: number; errors: number }>()
    for (const { section, method, exchanges } of cases) {
      const name = `${section}/${method}`
      const { cases: all, errors } = counts.get(name) ?? { cases: 0, errors: 0 }
      const isError = /^\{.*"error":/.test(exchanges.at(-1)!.received[0] ?? '')
      counts.set(name, { cases: all + 1, errors: errors + (isError ? 1 : 0) })
    }
    expect([...counts].filter(([, { cases: all, errors }]) => all < 4 || errors < 2)).toEqual([])
  })

  it('a file without a request, or with another kind of line, is refused with its path', () => {
    expect(() => parseCase('v2/a/b.io', '// words\n')).toThrow('v2/a/b.io: a case has a request')
    expect(() => parseCase('v2/a/b.io', '>> {}\nnonsense\n')).toThrow('v2/a/b.io: not a line of a case: nonsense')
  })

  it('a recorded text keeps the words of the file, and has the new status and answers', () => {
    const text = '// Words.\n// status: 500\n// any server\n>> {"id":1}\n<< {"id":1}\n'
    expect(textOf(text, 422, [{ request: '{"id":1}', received: ['{"id":2}', '{"id":3}'] }])).toBe(
      '// Words.\n// status: 422\n// any server\n>> {"id":1}\n<< {"id":2}\n<< {"id":3}\n',
    )
  })
})
