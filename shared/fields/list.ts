import { meaningOf } from '../value-description.ts'
import type { Field } from './field.ts'
import { FieldError, field, unreadable } from './field.ts'

/**
 * A list of values: a repeated name in a query, an array, or a single value. `item`: the schema of an element. `each`: description of what an element
 * accepts. The error is that of the first rejected element.
 */
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
