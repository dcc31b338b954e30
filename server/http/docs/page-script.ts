/*
 * The browser script of the page at /docs. The functions are sent as source text, so they must not use imports or anything else of this module.
 * They write only text into the page, never markup.
 */

type CreateFill = (base: string, key: HTMLInputElement | null) => (example: string) => Promise<string>

/** Fills the page's examples with data of this network. */
export const createFill: CreateFill = (base, key) => {
  const { raw = '', friendly = '' } = document.body.dataset
  let live: Promise<{ wallet?: { address: string; raw_address: string }; seqno?: number }> | undefined
  /** Data of this network, fetched once: a funded wallet, if there is one, and the seqno of the head. */
  const askLive = async (): Promise<{ wallet?: { address: string; raw_address: string }; seqno?: number }> => {
    const calls = ['local.wallets', 'getMasterchainInfo'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: {} }))
    const headers: Record<string, string> = { 'Content-Type': 'application/json', ...(key?.value && { 'X-API-Key': key.value }) }
    const answer = await fetch(`${base}/jsonRPC`, { method: 'POST', headers, body: JSON.stringify(calls), credentials: 'omit' })
    const [wallets, info] = (await answer.json()) as {
      result?: { wallets?: { address: string; raw_address: string }[]; last?: { seqno: number } }
    }[]
    const wallet = wallets?.result?.wallets?.[0]
    const seqno = info?.result?.last?.seqno
    return { ...(wallet && { wallet }), ...(seqno !== undefined && { seqno }) }
  }
  /** An example with this network's data in place of the sample address and block. */
  return async (example) => {
    live ??= askLive().catch(() => ({}))
    const { wallet, seqno } = await live
    const text = wallet ? example.replaceAll(friendly, wallet.address).replaceAll(raw, wallet.raw_address) : example
    return seqno === undefined ? text : text.replace(/"seqno":"?1"?(?=[,}])/, `"seqno":${seqno}`)
  }
}

type ReadField = (text: string, kind: string | undefined) => unknown

/** A field's text as a JSON value: stacks and objects are JSON; lists are JSON, or elements separated by lines or commas. */
export const readField: ReadField = (text, kind) => {
  if (kind === 'json' || (kind === 'any' && /^\s*[[{]/.test(text)) || (kind === 'list' && /^\s*\[/.test(text))) return JSON.parse(text)
  if (kind === 'list') return text.split(/\s*\n\s*|\s*,\s*/).filter((part) => part !== '')
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** Runs the whole page. The parameters are the functions above. */
export const runDocsPage = (createFill: CreateFill, readField: ReadField): void => {
  const base = location.pathname.replace(/\/docs\/?$/, '')
  const key = document.querySelector<HTMLInputElement>('#key')
  const filter = document.querySelector<HTMLInputElement>('#filter')

  const opened = (): void => {
    const card = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (card instanceof HTMLDetailsElement) card.open = true
  }
  addEventListener('hashchange', opened)
  opened()

  filter?.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    for (const each of document.querySelectorAll<HTMLElement>('[data-words]'))
      each.hidden = !words.every((word) => each.dataset['words']?.includes(word))
    for (const group of document.querySelectorAll<HTMLElement>('[data-group]'))
      group.hidden = ![...group.querySelectorAll<HTMLElement>('[data-words]')].some((each) => !each.hidden)
  })

  const shown = (text: string): string => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text
    }
  }
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

  const filled = createFill(base, key)
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
    const { method = '', path = '' } = form.dataset
    const part = <T extends HTMLElement>(name: string): T => form.querySelector<T>(`.${name}`)!
    const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name]')]

    for (const button of form.querySelectorAll<HTMLButtonElement>('button.example'))
      button.addEventListener('click', async () => {
        button.disabled = true
        const params = JSON.parse(await filled(button.dataset['params'] ?? '{}')) as Record<string, unknown>
        button.disabled = false
        for (const field of fields) {
          const value = params[field.name]
          field.value = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
        }
      })

    const params = (): Record<string, unknown> =>
      Object.fromEntries(
        fields.filter(({ value }) => value !== '').map((field) => [field.name, readField(field.value, field.dataset['kind'])]),
      )
    const query = (given: Record<string, unknown>): string => {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(given))
        for (const each of Array.isArray(value) ? value : [value])
          search.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
      const text = search.toString()
      return text === '' ? '' : `?${text}`
    }
    const request = (door: string): { url: string; init: RequestInit & { headers: Record<string, string> } } => {
      const headers: Record<string, string> = {}
      if (key?.value) headers['X-API-Key'] = key.value
      if (door === 'GET') return { url: `${base}${path}${query(params())}`, init: { headers } }
      headers['Content-Type'] = 'application/json'
      if (door === 'POST') return { url: `${base}${path}`, init: { method: 'POST', headers, body: JSON.stringify(params()) } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params() })
      return { url: `${base}/jsonRPC`, init: { method: 'POST', headers, body } }
    }
    const curl = (url: string, init: RequestInit & { headers: Record<string, string> }): string =>
      [
        `curl -s ${quoted(location.origin + url)}`,
        ...Object.entries(init.headers).map(([name, value]) => `-H ${quoted(`${name}: ${name === 'X-API-Key' ? '$KEY' : value}`)}`),
        ...(init.body === undefined ? [] : [`-d ${quoted(String(init.body))}`]),
      ].join(' \\\n  ')

    const tell = (text: string, good: boolean): void => {
      const told = part('told')
      told.textContent = text
      told.className = `told ${good ? 'good' : 'bad'}`
      told.hidden = false
    }
    const send = async (): Promise<void> => {
      const { url, init } = request(part<HTMLSelectElement>('door').value)
      part('request').textContent = curl(url, init)
      part('request').hidden = false
      const began = performance.now()
      const answer = await fetch(url, { ...init, credentials: 'omit' })
      const text = await answer.text()
      const failed = !answer.ok || /^\{"jsonrpc":"2.0","id":1,"error"/.test(text)
      const retry = answer.headers.get('Retry-After')
      const parts = [
        `${answer.status} in ${Math.round(performance.now() - began)} ms`,
        `request ${answer.headers.get('X-Request-Id') ?? 'unknown'}`,
      ]
      if (retry !== null) parts.push(`retry after ${retry} s`)
      tell(parts.join(' · '), !failed)
      part('answer').textContent = shown(text)
      part('answer').hidden = false
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const button = part<HTMLButtonElement>('send')
      button.disabled = true
      part('answer').hidden = true
      send()
        .catch((error: unknown) => tell(error instanceof SyntaxError ? `not JSON: ${error.message}` : String(error), false))
        .finally(() => {
          button.disabled = false
        })
    })
  }
}
