import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Context } from '../context.ts'
import type { SendDocument } from './send-document.ts'

/*
 * The page at `/`: files that server/build/page.mjs made from client/page. They do not count as calls, because a browser loads them before it can send a
 * key.
 */

/** File names contain a hash of the content, so the content under a name never changes. */
const FOR_GOOD = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Matches names of built files. Folders and names that begin with a dot do not match. */
const FILE = /^[a-z]+-[A-Z0-9]{8}\.(js|css|svg)$/

/** Matches Host headers that are safe inside a Content-Security-Policy. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?$/

/**
 * The Content-Security-Policy. The page may run the script of its own build, show pictures from answers (`data:`), and connect to its own origin. Older
 * browsers do not count WebSockets of the same host as `'self'`, so these are named.
 */
const policyFor = (host: string | undefined): string => {
  const sockets = host !== undefined && HOST.test(host) ? ` ws://${host} wss://${host}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Sites that the page links to get no referrer. */
const headersFor = (host: string | undefined): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': policyFor(host),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
})

const builtFolder = (from: string): URL | undefined =>
  ['../page/', '../../page/', '../../../page/', '../../../dist/page/']
    .map((place) => new URL(place, from))
    .find((folder) => existsSync(new URL('.stamp', folder)))

/** Opens the page; undefined if it is not built. Reads its files now, so that a later build does not change what this process serves. */
export const openBuiltPage = (send: SendDocument, from: string = import.meta.url) => {
  const folder = builtFolder(from)
  if (folder === undefined) return undefined
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
  const html = read('index.html')
  const files = new Map(
    readdirSync(folder)
      .filter((name) => FILE.test(name))
      .map((name) => [name, read(name)]),
  )
  return {
    index: (ctx: Context): Promise<void> => send(ctx, { type: 'html', text: html, headers: headersFor(ctx.req.headers.host) }),
    /** Sends a file of the page. Returns false if there is no file with this name. */
    async file(ctx: Context, name: string): Promise<boolean> {
      const text = files.get(name)
      if (text === undefined) return false
      await send(ctx, { type: name.slice(name.lastIndexOf('.') + 1), text, headers: FOR_GOOD })
      return true
    },
  }
}
