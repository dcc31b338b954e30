import { meaningOf } from '../meaning.ts'
import type { Field } from './field.ts'
import { FieldError, field, unreadable } from './field.ts'

/** One or many: a repeated query name, an array, or a lone value. `read` is the schema of an element; the first problem of an element is the problem of the list. */
export const list = <Out, In>(what: string, item: Field<Out, In>, each: string): Field<readonly Out[], In | readonly In[]> =>
  field({
    what,
    example: [meaningOf(item).example],
    expected: `a list of: ${each}`,
    wire: { type: 'array', items: item.meta()?.['wire'] ?? {} },
    read: (value) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value]
      return values.map((one) => {
        const parsed = item.safeParse(one)
        if (!parsed.success) throw new FieldError(unreadable, { expected: each })
        return parsed.data
      })
    },
  })
