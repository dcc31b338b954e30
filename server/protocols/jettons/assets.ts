import type { Address } from '../../actions/trace.ts'

/** A traded asset: the master of a jetton, or null for Gram. */
export type Asset = Address | null

/** Masters of "proxy TON", a jetton that exchanges move in place of Gram: Ston.fi (two versions) and Tonco. */
const PROXY_TON: ReadonlySet<Address> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
])

export const isProxyTon = (asset: Asset): boolean => asset !== null && PROXY_TON.has(asset)

export const withoutProxy = (asset: Asset): Asset => (isProxyTon(asset) ? null : asset)
