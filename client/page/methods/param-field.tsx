import { shortened } from '../base/format.ts'
import { Badge } from '../parts/values.tsx'
import { type Document, type Param, resolved, type Schema, typeText } from './document.ts'
import { choicesOf, Prose, plainText } from './wording.tsx'

const MAX_HINT = 100
/** Maximum length of a word in an example, so that it fits on a phone. */
const MAX_WORD = 24

/** The placeholder of an empty field: the default, or an example. */
const hintOf = (schema: Schema): string => {
  if (schema.default !== undefined) return `default ${JSON.stringify(schema.default)}`
  const example = schema.examples?.[0]
  if (example === undefined || example === '') return ''
  const first = Array.isArray(example) && example.every((each) => typeof each === 'string') ? example[0] : example
  if (first === undefined) return ''
  const said = typeof first === 'string' ? first : JSON.stringify(first)
  return `for example ${said.length > MAX_WORD && /^\S+$/.test(said) ? shortened(said, 10, 6) : said}`.slice(0, MAX_HINT)
}

interface ParamFieldProps {
  readonly of: Param
  readonly document: Document
  /** Undefined: the parameter is not sent. An empty text is sent as a value. */
  readonly text: string | undefined
  readonly change: (text: string) => void
}

export const ParamField = ({ of, document, text: given, change }: ParamFieldProps) => {
  const schema = resolved(document, of.schema)
  const choices = choicesOf(schema, of.description ?? '')
  const text = given ?? ''
  const hint = given === '' ? 'the empty text' : hintOf(schema)
  const id = `param-${of.name}`
  const type = choices?.join(' | ') ?? typeText(document, of.schema)
  const description = plainText(of.description ?? '')
  const onInput = (event: Event): void => change((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value)
  const typed = { id, value: text, placeholder: hint, spellcheck: false, onInput }
  return (
    <div class="param">
      <label for={id}>
        <code>{of.name}</code> <span class="dim">{type}</span> {of.required && <Badge tone="open">required</Badge>}
      </label>
      {choices ? (
        <select id={id} value={text} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{schema.default === undefined ? 'not given' : hint}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : schema.type === 'array' || schema.type === 'object' ? (
        <textarea rows={2} {...typed} />
      ) : (
        <input autocomplete="off" {...typed} />
      )}
      {description !== '' && (
        <p class="dim">
          <Prose of={description} />
        </p>
      )}
    </div>
  )
}
