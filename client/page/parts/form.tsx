import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useRun } from '../base/call.ts'
import { Fault } from './layout.tsx'

/** A field, and how its text is read. */
export interface Field<T = unknown> {
  readonly label: string
  /** Throws an Error whose message is for the user. */
  readonly read: (text: string) => T
  /** The text until the user types. A new value replaces what was typed. */
  readonly value?: string
  readonly placeholder?: string
  readonly hint?: string | ((texts: Readonly<Record<string, string>>) => ComponentChildren)
  readonly mode?: 'text' | 'decimal' | 'numeric'
  readonly isOptional?: boolean
  /** The id of a `<datalist>` with suggested values. */
  readonly list?: string
  /** The only values. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[]
}

/** The same field; without a text its value is undefined. */
export const optional = <T,>(field: Field<T>): Field<T | undefined> => ({
  ...field,
  isOptional: true,
  read: (text) => (text.trim() === '' ? undefined : field.read(text)),
})

type Fields = Readonly<Record<string, Field>>
type Values<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]['read']> }
type Act<F extends Fields> = (values: Values<F>) => Promise<ComponentChildren>

interface FormProps<F extends Fields> {
  readonly title?: string
  readonly fields?: F
  /** Calls the method and returns the result to show. Throws an Error whose message is for the user. */
  readonly act: Act<F>
  readonly button: string
  /** What follows the fields. */
  readonly children?: ComponentChildren
  readonly disabled?: boolean
  /** Shows the effects of the call before it is made. Adds a second button. */
  readonly preview?: Act<F>
  /** True if the button is not the card's main button. */
  readonly quiet?: boolean
  /** True if a careless press of the button does harm. */
  readonly dangerous?: boolean
}

interface InputProps {
  readonly of: Field
  readonly text: string
  readonly texts: Readonly<Record<string, string>>
  readonly change: (text: string) => void
}

const Input = ({ of: { label, placeholder, hint, mode = 'text', isOptional = false, list, choices }, text, texts, change }: InputProps) => {
  const id = useId()
  return (
    <label class="field" for={id}>
      <span>
        {label} {isOptional && <span class="dim">(optional)</span>}
      </span>
      {choices ? (
        <select id={id} value={text} onChange={(event) => change(event.currentTarget.value)}>
          {choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={text}
          placeholder={placeholder}
          list={list}
          inputMode={mode}
          autocomplete="off"
          spellcheck={false}
          required={!isOptional}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      {hint && <small class="dim">{typeof hint === 'string' ? hint : hint(texts)}</small>}
    </label>
  )
}

interface Shown {
  readonly said?: ComponentChildren
  readonly preview?: ComponentChildren
}

/** A form with one button, and a second button for a preview. The buttons are disabled while a call runs. Then the result or the error is shown below them. */
export const Form = <F extends Fields>({ title, fields, act, preview, button, children, ...props }: FormProps<F>) => {
  const { disabled = false, quiet = false, dangerous = false } = props
  const [typed, setTyped] = useState<Readonly<Record<string, { readonly text: string; readonly over: string | undefined }>>>({})
  const [{ busy, data, error }, run] = useRun<Shown>()
  const all = Object.entries<Field>(fields ?? {})
  const texts = Object.fromEntries(
    all.map(([name, { value }]) => [name, typed[name]?.over === value ? (typed[name]?.text ?? value ?? '') : (value ?? '')]),
  )
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isPreview = event.submitter?.getAttribute('value') === 'preview'
    await run(async () => {
      const values = Object.fromEntries(all.map(([name, { read }]) => [name, read(texts[name]!)])) as Values<F>
      return isPreview ? { preview: await preview?.(values) } : { said: await act(values) }
    })
  }
  const isOff = busy || disabled
  return (
    <form class="act" aria-label={title} onSubmit={submit}>
      {title && <h3>{title}</h3>}
      {all.map(([name, field]) => (
        <Input
          key={name}
          of={field}
          text={texts[name]!}
          texts={texts}
          change={(text) => setTyped((before) => ({ ...before, [name]: { text, over: field.value } }))}
        />
      ))}
      {children}
      <div class="buttons">
        <button type="submit" class={dangerous ? 'dangerous' : quiet ? 'plain' : ''} disabled={isOff}>
          {busy ? 'Working…' : button}
        </button>
        {preview && (
          <button type="submit" value="preview" class="plain" disabled={isOff}>
            Preview
          </button>
        )}
        <span class="said" role="status">
          {data?.said}
        </span>
      </div>
      {data?.preview}
      {error && <Fault error={error} />}
    </form>
  )
}
