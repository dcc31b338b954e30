import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { asError } from '../base/call.ts'
import { Fault } from './layout.tsx'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly placeholder?: string
  readonly hint?: string
  readonly mode?: 'text' | 'decimal' | 'numeric'
  readonly optional?: boolean
  /** The id of a `<datalist>` with suggested values. */
  readonly list?: string
}

export const Field = ({ label, value, change, placeholder, hint, mode = 'text', optional = false, list }: FieldProps) => (
  <label class="field">
    <span>
      {label} {optional && <span class="dim">(optional)</span>}
    </span>
    <input
      value={value}
      placeholder={placeholder}
      list={list}
      inputMode={mode}
      autocomplete="off"
      spellcheck={false}
      required={!optional}
      onInput={(event) => change(event.currentTarget.value)}
    />
    {hint && <small class="dim">{hint}</small>}
  </label>
)

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly choices: readonly { readonly value: string; readonly text: string }[]
}

export const Choice = ({ label, value, change, choices }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={(event) => change(event.currentTarget.value)}>
      {choices.map((each) => (
        <option key={each.value} value={each.value}>
          {each.text}
        </option>
      ))}
    </select>
  </label>
)

interface ActProps {
  readonly title?: string
  /** Calls the method and returns the result to show. Throws an Error whose message is for the user. */
  readonly act: () => Promise<ComponentChildren>
  readonly button: string
  readonly children?: ComponentChildren
  readonly disabled?: boolean
  /** Shows the effects of the call before it is made. Adds a second button. */
  readonly preview?: () => Promise<ComponentChildren>
  /** True if the button is not the card's main button. */
  readonly quiet?: boolean
  /** True if a careless press of the button does harm. */
  readonly dangerous?: boolean
}

interface ActState {
  readonly busy: boolean
  readonly said?: ComponentChildren
  readonly preview?: ComponentChildren
  readonly error?: ReturnType<typeof asError>
}

/** A form with one button, and a second button for a preview. The buttons are disabled while a call runs. Then the result or the error is shown below them. */
export const Act = ({ title, act, preview, button, children, disabled = false, quiet = false, dangerous = false }: ActProps) => {
  const [state, setState] = useState<ActState>({ busy: false })
  const run = async (call: () => Promise<Omit<ActState, 'busy'>>): Promise<void> => {
    setState({ busy: true })
    try {
      setState({ busy: false, ...(await call()) })
    } catch (thrown) {
      setState({ busy: false, error: asError(thrown) })
    }
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isPreview = preview !== undefined && event.submitter?.getAttribute('value') === 'preview'
    await run(async () => (isPreview ? { preview: await preview() } : { said: await act() }))
  }
  const isOff = state.busy || disabled
  return (
    <form class="act" aria-label={title} onSubmit={submit}>
      {title && <h3>{title}</h3>}
      {children}
      <div class="buttons">
        <button type="submit" class={dangerous ? 'dangerous' : quiet ? 'plain' : ''} disabled={isOff}>
          {state.busy ? 'Working…' : button}
        </button>
        {preview && (
          <button type="submit" value="preview" class="plain" disabled={isOff}>
            Preview
          </button>
        )}
        <span class="said" role="status">
          {state.said}
        </span>
      </div>
      {state.preview}
      {state.error && <Fault error={state.error} />}
    </form>
  )
}
