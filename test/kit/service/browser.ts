import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  // The one without windows takes two thirds of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A Chromium of this machine; undefined if there is none. */
export const browserPath: string | undefined = [process.env['CHROMIUM_PATH'], ...PLACES].find((path) => path && existsSync(path))

/** A test title with the browser, or with the reason for skipping. */
export const inBrowser = (what: string): string =>
  browserPath ? `${what}, in ${browserPath}` : `${what}: skipped, no Chromium at CHROMIUM_PATH or ${PLACES.join(', ')}`

/** Without a graphics processor, drawing as on one and moving parts take a quarter of the processor time of a walk. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-prefers-reduced-motion']

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: browserPath!, args: ARGS })
