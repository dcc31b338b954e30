/** Groups by which requests are counted. Any path belongs to one of these few. */
export const DOORS = ['jsonRPC', 'v2.jsonRPC', 'v2', 'v3', 'emulate', 'other'] as const
export type Door = (typeof DOORS)[number]

/** The group of a URL without its network prefix. */
export const doorOf = (url: string): Door => {
  if (url.startsWith('/api/v2/')) return url.startsWith('jsonRPC', 8) ? 'v2.jsonRPC' : 'v2'
  if (url.startsWith('/api/v3/')) return 'v3'
  if (url.startsWith('/api/emulate/')) return 'emulate'
  return url.startsWith('/jsonRPC') ? 'jsonRPC' : 'other'
}
