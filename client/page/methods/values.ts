import { parseAddress } from '../base/address.ts'
import type { Values } from './call-snippets.ts'
import { type Document, type MethodDoc, type Param, resolved } from './document.ts'

/** Texts of the form by parameter name. A parameter without an entry is not sent; an empty text from an example is sent as a value. */
export type Texts = Readonly<Record<string, string>>

/** The text of a value in a field. Lists have one element per line. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The texts of an example. The sample addresses are replaced with an account of this network. */
export const textsOf = ({ params }: MethodDoc['examples'][number], account: string | undefined): Texts => {
  const here = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(here)
    return account !== undefined && typeof value === 'string' && parseAddress(value) !== undefined ? account : value
  }
  return Object.fromEntries(params.map(({ name, value }) => [name, textOf(here(value))]))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const typedValue = (document: Document, { name, schema: given }: Param, text: string): unknown => {
  const schema = resolved(document, given)
  const type = schema.type
  if (type === 'boolean' || (schema.oneOf?.some((each) => each.type === 'boolean') && /^(true|false)$/.test(text))) return text === 'true'
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text.trim()
  if (type === 'array') {
    if (!/^\s*\[/.test(text))
      return text
        .split(/[\n,]/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
    const list = parsed(text)
    if (list === undefined) throw new Error(`${name}: this is not a JSON list.`)
    return list
  }
  if (type === 'object' || (type === undefined && /^\s*[[{]/.test(text))) {
    const value = parsed(text)
    if (value === undefined) throw new Error(`${name}: this is not JSON.`)
    return value
  }
  // The parameter accepts two types, such as the name or the number of a get-method.
  return type === undefined && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text.trim()
}

/**
 * The values to send. Leaves out parameters without an entry in `texts` and those with only white space; an empty text is sent. Throws an Error that names
 * the invalid field.
 */
export const valuesOf = (document: Document, { params }: MethodDoc, texts: Texts): Values =>
  Object.fromEntries(
    params.flatMap((param) => {
      const text = texts[param.name]
      return text === undefined || (text !== '' && text.trim() === '') ? [] : [[param.name, typedValue(document, param, text)]]
    }),
  )
