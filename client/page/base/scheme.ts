import { createStored } from './store.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const stored = createStored(() => localStorage, 'tonway-colours')

export const readScheme = (): Scheme => SCHEMES.find((scheme) => scheme === stored.read()) ?? 'system'

const show = (scheme: Scheme): void => {
  if (scheme === 'system') delete document.documentElement.dataset['scheme']
  else document.documentElement.dataset['scheme'] = scheme
}

export const applyScheme = (scheme: Scheme): void => {
  show(scheme)
  stored.write(scheme)
}

show(readScheme())
