import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

/* The page as it is served. */

const HTML = { Accept: 'text/html' }

let tonway: Tonway
beforeAll(async () => {
  execFileSync(process.execPath, ['server/build/page.mjs'])
  tonway = await startTonway({ blockTime: 0 })
})
afterAll(() => tonway?.close())

const filesOf = (html: string): string[] => [...html.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, file]) => file!)

describe('the page at /', () => {
  it('browsers get the page at /, and every other client gets JSON', async () => {
    const page = await fetch(tonway.url, { headers: HTML })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('vary')).toContain('Accept')
    const list = await (await fetch(tonway.url)).json()
    const paths = list.result.endpoints.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/docs', '/api/streaming/v2/sse', '/global.config.json']))
  })

  it('the page has a policy that lets in no inline script, no other host and no markup from strings', async () => {
    const policy = (await fetch(tonway.url, { headers: HTML })).headers.get('content-security-policy')!
    const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ', 1)[0], rule.split(' ').slice(1)]))
    const host = new URL(tonway.url).host
    expect(rules).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'", `ws://${host}`, `wss://${host}`],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
    })
    expect(policy).not.toMatch(/unsafe|\*|https:/)
  })

  it('a Host header that is no host does not enter the policy of the page', async () => {
    const { request } = await import('node:http')
    const { port } = new URL(tonway.url)
    const policy = await new Promise<string>((resolve, reject) => {
      const req = request({ port, host: '127.0.0.1', headers: { ...HTML, Host: "evil.example;script-src 'unsafe-inline'" } }, (res) => {
        res.resume()
        resolve(String(res.headers['content-security-policy'] ?? ''))
      })
      req.on('error', reject)
      req.end()
    })
    expect(policy).not.toContain('evil')
    expect(policy).not.toContain('unsafe')
  })

  it('the files of the page may be kept by browsers for good and have at most 120 KB gzipped', async () => {
    const html = await (await fetch(tonway.url, { headers: HTML })).text()
    expect(html).not.toMatch(/<script>|<style>| style=| on[a-z]+=/)
    const files = filesOf(html)
    expect(files.map((file) => file.replace(/^.*\./, '')).sort()).toEqual(['css', 'js', 'svg'])
    let bytes = 0
    for (const file of files) {
      const answer = await fetch(`${tonway.url}/${file}`, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      bytes += Number(answer.headers.get('content-length'))
    }
    expect(bytes).toBeLessThan(120_000)
  })

  it('nothing but the files of the page is served under its folder', async () => {
    for (const file of ['index.html', '.stamp', '..%2f..%2fpackage.json', 'page-AAAAAAAA.js', '']) {
      const answer = await fetch(`${tonway.url}/page/${file}`, { headers: HTML })
      expect([file, answer.status]).toEqual([file, 404])
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })

  it('a path that is unknown is a JSON 404 for browsers too', async () => {
    const answer = await fetch(`${tonway.url}/account/EQ`, { headers: HTML })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('application/json')])
  })

  it('the page is also served under the prefix of a network, which ends in a slash', async () => {
    const bare = await fetch(`${tonway.url}/local?docs`, { headers: HTML, redirect: 'manual' })
    expect([bare.status, bare.headers.get('location')]).toEqual([302, 'local/?docs'])
    const html = await (await fetch(`${tonway.url}/local/`, { headers: HTML })).text()
    for (const file of filesOf(html)) expect((await fetch(`${tonway.url}/local/${file}`)).status).toBe(200)
  })

  it('/docs is the page in browsers, under the prefix of a network too, and leads other clients to the document', async () => {
    const html = await (await fetch(tonway.url, { headers: HTML })).text()
    for (const prefix of ['', '/local']) {
      const page = await fetch(`${tonway.url}${prefix}/docs`, { headers: HTML })
      expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("script-src 'self'")])
      expect(page.headers.get('vary')).toContain('Accept')
      expect(await page.text()).toBe(html)
      const other = await fetch(`${tonway.url}${prefix}/docs`, { redirect: 'manual' })
      expect([other.status, other.headers.get('location')]).toEqual([302, `${prefix}/openapi.json`])
      expect(other.headers.get('vary')).toContain('Accept')
    }
  })

  it('a page that is up to date is not built again', () => {
    const before = statSync('dist/page')
    execFileSync(process.execPath, ['server/build/page.mjs'])
    // A build makes a new folder and moves it to its place.
    const after = statSync('dist/page')
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('the page can be switched off: browsers get what other clients get, and /docs leads to the document', async () => {
    await using plain = await startTonway({ blockTime: 0, page: false })
    expect(await (await fetch(plain.url, { headers: HTML })).json()).toMatchObject({ ok: true, result: { name: 'tonway' } })
    const docs = await fetch(`${plain.url}/docs`, { headers: HTML, redirect: 'manual' })
    expect([docs.status, docs.headers.get('location')]).toEqual([302, '/openapi.json'])
    expect(await (await fetch(`${plain.url}/docs`, { headers: HTML })).json()).toHaveProperty('openapi')
    expect((await fetch(`${plain.url}/page/page-AAAAAAAA.js`)).status).toBe(404)
  })
})
