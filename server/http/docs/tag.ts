import type { Resolved } from '../../../shared/registry.ts'

/** The tag of a method in OpenAPI and OpenRPC, such as `v3 · Jettons`. */
export const tagOf = ({ section, def: { heading } }: Resolved): string =>
  section === 'v2' || section === 'v3' || section === 'v4' ? `${section} · ${heading}` : heading
