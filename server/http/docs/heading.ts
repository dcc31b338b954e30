import type { Resolved } from '../../../shared/registry.ts'

/** `v3 · Jettons`: what tags of both documents are called. */
export const tagOf = ({ section, def: { heading } }: Resolved): string =>
  section === 'v2' || section === 'v3' ? `${section} · ${heading}` : heading
