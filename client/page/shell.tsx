import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, useRun } from './base/call.ts'
import { useLead } from './base/clock.ts'
import { shortened, tame } from './base/format.ts'
import { live, status } from './base/live.ts'
import { goTo, hrefOf, route } from './base/router.ts'
import { applyScheme, readScheme, SCHEMES, type Scheme } from './base/scheme.ts'
import { type FoundToken, find, loadTokens, matchingTokens } from './base/search.ts'
import { isKeyNeeded, readKey, saveKey } from './base/service.ts'
import { useStore } from './base/store.ts'
import { warningText } from './base/token-metadata.ts'
import { useAbout } from './base/value-lookups.ts'
import { usePresentInSight } from './parts/layout.tsx'
import { OtherNetworks } from './parts/other-networks.tsx'

const Search = () => {
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const [{ busy }, run] = useRun<void>()
  const [tokens, setTokens] = useState<readonly FoundToken[]>([])
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // `/` focuses the search box, as on other explorers.
    const focus = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.key !== '/' || (target instanceof HTMLElement && target.matches('input, textarea, select'))) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  const look = async (): Promise<void> => {
    const found = await find(text).catch((thrown) => ({ fault: asError(thrown).message }))
    if ('fault' in found) return setFault(found.fault)
    setText('')
    goTo(...found.route)
  }
  const search = (event: Event): void => {
    event.preventDefault()
    setFault('')
    if (text.trim() !== '') void run(look)
  }
  return (
    <form class="search" role="search" onSubmit={search}>
      <input
        ref={box}
        type="search"
        aria-label="Search: address, hash, block, name or token"
        list="search-suggestions"
        aria-describedby="search-fault"
        placeholder="Address, hash, block, name or token"
        value={text}
        spellcheck={false}
        autocomplete="off"
        onFocus={() => loadTokens().then(setTokens)}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setFault('')
        }}
      />
      <datalist id="search-suggestions">
        {matchingTokens(tokens, text).map(({ address, name, symbol, warnings }) => (
          <option
            key={address}
            value={address}
          >{`${tame(name || symbol, 40)}${symbol ? ` (${tame(symbol, 20)})` : ''}${warningText(warnings)} ${shortened(address)}`}</option>
        ))}
      </datalist>
      <button type="submit" disabled={busy} aria-label="Search">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4l3.4 3.4" />
        </svg>
      </button>
      <p id="search-fault" role="alert">
        {fault}
      </p>
    </form>
  )
}

const LINKS: readonly (readonly [name: string, path: string])[] = [
  ['Overview', ''],
  ['Validators', 'validators'],
  ['Configuration', 'config'],
  ['Methods', 'methods'],
]

const Links = () => {
  const [at = ''] = useStore(route)
  const about = useAbout()
  const plain = useStore(status, (value) => value !== undefined && value.index === undefined)
  // Links that load late come last, so that no other link moves under the pointer.
  const links = [
    ...LINKS.filter(([, path]) => path !== 'validators' || !plain),
    ...(about?.local ? [['Workbench', 'workbench'] as const] : []),
  ]
  const nav = usePresentInSight([at, links.length])
  return (
    <nav class="links" aria-label="Views" ref={nav}>
      {links.map(([name, path]) => (
        <a key={name} href={path === '' ? '#/' : hrefOf(path)} aria-current={at === path ? 'page' : undefined}>
          {/* Narrow screens show only the first letters. */}
          {name === 'Configuration' ? (
            <>
              Config<span class="rest">uration</span>
            </>
          ) : (
            name
          )}
        </a>
      ))}
    </nav>
  )
}

const STATES: Readonly<Record<string, readonly [tone: string, text: string]>> = {
  connecting: ['wait', 'connecting'],
  live: ['ok', 'blocks live'],
  polling: ['ok', 'blocks up to date'],
  lost: ['bad', 'no answer'],
}

const Connection = () => {
  const state = useStore(live, (value) => value.state)
  const network = useStore(status, (value) => value?.network ?? '')
  const [tone, text] = STATES[state]!
  const lead = useLead()
  return (
    <span class={`connection ${tone} ${lead === '' ? '' : 'ahead'}`} role="status">
      <span class="dot" aria-hidden="true" /> {network} <span class="state">{text}</span>
      {lead !== '' && (
        <span class="lead" title={`The chain’s clock is ${lead} ahead of this browser’s. Ages are counted from the chain’s.`}>
          chain clock {lead} ahead
        </span>
      )}
    </span>
  )
}

const SchemeButton = () => {
  const [scheme, setScheme] = useState<Scheme>(readScheme())
  const next = SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length]!
  const change = (): void => {
    applyScheme(next)
    setScheme(next)
  }
  const what = `Colours: ${scheme}. Change to ${next}.`
  return (
    <button type="button" class="plain" onClick={change} title={what} aria-label={what}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {scheme === 'dark' ? (
          <path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" />
        ) : scheme === 'light' ? (
          <path d="M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1" />
        ) : (
          <path d="M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12" />
        )}
      </svg>
    </button>
  )
}

/**
 * The API key, stored in this tab only. An embedded chain needs no key until it refuses a request. The control is invisible, but keeps its space, until the
 * page knows whether the chain is embedded.
 */
const Key = () => {
  const [key, setKey] = useState(readKey())
  const about = useAbout()
  const isShown = useStore(isKeyNeeded) || readKey() !== ''
  if (about?.local && !isShown) return null
  return (
    <details class={about === undefined && !isShown ? 'key unknown' : 'key'}>
      <summary>
        <span class="rest">API </span>key
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saveKey(key.trim())
        }}
      >
        <label class="field">
          <span>API key</span>
          <input type="password" value={key} autocomplete="off" onInput={(event) => setKey(event.currentTarget.value)} />
          <small class="dim">Kept in this tab, until it is closed. Only services with limits need one.</small>
        </label>
        <button type="submit">{key.trim() === '' ? 'Use no key' : 'Use it'}</button>
      </form>
    </details>
  )
}

/** Warnings that people should read before they trust the data. */
const Notices = () => {
  const state = useStore(live, (value) => value.state)
  const serviceStatus = useStore(status)
  const index = serviceStatus?.index
  return (
    <div class="notices" role="status">
      {state === 'lost' && <p class="notice bad">The service does not answer. What you see may be old; the page tries again by itself.</p>}
      {serviceStatus?.phase === 'failed' && <p class="notice bad">This network could not be started. The log of the service says why.</p>}
      {index !== undefined && index.error !== '' && <p class="notice bad">The index has stopped: {index.error.slice(0, 300)}</p>}
      {index !== undefined && index.error === '' && index.lag > 20 && (
        <p class="notice">The index is {index.lag} blocks behind. Lists and traces end before the head of the chain.</p>
      )}
    </div>
  )
}

/** Says that ages follow the chain's clock, if it is ahead of the browser's. */
const ClockNote = () => {
  const lead = useLead()
  return lead === '' ? null : <p>Ages are counted by the chain’s clock, which is {lead} ahead of this browser’s.</p>
}

export const Shell = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
      To the content
    </button>
    <header class="top">
      <div class="bar">
        <a class="logo" href="#/" aria-label="tonway, overview">
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d="M4 5h16M12 5v14M6 10l6 9 6-9" />
          </svg>
          <span class="word">tonway</span>
        </a>
        <Connection />
        <Search />
        <div class="controls">
          <Key />
          <SchemeButton />
        </div>
      </div>
      <Links />
    </header>
    <main id="content" tabIndex={-1}>
      <Notices />
      {children}
    </main>
    <footer>
      <ClockNote />
      <p>
        <OtherNetworks>Other networks of this service:</OtherNetworks>
      </p>
      <p>The coin is Gram (GRAM), formerly Toncoin.</p>
      <p>
        <a href="openapi.json">OpenAPI</a> · <a href="openrpc.json">OpenRPC</a> · <a href="status">Status</a> ·{' '}
        <a href={hrefOf('hooks')}>Webhooks</a>
      </p>
    </footer>
  </>
)
