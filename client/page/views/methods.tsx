import { Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useCall } from '../base/call.ts'
import { hrefOf } from '../base/router.ts'
import { type Document, loadDocument, type MethodDoc } from '../methods/document.ts'
import { MethodView } from '../methods/method.tsx'
import { Prose } from '../methods/wording.tsx'
import { Card, Empty, EmptyCard, Heading, Loading } from '../parts/layout.tsx'
import { hasWords, SearchField } from '../parts/search-field.tsx'

const textOf = ({ name, summary, params, tags, 'x-aliases': aliases = [] }: MethodDoc): string =>
  [name, summary, ...aliases, ...tags.map((tag) => tag.name), ...params.map((param) => param.name)].join(' ')

const grouped = (methods: readonly MethodDoc[]): ReadonlyMap<string, readonly MethodDoc[]> => {
  const groups = new Map<string, MethodDoc[]>()
  for (const method of methods) {
    const tag = method.tags[0]?.name ?? ''
    groups.set(tag, [...(groups.get(tag) ?? []), method])
  }
  return groups
}

/** A long name can break only after its dots. */
const Name = ({ of }: { readonly of: string }) => (
  <>
    {of.split('.').map((part, i) => (
      <span key={part}>
        {i > 0 && (
          <>
            .<wbr />
          </>
        )}
        {part}
      </span>
    ))}
  </>
)

const List = ({ of, chosen }: { readonly of: Document; readonly chosen: string | undefined }) => {
  const [filter, setFilter] = useState('')
  const found = of.methods.filter((method) => hasWords(textOf(method), filter))
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // Scrolls the list, but not the page.
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && link) nav.current.scrollTop = link.offsetTop - nav.current.clientHeight / 2
  }, [])
  return (
    <nav class="method-list" aria-label="Methods" ref={nav}>
      <SearchField label="Search methods" placeholder={`Search ${of.methods.length} methods`} text={filter} change={setFilter} />
      {found.length === 0 && <Empty>No method has all of these words.</Empty>}
      {[...grouped(found)].map(([tag, methods]) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <ul>
            {methods.map(({ name, summary }) => (
              <li key={name}>
                <a href={hrefOf('methods', name)} title={summary.replaceAll('`', '')} aria-current={name === chosen ? 'page' : undefined}>
                  <Name of={name} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** All methods with their summaries, by group. Shown while no method is chosen. */
const Groups = ({ of }: { readonly of: Document }) => (
  <>
    <p class="dim">
      Each method has its parameters with their meaning, a form that sends it, and the same call for curl, JSON-RPC and the client.
    </p>
    {[...grouped(of.methods)].map(([tag, methods]) => (
      <Card key={tag} title={tag}>
        <dl class="method-groups">
          {methods.map(({ name, summary }) => (
            <Fragment key={name}>
              <dt>
                <a class="mono" href={hrefOf('methods', name)}>
                  <Name of={name} />
                </a>
              </dt>
              <dd>
                <Prose of={summary} />
              </dd>
            </Fragment>
          ))}
        </dl>
      </Card>
    ))}
  </>
)

export const MethodsPage = ({ name }: { readonly name: string | undefined }) => {
  const answer = useCall(loadDocument, ['methods'])
  return (
    <>
      <Heading title={name ?? 'Methods'}>{name && <a href={hrefOf('methods')}>All methods</a>}</Heading>
      <Loading of={answer} lines={10}>
        {(document) => {
          const method = document.methods.find((each) => each.name === name || each['x-aliases']?.includes(name ?? ''))
          return (
            <div class={`methods ${name === undefined ? 'all' : 'one'}`}>
              <List of={document} chosen={method?.name} />
              <div class="chosen">
                {method ? (
                  <MethodView key={method.name} of={method} document={document} />
                ) : name === undefined ? (
                  <Groups of={document} />
                ) : (
                  <EmptyCard>There is no such method here. It may need a part of the service that is off, such as the index.</EmptyCard>
                )}
              </div>
            </div>
          )
        }}
      </Loading>
    </>
  )
}
