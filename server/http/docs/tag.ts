import type { Resolved } from '../../../shared/registry.ts'

export const tagOf = ({ section, def: { heading } }: Resolved): string =>
  section === 'v2' || section === 'v3' || section === 'v4' ? `${section} · ${heading}` : heading
