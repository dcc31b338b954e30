export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const NAME = 'tonway-colours'

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

export const applyScheme = (scheme: Scheme): void => {
  show(scheme)
  try {
    localStorage.setItem(NAME, scheme)
  } catch {
    // Without storage, the choice is lost when the page is closed.
  }
}

show(readScheme())
