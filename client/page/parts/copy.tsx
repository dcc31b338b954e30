import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const SAID = 1_500

export const Copy = ({ text, what = 'Copy' }: { readonly text: string; readonly what?: string }) => {
  const [said, say] = useState('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => say(''), SAID)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (event: Event): Promise<void> => {
    event.preventDefault()
    event.stopPropagation()
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      // Browsers provide the clipboard only to pages from https or localhost.
      say('Not allowed here')
    }
  }
  return (
    <button type="button" class={said === 'Copied' ? 'copy done' : 'copy'} onClick={copy} title={said || what} aria-label={said || what}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {said === 'Copied' ? <path d="M3 8.5l3.2 3.2L13 5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
      </svg>
    </button>
  )
}

interface CopyableProps {
  readonly text: string
  readonly what: string
  readonly class?: string
  /** Default: the text itself. */
  readonly children?: ComponentChildren
}

/** A value with a copy button, next to its last character. */
export const Copyable = ({ text, what, class: name = '', children = <span class="mono wrap">{text}</span> }: CopyableProps) => (
  <span class={`copyable ${name}`}>
    {children}
    <Copy text={text} what={what} />
  </span>
)
