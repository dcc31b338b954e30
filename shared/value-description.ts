import * as z from 'zod'

export interface Meaning {
  readonly what?: string
  readonly form?: string
  readonly example?: unknown
}

/** The documentation of a schema, also if it is wrapped in `.optional()`, `.nullable()` or `.default()`. */
export const meaningOf = (schema: z.core.$ZodType): Meaning => {
  const { description, form, examples } = (z.globalRegistry.get(schema) ?? {}) as {
    description?: string
    form?: string
    examples?: readonly unknown[]
  }
  const own: Meaning = {
    ...(description !== undefined && { what: description }),
    ...(form !== undefined && { form }),
    ...(examples !== undefined && { example: examples[0] }),
  }
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  return wrapped ? { ...meaningOf(schema.unwrap()), ...own } : own
}

/** Description and format as one text; undefined if there is neither. */
export const meaningText = (schema: z.core.$ZodType): string | undefined => {
  const { what, form } = meaningOf(schema)
  const parts = [what, form && `${form[0]!.toUpperCase()}${form.slice(1)}.`].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** The id of a model, also if `.describe()` replaced its description for one use. */
export const modelId = (schema: z.core.$ZodType): string | undefined => {
  for (let each: z.core.$ZodType | undefined = schema; each; each = each._zod.parent) {
    const id = z.globalRegistry.get(each)?.['id']
    if (typeof id === 'string') return id
  }
  return undefined
}
