interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly change: (text: string) => void
  readonly class?: string
}

/** A field that filters what the view has loaded. */
export const SearchField = ({ label, placeholder, text, change, class: name }: SearchFieldProps) => (
  <input
    type="search"
    class={name}
    aria-label={label}
    placeholder={placeholder}
    value={text}
    onInput={(event) => change(event.currentTarget.value)}
  />
)

/** Returns whether a text has all words of a filter, in any case and order. */
export const hasWords = (text: string, filter: string): boolean => {
  const searched = text.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
