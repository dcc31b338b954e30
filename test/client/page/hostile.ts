import type { Page } from 'playwright-core'

/* Texts that contracts may hold, and answers in which they stand. */

const VECTORS: readonly string[] = [
  '<script>HIT</script>',
  '<img src=x onerror=HIT>',
  '<svg onload=HIT>',
  '<svg><script>HIT</script></svg>',
  '<iframe srcdoc="<script>HIT</script>"></iframe>',
  '<a href="javascript:HIT">click</a>',
  'javascript:HIT',
  ' jAvA\tscript:HIT',
  'data:text/html,<script>HIT</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="HIT"/>',
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iSElUIi8+',
  'https://evil.example/pixel.png',
  '//evil.example/pixel.png',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example/>',
  '<form action=//evil.example><input name=a></form>',
  '<object data="javascript:HIT"></object>',
  '<style>@import "//evil.example/x.css"</style>',
  '<details open ontoggle=HIT>',
  '<input autofocus onfocus=HIT>',
  '<math><mtext><img src=x onerror=HIT></mtext></math>',
  '{{constructor.constructor("HIT")()}}',
  '{{HIT}}',
  '__proto__',
]
const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `"><!--${text}-->${text}`,
  (text) => `'>${text}`,
  (text) => `</title></textarea></script>${text}`,
  (text) => text.toUpperCase().replaceAll('HIT', 'hit=1'),
  (text) => `\u202e${text}\u0000${text}`,
  (text) => `${text}${'A'.repeat(3_000)}`,
  (text) => encodeURIComponent(`<${text}>`),
]

/** 200 texts that would set `window.hit`, load something from evil.example or break the page, if they were taken for anything but text. */
export const PAYLOADS: readonly string[] = WRAPPERS.flatMap((wrap) =>
  VECTORS.map((vector) => wrap(vector.replaceAll('HIT', 'window.hit=1'))),
)

/** Fields whose text a contract, or a document that it names, chooses. */
const OWN: ReadonlySet<string> = new Set([
  ...[
    'name',
    'symbol',
    'description',
    'image',
    'image_data',
    'uri',
    'comment',
    'text',
    'domain',
    'decimals',
    'decoded_opcode',
    'nft_index',
  ],
])
const WHOLE: ReadonlySet<string> = new Set(['jetton_content', 'content', 'collection_content', 'extra', 'decoded'])

/** A copy of an answer in which `next()` stands in every text that a contract chooses. */
const poisoned = (value: unknown, next: () => string, own = false): unknown => {
  if (Array.isArray(value)) return value.map((each) => poisoned(each, next, own))
  if (typeof value !== 'object' || value === null) return own && (typeof value === 'string' || value === null) ? next() : value
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, poisoned(inner, next, own || OWN.has(name) || WHOLE.has(name))] as const,
  )
  const extra = own ? [[next(), next()]] : []
  return Object.fromEntries([...entries, ...extra])
}

/** Puts payloads into every answer of the service, other ones in each text. Returns a function that ends it. */
export const poison = async (page: Page): Promise<() => Promise<void>> => {
  let at = 0
  const next = (): string => PAYLOADS[at++ % PAYLOADS.length]!
  const isCall = (url: URL): boolean => url.pathname.endsWith('/jsonRPC')
  await page.route(isCall, async (route) => {
    const response = await route.fetch()
    const answers = (await response.json()) as { result?: unknown }[]
    const list = (Array.isArray(answers) ? answers : [answers]).map((answer) => ({ ...answer, result: poisoned(answer.result, next) }))
    await route.fulfill({ response, body: JSON.stringify(Array.isArray(answers) ? list : list[0]) })
  })
  return () => page.unrouteAll({ behavior: 'wait' })
}

/** Elements of the page that only markup of strangers could have made. */
export const intruders = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = [
      ...document.querySelectorAll(
        'main script, main iframe, main object, main embed, main link, main meta, main base, main style, main math',
      ),
    ]
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')].filter((link) => !link.getAttribute('href')?.startsWith('#/'))
    const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')].filter(
      (image) => !new RegExp(`^${location.origin}/(\\w+/)?picture/-?\\d+:[0-9A-F]{64}$`).test(image.src),
    )
    const hit = 'hit' in window ? ['window.hit'] : []
    return [...hit, ...[...found, ...links, ...pictures].map((element) => element.outerHTML.slice(0, 200))]
  })

/** The tree of a trace of `count` transactions, each with up to three more, in the form of v3.traces but without the transactions themselves. */
export const largeTrace = (count: number, state: 'complete' | 'pending' = 'complete') => {
  const hash = (i: number): string => Buffer.from(i.toString(16).padStart(64, '0'), 'hex').toString('base64')
  const nodes = Array.from({ length: count }, (_, i) => ({ tx_hash: hash(i + 1), in_msg_hash: hash(i + 1), children: [] as unknown[] }))
  for (let i = 1; i < count; i++) nodes[Math.floor((i - 1) / 3)]!.children.push(nodes[i])
  const info = { trace_state: state, messages: count, transactions: count, pending_messages: 0, classification_state: 'ok' }
  const place = { mc_seqno_start: '1', mc_seqno_end: '2', start_lt: '1', start_utime: 1_700_000_000, end_lt: '2', end_utime: 1_700_000_001 }
  return {
    traces: [
      {
        trace_id: hash(1),
        external_hash: null,
        ...place,
        trace_info: info,
        is_incomplete: false,
        actions: [],
        trace: nodes[0],
        transactions: {},
      },
    ],
    address_book: {},
    metadata: {},
  }
}
