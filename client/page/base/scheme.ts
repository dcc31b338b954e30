/* Light or dark: as the system says, or as the reader chose. */

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const NAME = 'tonway-colours'

/** The reader's choice; `system` without one. */
export const readScheme = (): Scheme => {
  try {
    const stored = localStorage.getItem(NAME)
    return SCHEMES.find((scheme) => scheme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

const show = (scheme: Scheme): void => {
  if (scheme === 'system') delete document.documentElement.dataset['scheme']
  else document.documentElement.dataset['scheme'] = scheme
}

/** Shows the page in these colours and keeps the choice. */
export const applyScheme = (scheme: Scheme): void => {
  show(scheme)
  try {
    localStorage.setItem(NAME, scheme)
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}

show(readScheme())
