import type { Page } from 'playwright-core'

/** Views that show what goes over the wire: examples of methods. */
const WIRE_VIEWS = ['methods']

/** Forms that people do not read: raw addresses, and hashes in base64. */
const OTHER_FORMS = /-?\d+:[0-9a-fA-F]{64}|\b[A-Za-z0-9+/_-]{43}=/g

/** Addresses and hashes have one form on the whole page: addresses that of wallets, hashes hex. Gives what a view writes otherwise. */
export const otherForms = async (page: Page, view: readonly string[]): Promise<string[]> => {
  if (WIRE_VIEWS.includes(view[0] ?? '')) return []
  const text = await page.locator('main').innerText()
  return text.length > 50 ? [...text.matchAll(OTHER_FORMS)].map(([form]) => form) : [`the view says only ${text}`]
}
